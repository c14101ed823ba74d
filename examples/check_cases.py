"""Checks a Python module against the cases of docs/conformance.md, without pentarch.

Usage: python3 check_cases.py cases.jsonl GAME MODULE. MODULE has a class Game like that of roses_engine.py, which raises
ValueError for an invalid FEN and for an illegal move. The script prints each case with another reply."""
import importlib, json, sys

def agrees(case, new_game):
    """Returns whether the module replies as the case requires."""
    try:
        game = new_game(case.get("options", {}), case["fen"])
    except ValueError:
        return case["case"] == "invalid"
    if case["case"] in ("invalid", "perft"):
        return case["case"] == "perft" and game.perft(case["depth"]) == case["nodes"]
    try:
        for move in case.get("moves", case.get("move", "")).split():
            game.play(move)
    except ValueError:
        return case["case"] == "move" and not case["legal"]
    if case["case"] == "move":
        return case["legal"] and game.fen() == case["after"]
    if "end" in case:
        return True  # such a module does not know how players end a game
    facts = game.fen(), " ".join(game.legal()), game.outcome(), game.p1turn()
    after = {"case": "move", "options": case.get("options", {}), "fen": case["fen"], "legal": True}
    next_cases = [{**after, "move": move, "after": fen} for move, fen in case.get("next", {}).items()]
    return (facts == (case.get("after", case["fen"]), case["legal"], case["outcome"], case["p1turn"])
            and all(agrees(other, new_game) for other in next_cases))

if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit("usage: python3 check_cases.py cases.jsonl GAME MODULE")
    cases = [case for line in open(sys.argv[1]) if (case := json.loads(line))["game"] == sys.argv[2]]
    game = importlib.import_module(sys.argv[3]).Game
    differing = [case for case in cases if not agrees(case, game)]
    print(*map(json.dumps, differing), f"{len(cases) - len(differing)} of {len(cases)} cases agree", sep="\n")
    sys.exit(bool(differing) or not cases)
