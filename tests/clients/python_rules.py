"""Compares random games of `pentarch.Game` with the program, and tests the examples in the documentation of the rules.

Usage: python python_rules.py PLIES [GAME...]; PLIES is the minimum number of plies of each game, by default of all games,
and PENTARCH names the program. The rules are chosen at random.
"""

import copy
import doctest
import os
import pickle
import random
import re
import sys

import pentarch
from pentarch import EngineError, Game, Session

COMMAND = [os.environ["PENTARCH"]] if "PENTARCH" in os.environ else []
LONGEST = 200


def keyword(name):
    return re.sub("(?<!^)([A-Z])", r"_\1", name.split("_", 1)[-1]).lower()


def random_rules(entries, random_numbers):
    """Returns a random value for each option, except some that keep their defaults."""
    rules = {}
    for entry in entries:
        if entry["type"] == "check":
            rules[entry["name"]] = random_numbers.random() < 0.5
        elif entry["type"] == "combo":
            rules[entry["name"]] = random_numbers.choice(entry["values"])
        elif entry["type"] == "spin":
            rules[entry["name"]] = random_numbers.randint(entry["min"], entry["max"])
    return {name: value for name, value in rules.items() if random_numbers.random() < 0.7}


def state(game):
    outcome = "ongoing" if game.outcome is None else str(game.outcome)
    return game.fen, game.turn, outcome, sorted(game.legal_moves)


def reason(game, move):
    try:
        return game.why_illegal(move)
    except EngineError as error:
        return "not a move" if getattr(error, "kind", None) in (None, "syntax") else str(error)


def compare_game(game, session, random_numbers):
    """Plays a random game. Returns its number of plies."""
    states, earlier = [], ["a1", "e9h", "?"]
    while True:
        states.append(state(game))
        assert states[-1] == (session.fen, session.turn, session.outcome, session.moves), (game, session.fen)
        move = random_numbers.choice(earlier)
        assert reason(game, move) == reason(session, move), (game, move)
        if game.outcome or len(states) > LONGEST:
            break
        legal = game.legal_moves
        move = random_numbers.choice(legal if random_numbers.random() < 0.5 else list(legal))
        assert move in legal and game.is_legal(move)
        earlier.append(move)
        game.push(move)
        session.play(move)
    assert list(game) == game.moves and len(game.moves) == game.ply == len(states) - 1
    check_copies(game)
    while game.ply:
        assert state(game) == states.pop()
        game.pop()
    assert state(game) == states.pop() and not states
    return len(earlier) - 3


def check_copies(game):
    for other in (
        game.copy(), copy.deepcopy(game), pickle.loads(pickle.dumps(game)), Game.from_record(game.record()),
        Game(game.name, fen=None, moves=game.moves, **game.options),
    ):
        assert other == game and hash(other) == hash(game) and other.moves == game.moves and len({game, other}) == 1
        assert state(other) == state(game) and other.options == game.options
        if game.ply:
            other.pop()
            assert other.ply == game.ply - 1 and other != game


def check_errors():
    for call, kind, field in (
        (lambda: Game("quoridor", board_size=99), "value", "board_size"),
        (lambda: Game("quoridor", board_sise=5), "field", "board_sise"),
        (lambda: Game("quorridor"), "value", "game"),
        (lambda: Game("quoridor", fen="e1e1 - w 10/10 1"), "position", "fen"),
        (lambda: Game("quoridor", moves=["e2", "e2"]), "illegal", None),
        (lambda: Game("quoridor").push("e5"), "illegal", None),
        (lambda: Game("quoridor").push("?"), "syntax", None),
        (lambda: Game("quoridor").pop(), "state", None),
        (lambda: Game.from_record("[Game"), "syntax", None),
    ):
        try:
            call()
        except EngineError as error:
            assert (error.kind, error.field) == (kind, field), (error, error.kind, error.field)
            again = pickle.loads(pickle.dumps(error))
            assert (str(again), again.kind, again.rule) == (str(error), error.kind, error.rule)
        else:
            raise AssertionError(kind)
    check_other_types()
    game = Game("quoridor", board_size=5)
    assert game.legal_moves[-1] == list(game.legal_moves)[-1] and game.legal_moves[:3] == list(game.legal_moves)[:3]
    moves = list(game.legal_moves)
    assert game.legal_moves == moves == game.copy().legal_moves and game.legal_moves not in (moves[1:], [], None)
    assert game.svg() != game.svg(flip=True) and "<svg" in game._repr_svg_() and "c2" in game.svg(moves=["c2"])
    made = game.push_random(5, seed=7)
    again = Game("quoridor", board_size=5)
    assert again.push_random(5, seed=7) == made == 5 and again.moves == game.moves
    assert Game("alcaxar").push_random(0, seed=1) == 0 and again.push_random(10**6, seed=1) > 0 and again.outcome
    game = Game("quoridor", board_size=5)
    for index in (len(game.legal_moves), -len(game.legal_moves) - 1):
        try:
            game.legal_moves[index]
        except IndexError:
            continue
        raise AssertionError(index)


def check_other_types():
    game = Game("quoridor", fen="e8d5 - w 10/10 9", moves=["e9"])
    for call, expected in (
        (lambda: Game(), TypeError),
        (lambda: Game(5), TypeError),
        (lambda: Game("quoridor", moves="e2"), TypeError),
        (lambda: Game("quoridor", moves=[2]), TypeError),
        (lambda: Game("quoridor", fen=5), TypeError),
        (lambda: Game("quoridor", "e8d5 - w 10/10 9"), TypeError),
        (lambda: Game("quoridor", board_size=None), EngineError),
        (lambda: game.push(None), TypeError),
        (lambda: game.push("e8"), EngineError),
        (lambda: game.push("\ud800"), UnicodeEncodeError),
        (lambda: game.push_random(-1, seed=1), OverflowError),
        (lambda: game.push_random(1), TypeError),
        (lambda: game.legal_moves["e2"], TypeError),
        (lambda: Game.from_record(b"e2"), TypeError),
        (lambda: Game.from_record("", number=-1), OverflowError),
        (lambda: setattr(game, "fen", "e8d5 - w 10/10 9"), AttributeError),
    ):
        try:
            result = call()
        except expected:
            assert game.ply == 1 and not game.legal_moves
            continue
        raise AssertionError(result)
    assert game != 5 and game != None  # noqa: E711


def main(plies, words):
    random_numbers = random.Random(98)
    failed, tested = doctest.testmod(pentarch)
    assert tested > 5 and failed == 0
    check_errors()
    for word in words:
        with Session(word, command=COMMAND) as session:
            with pentarch.Engine(command=COMMAND) as engine:
                entries = engine.ask({"ask": "options"})["options"]
            entries = [
                entry for entry in entries if entry["name"] == "RepetitionDraw" or entry["games"] == [word]
            ]
            done = 0
            while done < plies:
                rules = random_rules(entries, random_numbers)
                session.set_options({"Game": word, **{entry["name"]: entry["default"] for entry in entries}, **rules})
                session.position()
                game = Game(word, **{keyword(name): value for name, value in rules.items()})
                done += compare_game(game, session, random_numbers)
            print(word, done, "plies, 0 differences", flush=True)


main(int(sys.argv[1]), sys.argv[2:] or pentarch.games())
