"""Board games: the rules of all games in this process, and the engine.

    from pentarch import Engine, Game, Limit

    game = Game("quoridor", board_size=5)
    with Engine() as engine:
        while not game.outcome:
            game.push(engine.play(game, Limit(movetime=100)))
    print(game.outcome.sentence)
    print(game.record())

`Game` contains the rules. `Engine` and `AsyncEngine` send requests in JSON to the program: one engine responds to any
number of threads or tasks. `Session` has a current game, and speaks UGI. `pentarch.protocol` has the types of requests
and responses.

This file needs only Python 3.9 and the program. You can use it without the package: copy it as `pentarch.py`, and it
starts the program on the PATH. Then there is no `Game`, and a position is a dictionary with fields of a request.
"""

from __future__ import annotations

import asyncio
import atexit
import itertools
import json
import os
import queue
import re
import subprocess
import threading
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from importlib import metadata
from pathlib import Path
from typing import IO, TYPE_CHECKING, Callable, Generic, Protocol, TypeVar, Union, cast

if TYPE_CHECKING:
    from .protocol import (
        Analysis, Board, ClockFields, Count, Details, ErrorFields, GameFields, Known, ListedProblem, Problem,
        ProofResult, RequestFields, Response, Review, Scene,
    )

__version__ = "0.1.0"
__all__ = [
    "Answer", "AsyncEngine", "AsyncStream", "Engine", "EngineDied", "EngineError", "Limit", "Line", "Position",
    "Session", "Stream", "program",
]

Option = Union[str, int, bool]
T = TypeVar("T")


def program() -> str:
    """Returns the path of the program that was installed with this module, or else the name to find on the PATH."""
    with suppress(metadata.PackageNotFoundError):
        for file in metadata.files("pentarch") or ():
            path = Path(str(file.locate()))
            if path.name in ("pentarch", "pentarch.exe") and path.is_file():
                return str(path)
    return "pentarch"


class EngineError(Exception):
    """An error of the engine or of the rules. The rejected call has changed nothing.

    The attributes are those of the field `error` in protocol.md. They are None if the error has no such place.
    """

    def __init__(self, message: str, fields: ErrorFields | None = None) -> None:
        # An exception is pickled with its arguments.
        super().__init__(message, fields)
        self.message = message
        #: The message without ids of rules.
        self.reason: str = fields["reason"] if fields else message
        #: The kind of the error, such as `illegal` or `value`.
        self.kind: str | None = fields["kind"] if fields else None
        #: The invalid field of the request, or the invalid argument.
        self.field: str | None = fields["field"] if fields else None
        #: The number of the invalid move in a list, from 1.
        self.move: int | None = fields["move"] if fields else None
        #: The invalid line of a record, from 1.
        self.line: int | None = fields["line"] if fields else None
        #: The column of the error, in characters from 1.
        self.column: int | None = fields["column"] if fields else None
        #: The id of the rule that forbids a move or excludes a position.
        self.rule: str | None = fields["rule"] if fields else None

    def __str__(self) -> str:
        return self.message


class EngineDied(Exception):
    """The program has ended."""

    def __init__(self, message: str = "the program has ended") -> None:
        super().__init__(message)


# Requests in JSON.


class RecordedGame(Protocol):
    """An object with a game, such as `Game`."""

    def record(self) -> str:
        """Returns the game as a record."""


#: A position: a game, the fields of a request that describe it, or the word of a game for its start position.
Position = Union[RecordedGame, "RequestFields", str]


@dataclass(frozen=True)
class Limit:
    """The limits of a search. A search ends at the first limit that it reaches."""

    #: The depth in plies.
    depth: int | None = None
    #: The number of nodes.
    nodes: int | None = None
    #: The time in milliseconds.
    movetime: int | None = None
    #: The clocks of the players.
    clock: ClockFields | None = None


#: The limit of a search that `stop` ends: a day, so that it ends even if this process is killed.
_UNLIMITED = Limit(movetime=24 * 60 * 60 * 1000)


@dataclass(frozen=True)
class _Query(Generic[T]):
    """A request, and the part of its response that the caller gets."""

    fields: RequestFields
    read: Callable[[Response], T]


def _position_fields(position: Position) -> RequestFields:
    if isinstance(position, str):
        return {"game": position}
    if isinstance(position, Mapping):
        return cast("RequestFields", dict(position))
    if not callable(getattr(position, "record", None)):
        name = type(position).__name__
        raise TypeError(f"a position is a Game, the word of a game or the fields of a request, not {name}")
    return {"record": position.record()}


def _search_fields(position: Position, limit: Limit | None) -> RequestFields:
    fields = _position_fields(position)
    if limit is not None:
        fields.update({"depth": limit.depth, "nodes": limit.nodes, "movetime": limit.movetime, "clock": limit.clock})
    return fields


def _analysis_query(position: Position, limit: Limit, lines: int, moves: Sequence[str]) -> _Query[Analysis]:
    fields = _search_fields(position, limit)
    fields.update({"ask": "analysis", "multipv": lines})
    if moves:
        fields["searchmoves"] = list(moves)
    return _Query(fields, lambda response: response["analysis"])


def _play_query(position: Position, limit: Limit | None, level: str | None, seed: int | None) -> _Query[str]:
    fields = _search_fields(position, limit)
    fields.update({"ask": "play", "level": level, "seed": seed})

    def read(response: Response) -> str:
        move = response["play"]["move"]
        if move is None:
            raise EngineError("the game is over")
        return move

    return _Query(fields, read)


def _review_query(position: Position, limit: Limit) -> _Query[Review]:
    fields = _search_fields(position, limit)
    fields["ask"] = "review"
    return _Query(fields, lambda response: response["review"])


def _prove_query(position: Position, nodes: int, memory: int | None, tables: int | None) -> _Query[ProofResult]:
    fields = _position_fields(position)
    fields.update({"ask": "prove", "nodes": nodes, "memory": memory, "tables": tables})
    return _Query(fields, lambda response: response["prove"])


def _known_query(position: Position) -> _Query[Known]:
    fields = _position_fields(position)
    fields["ask"] = "known"
    return _Query(fields, lambda response: response["known"])


def _problems_query(game: str) -> _Query[list[ListedProblem]]:
    return _Query({"ask": "problems", "game": game}, lambda response: response["problems"])


def _problem_query(game: str, number: int) -> _Query[Problem]:
    return _Query({"ask": "problem", "game": game, "problem": number}, lambda response: response["problem"])


def _games_query() -> _Query[list[GameFields]]:
    return _Query({"ask": "games"}, lambda response: response["games"])


def _checked(response: Response | None) -> Response:
    """Returns a response. Raises its error, or EngineDied if the program ended before the response."""
    if response is None:
        raise EngineDied
    if "error" in response:
        raise EngineError(response["error"]["message"], response["error"])
    return response


#: Limits of the program. Its error for a line beyond them would not have the id of the request.
_MAX_REQUEST_BYTES = 1 << 20
_MAX_NESTING = 127


def _nesting(value: object) -> int:
    """Returns the number of nested arrays and objects."""
    if isinstance(value, Mapping):
        return 1 + max(map(_nesting, value.values()), default=0)
    if isinstance(value, (list, tuple)):
        return 1 + max(map(_nesting, value), default=0)
    return 0


def _request_line(fields: Mapping[str, object]) -> str:
    """Returns a request as a line of JSON. Raises TypeError or ValueError if the program cannot read it."""
    line = json.dumps(fields, ensure_ascii=False, allow_nan=False)
    if _nesting(fields) > _MAX_NESTING:
        raise ValueError(f"a request has more than {_MAX_NESTING} nested lists and dictionaries")
    if len(line.encode()) > _MAX_REQUEST_BYTES:
        raise ValueError(f"a request has more than {_MAX_REQUEST_BYTES} bytes")
    return line


#: Accepts the responses to a request. It gets None if the program ends before the last response.
_Receiver = Callable[["Response | None"], None]


class _Connection:
    """A running program that responds to requests. All methods can be called from any thread."""

    def __init__(self, command: Sequence[str], options: Mapping[str, Option], searches: int | None) -> None:
        settings = [f"--set={name}={_option_text(value)}" for name, value in options.items()]
        concurrency = min(256, searches or os.cpu_count() or 1)
        # In a separate session the program does not get Ctrl-C from the terminal. It ends when its input ends.
        self._process = subprocess.Popen(
            [*(command or [program()]), "analyse", "--unordered", f"--concurrency={concurrency}", *settings],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8", start_new_session=True,
        )
        self._process_id = os.getpid()
        self._ids = itertools.count(1)
        #: Held to write a line. While the program does not read, the reader's thread continues.
        self._writing = threading.Lock()
        #: Held to access the receivers, which are None after the last response.
        self._lock = threading.Lock()
        self._receivers: dict[int, _Receiver] | None = {}
        self._reader = threading.Thread(target=self._read, name="pentarch responses", daemon=True)
        self._reader.start()
        # Otherwise the program would finish its searches after the end of this process.
        atexit.register(self.close)

    def send(self, fields: RequestFields, receiver: _Receiver) -> int:
        """Sends a request and returns its id. The reader's thread calls `receiver` with each of its responses."""
        if os.getpid() != self._process_id:
            raise RuntimeError("this engine belongs to the process that was forked: start another engine")
        number = next(self._ids)
        line = _request_line({**fields, "id": number})
        with self._lock:
            if self._receivers is None:
                raise EngineDied
            self._receivers[number] = receiver
        self._write(line)
        return number

    def stop(self, number: int) -> None:
        """Stops a request. Its last response then comes at once."""
        with suppress(EngineDied):
            self._write(json.dumps({"stop": number}))

    def close(self) -> None:
        """Stops all requests and ends the program. Has no effect in a forked process."""
        if os.getpid() != self._process_id:
            return
        with suppress(EngineDied):
            self._write('{"stop": null}')
        with suppress(OSError):
            self._stdin().close()
        try:
            self._process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._reader.join()
        atexit.unregister(self.close)

    def _stdin(self) -> IO[str]:
        assert self._process.stdin is not None
        return self._process.stdin

    def _write(self, line: str) -> None:
        try:
            with self._writing:
                self._stdin().write(f"{line}\n")
                self._stdin().flush()
        except (OSError, ValueError) as error:
            # Writing to a closed pipe raises ValueError.
            raise EngineDied from error

    def _read(self) -> None:
        """Passes each response to the receiver of its request, until the program ends."""
        assert self._process.stdout is not None and self._receivers is not None
        receivers = self._receivers
        try:
            with self._process.stdout as lines:
                for line in lines:
                    response: Response = json.loads(line)
                    with self._lock:
                        receiver = receivers.get(response["id"])
                        if "partial" not in response:
                            receivers.pop(response["id"], None)
                    if receiver is not None:
                        receiver(response)
        finally:
            with self._lock:
                self._receivers = None
            for receiver in receivers.values():
                receiver(None)


def _option_text(value: Option) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


class Stream(Iterator[T]):
    """The reports of a search, and at last its result. Each report replaces the one before it.

    The search ends at its limit, at `stop`, or at the end of the `with` block.
    """

    def __init__(self, connection: _Connection, query: _Query[T]) -> None:
        self._connection = connection
        self._read = query.read
        self._responses: queue.SimpleQueue[Response | None] = queue.SimpleQueue()
        self._is_complete = False
        self._number = connection.send(query.fields, self._responses.put)

    def __enter__(self) -> Stream[T]:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        """Stops the search, from any thread. Its result is the last item."""
        if not self._is_complete:
            self._connection.stop(self._number)

    def __next__(self) -> T:
        if self._is_complete:
            raise StopIteration
        response = self._responses.get()
        self._is_complete = response is None or "partial" not in response
        return self._read(_checked(response))

    def last(self) -> T:
        """Waits for the end of the search, and returns its result. If this raises KeyboardInterrupt, the search is
        stopped."""
        try:
            *_, result = self
        except BaseException:
            self.stop()
            raise
        return result


class AsyncStream(AsyncIterator[T]):
    """The reports of a search, and at last its result, in a task: see `Stream`."""

    def __init__(self, connection: _Connection, query: _Query[T]) -> None:
        loop = asyncio.get_running_loop()
        responses: asyncio.Queue[Response | None] = asyncio.Queue()

        def receive(response: Response | None) -> None:
            # The loop may be closed already.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(responses.put_nowait, response)

        self._connection = connection
        self._read = query.read
        self._responses = responses
        self._is_complete = False
        self._number = connection.send(query.fields, receive)

    async def __aenter__(self) -> AsyncStream[T]:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        """Stops the search. Its result is the last item."""
        if not self._is_complete:
            self._connection.stop(self._number)

    async def __anext__(self) -> T:
        if self._is_complete:
            raise StopAsyncIteration
        response = await self._responses.get()
        self._is_complete = response is None or "partial" not in response
        return self._read(_checked(response))

    async def last(self) -> T:
        """Waits for the end of the search, and returns its result. If the task is cancelled, the search is stopped."""
        try:
            async for report in self:
                result = report
        except BaseException:
            self.stop()
            raise
        return result


class _EngineBase:
    """The start of `Engine` and of `AsyncEngine`."""

    def __init__(
        self,
        *,
        command: Sequence[str] = (),
        options: Mapping[str, Option] | None = None,
        searches: int | None = None,
    ) -> None:
        """Starts the program. `command` is the program with its arguments, by default `program()`. `options` are
        options of the engine, such as `Hash` and `TablePath`. `searches` is the number of simultaneous searches, by
        default the number of processors. Other searches wait.

        Raises OSError if the program does not start. If an option is invalid, the program ends, and the first call
        raises EngineDied.
        """
        self._connection = _Connection(command, options or {}, searches)


class Engine(_EngineBase):
    """An engine that responds to requests of any number of threads. It has no current game.

    Methods raise EngineError if the engine rejects a request, and EngineDied if the program has ended.
    """

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stops all searches and ends the program."""
        self._connection.close()

    def ask(self, fields: RequestFields) -> Response:
        """Sends any request of protocol.md, and returns the response."""
        return self._run(_Query(fields, lambda response: response))

    def analyse(self, position: Position, limit: Limit, *, lines: int = 1, moves: Sequence[str] = ()) -> Analysis:
        """Searches a position. The result has the best `lines` moves, best first. `moves` are the moves to search, by
        default all legal moves."""
        return self._run(_analysis_query(position, limit, lines, moves))

    def analysis(
        self,
        position: Position,
        limit: Limit = _UNLIMITED,
        *,
        lines: int = 1,
        moves: Sequence[str] = (),
        every: int = 100,
    ) -> Stream[Analysis]:
        """Searches a position, and reports every `every` milliseconds: see `Stream`. Without a limit, the search
        ends when it is stopped."""
        query = _analysis_query(position, limit, lines, moves)
        query.fields["every"] = every
        return Stream(self._connection, query)

    def play(
        self, position: Position, limit: Limit | None = None, *, level: str | None = None, seed: int | None = None
    ) -> str:
        """Returns the move that a player of this level makes, by default `champion`, who needs a limit. With a seed
        above 0, a level always makes the same move after the same moves."""
        return self._run(_play_query(position, limit, level, seed))

    def review(self, game: Position, limit: Limit) -> Review:
        """Evaluates the moves of a game. The limit applies to each position."""
        return self._run(_review_query(game, limit))

    def prove(
        self, position: Position, *, nodes: int, memory: int | None = None, tables: int | None = None
    ) -> ProofResult:
        """Returns the side that can force a win, with proofs. `memory` is in MiB. `tables` is the number of pieces up
        to which all positions are solved first."""
        return self._run(_prove_query(position, nodes, memory, tables))

    def known(self, position: Position) -> Known:
        """Returns the certain facts about a position, from rules, tables, books and proofs."""
        return self._run(_known_query(position))

    def problems(self, game: str) -> list[ListedProblem]:
        """Returns the built-in problems of a game, the easiest first."""
        return self._run(_problems_query(game))

    def problem(self, game: str, number: int) -> Problem:
        """Returns a built-in problem with its solution. Problems are numbered from 1."""
        return self._run(_problem_query(game, number))

    def games(self) -> list[GameFields]:
        """Returns the games of the engine."""
        return self._run(_games_query())

    def _run(self, query: _Query[T]) -> T:
        return Stream(self._connection, query).last()


class AsyncEngine(_EngineBase):
    """An engine for tasks of asyncio. Its methods are those of `Engine`. A cancelled task stops its search."""

    async def __aenter__(self) -> AsyncEngine:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Stops all searches and ends the program."""
        await asyncio.to_thread(self._connection.close)

    async def ask(self, fields: RequestFields) -> Response:
        """Sends any request: see `Engine.ask`."""
        return await self._run(_Query(fields, lambda response: response))

    async def analyse(
        self, position: Position, limit: Limit, *, lines: int = 1, moves: Sequence[str] = ()
    ) -> Analysis:
        """Searches a position: see `Engine.analyse`."""
        return await self._run(_analysis_query(position, limit, lines, moves))

    def analysis(
        self,
        position: Position,
        limit: Limit = _UNLIMITED,
        *,
        lines: int = 1,
        moves: Sequence[str] = (),
        every: int = 100,
    ) -> AsyncStream[Analysis]:
        """Searches a position with reports: see `Engine.analysis`."""
        query = _analysis_query(position, limit, lines, moves)
        query.fields["every"] = every
        return AsyncStream(self._connection, query)

    async def play(
        self, position: Position, limit: Limit | None = None, *, level: str | None = None, seed: int | None = None
    ) -> str:
        """Returns the move of a player: see `Engine.play`."""
        return await self._run(_play_query(position, limit, level, seed))

    async def review(self, game: Position, limit: Limit) -> Review:
        """Evaluates the moves of a game: see `Engine.review`."""
        return await self._run(_review_query(game, limit))

    async def prove(
        self, position: Position, *, nodes: int, memory: int | None = None, tables: int | None = None
    ) -> ProofResult:
        """Returns the side that can force a win: see `Engine.prove`."""
        return await self._run(_prove_query(position, nodes, memory, tables))

    async def known(self, position: Position) -> Known:
        """Returns the certain facts about a position: see `Engine.known`."""
        return await self._run(_known_query(position))

    async def problems(self, game: str) -> list[ListedProblem]:
        """Returns the built-in problems of a game: see `Engine.problems`."""
        return await self._run(_problems_query(game))

    async def problem(self, game: str, number: int) -> Problem:
        """Returns a built-in problem: see `Engine.problem`."""
        return await self._run(_problem_query(game, number))

    async def games(self) -> list[GameFields]:
        """Returns the games of the engine."""
        return await self._run(_games_query())

    async def _run(self, query: _Query[T]) -> T:
        return await AsyncStream(self._connection, query).last()


# A current game, over UGI.


@dataclass(frozen=True)
class Line:
    """One of the best moves of a search, for the side to move."""

    rank: int
    depth: int
    nodes: int
    #: The score in centipawns; None if a win is proven.
    centipawns: int | None
    #: The number of own moves until the side to move wins, or negative until it loses; None without a proof.
    mate: int | None
    #: The expected line of play, beginning with the move.
    variation: tuple[str, ...]

    @property
    def move(self) -> str:
        """The first move of the line."""
        return self.variation[0]


@dataclass(frozen=True)
class Answer:
    """The result of a search."""

    #: The best move.
    move: str
    #: The best moves, best first. There are fewer than requested if the search ended before it had ranked them.
    lines: tuple[Line, ...]


@dataclass
class _SearchOutput:
    """The output of a search so far."""

    best: str = ""
    error: str = ""
    is_ready: bool = False
    lines: list[Line] = field(default_factory=list)


class Session:
    """A running program with its current game, over UGI. Each call is atomic, but all threads share the game."""

    def __init__(
        self,
        game: str,
        options: Mapping[str, Option] | None = None,
        command: Sequence[str] = (),
    ) -> None:
        """Starts the program with this game, and with these options of the rules and of the engine. `command` is the
        program with its arguments; by default it is `program()`.

        Raises OSError if the program does not start, and EngineError if the game or an option does not exist.
        """
        self._sending = threading.Lock()
        #: Held from a command to the end of its response.
        self._asking = threading.RLock()
        pipe = subprocess.PIPE
        # In a separate session the program does not get Ctrl-C from the terminal. It ends when its input ends.
        self._process = subprocess.Popen(
            list(command) or [program()],
            stdin=pipe, stdout=pipe, text=True, encoding="utf-8", bufsize=1, start_new_session=True,
        )
        try:
            self.set_options({"Game": game, **(options or {})})
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the program."""
        try:
            self._process.communicate("quit\n", timeout=5)
        except (subprocess.TimeoutExpired, BrokenPipeError, ValueError):
            self._process.kill()
            self._process.wait()
        finally:
            for pipe in (self._process.stdin, self._process.stdout):
                if pipe is not None:
                    with suppress(OSError):
                        pipe.close()

    def stop(self) -> None:
        """Stops the search of another thread, which gets the result so far. Has no effect on a search that has not
        begun.

        Raises EngineDied if the program has ended.
        """
        self._send("stop")

    def kill(self) -> None:
        """Ends the program at once, from any thread. Calls that wait in other threads raise EngineDied."""
        self._process.kill()

    # The current game.

    def set_options(self, options: Mapping[str, Option]) -> None:
        """Sets options in order. If an option changes the game or its rules, the start position is set up."""
        for name, value in options.items():
            self._execute(f"setoption name {name} value {_option_text(value)}")

    def position(self, fen: str | None = None, moves: Sequence[str] = ()) -> None:
        """Sets up a position, by default the start position, and makes moves."""
        self._execute(f"position {_position_words(fen)}{_move_words(moves)}")

    def play(self, *moves: str) -> None:
        """Makes all of these moves. If a move is illegal, makes none of them."""
        self._execute(f"play {' '.join(moves)}")

    def undo(self, count: int = 1) -> None:
        """Takes back the last `count` moves."""
        self.ask(f"undo {count}")

    def load(self, record: str) -> None:
        """Loads the game of a record."""
        self.ask(f"load text {' '.join(record.split())}")

    @property
    def record(self) -> str:
        """The game as a record."""
        return "\n".join(self.ask("record"))

    @property
    def fen(self) -> str:
        """The FEN of the position."""
        return self._response("fen")

    @property
    def turn(self) -> str | None:
        """The side to move, in the word of the game; None if the game is over."""
        side = self._response("turn")
        return None if side == "none" else side

    @property
    def outcome(self) -> str:
        """The outcome, such as `ongoing`, `win red fortress` or `draw repetition`."""
        return self._response("outcome")

    @property
    def moves(self) -> list[str]:
        """The legal moves, sorted."""
        moves = self._response("moves")
        return [] if moves == "none" else moves.split()

    def why_illegal(self, move: str) -> str | None:
        """Returns the rule that forbids a move; None if it is legal. If `move` is not a move, raises EngineError."""
        if len(move.split()) != 1:
            raise EngineError(f"expected one move, not {move!r}")
        response = self.ask(f"legal {move}")[0]
        return response.partition(": ")[2] if response.startswith("illegal ") else None

    # The board.

    @property
    def text(self) -> str:
        """The board for people, with the legal moves."""
        return "\n".join(self.ask("d"))

    @property
    def board(self) -> Board:
        """The layout of the board: `query board` in protocol.md."""
        board: Board = json.loads(self._response("board"))
        return board

    def scene(self, fen: str | None = None, moves: Sequence[str] = ()) -> Scene:
        """Returns the contents of the board: `query scene` in protocol.md. The position is the current position, or
        the position of the FEN, after these moves."""
        scene: Scene = json.loads(self._response(f"scene{_fen_words(fen)}{_move_words(moves)}"))
        return scene

    def diagram(self, fen: str | None = None, moves: Sequence[str] = (), flip: bool = False) -> str:
        """Returns an SVG diagram of a position, as in `scene`; `flip` draws the second side at the bottom."""
        svg: str = json.loads(self._response(f"diagram{' flip' if flip else ''}{_fen_words(fen)}{_move_words(moves)}"))
        return svg

    def details(self, move: str) -> Details:
        """Returns the effects of a legal move: `query details` in protocol.md."""
        details: Details = json.loads(self._response(f"details {move}"))
        return details

    def counts(self, move: str | None = None) -> list[Count]:
        """Returns the numbers that players of the game count, with a move also the numbers after it: `query counts` in
        protocol.md."""
        counts: list[Count] = json.loads(self._response(f"counts {move}" if move else "counts"))
        return counts

    # The search.

    def search(
        self,
        *,
        depth: int | None = None,
        nodes: int | None = None,
        movetime: int | None = None,
        clock: Mapping[str, int] | None = None,
        lines: int = 1,
        moves: Sequence[str] = (),
    ) -> Answer:
        """Searches the current position. At least one limit is required: a depth in plies, a number of nodes, a time
        in milliseconds, or a clock. `clock` has words of `go`, such as `wtime` and `binc`, with milliseconds. `lines`
        is the number of best moves to report. `moves` are the moves to search, by default all legal moves.

        Raises EngineError if the game is over.
        """
        limits = {"depth": depth, "nodes": nodes, "movetime": movetime, **(clock or {})}
        words = [f"{name} {value}" for name, value in limits.items() if value is not None]
        if not words:
            raise ValueError("a search needs a depth, a number of nodes, a time or a clock")
        if moves:
            words.append(f"searchmoves {' '.join(moves)}")
        output = _SearchOutput()
        with self._asking:
            self.ask(f"setoption name MultiPV value {lines}")
            self._send(f"go {' '.join(words)}\nisready")
            try:
                self._wait(output)
            except KeyboardInterrupt:
                self._send("stop")
                self._wait(output)
                raise
        if output.best == "(none)":
            raise EngineError("the game is over")
        found = sorted(output.lines, key=lambda line: line.move != output.best)[:lines]
        # After an unfinished depth the lines have ranks of different depths.
        return Answer(output.best, tuple(replace(line, rank=rank) for rank, line in enumerate(found, 1)))

    def _wait(self, output: _SearchOutput) -> None:
        """Reads the output of a search, up to its `bestmove` and the `readyok` after it."""
        for text in self._lines():
            if text.startswith(_ERROR):
                # If the search continues after this error, its `bestmove` follows.
                output.error = _without_column(text[len(_ERROR):])
            elif text.startswith("bestmove "):
                output.best = text.split()[1]
            elif text == "readyok":
                output.is_ready = True
                if output.error and not output.best:
                    raise EngineError(output.error)
            line = _parse_info(text)
            if line is not None:
                # An unfinished depth may report only a new best move.
                output.lines = [other for other in output.lines if other.move != line.move]
                output.lines.insert(line.rank - 1, line)
            if output.best and output.is_ready:
                return
        raise EngineDied

    # Commands and lines.

    def ask(self, command: str) -> list[str]:
        """Sends a command that responds at once, and returns the lines of its response."""
        if "\n" in command:
            raise ValueError("a command is one line")
        with self._asking:
            return self._ask(command)

    def _ask(self, command: str) -> list[str]:
        self._send(f"{command}\nisready")
        response: list[str] = []
        # If the command itself is `isready`, its `readyok` comes first.
        is_last = command.strip().lower() != "isready"
        for line in self._lines():
            if line == "readyok" and not is_last:
                is_last = True
            elif line == "readyok":
                for text in response:
                    _raise_error(text)
                return response
            response.append(line)
        raise EngineDied

    def _execute(self, command: str) -> None:
        """Executes a command that the caller has not written. So its errors name no column of the command."""
        try:
            self.ask(command)
        except EngineError as error:
            raise EngineError(_without_column(str(error))) from None

    def _response(self, question: str) -> str:
        return self.ask(f"query {question}")[-1].partition(" ")[2]

    def _send(self, text: str) -> None:
        assert self._process.stdin is not None
        try:
            with self._sending:
                self._process.stdin.write(f"{text}\n")
                self._process.stdin.flush()
        except UnicodeEncodeError:
            raise
        except (BrokenPipeError, ValueError) as error:
            # Writing to a closed pipe raises ValueError.
            raise EngineDied from error

    def _lines(self) -> Iterator[str]:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            yield line.rstrip("\r\n")


def _position_words(fen: str | None) -> str:
    return "startpos" if fen is None else f"fen {fen}"


def _fen_words(fen: str | None) -> str:
    return "" if fen is None else f" fen {fen}"


def _move_words(moves: Sequence[str]) -> str:
    return f" moves {' '.join(moves)}" if moves else ""


_ERROR = "info string error: "


def _without_column(error: str) -> str:
    return re.sub(r"\bcolumn \d+: ", "", error, count=1)


def _raise_error(line: str) -> None:
    if line.startswith(_ERROR):
        raise EngineError(line[len(_ERROR):])


def _parse_info(text: str) -> Line | None:
    """Parses an `info` line with a score and a line of play. Returns None for any other line."""
    head, _, variation = text.partition(" pv ")
    words = head.split()
    if words[:1] != ["info"] or not variation or "score" not in words:
        return None

    def number(name: str) -> int:
        return int(words[words.index(name) + 1]) if name in words else 0

    kind, amount = words[words.index("score") + 1: words.index("score") + 3]
    return Line(
        rank=number("multipv"),
        depth=number("depth"),
        nodes=number("nodes"),
        centipawns=int(amount) if kind == "cp" else None,
        mate=int(amount) if kind == "mate" else None,
        variation=tuple(variation.split()),
    )


# The rules. A copy of this file without the package has none.
try:
    from ._rules import Game, LegalMoves, Outcome, games
except ImportError as error:
    if __package__ and not isinstance(error, ModuleNotFoundError):
        raise
else:
    __all__ += ["Game", "LegalMoves", "Outcome", "games"]
