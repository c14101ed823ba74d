"""Lets two levels of pentarch play a game, then analyses and reviews the game: an example of requests in JSON.

Usage: python3 json_client.py [GAME]; without GAME it plays every game. The environment variable PENTARCH names the
program, by default `pentarch` on the PATH. This client contains no rules, because it only passes on move strings."""
import contextlib, itertools, json, os, subprocess, sys
from collections.abc import Iterator
from typing import Any

class EngineError(Exception):
    """The error message of a request that the engine has rejected, or the end of the engine."""

class Engine(contextlib.AbstractContextManager["Engine"]):
    """A running engine. It ends at the end of its `with` block, even after an exception."""
    def __init__(self) -> None:
        self.ids = itertools.count(1)
        self.process = subprocess.Popen([os.environ.get("PENTARCH", "pentarch"), "analyse", "--unordered"],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")
    def __exit__(self, *error: object) -> None:
        self.process.communicate('{"stop": null}\n')  # stops all requests, closes the input, and waits for the end
    def send(self, **request: Any) -> None:
        """Sends a request without waiting for its response. `stop=ID` ends the request with this id."""
        print(json.dumps(request), file=self.process.stdin, flush=True)
    def reports(self, **request: Any) -> Iterator[dict[str, Any]]:
        """Sends a request. With `every` it yields the reports of the search; then it yields the response."""
        self.send(id=(number := next(self.ids)), **request)
        for response in map(json.loads, self.process.stdout or ()):
            if response["id"] == number:  # otherwise nobody has waited for this response
                if "error" in response:
                    raise EngineError(response["error"]["message"])
                yield response
                if "partial" not in response:
                    return
        raise EngineError("the engine has ended")
    def ask(self, **request: Any) -> dict[str, Any]:
        """Sends a request, and returns the response."""
        return list(self.reports(**request))[-1]

with Engine() as engine:
    for game in sys.argv[1:] or [entry["word"] for entry in engine.ask(ask="games")["games"]]:
        moves: list[str] = []
        for level in itertools.cycle(["learner", "novice"]):  # one request per move; after the end the move is None
            response = engine.ask(ask=["play", "status", "record"], game=game, moves=moves, level=level)
            print(f"{game}, {len(moves)} moves: {response['status']['sentence']}")
            if (move := response["play"]["move"]) is None or len(moves) == 120:
                break
            moves.append(move)
        print(response["record"])
        middle = {"game": game, "moves": moves[:len(moves) // 2]}
        for response in engine.reports(ask="analysis", **middle, multipv=3, movetime=10_000, every=200):
            for line in response["analysis"]["lines"]:
                print("?" if line["chance"] is None else f"{line['chance']:.0%}", "to win with", *line["pv"][:6])
            print(f"after {response['analysis']['nodes']} nodes in the middle of the game")
            if response["analysis"]["time"] >= 1000 and "partial" in response:
                engine.send(stop=response["id"])  # long enough: the last response comes at once
        review = engine.ask(ask="review", game=game, moves=moves, nodes=1000)["review"]
        for side in review["sides"]:
            accuracy = "no moves" if side["accuracy"] is None else f"{side['accuracy']:.0%} accurate"
            print(f"{side['side']}: {accuracy}, {side['mistakes']} mistakes and {side['blunders']} blunders")
        print("The game turned at move", review["turning_point"] or "none")
