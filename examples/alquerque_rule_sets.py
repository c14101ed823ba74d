"""Prints a request for each of the 504 rule sets of Alquerque: who can force a win from the start?

    python alquerque_rule_sets.py > starts.jsonl
    pentarch analyse --requests starts.jsonl > answers.jsonl

What takes few plies to decide comes first, so that an interrupted run has decided the most. The `id` of a request names
its rules, in the order of the columns of docs/games/alquerque.md.
"""

import itertools
import json

CAPTURES = [("off", "instant"), *itertools.product(("stop", "complete", "maximum"), ("instant", "after"))]
STEPS = [("free", "free"), *(("bell", row) for row in ("free", "spent", "horizontal"))]
NAMES = ("MultiCapture", "Removal", "Movement", "BaseRow", "Retreat", "MissedCapture", "Win")

for missed, win, retreat, steps, captures in itertools.product(
    ("illegal", "huff"), ("block", "repetition", "capture"), ("free", "player", "checker"), STEPS, CAPTURES
):
    values = (*captures, *steps, retreat, missed, win)
    options = {f"Alquerque_{name}": value for name, value in zip(NAMES, values)}
    request = {"id": " ".join(values), "ask": "prove", "game": "alquerque", "options": options}
    print(json.dumps({**request, "nodes": 30_000_000, "tables": 8, "memory": 1024}))
