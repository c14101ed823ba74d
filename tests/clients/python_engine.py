"""Tests the engines of the Python module: all methods, streams, errors, threads and tasks.

Usage: python python_engine.py [THREADS]. PENTARCH names the program. The test needs no extension.
"""

import asyncio
import os
import pickle
import sys
import threading
import time

import pentarch
from pentarch import AsyncEngine, Engine, EngineDied, EngineError, Limit

COMMAND = [os.environ["PENTARCH"]] if "PENTARCH" in os.environ else []
OPTIONS = {"Hash": 4}
START = {"game": "quoridor", "moves": ["e2"]}


def error_of(call, *arguments, **keywords):
    """Returns the error with which a call is rejected."""
    try:
        call(*arguments, **keywords)
    except EngineError as error:
        return error
    raise AssertionError("the call was not rejected")


def check_methods(engine):
    analysis = engine.analyse(START, Limit(nodes=500), lines=2)
    assert len(analysis["lines"]) == 2 and analysis["lines"][0]["pv"]
    assert engine.analyse(START, Limit(depth=1), moves=["e8"])["lines"][0]["move"] == "e8"
    moves = []
    for _ in range(6):
        moves.append(engine.play({"game": "bushka", "moves": moves}, level="beginner"))
    assert len({engine.play(START, level="beginner", seed=7) for _ in range(5)}) == 1
    review = engine.review({"game": "bushka", "moves": moves}, Limit(nodes=100))
    assert len(review["moves"]) == 6
    assert engine.known("quoridor")["complete"] in (True, False)
    won = {"game": "quoridor", "options": {"Quoridor_Walls": 0}, "fen": "e8d5 - w 0/0 20"}
    proof = engine.prove(won, nodes=1000)
    assert proof["settled"] and proof["winner"] == "white" and proof["proofs"]
    problems = engine.problems("quoridor")
    assert engine.problem("quoridor", 1)["fen"] == problems[0]["fen"]
    assert "quoridor" in [game["word"] for game in engine.games()]
    clock = {"times": [60_000, 60_000], "increments": [0, 0]}
    assert engine.play(won, Limit(clock=clock)) == "e9"
    illegal = error_of(engine.analyse, {"game": "quoridor", "moves": ["e2", "e3"]}, Limit(depth=1))
    assert (illegal.kind, illegal.field, illegal.move, illegal.rule) == ("illegal", "moves", 2, "6.1"), vars(illegal)
    assert error_of(engine.analyse, START, Limit()).kind == "field"
    assert "over" in str(error_of(engine.play, {**won, "moves": ["e9"]}, Limit(nodes=1)))


def check_streams(engine):
    reports = []
    with engine.analysis(START, every=20) as stream:
        for report in stream:
            reports.append(report)
            if len(reports) == 3:
                stream.stop()
    assert 3 <= len(reports) <= 10 and list(stream) == []
    # The end of the block stops the search, and the engine responds to the next request.
    with engine.analysis(START, every=20) as stream:
        next(stream)
    stream = engine.analysis(START)
    threading.Timer(0.1, stream.stop).start()
    assert stream.last()["lines"]


def check_threads(engine, threads):
    """Lets threads request the moves and searches of different positions, and compares with single requests."""
    positions = [{"game": game, "moves": []} for game in ("quoridor", "bushka", "roses", "alquerque", "alcaxar")]
    for position in list(positions):
        for move in engine.ask({**position, "ask": "moves"})["moves"][:7]:
            positions.append({"game": position["game"], "moves": [move]})

    def response(position):
        lines = engine.analyse(position, Limit(nodes=50))["lines"]
        return lines, engine.ask({**position, "ask": ["moves", "status"]})["moves"]

    expected = [response(position) for position in positions]
    wrong = []

    def work(number):
        for step in range(5):
            at = (number * 7 + step * 11) % len(positions)
            if response(positions[at]) != expected[at]:
                wrong.append(at)

    workers = [threading.Thread(target=work, args=(number,), daemon=True) for number in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(timeout=120)
    assert not any(worker.is_alive() for worker in workers), "a thread hangs"
    print(f"{threads} threads, {2 * 5 * threads} responses, {len(wrong)} wrong")
    assert not wrong


async def check_tasks():
    async with AsyncEngine(command=COMMAND, options=OPTIONS) as engine, AsyncEngine(command=COMMAND) as other:
        found = await asyncio.gather(*(each.analyse(START, Limit(nodes=300)) for each in [engine] * 20 + [other] * 20))
        assert len({str(analysis["lines"]) for analysis in found}) == 1
        count = 0
        async with engine.analysis(START, every=20) as stream:
            async for _ in stream:
                count += 1
                if count == 3:
                    stream.stop()
        assert count >= 3
        began = time.monotonic()
        try:
            await asyncio.wait_for(engine.analyse(START, Limit(movetime=60_000)), timeout=0.2)
        except asyncio.TimeoutError:
            pass
        # The cancelled search has ended, or this one would wait for it.
        await engine.analyse(START, Limit(nodes=10))
        assert time.monotonic() - began < 10
        assert await engine.play(START, level="novice") and await engine.known(START)
        assert (await engine.review({**START, "moves": ["e2", "e8"]}, Limit(nodes=50)))["moves"]
        assert await engine.problem("quoridor", 1) and await engine.problems("quoridor") and await engine.games()
        assert (await engine.prove({"game": "quoridor", "fen": "e8d5 - w 10/10 9"}, nodes=1000))["settled"]
        try:
            await engine.ask({"ask": "legal", "game": "quoridor"})
        except EngineError as error:
            assert error.field == "move"


def raised(call, *arguments):
    """Returns the type of the exception of a call."""
    try:
        call(*arguments)
    except Exception as error:
        return type(error)
    raise AssertionError("the call was not rejected")


def check_faults(engine):
    """Calls that the program cannot respond to raise exceptions, and block nobody."""
    nested = []
    for _ in range(200):
        nested = [nested]
    for value, error in (
        ("\ud800", UnicodeEncodeError), (float("nan"), ValueError), (nested, ValueError), ("x" * (1 << 20), ValueError),
        (object(), TypeError),
    ):
        assert raised(engine.ask, {"ask": "moves", "game": value}) is error, error
    for value in (5, [], {}, "", "\0", "chess", "\U0001f600\u2028"):
        assert error_of(engine.ask, {"ask": "moves", "game": value}).kind, value
    assert raised(engine.analyse, 5, Limit(nodes=1)) is TypeError
    assert raised(pickle.dumps, engine) is TypeError
    if hasattr(os, "fork"):
        child = os.fork()
        if child == 0:
            # In the child no thread reads the responses.
            is_rejected = raised(engine.games) is RuntimeError
            engine.close()
            os._exit(not is_rejected)
        assert os.waitpid(child, 0)[1] == 0
    assert engine.games()
    assert raised(lambda: Engine(command=["/no/such/program"])) is FileNotFoundError
    with Engine(command=COMMAND) as killed:
        stream = killed.analysis(START, every=20)
        next(stream)
        killed._connection._process.kill()
        assert raised(stream.last) is EngineDied and raised(killed.games) is EngineDied
        assert str(EngineDied()) == "the program has ended"


def check_end():
    with Engine(command=COMMAND, searches=1) as engine:
        stream = engine.analysis(START)
        waiting = engine.analysis(START)
        threading.Timer(0.1, engine.close).start()
        # A closed engine has stopped its searches.
        assert stream.last()["lines"] is not None and waiting.last() is not None
    try:
        engine.games()
    except EngineDied:
        pass
    else:
        raise AssertionError("the program has ended")
    with Engine(command=COMMAND, options={"Nothing": 1}) as engine:
        try:
            engine.games()
        except EngineDied:
            return
    raise AssertionError("there is no such option")


def main():
    with Engine(command=COMMAND, options=OPTIONS) as engine:
        check_methods(engine)
        check_streams(engine)
        check_faults(engine)
        check_threads(engine, int(sys.argv[1]) if len(sys.argv) > 1 else 100)
    asyncio.run(check_tasks())
    check_end()
    assert all(hasattr(pentarch, name) for name in pentarch.__all__)
    print("the engines of", pentarch.__version__, "passed")


main()
