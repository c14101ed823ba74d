"""Lets two levels of pentarch play a game, then analyses and reviews the game: an example of requests in JSON.

Usage: python3 json_client.py [GAME]; without GAME it plays every game. The environment variable PENTARCH names the
program; by default the module finds it. This client contains no rules, because it only passes on move strings."""
import itertools, os, sys
from pentarch import Engine, Limit

with Engine(command=[os.environ["PENTARCH"]] if "PENTARCH" in os.environ else []) as engine:
    for game in sys.argv[1:] or [entry["word"] for entry in engine.games()]:
        moves: list[str] = []
        for level in itertools.cycle(["learner", "novice"]):  # one request per move; after the end the move is None
            response = engine.ask({"ask": ["play", "status", "record"], "game": game, "moves": moves, "level": level})
            print(f"{game}, {len(moves)} moves: {response['status']['sentence']}")
            if (move := response["play"]["move"]) is None or len(moves) == 120:
                break
            moves.append(move)
        print(response["record"])
        with engine.analysis({"game": game, "moves": moves[:len(moves) // 2]}, lines=3, every=200) as reports:
            for analysis in reports:
                for line in analysis["lines"]:
                    print("?" if line["chance"] is None else f"{line['chance']:.0%}", "to win with", *line["pv"][:6])
                print(f"after {analysis['nodes']} nodes in the middle of the game")
                if analysis["time"] >= 1000:
                    reports.stop()  # long enough: the last report comes at once
        review = engine.review({"game": game, "moves": moves}, Limit(nodes=1000))
        for side in review["sides"]:
            accuracy = "no moves" if side["accuracy"] is None else f"{side['accuracy']:.0%} accurate"
            print(f"{side['side']}: {accuracy}, {side['mistakes']} mistakes and {side['blunders']} blunders")
        print("The game turned at move", review["turning_point"] or "none")
