"""Turns envelopes into bytes and back; whatever arrives, the only error is a WireError."""

from __future__ import annotations

import re
from typing import Any, get_args

import msgspec

from aico_desktop.contract.messages import (
    PROTOCOL_VERSION,
    Event,
    Failure,
    Reply,
    Request,
    RequestEnvelope,
    ServerEnvelope,
)

MAX_REQUEST_BYTES = 8 * 1024 * 1024
"""Largest request that the backend reads; longer imports are sent in batches."""

MAX_SERVER_BYTES = 64 * 1024 * 1024
"""Largest reply or event; a whole memory list of a large home stays far below."""


class WireError(Exception):
    """Bytes that are no valid message of this protocol version, or a message too large to send.

    ``code`` is one of ``malformed``, ``unknown_type``, ``wrong_protocol``, ``too_large``;
    ``request_id`` is set when the sender can still be answered. No part of the message is kept
    in the texts, which may be logged.
    """

    def __init__(
        self, code: str, human: str, technical: str, request_id: str | None = None
    ) -> None:
        super().__init__(f"{code}: {technical}")
        self.code = code
        self.human = human
        self.technical = technical
        self.request_id = request_id

    def failure(self) -> Failure:
        """The answer to the sender."""
        return Failure(code=self.code, human=self.human, technical=self.technical)


class _Header(msgspec.Struct, frozen=True):
    """What is read of an envelope that could not be read whole, to be able to answer it."""

    v: int | None = None
    id: str | None = None
    body: msgspec.Raw = msgspec.Raw(b"null")


class _Tag(msgspec.Struct, frozen=True):
    """The type name of a body."""

    type: str | None = None


_encoder = msgspec.json.Encoder()
_request_decoder = msgspec.json.Decoder(RequestEnvelope)
_server_decoder = msgspec.json.Decoder(ServerEnvelope)
_header_decoder = msgspec.json.Decoder(_Header)
_tag_decoder = msgspec.json.Decoder(_Tag)
_QUOTED = re.compile(r"""(['"]).*\1|(?<=unknown field )`.*`(?= - at )""", re.DOTALL)


def _tags(bodies: Any) -> frozenset[str]:
    """The type names of a union of bodies."""
    return frozenset(body.__struct_config__.tag for body in get_args(bodies))


_REQUEST_TAGS = _tags(Request)
_SERVER_TAGS = _tags(Reply | Failure | Event)


def encode_request(envelope: RequestEnvelope) -> bytes:
    """Bytes of a request. Raises :class:`WireError` (``too_large``)."""
    return _encode(envelope, MAX_REQUEST_BYTES, envelope.id)


def encode_server(envelope: ServerEnvelope) -> bytes:
    """Bytes of a reply or event. Raises :class:`WireError` (``too_large``)."""
    return _encode(envelope, MAX_SERVER_BYTES, envelope.id)


def decode_request(data: bytes) -> RequestEnvelope:
    """The request that ``data`` holds. Raises :class:`WireError` and nothing else."""
    if len(data) > MAX_REQUEST_BYTES:
        raise _too_large(len(data), MAX_REQUEST_BYTES, _readable_id(data))
    try:
        envelope = _request_decoder.decode(data)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise _explained(data, error, _REQUEST_TAGS) from error
    if envelope.v != PROTOCOL_VERSION:
        raise wrong_protocol(envelope.v, PROTOCOL_VERSION, envelope.id)
    return envelope


def decode_server(data: bytes) -> ServerEnvelope:
    """The reply or event that ``data`` holds. Raises :class:`WireError` and nothing else.

    A Failure is taken from a backend of any version: it may say that the versions differ.
    """
    try:
        envelope = _server_decoder.decode(data)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise _explained(data, error, _SERVER_TAGS) from error
    if envelope.v != PROTOCOL_VERSION and not isinstance(envelope.body, Failure):
        raise wrong_protocol(PROTOCOL_VERSION, envelope.v, envelope.id)
    return envelope


def wrong_protocol(client: int, backend: int, request_id: str | None = None) -> WireError:
    """Tells the person which of the two programs is the older one and must be updated.

    Params: the protocol versions that the client and the backend speak.
    """
    if client < backend:
        human = (
            "This window or command is older than the AICO backend that is running."
            " Close it and start the updated version."
        )
    else:
        human = (
            "The AICO backend that is running is older than this window or command."
            " Close all AICO windows and commands, then start again, so that the updated"
            " backend takes over."
        )
    technical = f"client speaks protocol {client}, backend speaks {backend}"
    return WireError("wrong_protocol", human, technical, request_id)


def _encode(
    envelope: RequestEnvelope | ServerEnvelope, limit: int, request_id: str | None
) -> bytes:
    try:
        data = _encoder.encode(envelope)
    except UnicodeEncodeError:
        # Lone surrogates come from pasted or imported text and have no UTF-8 form.
        data = _encoder.encode(_without_surrogates(msgspec.to_builtins(envelope)))
    if len(data) > limit:
        raise _too_large(len(data), limit, request_id)
    return data


def _without_surrogates(value: Any) -> Any:
    """The same value with each lone surrogate as U+FFFD; lengths and spans stay as they are."""
    if isinstance(value, str):
        return "".join("\ufffd" if "\ud800" <= char <= "\udfff" else char for char in value)
    if isinstance(value, dict):
        return {_without_surrogates(key): _without_surrogates(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_without_surrogates(item) for item in value]
    return value


def _explained(data: bytes, error: Exception, known: frozenset[str]) -> WireError:
    """Tell wrong version, unknown type and malformed content apart."""
    try:
        header = _header_decoder.decode(data)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return _malformed(error, None)
    if header.v is not None and header.v != PROTOCOL_VERSION:
        if known is _REQUEST_TAGS:
            return wrong_protocol(header.v, PROTOCOL_VERSION, header.id)
        return wrong_protocol(PROTOCOL_VERSION, header.v, header.id)
    try:
        tag = _tag_decoder.decode(header.body).type
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return _malformed(error, header.id)
    if tag is not None and tag not in known:
        human = "The other side sent a kind of message that this version of AICO does not know."
        return WireError("unknown_type", human, f"unknown type of {len(tag)} characters", header.id)
    return _malformed(error, header.id)


def _malformed(error: Exception, request_id: str | None) -> WireError:
    """Say where and why without the content: texts of errors are shown and logged."""
    technical = type(error).__name__
    if isinstance(error, msgspec.ValidationError):
        technical = _QUOTED.sub("(a value)", str(error))
    human = "AICO received a message that it cannot read."
    return WireError("malformed", human, technical, request_id)


def _too_large(size: int, limit: int, request_id: str | None) -> WireError:
    megabytes = limit // (1024 * 1024)
    human = f"This is too much at once: at most {megabytes} MB fit into one message."
    return WireError("too_large", human, f"{size} bytes, limit {limit}", request_id)


def _readable_id(data: bytes) -> str | None:
    try:
        return _header_decoder.decode(data).id
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None
