"""Prints 336 requests that settle the 504 rule sets of Alquerque: who can force a win from the start?

    python alquerque_rule_sets.py > starts.jsonl
    pentarch analyse --requests starts.jsonl > answers.jsonl

By the rules `repetition` the same side can force a win as by `block`, so that they are not asked about: the way to a
win that comes nearer to it with every turn never sees a position again.

The `id` of a request names its rules, in the order of the columns of docs/games/alquerque.md.
"""

import itertools
import json

CAPTURES = [("off", "instant"), *itertools.product(("stop", "complete", "maximum"), ("instant", "after"))]
STEPS = [("free", "free"), *(("bell", row) for row in ("free", "spent", "horizontal"))]
MISSED = ("illegal", "huff")
WINS = ("block", "capture")
RETREATS = ("free", "player", "checker")
NAMES = ("MultiCapture", "Removal", "Movement", "BaseRow", "Retreat", "MissedCapture", "Win")


def rule_sets():
    """The rule sets, as the values of the options in the order of `NAMES`."""
    for missed, win, retreat, steps, captures in itertools.product(MISSED, WINS, RETREATS, STEPS, CAPTURES):
        yield (*captures, *steps, retreat, missed, win)


def request(values):
    """The request for a rule set, as an object."""
    options = {f"Alquerque_{name}": value for name, value in zip(NAMES, values)}
    asked = {"id": " ".join(values), "ask": "prove", "game": "alquerque", "options": options}
    return {**asked, "nodes": 30_000_000, "tables": 8, "memory": 1024}


if __name__ == "__main__":
    for values in rule_sets():
        print(json.dumps(request(values)))
