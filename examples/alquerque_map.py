"""Draws who wins under which rules of Alquerque, as a heat map in SVG, from the answers to alquerque_rule_sets.py.

    python alquerque_map.py answers.jsonl > starts.svg

A column is a way of capturing and of winning, a row a way of stepping and what follows a missed capture. The letter
says what is proved of the start: Light wins (L), Dark wins (D), neither side can win (=), or nothing yet (?). The more
positions the prover visited, the darker a field is. Of an empty field there is no answer.
"""

import json
import math
import sys

from alquerque_rule_sets import CAPTURES, MISSED, RETREATS, STEPS, WINS

SIZE, LEFT, TOP = 26, 190, 100
HUES = {"L": 40, "D": 220, "=": 130}


def result(proof):
    """The letter of an answer."""
    if not proof["settled"]:
        return "?"
    return {"light": "L", "dark": "D", None: "="}[proof["winner"]]


def told(identifier, proof):
    """What a field tells when it is pointed at."""
    what = {"L": "Light wins", "D": "Dark wins", "=": "neither side can win", "?": "open"}[result(proof)]
    plies = f" in at most {proof['plies']} plies" if proof["plies"] else ""
    return f"{identifier}: {what}{plies}; {proof['nodes']:,} positions, {proof['time'] // 1000} s"


def field(x, y, identifier, proof):
    """A field of the map, for an answer."""
    letter = result(proof)
    # From 95 % for a thousand positions to 55 % for a hundred million.
    light = 95 - 8 * min(5, max(0, math.log10(max(1, proof["nodes"])) - 3))
    fill = f"hsl({HUES[letter]},70%,{light:.0f}%)" if letter in HUES else f"hsl(0,0%,{light:.0f}%)"
    return (
        f'<rect x="{x}" y="{y}" width="{SIZE - 2}" height="{SIZE - 2}" fill="{fill}">'
        f"<title>{told(identifier, proof)}</title></rect>"
        f'<text x="{x + SIZE // 2 - 1}" y="{y + SIZE // 2 + 4}" text-anchor="middle">{letter}</text>'
    )


def draw(proofs):
    """The map, from proofs by the identifiers of their requests."""
    columns = [(capture, win) for capture in CAPTURES for win in WINS]
    rows = [(missed, retreat, step) for missed in MISSED for retreat in RETREATS for step in STEPS]
    width, height = LEFT + len(columns) * SIZE + 10, TOP + len(rows) * SIZE + 10
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif">'
    yield f'<g font-size="11"><rect width="{width}" height="{height}" fill="white"/>'
    for at, (capture, win) in enumerate(columns):
        x = LEFT + at * SIZE
        if win == WINS[0]:
            yield f'<text x="{x}" y="14">{capture[0]}</text><text x="{x}" y="28">{capture[1]}</text>'
        yield f'<text transform="translate({x + 16},{TOP - 6}) rotate(-90)">{win}</text>'
    for at, (missed, retreat, step) in enumerate(rows):
        name = " ".join((*dict.fromkeys(step), retreat, missed))
        y = TOP + at * SIZE
        yield f'<text x="{LEFT - 8}" y="{y + SIZE // 2 + 4}" text-anchor="end">{name}</text>'
        for column, (capture, win) in enumerate(columns):
            identifier = " ".join((*capture, *step, retreat, missed, win))
            if identifier in proofs:
                yield field(LEFT + column * SIZE, y, identifier, proofs[identifier])
    yield "</g></svg>"


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as answers:
        found = [json.loads(line) for line in answers]
    print("\n".join(draw({answer["id"]: answer["prove"] for answer in found if "prove" in answer})))
