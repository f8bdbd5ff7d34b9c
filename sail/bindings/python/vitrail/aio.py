"""Control of the wall for asyncio: `async with vitrail.aio.Wall() as wall: await wall.move(1, x=0, y=0)`."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Coroutine
from types import TracebackType
from typing import Any

from ._conversation import Answer, Conversation, Notification, address_of, closed, result_of
from ._keys import Key, find_key, read_key
from ._verbs import Verbs
from .errors import Error, Invalid, Unavailable

CHUNK = 1 << 16


class Wall(Verbs[Coroutine[Any, Any, Answer]]):
    """As vitrail.Wall, but connect() or `async with` connects, and calls may overlap."""

    def __init__(self, manager: str | None = None, *, key: str | None = None, name: str = "python",
                 colour: str | None = None, timeout: float = 90) -> None:
        self.timeout = timeout
        self.welcome: Answer = {}
        self._address = address_of(manager)
        self._key = key
        self._name = name
        self._colour = colour
        self._conversation = Conversation()
        self._reader_task: asyncio.Task[None] | None = None
        self._writer: asyncio.StreamWriter | None = None
        self._came: asyncio.Condition | None = None
        self._ended: Error | None = None

    async def connect(self) -> Wall:
        host, port = self._address
        try:
            reader, writer = await asyncio.wait_for(asyncio.open_connection(host, port), self.timeout)
        except (OSError, asyncio.TimeoutError) as error:
            raise Unavailable(f"no manager at {host}:{port}: {error}. Start one (`vitrail up`), or set "
                              f"$VITRAIL_MANAGER to its address") from error
        self._writer = writer
        self._came = asyncio.Condition()
        self._reader_task = asyncio.create_task(self._read(reader))
        try:
            peer = writer.get_extra_info("peername")
            await self._greet(find_key(peer[0], peer[1]) if self._key is None else read_key(self._key))
        except BaseException:
            await self.disconnect()
            raise
        return self

    async def _greet(self, key: Key) -> None:
        greeting = self._conversation.greet(key, self._name, self._colour)
        method, parameters = next(greeting)
        while True:
            answer = await self.call(method, **parameters)
            try:
                method, parameters = greeting.send(answer)
            except StopIteration as done:
                self.welcome = done.value
                return

    async def _read(self, reader: asyncio.StreamReader) -> None:
        """Receive messages until the connection ends."""
        ended: Error = Unavailable("the connection to the manager has ended")
        try:
            while data := await reader.read(CHUNK):
                back = self._conversation.receive(data)
                if back and self._writer is not None:
                    self._writer.write(back)
                await self._tell()
            ended = closed(bool(self.welcome), self._address[0])
        except Error as error:
            ended = error
        except OSError:
            ended = closed(bool(self.welcome), self._address[0])
        finally:
            self._ended = ended
        await self._tell()

    async def _tell(self) -> None:
        assert self._came is not None
        async with self._came:
            self._came.notify_all()

    async def call(self, verb: str, /, **parameters: Any) -> Answer:
        try:
            number, line = self._conversation.request(verb, parameters)
        except (TypeError, ValueError) as error:
            raise Invalid(str(error)) from error
        await self._send(line)
        answers = self._conversation.answers
        assert self._came is not None
        async with self._came:
            try:
                await asyncio.wait_for(self._came.wait_for(lambda: number in answers or self._ended), self.timeout)
            except asyncio.TimeoutError as error:
                raise Unavailable(f"the manager has not answered '{verb}' within {self.timeout} s",
                                  name="timeout") from error
        if number not in answers:
            assert self._ended is not None
            raise self._ended
        return result_of(answers.pop(number))

    async def notify(self, verb: str, /, **parameters: Any) -> None:
        """Send the verb as a notification, without an answer: for pointers and drags, many times a second."""
        try:
            line = self._conversation.notice(verb, parameters)
        except TypeError as error:
            raise Invalid(str(error)) from error
        await self._send(line)

    async def _send(self, line: bytes) -> None:
        if self._writer is None or self._ended is not None:
            raise self._ended or Unavailable("not connected: `async with` or connect() does that")
        self._writer.write(line)
        with contextlib.suppress(OSError):  # the reader reports the error
            await self._writer.drain()

    async def notifications(self) -> AsyncIterator[Notification]:
        """Yield the manager's notifications after subscribe() or watch_thumbnails(). Raises Unavailable if
        notifications were lost because they were read too slowly, or if the manager is gone."""
        conversation = self._conversation
        while True:
            assert self._came is not None
            async with self._came:
                await self._came.wait_for(lambda: conversation.notifications or self._ended)
            if conversation.lost:
                lost, conversation.lost = conversation.lost, 0
                raise Unavailable(f"{lost} notifications were lost: subscribe again", name="limit")
            if not conversation.notifications:
                assert self._ended is not None
                raise self._ended
            yield conversation.notifications.popleft()

    async def disconnect(self) -> None:
        if self._reader_task is not None:
            self._reader_task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._reader_task
            self._reader_task = None
            await self._tell()
        if self._writer is not None:
            self._writer.close()
            with contextlib.suppress(OSError):
                await self._writer.wait_closed()
            self._writer = None

    async def __aenter__(self) -> Wall:
        return await self.connect()

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None,
                        trace: TracebackType | None) -> None:
        await self.disconnect()
