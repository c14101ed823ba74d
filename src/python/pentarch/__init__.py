"""A client for pentarch. It requires only Python 3.9 and the program, which `pip` installs with it.

    from pentarch import Engine

    with Engine("quoridor") as engine:
        while engine.turn:
            engine.play(engine.search(movetime=100).move)
        print(engine.outcome)
        print(engine.record)

The module contains no rules, because the program provides the moves, their effects and the board. You can also use this
file without the package: copy it as `pentarch.py`, and it starts the program on the PATH.
"""

from __future__ import annotations

import json
import re
import subprocess
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Union

if TYPE_CHECKING:
    from .protocol import Board, Count, Details, Scene

Option = Union[str, int, bool]


def program() -> str:
    """Returns the path of the program that was installed with this module, or else the name to find on the PATH."""
    with suppress(metadata.PackageNotFoundError):
        for file in metadata.files("pentarch") or ():
            path = Path(str(file.locate()))
            if path.name in ("pentarch", "pentarch.exe") and path.is_file():
                return str(path)
    return "pentarch"


class EngineError(Exception):
    """An error line of the program. The rejected command has changed nothing."""


class EngineDied(Exception):
    """The program has ended."""


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


class Engine:
    """A running program with its current game."""

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

    def __enter__(self) -> Engine:
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
            text = str(value).lower() if isinstance(value, bool) else str(value)
            self._execute(f"setoption name {name} value {text}")

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
        self.ask(f"setoption name MultiPV value {lines}")
        self._send(f"go {' '.join(words)}\nisready")
        output = _SearchOutput()
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
