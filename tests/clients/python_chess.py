"""Plays a few moves of each game with python-chess: its handshake and options, and searches as commands of its own,
since its boards are chess boards. Usage: python python_chess.py PENTARCH GAME..."""

import asyncio
import sys

from chess.engine import BaseCommand, popen_uci


class Search(BaseCommand):
    """Sets up a position and waits for the best move."""

    def __init__(self, engine, moves):
        super().__init__(engine)
        self.protocol = engine
        self.moves = moves

    def start(self):
        self.protocol.send_line(" ".join(["position startpos moves", *self.moves]))
        self.protocol.send_line("go depth 2")

    def line_received(self, line):
        word, _, rest = line.partition(" ")
        if word == "bestmove":
            self.result.set_result(rest)
            self.set_finished()
        else:
            assert word == "info" and not rest.startswith("string"), line


async def play(program, game):
    _, engine = await popen_uci([program, "--game", game])
    assert engine.id["name"].startswith("pentarch "), engine.id
    assert game in engine.options["UCI_Variant"].var
    await engine.configure({"Hash": 4, "Skill Level": 20, "Clear Hash": None})
    await engine.ping()
    moves = []
    for _ in range(8):
        move = await engine.communicate(lambda engine: Search(engine, moves))
        assert move.isalnum(), move
        moves.append(move)
    await engine.ping()
    await engine.quit()
    print("python-chess", game + ":", *moves)


async def main():
    for game in sys.argv[2:]:
        await asyncio.wait_for(play(sys.argv[1], game), 60)


asyncio.run(main())
