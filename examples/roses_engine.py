"""An engine for Guerre des Deux Roses that knows only the rules: an example for docs/conformance.md.

It speaks UGI, and plays the first legal move. It was written from docs/rules and docs/conformance.md. Check it with
`pentarch conform --engine 'python3 roses_engine.py' --game roses`. It needs Python 3.8 and no packages."""
import re, sys
from itertools import combinations

ROWS = ["b5", "a3 b4 c5 d6", "a2 b3 c4 d5 e6", "b2 c3 d4 e5 f6", "c2 d3 e4 f5", "e3"]
CELLS = " ".join(ROWS).split()
DIRECTIONS = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1)]
OPTIONS = {"Game": "roses", "Roses_ContiguousSupport": "false", "Roses_Repetition": "true", "RepetitionDraw": "false"}
MOVE = re.compile("([a-f][2-6]){1,2}|([a-f][2-6]){4}")

def step(cell, direction, steps=1):
    """Returns the cell in this direction, or None outside the board."""
    target = chr(ord(cell[0]) + direction[0] * steps) + str(int(cell[1]) + direction[1] * steps)
    return target if target in CELLS else None

def adjacent(one, other):
    return any(step(one, direction) == other for direction in DIRECTIONS)

class Game:
    """A game: the current position, and how often each position has occurred."""
    def __init__(self, options, fen="c/4/5/5/4/C w 4/4 1"):
        """Raises ValueError if the FEN is invalid."""
        self.options = {**OPTIONS, **options}
        match = re.fullmatch(r"([CcSs1-5/]+) ([wb]) ([0-4])/([0-4]) ([1-9]\d{0,5})", fen)
        if not match or re.search(r"\d\d", match[1]) or len(rows := match[1].split("/")) != 6:
            raise ValueError("this is not a FEN")
        self.board = {}
        for cells, row in zip(map(str.split, ROWS), rows):
            row = re.sub(r"\d", lambda run: "." * int(run[0]), row)
            if len(row) != len(cells):
                raise ValueError("a row has another length")
            self.board.update((cell, piece) for cell, piece in zip(cells, row) if piece != ".")
        self.side, self.number = match[2], int(match[5])
        self.reserve = {"w": int(match[3]), "b": int(match[4])}
        self.check()
        self.seen = [self.key()]
    def check(self):
        for cell, piece in self.board.items():
            if piece in "Cc" and cell != {"C": "e3", "c": "b5"}[piece]:
                raise ValueError("a castle is not on its home")
        for side, soldier in zip("wb", "Ss"):
            total = list(self.board.values()).count(soldier) + self.reserve[side]
            if total > 4 or self.reserve[side] and total < 4:
                raise ValueError("the number of soldiers does not fit the reserve")
        white, black = self.reserve.values()
        if not (white == black if self.side == "w" else black == white + 1 or white == black == 0):
            raise ValueError("the reserves do not fit the side to move")
        lost = [castle for castle in "Cc" if castle not in self.board.values()]
        if len(lost) == 2 or lost and (white or black or lost[0] != self.own("C")):
            raise ValueError("the castles do not fit the side to move")
    def own(self, piece):
        return piece.upper() if self.side == "w" else piece.lower()
    def fen(self):
        rows = ["".join(self.board.get(cell, ".") for cell in row.split()) for row in ROWS]
        board = re.sub(r"\.+", lambda run: str(len(run[0])), "/".join(rows))
        return f"{board} {self.side} {self.reserve['w']}/{self.reserve['b']} {self.number}"
    def key(self):
        return self.fen().rsplit(" ", 1)[0]
    def moves(self):
        """Returns the pieces that each move takes from and to cells; to None off the board."""
        castles = [piece for piece in self.board.values() if piece in "Cc"]
        if len(castles) < 2:
            return {}
        mine = [cell for cell in CELLS if self.board.get(cell) == self.own("S")]
        if self.reserve[self.side]:
            bases = mine + [cell for cell in CELLS if self.board.get(cell) == self.own("C")]
            free = [cell for cell in CELLS if cell not in self.board and cell not in ("c4", "d4")]
            return {cell: None for cell in free if any(adjacent(cell, base) for base in bases)}
        moves = {}
        for cell in mine:
            for direction in DIRECTIONS:
                self.add_line(moves, cell, direction)
        for one, other in combinations(sorted(mine), 2):
            for direction in DIRECTIONS if adjacent(one, other) else ():
                targets = [step(one, direction), step(other, direction)]
                if all(target and target not in self.board for target in targets):
                    moves[one + other + "".join(targets)] = list(zip([one, other], targets))
        return moves
    def add_line(self, moves, cell, direction):
        """Adds the moves of soldiers in a row, of which the last is on `cell`."""
        row = [cell]
        while (front := step(row[-1], direction)) and self.board.get(front) == self.own("S"):
            row.append(front)
        for length in range(1, len(row) + 1):
            front = step(cell, direction, length)
            if not front or front in row or self.board.get(front) == self.own("C"):
                continue
            shifts = list(zip(row[:length], row[1:length] + [front]))
            if front not in self.board:
                moves[cell + front] = shifts
                continue
            behind = step(front, direction)
            if length <= 2 and self.is_attack(cell, front, length) and (not behind or behind not in self.board):
                moves[cell + front] = shifts + [(front, behind)]
    def is_attack(self, cell, enemy, length):
        if self.board[enemy] in "Cc" or length == 2:
            return length == 2
        friends = [other for other in CELLS if other != cell and self.board.get(other) == self.own("S")]
        contiguous = self.options["Roses_ContiguousSupport"] == "true"
        return any(adjacent(other, enemy) and (not contiguous or adjacent(other, cell)) for other in friends)
    def legal(self):
        return sorted(self.moves()) if self.outcome() == "ongoing" else []
    def canonical(self, text):
        """Returns the legal move that a string names. Raises ValueError if there is none."""
        text = text.lower()
        if not MOVE.fullmatch(text):
            raise ValueError("this is not a move")
        legal = self.legal()
        if text not in legal and len(text) == 8:
            text = text[2:4] + text[:2] + text[6:] + text[4:6]
        if text not in legal:
            raise ValueError(f"{text} is illegal")
        return text
    def play(self, text):
        """Makes a move. Raises ValueError if it is illegal."""
        move = self.canonical(text)
        shifts = self.moves()[move]
        if shifts is None:
            self.board[move] = self.own("S")
            self.reserve[self.side] -= 1
        else:
            pieces = [(self.board.pop(start), target) for start, target in shifts]
            self.board.update((target, piece) for piece, target in pieces if target)
        self.number = min(self.number + (self.side == "b"), 999999)
        self.side = "b" if self.side == "w" else "w"
        self.seen.append(self.key())
    def outcome(self):
        for castle, winner in (("c", "white"), ("C", "black")):
            if castle not in self.board.values():
                return f"win {winner} castle"
        if not self.moves():
            return f"win {'black' if self.side == 'w' else 'white'} no move"
        repetition = self.options["Roses_Repetition"] == "true" or self.options["RepetitionDraw"] == "true"
        return "draw repetition" if repetition and self.seen.count(self.seen[-1]) >= 3 else "ongoing"
    def p1turn(self):
        return self.side == "w"
    def perft(self, depth):
        if depth < 0:
            raise ValueError("the depth is negative")
        if depth == 0:
            return 1
        legal = self.legal()
        if depth == 1:
            return len(legal)
        total = 0
        for move in legal:
            after = Game(self.options, self.fen())
            after.seen = list(self.seen)
            after.play(move)
            total += after.perft(depth - 1)
        return total

def set_up(options, words):
    """Returns the game of the command `position`."""
    split = words.index("moves") if "moves" in words else len(words)
    game = Game(options, " ".join(words[1:split])) if words[0] == "fen" else Game(options)
    for move in words[split + 1:]:
        game.play(move)
    return game

def respond(options, game, words):
    """Executes a command. Returns the game after it, and the response or None."""
    command = " ".join(words[:2])
    if words[0] == "ugi":
        names = [f"option name {name} type string default {value}" for name, value in OPTIONS.items()]
        return game, "\n".join(["id name roses_engine", *names, "ugiok"])
    if words[0] == "isready":
        return game, "readyok"
    if words[0] == "setoption":
        name, value = words[2], words[4]
        if value not in (["roses"] if name == "Game" else ["true", "false"] if name in OPTIONS else []):
            raise ValueError(f"{name} has no value {value}")
        options[name] = value
        return Game(options), None
    if words[0] == "position":
        return set_up(options, words[1:]), None
    if words[0] == "perft":
        return game, f"Nodes: {Game(options, game.fen()).perft(int(words[1]))}"
    if words[0] == "go":
        return game, f"bestmove {(game.legal() or ['(none)'])[0]}"
    if command == "query islegal":
        try:
            return game, f"response {bool(game.canonical(words[2]))}".lower()
        except ValueError:
            return game, "response false"
    replies = {"query fen": game.fen, "query moves": lambda: " ".join(game.legal()) or "none",
               "query outcome": game.outcome, "query p1turn": lambda: str(game.p1turn()).lower()}
    return game, f"response {replies[command]()}" if command in replies else None

def main():
    options = {}
    game = Game(options)
    for line in sys.stdin:
        words = line.split()
        if words == ["quit"]:
            return
        try:
            game, response = respond(options, game, words) if words else (game, None)
        except (ValueError, IndexError) as error:
            response = f"info string error: {error}"
        if response:
            print(response, flush=True)

if __name__ == "__main__":
    main()
