"""A real server whose answers a test writes down beforehand, for tests of the terminal commands."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import msgspec

from aico_desktop.contract.messages import Failure, Message, Reply
from aico_desktop.contract.rendezvous import write_private
from aico_desktop.paths import HomePaths
from backend.server.authentication import ensure_token
from backend.server.publisher import EventPublisher
from backend.server.requests import RequestContext
from backend.server.router import RouterServer
from backend.server.transport import choose_transport

Script = dict[type[Message], Callable[[Any], Reply | Failure]]


class ScriptedBackend:
    """Answers each request as the script says, and keeps what it was asked.

    Params: ``home`` where clients find it, ``script`` one function per type of request.
    """

    def __init__(self, home: HomePaths, script: Script) -> None:
        home.prepare()
        self.asked: list[Message] = []
        self.publisher = EventPublisher()
        self._home = home
        self._lock = threading.Lock()
        self._transport = choose_transport(home)
        handlers = {kind: self._handler(answer) for kind, answer in script.items()}
        self._server = RouterServer(
            self._transport,
            ensure_token(home),
            home,
            handlers,
            self.publisher,
            on_shutdown=lambda: None,
        )

    def __enter__(self) -> ScriptedBackend:
        self._server.start()
        record = self._transport.record(self._server.endpoint)
        write_private(self._home.endpoint, msgspec.json.encode(record))
        return self

    def __exit__(self, *_: object) -> None:
        self._home.endpoint.unlink(missing_ok=True)
        self._server.close()

    def requests(self, kind: type[Message]) -> list[Any]:
        """What it was asked of one type, in order."""
        with self._lock:
            return [message for message in self.asked if type(message) is kind]

    def _handler(
        self, answer: Callable[[Any], Reply | Failure]
    ) -> Callable[[Any, RequestContext], Reply | Failure]:
        def handle(request: Any, context: RequestContext) -> Reply | Failure:
            del context
            with self._lock:
                self.asked.append(request)
            return answer(request)

        return handle
