"""Compares the rules of examples/check_proof.py with pentarch in random games: positions, legal moves and outcomes.

    PENTARCH=target/debug/pentarch python3 check_proof_rules.py CHECK_PROOF [SEED [GAMES]]

CHECK_PROOF is the path of check_proof.py. The script plays several games under each rule set of Alquerque, Guerre des
Deux Roses and Alcaxar, or only GAMES of these games, chosen at random. At the first difference it prints the game and
exits with 1."""
import collections
import importlib.util
import itertools
import os
import random
import re
import subprocess
import sys

MAX_PLIES = 150
# Games under each rule set. All but the first game of Alquerque begin at random positions.
ALQUERQUE_GAMES, ROSES_GAMES, ALCAXAR_GAMES = 4, 25, 50
ALQUERQUE_OPTIONS = {
    "Alquerque_Ruleset": ("modern", "alfonso", "bell"),
    "Alquerque_MultiCapture": ("ruleset", "off", "stop", "complete", "maximum"),
    "Alquerque_Removal": ("ruleset", "instant", "after"),
    "Alquerque_Movement": ("ruleset", "free", "bell"),
    "Alquerque_BaseRow": ("ruleset", "free", "spent", "horizontal"),
    "Alquerque_Retreat": ("ruleset", "free", "checker", "player"),
    "Alquerque_MissedCapture": ("ruleset", "illegal", "huff"),
    "Alquerque_Win": ("ruleset", "capture", "block", "repetition"),
    "RepetitionDraw": ("false", "true"),
}
ROSES_OPTIONS = {
    "Roses_ContiguousSupport": ("false", "true"),
    "Roses_Repetition": ("true", "false"),
    "RepetitionDraw": ("false", "true"),
}


def load(path):
    """Imports the checker from its file."""
    spec = importlib.util.spec_from_file_location("check_proof", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Engine:
    """A running pentarch that speaks UGI."""

    def __init__(self):
        program = os.environ.get("PENTARCH", "pentarch")
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")

    def send(self, line):
        print(line, file=self.process.stdin)

    def ask(self, *queries):
        """Returns the responses to these queries."""
        for query in queries:
            self.send(f"query {query}")
        self.process.stdin.flush()
        responses = (self.process.stdout.readline() for _ in queries)
        return [response.rstrip("\n").partition(" ")[2] for response in responses]

    def quit(self):
        """Ends the program, and returns its exit code."""
        self.send("quit")
        self.process.stdin.close()
        return self.process.wait()


def games(checker, rng):
    """Yields the word of a game, its options, and its first position or None for the start."""
    explicit = [values[1:] for name, values in ALQUERQUE_OPTIONS.items() if "ruleset" in values]
    values = [("modern",), *explicit, ALQUERQUE_OPTIONS["RepetitionDraw"]]
    rule_sets = [dict(zip(ALQUERQUE_OPTIONS, chosen)) for chosen in itertools.product(*values)]
    rule_sets += [{"Alquerque_Ruleset": preset} for preset in ALQUERQUE_OPTIONS["Alquerque_Ruleset"]]
    for options in rule_sets:
        for number in range(ALQUERQUE_GAMES):
            yield "alquerque", options, random_position(checker, rng) if number else None
    for chosen in itertools.product(*ROSES_OPTIONS.values()):
        for _ in range(ROSES_GAMES):
            yield "roses", dict(zip(ROSES_OPTIONS, chosen)), None
    for _ in range(ALCAXAR_GAMES):
        yield "alcaxar", {}, None


def random_position(checker, rng):
    """Returns a FEN of Alquerque with few checkers on random points."""
    points = rng.sample(checker.Alquerque.POINTS, rng.randint(2, 10))
    cells = {point: rng.choice("ox") for point in points}
    cells.update({points[0]: "o", points[1]: "x"})
    board = checker.rows_text("".join(cells.get(point, ".") for point in checker.Alquerque.BOARD_ORDER), [5] * 5)
    return f"{board} {rng.choice('ld')} - - - {rng.randint(1, 99)}"


def begin(engine, game, options, fen):
    """Sends the rules and the first position of a game."""
    engine.send(f"setoption name Game value {game}")
    for name, values in {**ALQUERQUE_OPTIONS, **ROSES_OPTIONS}.items():
        engine.send(f"setoption name {name} value {options.get(name, values[0])}")
    engine.send(f"position fen {fen}" if fen else "position startpos")


def play(checker, engine, rng, game, options, fen):
    """Plays a random game. Returns the number of its positions, and the first difference or None."""
    rules = checker.GAMES[game](checker.Options(list(options.items())))
    begin(engine, game, options, fen)
    position = rules.parse(fen or engine.ask("fen")[0])
    counts = collections.Counter()
    moves = []
    for ply in range(1, MAX_PLIES + 1):
        legal = rules.moves(position)
        counts[rules.repetition_class(position)] += 1
        winner = None if legal else rules.outcome(position)
        if legal and counts[rules.repetition_class(position)] >= 3:
            winner = rules.third_occurrence(position)
            legal = {} if winner else legal
        shown, listed, outcome = engine.ask("fen", "moves", "outcome")
        # The outcome is `ongoing`, `draw REASON` or `win SIDE REASON`.
        word = re.sub("^win ", "", outcome).split(" ")[0]
        theirs = (shown.rpartition(" ")[0], listed, None if word == "ongoing" else word)
        ours = (rules.fen(position), " ".join(sorted(legal)) or "none", winner)
        if ours != theirs or rules.parse(shown) != position:
            played = f"{game} {options} from {fen or 'the start'}, moves {' '.join(moves)}"
            return ply, f"{played}: pentarch has {theirs}, check_proof.py has {ours}"
        if not legal:
            break
        moves.append(rng.choice(sorted(legal)))
        position = legal[moves[-1]]
        engine.send(f"play {moves[-1]}")
    return ply, None


def main(path, seed=1, count=None):
    checker = load(path)
    rng = random.Random(int(seed))
    chosen = list(games(checker, rng))
    if count:
        chosen = rng.sample(chosen, int(count))
    engine = Engine()
    positions = collections.Counter()
    for game, options, fen in chosen:
        plies, difference = play(checker, engine, rng, game, options, fen)
        positions[game] += plies
        if difference:
            print(difference)
            return 1
    print("agreed:", ", ".join(f"{number} positions of {game}" for game, number in positions.items()))
    return engine.quit()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
