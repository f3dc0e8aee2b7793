"""A mailbox whose owner waits in a ZeroMQ poll and which any thread may fill."""

from __future__ import annotations

import threading
from collections import deque
from typing import Generic, TypeVar

import zmq

Item = TypeVar("Item")


class WakeableMailbox(Generic[Item]):
    """Hands items to the one thread that owns the sockets, and wakes its poll.

    The sending end of the inproc PAIR is shared under a lock, which makes the use from several
    threads legal. The owner polls :attr:`receiver` and calls :meth:`take`.
    """

    def __init__(self, context: zmq.Context[zmq.Socket[bytes]], name: str) -> None:
        self._lock = threading.Lock()
        self._items: deque[Item] = deque()
        self._awake = False
        self._closed = False
        address = f"inproc://{name}-{id(self):x}"
        self.receiver: zmq.Socket[bytes] = context.socket(zmq.PAIR)
        self.receiver.setsockopt(zmq.LINGER, 0)
        self.receiver.bind(address)
        self._sender: zmq.Socket[bytes] = context.socket(zmq.PAIR)
        self._sender.setsockopt(zmq.LINGER, 0)
        self._sender.connect(address)

    def put(self, item: Item) -> bool:
        """Add an item from any thread; False after :meth:`close`."""
        with self._lock:
            if self._closed:
                return False
            self._items.append(item)
            if not self._awake:
                self._awake = True
                self._sender.send(b"", zmq.NOBLOCK)
            return True

    def take(self) -> deque[Item]:
        """All items so far, in order; for the owner of :attr:`receiver` only."""
        with self._lock:
            if self._awake:
                self._awake = False
                self.receiver.recv(zmq.NOBLOCK)
            items, self._items = self._items, deque()
            return items

    def close(self) -> None:
        """Close both ends; later items are refused. Harmless when called twice."""
        with self._lock:
            if not self._closed:
                self._closed = True
                self._sender.close()
                self.receiver.close()
