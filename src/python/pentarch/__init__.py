"""A client for pentarch. It needs nothing but Python 3.9 and the program, which `pip` installs with it.

    from pentarch import Engine

    with Engine("quoridor") as engine:
        while engine.turn:
            engine.play(engine.search(movetime=100).move)
        print(engine.outcome)
        print(engine.record)

It knows no game: which moves there are, what they do and how a board looks, the program says. This file does without
the package, too: copied as `pentarch.py`, it starts the program that is found on the PATH.
"""

from __future__ import annotations

import json
import subprocess
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Union

if TYPE_CHECKING:
    from .protocol import Board, Details, Scene

Option = Union[str, int, bool]


def program() -> str:
    """The program that was installed with this module; without one its name, which stands for what the PATH has."""
    with suppress(metadata.PackageNotFoundError):
        for file in metadata.files("pentarch") or ():
            path = Path(str(file.locate()))
            if path.name in ("pentarch", "pentarch.exe") and path.is_file():
                return str(path)
    return "pentarch"


class EngineError(Exception):
    """What the program refused, in its own words; nothing has changed then."""


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
    #: In how many moves of its own the side wins, negative if it loses; None if that is not proven.
    mate: int | None
    #: The best play, which begins with the move.
    variation: tuple[str, ...]

    @property
    def move(self) -> str:
        """The move that the line begins with."""
        return self.variation[0]


@dataclass(frozen=True)
class Answer:
    """What a search has found."""

    #: The best move.
    move: str
    #: The best moves, the best one first: fewer than asked for if the search ended before it had ranked so many.
    lines: tuple[Line, ...]


@dataclass
class _Pending:
    """What has come of an answer so far."""

    best: str = ""
    refused: str = ""
    is_ready: bool = False
    lines: list[Line] = field(default_factory=list)


class Engine:
    """A game in play, and the program that keeps it."""

    def __init__(
        self,
        game: str,
        options: Mapping[str, Option] | None = None,
        command: Sequence[str] = (),
    ) -> None:
        """Starts the program with this game, and with these options of its rules and of the engine. The command is
        that of another program and its arguments; usually it is `program()`.

        Raises OSError if the program cannot be started, and EngineError if it knows no such game or option.
        """
        self._sending = threading.Lock()
        pipe = subprocess.PIPE
        # In a session of its own a Ctrl-C at the terminal does not end it: it ends with its input.
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
        """Ends the search that another thread waits for, which is given what was found until then. One that has not
        begun to search goes on.

        Raises EngineDied if the program has ended.
        """
        self._send("stop")

    def kill(self) -> None:
        """Ends the program at once, from any thread. What waits for it elsewhere raises EngineDied."""
        self._process.kill()

    # The game in play.

    def set_options(self, options: Mapping[str, Option]) -> None:
        """Sets options one after the other. One that chooses the game or changes its rules sets the start position."""
        for name, value in options.items():
            text = str(value).lower() if isinstance(value, bool) else str(value)
            self.ask(f"setoption name {name} value {text}")

    def position(self, fen: str | None = None, moves: Sequence[str] = ()) -> None:
        """Sets up a position, the start position without a text, and makes moves."""
        self.ask(f"position {_start(fen)}{_moves(moves)}")

    def play(self, *moves: str) -> None:
        """Makes moves: all of them, or none if one is illegal."""
        self.ask(f"play {' '.join(moves)}")

    def undo(self, count: int = 1) -> None:
        """Takes back moves."""
        self.ask(f"undo {count}")

    def load(self, record: str) -> None:
        """Takes up the game of a record."""
        self.ask(f"load text {' '.join(record.split())}")

    @property
    def record(self) -> str:
        """The game as a record."""
        return "\n".join(self.ask("record"))

    @property
    def fen(self) -> str:
        """The position text."""
        return self._response("fen")

    @property
    def turn(self) -> str | None:
        """The side to move in the game's own word; None if the game is over."""
        side = self._response("turn")
        return None if side == "none" else side

    @property
    def outcome(self) -> str:
        """`ongoing`, `win red fortress`, `draw repetition`, ..."""
        return self._response("outcome")

    @property
    def moves(self) -> list[str]:
        """The legal moves, sorted."""
        moves = self._response("moves")
        return [] if moves == "none" else moves.split()

    def why_illegal(self, move: str) -> str | None:
        """The rule that forbids a move; None if it is legal. A text that is no move raises EngineError."""
        if len(move.split()) != 1:
            raise EngineError(f"one move expected, not {move!r}")
        answer = self.ask(f"legal {move}")[0]
        return answer.partition(": ")[2] if answer.startswith("illegal ") else None

    # What it looks like.

    @property
    def text(self) -> str:
        """The board for people, with the legal moves."""
        return "\n".join(self.ask("d"))

    @property
    def board(self) -> Board:
        """Where everything of the board lies: `query board` of protocol.md."""
        board: Board = json.loads(self._response("board"))
        return board

    def scene(self, fen: str | None = None, moves: Sequence[str] = ()) -> Scene:
        """What stands on the board in a position: `query scene` of protocol.md. It is the position in play, after
        these moves, or that of the text."""
        scene: Scene = json.loads(self._response(f"scene{_from_here(fen)}{_moves(moves)}"))
        return scene

    def diagram(self, fen: str | None = None, moves: Sequence[str] = (), flip: bool = False) -> str:
        """A picture of such a position in SVG; `flip` draws the second side below."""
        svg: str = json.loads(self._response(f"diagram{' flip' if flip else ''}{_from_here(fen)}{_moves(moves)}"))
        return svg

    def details(self, move: str) -> Details:
        """What a legal move does: `query details` of protocol.md."""
        details: Details = json.loads(self._response(f"details {move}"))
        return details

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
        """Searches the position in play up to a depth in plies, a number of nodes, a time in milliseconds, or by a
        clock, of which one at least is needed. The clock has any of the words of `go`, such as `wtime` and `binc`, with
        their milliseconds. `lines` is how many of the best moves are reported, `moves` which ones are searched.

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
        answer = _Pending()
        try:
            self._wait(answer)
        except KeyboardInterrupt:
            self._send("stop")
            self._wait(answer)
            raise
        if answer.best == "(none)":
            raise EngineError("the game is over")
        found = sorted(answer.lines, key=lambda line: line.move != answer.best)[:lines]
        # After a depth that is not finished the lines have ranks of different depths.
        return Answer(answer.best, tuple(replace(line, rank=rank) for rank, line in enumerate(found, 1)))

    def _wait(self, answer: _Pending) -> None:
        """Waits for the answer of a search, and for the `readyok` of the `isready` behind it."""
        for text in self._lines():
            if text.startswith(_ERROR):
                # That of a search which goes on all the same is followed by its answer.
                answer.refused = text[len(_ERROR):]
            elif text.startswith("bestmove "):
                answer.best = text.split()[1]
            elif text == "readyok":
                answer.is_ready = True
                if answer.refused and not answer.best:
                    raise EngineError(answer.refused)
            line = _line(text)
            if line is not None:
                # A depth that is not finished may report a new best move and nothing else.
                answer.lines = [other for other in answer.lines if other.move != line.move]
                answer.lines.insert(line.rank - 1, line)
            if answer.best and answer.is_ready:
                return
        raise EngineDied

    # What everything above is made of.

    def ask(self, command: str) -> list[str]:
        """Sends a command that answers at once, and returns the lines of its answer."""
        if "\n" in command:
            raise ValueError("a command is one line")
        self._send(f"{command}\nisready")
        answer: list[str] = []
        # That of the command itself, if it is one, is not the last.
        is_last = command.strip().lower() != "isready"
        for line in self._lines():
            if line == "readyok" and not is_last:
                is_last = True
            elif line == "readyok":
                for text in answer:
                    _check(text)
                return answer
            answer.append(line)
        raise EngineDied

    def _response(self, question: str) -> str:
        return self.ask(f"query {question}")[-1].partition(" ")[2]

    def _send(self, text: str) -> None:
        assert self._process.stdin is not None
        try:
            with self._sending:
                self._process.stdin.write(f"{text}\n")
                self._process.stdin.flush()
        except (BrokenPipeError, ValueError) as error:
            # A pipe that is closed is no value that can be written to.
            raise EngineDied from error

    def _lines(self) -> Iterator[str]:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            yield line.rstrip("\r\n")


def _start(fen: str | None) -> str:
    return "startpos" if fen is None else f"fen {fen}"


def _from_here(fen: str | None) -> str:
    return "" if fen is None else f" fen {fen}"


def _moves(moves: Sequence[str]) -> str:
    return f" moves {' '.join(moves)}" if moves else ""


_ERROR = "info string error: "


def _check(line: str) -> None:
    if line.startswith(_ERROR):
        raise EngineError(line[len(_ERROR):])


def _line(text: str) -> Line | None:
    """The line of a report of the search; None if it is something else."""
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
