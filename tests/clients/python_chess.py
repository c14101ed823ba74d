"""Plays a few moves of each game with python-chess, and analyses the position. A board of strings replaces the chess
boards of python-chess. Usage: python python_chess.py PENTARCH GAME..."""

import asyncio
import subprocess
import sys

from chess.engine import EngineError, Limit, popen_uci


class TextMove(str):
    """A move string."""

    def uci(self):
        return self


class TextBoard:
    """The interface of a board that python-chess needs. It contains the FEN of the first position, and the moves since
    then. A subclass names the game as `uci_variant`. Only the engine checks moves. In principal variations,
    python-chess keeps only moves that look like chess moves."""

    chess960 = False

    def __init__(self, start, moves=()):
        self.start, self.move_stack = start, list(moves)

    @property
    def turn(self):
        """Whether the side that made the first move is to move. Scores are from the point of view of this side."""
        return len(self.move_stack) % 2 == 0

    def root(self):
        return type(self)(self.start)

    def fen(self, **_):
        return self.start

    def copy(self, stack=True):
        return type(self)(self.start, self.move_stack)

    def parse_uci(self, text):
        return TextMove(text)

    def push(self, move):
        self.move_stack.append(move)

    def push_uci(self, text):
        self.push(self.parse_uci(text))
        return self.move_stack[-1]

    def pop(self):
        return self.move_stack.pop()


async def play(program, game):
    start = subprocess.check_output([program, "--game", game, "query", "fen"], text=True).removeprefix("response ")
    board = type("Board", (TextBoard,), {"uci_variant": game})(start.strip())
    _, engine = await popen_uci(program)
    assert engine.id["name"].startswith("pentarch "), engine.id
    try:
        await engine.configure({"UCI_Variant": game})
        raise AssertionError("python-chess does not set the variant itself")
    except EngineError as error:
        assert "automatically managed" in str(error), error
    await engine.configure({"Hash": 4, "Level": "champion", "Clear Hash": None})
    for _ in range(8):
        result = await engine.play(board, Limit(depth=2))
        board.push(result.move)
    info = await engine.analyse(board, Limit(depth=2))
    assert info["depth"] in (1, 2) and info["score"].turn == board.turn, info
    best = await engine.analyse(board, Limit(depth=2), multipv=3)
    assert [info["multipv"] for info in best] == [1, 2, 3], best
    await engine.quit()
    print("python-chess", game + ":", *board.move_stack, info["score"].white())


async def main():
    for game in sys.argv[2:]:
        await asyncio.wait_for(play(sys.argv[1], game), 120)


asyncio.run(main())
