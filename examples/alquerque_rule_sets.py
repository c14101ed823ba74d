"""Prints 336 requests that determine the winner from the start under the 504 rule sets of Alquerque.

    python alquerque_rule_sets.py > starts.jsonl
    pentarch analyse --requests starts.jsonl > answers.jsonl

There are no requests for `Win repetition`, because the same side can force a win as under `Win block`: a winner who
comes nearer to the win with every turn never repeats a position.

The `id` of a request names its rules, in the order of the columns in docs/games/alquerque.md.
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
    """Yields the rule sets, as the values of the options in the order of `NAMES`."""
    for missed, win, retreat, steps, captures in itertools.product(MISSED, WINS, RETREATS, STEPS, CAPTURES):
        yield (*captures, *steps, retreat, missed, win)


def request(values):
    """Returns the request for a rule set, as an object."""
    options = {f"Alquerque_{name}": value for name, value in zip(NAMES, values)}
    limits = {"nodes": 30_000_000, "tables": 8, "memory": 1024}
    return {"id": " ".join(values), "ask": "prove", "game": "alquerque", "options": options, **limits}


if __name__ == "__main__":
    for values in rule_sets():
        print(json.dumps(request(values)))
