"""Envelopes survive the wire unchanged; anything else becomes a WireError and nothing more."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import get_args

import pytest

from aico_desktop.contract import wire
from aico_desktop.contract.messages import (
    PROTOCOL_VERSION,
    Event,
    FactsChanged,
    Failure,
    Ingest,
    IngestRow,
    Ping,
    Reply,
    Request,
    RequestEnvelope,
    SelectEngine,
    SendMessage,
    ServerEnvelope,
    Stats,
    StatsReply,
)
from aico_desktop.contract.wire import WireError


def request(body: Request) -> RequestEnvelope:
    return RequestEnvelope(v=PROTOCOL_VERSION, id="r1", body=body)


def message(text: str) -> RequestEnvelope:
    return request(SendMessage(conversation_id="c", text=text, client_key="k"))


def is_readable(decode: Callable[[bytes], object], data: bytes) -> bool:
    try:
        decode(data)
    except WireError:
        return False
    return True


def test_that_requests_and_answers_come_back_as_they_were() -> None:
    row = IngestRow(
        line=1, conversation="c", role="user", speaker="me", time="2026-01-02T03:04:05", text="Hi"
    )
    for body in (Ping(), Stats(), Ingest(source="chat.jsonl", rows=(row,))):
        assert wire.decode_request(wire.encode_request(request(body))) == request(body)
    answers: list[Reply | Failure | Event] = [
        StatsReply(counts={"messages": 3}),
        Failure(code="not_found", human="There is no such fact."),
        FactsChanged(fact_ids=("f1", "f2")),
    ]
    for answer in answers:
        envelope = ServerEnvelope(v=PROTOCOL_VERSION, body=answer, seq=7)
        assert wire.decode_server(wire.encode_server(envelope)) == envelope


def test_that_lone_surrogates_are_replaced_one_for_one() -> None:
    decoded = wire.decode_request(wire.encode_request(message("a\ud83d b\udc00 \U0001f600")))
    assert isinstance(decoded.body, SendMessage)
    assert decoded.body.text == "a\ufffd b\ufffd \U0001f600"


def test_that_nul_and_every_plane_survive() -> None:
    text = "\x00\x7f\u0085\u2028\ufeff\U0010ffff"
    assert wire.decode_request(wire.encode_request(message(text))) == message(text)


def test_that_a_request_may_be_as_large_as_the_limit_and_no_larger() -> None:
    empty = len(wire.encode_request(message("")))
    wire.encode_request(message("x" * (wire.MAX_REQUEST_BYTES - empty)))
    with pytest.raises(WireError) as caught:
        wire.encode_request(message("x" * (wire.MAX_REQUEST_BYTES - empty + 1)))
    assert caught.value.code == "too_large"
    assert "8 MB" in caught.value.human


def test_that_errors_do_not_repeat_what_was_said() -> None:
    data = wire.encode_request(request(SelectEngine(engine="ollama")))
    for said in (b'"my sister\'s secret"', b'"a \\"secret\\""', b'"ollama","secret":1'):
        with pytest.raises(WireError) as caught:
            wire.decode_request(data.replace(b'"ollama"', said))
        assert "secret" not in str(caught.value) + caught.value.human + caught.value.technical
        assert "$.body" in caught.value.technical


def test_that_a_reply_is_no_request() -> None:
    with pytest.raises(WireError) as caught:
        wire.decode_request(b'{"v":1,"id":"q","body":{"type":"pong"}}')
    assert caught.value.code == "unknown_type"


def test_that_a_failure_of_a_newer_backend_can_be_read_but_nothing_else() -> None:
    refusal = b'{"v":2,"id":"h","body":{"type":"failure","code":"wrong_protocol","human":"Old."}}'
    assert wire.decode_server(refusal).body == Failure(code="wrong_protocol", human="Old.")
    with pytest.raises(WireError) as caught:
        wire.decode_server(b'{"v":2,"id":"h","body":{"type":"pong"}}')
    assert caught.value.code == "wrong_protocol"
    assert "This window or command is older" in caught.value.human


def test_that_an_older_backend_is_named_as_the_older_one() -> None:
    with pytest.raises(WireError, match="wrong_protocol") as caught:
        wire.decode_server(b'{"v":0,"id":"h","body":{"type":"welcome","protocol":0}}')
    assert "backend that is running is older" in caught.value.human


def test_that_random_damage_never_raises_anything_else() -> None:
    seed = random.Random(20260101)
    good = wire.encode_request(message("My cat Mimi sleeps"))
    readable = 0
    for _ in range(3000):
        damaged = bytearray(good)
        for _ in range(seed.randint(1, 4)):
            position = seed.randrange(len(damaged))
            if seed.random() < 0.5:
                damaged[position] = seed.randrange(256)
            else:
                del damaged[position : position + seed.randint(1, 20)]
        for decode in (wire.decode_request, wire.decode_server):
            readable += is_readable(decode, bytes(damaged))
    assert 0 < readable < 3000


def test_that_no_two_messages_share_a_type_name() -> None:
    bodies = [body for union in (Request, Reply, Event) for body in get_args(union)]
    names = [body.__struct_config__.tag for body in bodies]
    assert len(set(names)) == len(names)
