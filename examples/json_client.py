"""Lets two levels of pentarch play a game, then asks what was best and what went wrong: requests in JSON, by example.

Usage: python3 json_client.py [GAME], or every game in turn. The environment variable PENTARCH names the program, else it
is `pentarch` on the PATH. This client knows no rule of any game: it gets moves as texts and passes them on."""
import contextlib, itertools, json, os, subprocess, sys
from collections.abc import Iterator
from typing import Any

class EngineError(Exception):
    """The engine has refused a request, in its own words, or it has ended."""

class Engine(contextlib.AbstractContextManager["Engine"]):
    """A running engine, which ends with its `with` block, whatever happens there."""
    def __init__(self) -> None:
        self.ids = itertools.count(1)
        self.process = subprocess.Popen([os.environ.get("PENTARCH", "pentarch"), "analyse", "--unordered"],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")
    def __exit__(self, *error: object) -> None:
        self.process.communicate('{"stop": null}\n')  # stops all requests, closes the input, and waits for the end
    def send(self, **request: Any) -> None:
        """Sends a request, and waits for nothing. With `stop` it ends the request that has this id."""
        print(json.dumps(request), file=self.process.stdin, flush=True)
    def reports(self, **request: Any) -> Iterator[dict[str, Any]]:
        """Asks, and yields the reports that come while a search runs, if `every` is given, and last the answer."""
        self.send(id=(number := next(self.ids)), **request)
        for answer in map(json.loads, self.process.stdout or ()):
            if answer["id"] == number:  # else it belongs to a request whose answer nobody has waited for
                if "error" in answer:
                    raise EngineError(answer["error"]["message"])
                yield answer
                if "partial" not in answer:
                    return
        raise EngineError("the engine has ended")
    def ask(self, **request: Any) -> dict[str, Any]:
        """Asks, and waits for the answer."""
        return list(self.reports(**request))[-1]

with Engine() as engine:
    for game in sys.argv[1:] or [entry["word"] for entry in engine.ask(ask="games")["games"]]:
        moves: list[str] = []
        for level in itertools.cycle(["learner", "novice"]):  # one request a move; after the end the move is None
            answer = engine.ask(ask=["play", "status", "record"], game=game, moves=moves, level=level)
            print(f"{game}, {len(moves)} moves: {answer['status']['sentence']}")
            if (move := answer["play"]["move"]) is None or len(moves) == 120:
                break
            moves.append(move)
        print(answer["record"])
        middle = {"game": game, "moves": moves[:len(moves) // 2]}
        for answer in engine.reports(ask="analysis", **middle, multipv=3, movetime=10_000, every=200):
            for line in answer["analysis"]["lines"]:
                print("?" if line["chance"] is None else f"{line['chance']:.0%}", "to win with", *line["pv"][:6])
            print(f"after {answer['analysis']['nodes']} nodes in the middle of the game")
            if answer["analysis"]["time"] >= 1000 and "partial" in answer:
                engine.send(stop=answer["id"])  # long enough: the last answer comes at once
        review = engine.ask(ask="review", game=game, moves=moves, nodes=1000)["review"]
        for side in review["sides"]:
            accuracy = "no moves" if side["accuracy"] is None else f"{side['accuracy']:.0%} accurate"
            print(f"{side['side']}: {accuracy}, {side['mistakes']} mistakes and {side['blunders']} blunders")
        print("The game turned at move", review["turning_point"] or "none")
