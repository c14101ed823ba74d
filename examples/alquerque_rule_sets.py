"""Prints 336 requests that settle the 504 rule sets of Alquerque: who can force a win from the start?

    python alquerque_rule_sets.py > starts.jsonl
    pentarch analyse --requests starts.jsonl > answers.jsonl

By the rules `repetition` the same side can force a win as by `block`, so that they are not asked about: the way to a win
that comes nearer to it with every turn never sees a position again.

What takes few plies to decide comes first, so that an interrupted run has decided the most. The `id` of a request names
its rules, in the order of the columns of docs/games/alquerque.md.
"""

import itertools
import json

CAPTURES = [("off", "instant"), *itertools.product(("stop", "complete", "maximum"), ("instant", "after"))]
STEPS = [("free", "free"), *(("bell", row) for row in ("free", "spent", "horizontal"))]
MISSED = ("illegal", "huff")
WINS = ("block", "capture")
RETREATS = ("free", "player", "checker")
NAMES = ("MultiCapture", "Removal", "Movement", "BaseRow", "Retreat", "MissedCapture", "Win")


def requests():
    """The requests, as objects."""
    for missed, win, retreat, steps, captures in itertools.product(MISSED, WINS, RETREATS, STEPS, CAPTURES):
        values = (*captures, *steps, retreat, missed, win)
        options = {f"Alquerque_{name}": value for name, value in zip(NAMES, values)}
        request = {"id": " ".join(values), "ask": "prove", "game": "alquerque", "options": options}
        yield {**request, "nodes": 30_000_000, "tables": 8, "memory": 1024}


if __name__ == "__main__":
    for request in requests():
        print(json.dumps(request))
