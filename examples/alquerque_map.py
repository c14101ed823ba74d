"""Shows the winner under each rule set of Alquerque, from the responses to alquerque_rule_sets.py.

    python alquerque_map.py answers.jsonl > starts.svg
    python alquerque_map.py --table answers.jsonl > starts.md

The files contain responses or are shards of an unfinished run. The output is a heat map in SVG, or a table in
Markdown.

The columns of the map are the rules for winning and capturing, and `block` also represents `repetition`. The rows are
the rules for steps and missed captures. The letter is the proven result of the start position: Light wins (L), Dark
wins (D), or neither side can win (=). A question mark (?) means that nothing is proven yet. If the prover visited more
positions, the field is darker. An empty field has no response.
"""

import argparse
import json
import math

from alquerque_rule_sets import CAPTURES, MISSED, RETREATS, STEPS, WINS, rule_sets

SIZE, LEFT, TOP = 26, 170, 120
COLUMNS = [(win, capture) for win in WINS for capture in CAPTURES]
ROWS = [(missed, retreat, step) for missed in MISSED for retreat in RETREATS for step in STEPS]
HUES = {"L": 40, "D": 220, "=": 130}
RESULTS = {"L": "Light wins", "D": "Dark wins", "=": "neither side can win", "?": "open"}


def read_proofs(paths):
    """Reads the proofs in the files. Returns them by the ids of the requests."""
    proofs = {}
    for path in paths:
        with open(path, encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                try:
                    value = json.loads(line)
                except ValueError as error:
                    raise ValueError(f"{path}, line {number}: {error}") from error
                # Each line of a shard after the first line is a number and a response as a string.
                response = json.loads(value[1]) if isinstance(value, list) else value
                if "prove" in response:
                    proofs[response["id"]] = response["prove"]
    return proofs


def result_letter(proof):
    """Returns the letter of a proof."""
    if not proof["settled"]:
        return "?"
    return {"light": "L", "dark": "D", None: "="}[proof["winner"]]


def describe(proof):
    """Describes the result of a proof in words."""
    plies = f" in at most {proof['plies']} plies" if proof["plies"] else ""
    return f"{RESULTS[result_letter(proof)]}{plies}"


def table(proofs):
    """Yields the lines of a table, in the order of the requests."""
    yield "| rules | result | positions | seconds |"
    yield "|---|---|---|---|"
    for rules in map(" ".join, rule_sets()):
        if proof := proofs.get(rules):
            yield f"| `{rules}` | {describe(proof)} | {proof['nodes']:,} | {proof['time'] // 1000:,} |"


def draw_field(x, y, identifier, proof):
    """Returns a field of the map for a proof."""
    letter = result_letter(proof)
    # The lightness is from 95 % for a thousand positions to 55 % for a hundred million.
    light = 95 - 8 * min(5, max(0, math.log10(max(1, proof["nodes"])) - 3))
    fill = f"hsl({HUES[letter]},70%,{light:.0f}%)" if letter in HUES else f"hsl(0,0%,{light:.0f}%)"
    words = f"{identifier}: {describe(proof)}; {proof['nodes']:,} positions, {proof['time'] // 1000} s"
    return (
        f'<rect x="{x}" y="{y}" width="{SIZE - 2}" height="{SIZE - 2}" fill="{fill}"><title>{words}</title></rect>'
        f'<text x="{x + SIZE // 2 - 1}" y="{y + SIZE // 2 + 4}" text-anchor="middle">{letter}</text>'
    )


def draw(proofs):
    """Yields the lines of the map. `proofs` has the proofs by the ids of their requests."""
    width, height = LEFT + len(COLUMNS) * SIZE + 10, TOP + len(ROWS) * SIZE + 10
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif">'
    yield f'<g font-size="11"><rect width="{width}" height="{height}" fill="white"/>'
    for at, (win, capture) in enumerate(COLUMNS):
        x = LEFT + at * SIZE
        if capture == CAPTURES[0]:
            yield f'<text x="{x}" y="14" font-weight="bold">{win}</text>'
        yield f'<text transform="translate({x + 16},{TOP - 6}) rotate(-90)">{" ".join(capture)}</text>'
    for at, (missed, retreat, step) in enumerate(ROWS):
        name = " ".join((*step, retreat, missed))
        yield f'<text x="{LEFT - 8}" y="{TOP + at * SIZE + SIZE // 2 + 4}" text-anchor="end">{name}</text>'
    for rules in rule_sets():
        *capture, movement, base_row, retreat, missed, win = rules
        column, row = COLUMNS.index((win, tuple(capture))), ROWS.index((missed, retreat, (movement, base_row)))
        if proof := proofs.get(" ".join(rules)):
            yield draw_field(LEFT + column * SIZE, TOP + row * SIZE, " ".join(rules), proof)
    yield "</g></svg>"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Shows the winner under each rule set of Alquerque.")
    parser.add_argument("--table", action="store_true", help="print a table in Markdown instead of a map in SVG")
    parser.add_argument("files", nargs="+", help="responses to alquerque_rule_sets.py, or shards of them")
    options = parser.parse_args()
    try:
        proofs = read_proofs(options.files)
    except (OSError, ValueError) as error:
        parser.error(str(error))
    print("\n".join((table if options.table else draw)(proofs)))
