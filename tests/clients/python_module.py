"""Tests all functions of the Python module in each game. Usage: python python_module.py GAME...

The environment variable PENTARCH names the program. Without it, the module finds the program.
"""

import os
import sys

from pentarch import EngineDied, EngineError, Session

COMMAND = [os.environ["PENTARCH"]] if "PENTARCH" in os.environ else []


def error_of(call, *arguments, **keywords):
    """Returns the error with which a call is rejected."""
    try:
        call(*arguments, **keywords)
    except EngineError as error:
        return str(error)
    raise AssertionError("it was not refused")


def check_game(game):
    with Session(game, {"RepetitionDraw": True, "Hash": 4}, COMMAND) as engine:
        start, first = engine.fen, engine.turn
        for _ in range(30):
            if engine.turn is None:
                break
            moves = engine.moves
            answer = engine.search(nodes=300, lines=2)
            assert answer.move in moves and answer.lines[0].move == answer.move
            assert [line.rank for line in answer.lines] == list(range(1, len(answer.lines) + 1))
            assert all((line.centipawns is None) != (line.mate is None) for line in answer.lines)
            assert engine.why_illegal(answer.move) is None and engine.details(answer.move)["move"] == answer.move
            assert engine.counts()[0]["after"] is None and engine.counts(answer.move)[0]["after"] is not None
            expected = engine.scene(moves=[answer.move])["fen"]
            engine.play(answer.move)
            assert engine.fen == expected
        fen, record, outcome = engine.fen, engine.record, engine.outcome
        assert record.startswith(f'[Game "{game}"]') and fen in engine.text
        assert engine.diagram() != engine.diagram(flip=True) and fen in engine.diagram(fen=fen)
        assert {piece["site"] for piece in engine.scene()["pieces"]} <= {site["id"] for site in engine.board["sites"]}
        engine.undo()
        assert engine.turn and engine.outcome == "ongoing"
        engine.position()
        assert (engine.fen, engine.turn) == (start, first)
        engine.load(record)
        assert (engine.fen, engine.outcome) == (fen, outcome)
        engine.position(moves=[])
        for error in (error_of(engine.play, "?"), error_of(engine.search, depth=1, moves=["?"])):
            assert "expected" in error and "column" not in error, error
        assert engine.search(clock={"p1time": 50, "p2time": 50, "p1inc": 0, "p2inc": 0}).move in engine.moves
        assert "no option" in error_of(engine.set_options, {"Nothing": 1})
        assert engine.fen == start and engine.search(depth=1, moves=engine.moves[:1]).move == engine.moves[0]
        assert engine.ask(" IsReady") == ["readyok"] and engine.fen == start
        engine.ask("resign")
        assert engine.turn is None and engine.moves == [] and "over" in error_of(engine.search, depth=1)
    try:
        engine.play("a1")
    except EngineDied:
        print(game, outcome)
    else:
        raise AssertionError("the program has ended")


assert "Game takes" in error_of(Session, "nothing", command=COMMAND)
for game in sys.argv[1:]:
    check_game(game)
