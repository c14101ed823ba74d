"""Checks proofs of pentarch with its own rules of Alquerque, Guerre des Deux Roses and Alcaxar.

    pentarch --game alquerque prove --output win.proof fen x4/2o2/4o/5/5 l - - - 19
    python3 check_proof.py win.proof

The script needs Python 3.8 and no packages. It shares no code with pentarch. The rules follow docs/rules, and
docs/conformance.md describes the files. For each file the script prints a line: the claim, or the reason why the
proof does not hold. Proofs that were made with `--tables` lack the replies that the tables know, and do not hold here.

Exit codes:
  0   all proofs hold
  1   a proof does not hold
  2   no proof was named, a file cannot be read, or its game is unknown here
"""

import collections
import re
import sys
import zlib

HEADER = "pentarch proof 3"
DRAW = "draw"


class Invalid(Exception):
    """The reason why a proof does not hold."""


class UnknownGame(Exception):
    """A game whose rules this script does not have."""


def require(condition, reason):
    """Raises the reason unless the condition is true."""
    if not condition:
        raise Invalid(reason)


def rows_of(board, lengths, letters):
    """Returns the cells of a board that a FEN writes in rows, with a point for each empty cell."""
    rows = board.split("/")
    require(len(rows) == len(lengths), f"the board has {len(rows)} rows, not {len(lengths)}")
    cells = ""
    for row, length in zip(rows, lengths):
        require(re.fullmatch(f"[{letters}1-5]*", row) and not re.search("[0-9]{2}", row), f"invalid row '{row}'")
        expanded = re.sub("[1-5]", lambda run: "." * int(run[0]), row)
        require(len(expanded) == length, f"the row '{row}' has {len(expanded)} cells, not {length}")
        cells += expanded
    return cells


def rows_text(cells, lengths):
    """Returns the board of a FEN: the opposite of `rows_of`."""
    rows, begin = [], 0
    for length in lengths:
        rows.append(re.sub(r"\.+", lambda run: str(len(run[0])), cells[begin:begin + length]))
        begin += length
    return "/".join(rows)


class Options:
    """The options of a proof file. Each is read once, and `finish` rejects the others."""

    def __init__(self, values):
        self.values = dict(values)
        require(len(self.values) == len(values), "an option is set twice")

    def take(self, name, values):
        """Returns the value of an option. The default is the first of its values."""
        value = self.values.pop(name, values[0])
        require(value in values, f"the option {name} has no value '{value}'")
        return value

    def finish(self):
        for name in self.values:
            raise Invalid(f"there is no option '{name}'")


# Each game has the words of its sides, the first to move first, and these methods:
# - `parse(fen)` returns a position, without the full-move number. Positions are tuples and can be compared. Each has
#   the index `side` of the side to move.
# - `fen(position)` is the FEN without the full-move number.
# - `moves(position)` returns the positions after all legal moves, by move string. It is empty if the game is over.
# - `outcome(position)` is the word of the winner, or DRAW, in a position without legal moves.
# - `repetition_class(position)` returns the part that the rule of repetition compares.
# - `third_occurrence(position)` is the outcome at the third occurrence of the position, or None if the game goes on.
# - `relaxed_fen(position, side)` is the FEN without the steps back that the opponent of this side must not make.


class Game:
    """The parts that the games have in common."""

    def repetition_class(self, position):
        return position

    def third_occurrence(self, position):
        return DRAW if self.repetition_draws else None

    def relaxed_fen(self, position, side):
        raise Invalid("these rules cannot be relaxed")


Checkers = collections.namedtuple("Checkers", "cells side retreat spent huff")
Jump = collections.namedtuple("Jump", "direction over landing")
Capture = collections.namedtuple("Capture", "path captured")


class Alquerque(Game):
    """Alquerque de doze. Comments name the sentences of docs/rules/alquerque.md."""

    sides = ("light", "dark")
    POINTS = [file + rank for file in "abcde" for rank in "12345"]
    # The points in the order of the board of a FEN.
    BOARD_ORDER = [file + rank for rank in "54321" for file in "abcde"]
    BASE_ROW = ("5", "1")  # the enemy's base row
    PRESETS = {
        "modern": ("complete", "instant", "free", "free", "player", "illegal", "repetition"),
        "alfonso": ("complete", "instant", "free", "free", "free", "huff", "capture"),
        "bell": ("complete", "instant", "bell", "free", "checker", "illegal", "block"),
    }

    def __init__(self, options):
        values = self.PRESETS[options.take("Alquerque_Ruleset", list(self.PRESETS))]
        choices = {
            "MultiCapture": ("off", "stop", "complete", "maximum"),
            "Removal": ("instant", "after"),
            "Movement": ("free", "bell"),
            "BaseRow": ("free", "spent", "horizontal"),
            "Retreat": ("free", "checker", "player"),
            "MissedCapture": ("illegal", "huff"),
            "Win": ("capture", "block", "repetition"),
        }
        chosen = [options.take(f"Alquerque_{name}", ("ruleset", *choices[name])) for name in choices]
        chosen = [preset if value == "ruleset" else value for preset, value in zip(values, chosen)]
        self.multi_capture, self.removal, movement, base_row, self.retreat, missed_capture, self.win = chosen
        self.is_bell = movement == "bell"
        self.base_row = base_row if self.is_bell else "free"
        self.huffs = missed_capture == "huff"
        self.repetition_draws = options.take("RepetitionDraw", ("false", "true")) == "true" or self.win == "repetition"
        self.jumps_from = {point: list(self.jumps_on_lines(point)) for point in self.POINTS}

    @classmethod
    def neighbour(cls, point, direction):
        """Returns the point that a line joins to this one in a direction, or None. [0.1] [0.2]"""
        file, rank = "abcde".index(point[0]) + 1, int(point[1])
        if 0 not in direction and (file + rank) % 2:
            return None
        other = (file + direction[0], rank + direction[1])
        return "?abcde"[other[0]] + str(other[1]) if all(1 <= number <= 5 for number in other) else None

    DIRECTIONS = [(files, ranks) for files in (-1, 0, 1) for ranks in (-1, 0, 1) if (files, ranks) != (0, 0)]

    @classmethod
    def jumps_on_lines(cls, point):
        """Yields the jumps from a point that the lines of the board allow. [REQ.9] [REQ.14]"""
        for direction in cls.DIRECTIONS:
            over = cls.neighbour(point, direction)
            landing = over and cls.neighbour(over, direction)
            if landing:
                yield Jump(direction, over, landing)

    def parse(self, fen):
        fields = fen.split(" ")
        require(len(fields) == 6, f"a FEN of Alquerque has 6 fields, not {len(fields)}")
        board, side, retreat, spent, huff, _ = fields
        cells = dict(zip(self.BOARD_ORDER, rows_of(board, [5] * 5, "ox")))
        require(side in ("l", "d"), f"there is no side '{side}'")
        number = "ld".index(side)
        for letter in "ox":
            require(list(cells.values()).count(letter) <= 12, "a side has more than 12 checkers")
        require(set(cells.values()) != {"."}, "there are no checkers")
        points = {}
        for name, field in (("retreat", retreat), ("spent", spent), ("huff", huff)):
            require(re.fullmatch("-|([a-e][1-5])+", field), f"invalid field '{field}'")
            points[name] = [] if field == "-" else re.findall("..", field)
        require(len(points["retreat"]) % 2 == 0, "a forbidden step back has two points")
        steps = tuple(zip(points["retreat"][::2], points["retreat"][1::2]))
        spent, huff = tuple(points["spent"]), tuple(points["huff"])
        for listed in ([step[0] for step in steps], spent, huff):
            require(list(listed) == sorted(set(listed)), "a list is not in ascending order")
        require(not steps or self.retreat != "free", "these rules forbid no step back")
        require(not spent or self.base_row == "spent", "these rules have no spent checkers")
        require(not huff or self.huffs, "these rules have no huffs")
        owners = [cells[point] for point, _ in steps]
        require("." not in owners, "a forbidden step back has no checker")
        require(self.retreat != "player" or len(owners) == len(set(owners)), "a side has two forbidden steps back")
        for point, back in steps:
            is_joined = any(self.neighbour(point, direction) == back for direction in self.DIRECTIONS)
            require(is_joined, f"no line joins {point} and {back}")
        for point in spent:
            require(cells[point] != "." and not self.is_on_base(point, "ox".index(cells[point])),
                    f"no checker on {point} can be listed as spent")
        require(all(cells[point] == "xo"[number] for point in huff), "a checker to huff is not the enemy's")
        return Checkers("".join(cells[point] for point in self.POINTS), number, steps, spent, huff)

    def fen(self, position):
        cells = dict(zip(self.POINTS, position.cells))
        board = rows_text("".join(cells[point] for point in self.BOARD_ORDER), [5] * 5)
        lists = ("".join(map("".join, points)) or "-" for points in position[2:])
        return " ".join([board, "ld"[position.side], *lists])

    def relaxed_fen(self, position, side):
        require(self.retreat == "player", "these rules cannot be relaxed")
        cells = dict(zip(self.POINTS, position.cells))
        own = tuple(step for step in position.retreat if cells[step[0]] == "ox"[side])
        return self.fen(position._replace(retreat=own))

    def is_on_base(self, point, side):
        """Returns whether the point is on the base row of this side's enemy."""
        return point[1] == self.BASE_ROW[side]

    def outcome(self, position):
        for letter, winner in (("o", "dark"), ("x", "light")):
            if letter not in position.cells:
                return winner  # captured
        # no move, or blocked [REQ.27.ALT.1] to [REQ.27.ALT.3]
        return DRAW if self.win == "capture" else self.sides[1 - position.side]

    def moves(self, position):
        found = {}
        cells = dict(zip(self.POINTS, position.cells))
        if "o" not in position.cells or "x" not in position.cells:
            return found
        if not position.huff:
            self.add_moves(found, "", position, cells)
        for point in position.huff:
            left = {**cells, point: "."}
            after = self.without_checkers(position, {point})._replace(huff=())
            if "xo"[position.side] in left.values():
                self.add_moves(found, "h" + point, after, left)
            else:
                retreat = after.retreat
                if self.retreat == "player":
                    retreat = tuple(step for step in retreat if cells[step[0]] != "ox"[position.side])
                found["h" + point] = self.next_turn(after, left, retreat, after.spent, ())
        return found

    @staticmethod
    def without_checkers(position, points):
        """Returns the position without the entries of its lists for checkers on these points."""
        return position._replace(
            retreat=tuple(step for step in position.retreat if step[0] not in points),
            spent=tuple(point for point in position.spent if point not in points),
        )

    def next_turn(self, position, cells, retreat, spent, huff):
        """Returns the position of the other side."""
        lists = (tuple(sorted(points)) for points in (retreat, spent, huff))
        return Checkers("".join(cells[point] for point in self.POINTS), 1 - position.side, *lists)

    def add_moves(self, found, prefix, position, cells):
        """Adds the steps and captures of the side to move. `prefix` is its huff."""
        letter = "ox"[position.side]
        own = [point for point in self.POINTS if cells[point] == letter]
        captures = []
        can_jump = []
        for point in own:
            cells[point] = "."  # The checker leaves its point for the time of the capture.
            before = len(captures)
            self.add_captures(captures, Capture((point,), ()), None, cells, position.side)
            if len(captures) > before:
                can_jump.append(point)
            cells[point] = letter
        if self.multi_capture == "maximum" and captures:  # [REQ.10.1.ALT.3]
            most = max(len(set(capture.captured)) for capture in captures)
            captures = [capture for capture in captures if len(set(capture.captured)) == most]
        for path, captured in captures:
            after = self.without_checkers(position, set(captured))
            board = {**cells, **dict.fromkeys(captured, ".")}
            found[prefix + "".join(path)] = self.moved(after, board, path[0], path[-1], False, ())
        if not can_jump or self.huffs:  # [REQ.26.ALT.1] [REQ.26.ALT.2]
            for point in own:
                for target in self.steps(position, cells, point):
                    huff = [target if other == point else other for other in can_jump]
                    found[prefix + point + target] = self.moved(position, cells, point, target, True, huff)

    def steps(self, position, cells, point):
        """Yields the points to which a checker may step."""
        if self.is_bell and (self.is_on_base(point, position.side) or point in position.spent):
            return  # [REQ.21] [REQ.22] [REQ.23.ALT.2]
        for direction in self.DIRECTIONS:
            target = self.neighbour(point, direction)
            is_backward = direction[1] == (-1, 1)[position.side]
            if not target or cells[target] != "." or (self.is_bell and is_backward):  # [REQ.19] [REQ.20]
                continue
            if (point, target) not in position.retreat:
                yield target

    def moved(self, position, cells, start, end, is_step, huff):
        """Returns the position after a checker has moved. The enemy must huff one of the points in `huff`."""
        side = position.side
        board = {**cells, start: ".", end: "ox"[side]}
        retreat = [step for step in position.retreat if step[0] != start]
        if self.retreat == "player":
            retreat = [step for step in retreat if cells[step[0]] != "ox"[side]]
        if self.retreat != "free" and is_step:
            retreat.append((end, start))
        spent = [point for point in position.spent if point != start]
        was_spent = start in position.spent or self.is_on_base(start, side)
        if self.base_row == "spent" and was_spent and not self.is_on_base(end, side):
            spent.append(end)
        return self.next_turn(position, board, retreat, spent, huff)

    def add_captures(self, captures, capture, last_direction, cells, side):
        """Adds all captures that begin with this path and may end, in any number of further jumps."""
        jumps = list(self.jumps(capture, last_direction, cells, side))
        jumped = len(capture.captured)
        if jumped and (not jumps or self.multi_capture in ("off", "stop")):
            captures.append(capture)
        if jumped and self.multi_capture == "off":
            return
        for jump in jumps:
            further = Capture(capture.path + (jump.landing,), capture.captured + (jump.over,))
            if self.removal == "instant":
                cells[jump.over] = "."  # [REQ.24.ALT.1]
            self.add_captures(captures, further, jump.direction, cells, side)
            cells[jump.over] = "xo"[side]

    def jumps(self, capture, last_direction, cells, side):
        """Yields the next jumps of a capture."""
        path, captured = capture
        along_row = self.base_row == "horizontal" and self.is_on_base(path[0], side)
        for jump in self.jumps_from[path[-1]]:
            files, ranks = jump.direction
            if cells[jump.over] != "xo"[side] or cells[jump.landing] != ".":  # [REQ.12] [REQ.16] [REQ.17]
                continue
            if last_direction == (-files, -ranks) or (along_row and ranks):  # [REQ.15] [REQ.23.ALT.3]
                continue
            if jump.over in captured and jump.landing in path:  # [REQ.24.ALT.2]
                continue
            yield jump


Soldiers = collections.namedtuple("Soldiers", "cells side reserves")


class Roses(Game):
    """Guerre des Deux Roses. Comments name the sentences of docs/rules/roses.md."""

    sides = ("white", "black")
    ROWS = (1, 4, 5, 5, 4, 1)
    CELLS = "b5 a3 b4 c5 d6 a2 b3 c4 d5 e6 b2 c3 d4 e5 f6 c2 d3 e4 f5 e3".split()
    CASTLES = ("e3", "b5")
    RED = ("c4", "d4")
    DIRECTIONS = ((-1, -1), (1, 1), (-1, 0), (1, 0), (0, 1), (0, -1))  # [2.4] [2.5]

    def __init__(self, options):
        self.is_contiguous = options.take("Roses_ContiguousSupport", ("false", "true")) == "true"
        repeats = options.take("Roses_Repetition", ("true", "false")) == "true"
        self.repetition_draws = options.take("RepetitionDraw", ("false", "true")) == "true" or repeats

    @classmethod
    def neighbour(cls, cell, direction):
        """Returns the adjacent cell in a direction, or None."""
        other = chr(ord(cell[0]) + direction[0]) + str(int(cell[1]) + direction[1])
        return other if other in cls.CELLS else None

    @classmethod
    def direction_between(cls, cell, other):
        """Returns the direction from a cell to an adjacent one; None if they are not adjacent."""
        return next((way for way in cls.DIRECTIONS if cls.neighbour(cell, way) == other), None)

    def parse(self, fen):
        fields = fen.split(" ")
        require(len(fields) == 4, f"a FEN of Guerre des Deux Roses has 4 fields, not {len(fields)}")
        board, side, reserves, _ = fields
        cells = rows_of(board, self.ROWS, "CcSs")
        require(side in ("w", "b"), f"there is no side '{side}'")
        require(re.fullmatch("[0-4]/[0-4]", reserves), f"invalid reserves '{reserves}'")
        reserves = (int(reserves[0]), int(reserves[2]))
        for letter, soldier, home, reserve in zip("Cc", "Ss", self.CASTLES, reserves):
            require(cells.replace(letter, "", 1).count(letter) == 0, "a side has two castles")
            require(letter not in cells or cells.index(letter) == self.CELLS.index(home), "a castle has left its home")
            soldiers = cells.count(soldier) + reserve
            require(soldiers == 4 if reserve else soldiers <= 4, "a side has another number of soldiers")
        require("C" in cells or "c" in cells, "there are no castles")
        missing_castle = next((number for number, letter in enumerate("Cc") if letter not in cells), None)
        require(missing_castle is None or (missing_castle == "wb".index(side) and reserves == (0, 0)),
                "the side without a castle is not to move")
        ahead = 1 if side == "b" and reserves != (0, 0) else 0
        require(reserves[1] - reserves[0] == ahead, "the reserves do not come from alternate drops")
        return Soldiers(cells, "wb".index(side), reserves)

    def fen(self, position):
        board = rows_text(position.cells, self.ROWS)
        return f"{board} {'wb'[position.side]} {position.reserves[0]}/{position.reserves[1]}"

    def outcome(self, position):
        for letter, winner in (("C", "black"), ("c", "white")):
            if letter not in position.cells:
                return winner  # [6.1]
        return self.sides[1 - position.side]  # [6.2] [6.3]

    def moves(self, position):
        if "C" not in position.cells or "c" not in position.cells:
            return {}  # [6.8]
        cells = dict(zip(self.CELLS, position.cells))
        own = [cell for cell in self.CELLS if cells[cell] == "Ss"[position.side]]
        if position.reserves[position.side]:
            return self.drops(position, cells, own)
        found = {}
        for cell in own:
            for direction in self.DIRECTIONS:
                self.add_line_moves(found, position, cells, cell, direction)
        self.add_translations(found, position, cells, own)
        self.add_supports(found, position, cells, own)
        return found

    def after(self, position, cells, changes, reserves=None):
        """Returns the position of the other side after changes of cells."""
        cells = {**cells, **changes}
        board = "".join(cells[cell] for cell in self.CELLS)
        return Soldiers(board, 1 - position.side, reserves or position.reserves)

    def drops(self, position, cells, own):
        """Returns the positions after all drops. [3.1] to [3.4]"""
        reserves = tuple(left - (side == position.side) for side, left in enumerate(position.reserves))
        found = {}
        for cell in self.CELLS:
            beside = (self.neighbour(cell, direction) for direction in self.DIRECTIONS)
            if cells[cell] == "." and cell not in self.RED and \
                    any(other in own or other == self.CASTLES[position.side] for other in beside):
                found[cell] = self.after(position, cells, {cell: "Ss"[position.side]}, reserves)
        return found

    def add_line_moves(self, found, position, cells, rear, direction):
        """Adds steps, line moves and attacks by phalanx whose last soldier is on `rear`."""
        soldier = "Ss"[position.side]
        front, count = rear, 0
        while front and cells[front] == soldier:
            front, count = self.neighbour(front, direction), count + 1
            if not front:
                return
            if cells[front] == ".":  # [4.4] to [4.7]
                found[rear + front] = self.after(position, cells, {rear: ".", front: soldier})
            elif count == 2 and cells[front] in ("sc", "SC")[position.side]:  # [5.2]
                changes = self.pushed(cells, front, direction)
                if changes is not None:
                    found[rear + front] = self.after(position, cells, {**changes, rear: ".", front: soldier})

    def pushed(self, cells, enemy, direction):
        """Returns the change behind an enemy that is attacked; None if something stands there. [5.3] to [5.5]"""
        behind = self.neighbour(enemy, direction)
        if behind is None:
            return {}
        return {behind: cells[enemy]} if cells[behind] == "." else None

    def add_translations(self, found, position, cells, own):
        """Adds the translations. [4.8] to [4.10]"""
        for first in own:
            for second in own:
                line = self.direction_between(first, second)
                if first > second or line is None:
                    continue
                for direction in self.DIRECTIONS:
                    targets = [self.neighbour(cell, direction) for cell in (first, second)]
                    is_along = direction in (line, (-line[0], -line[1]))
                    if is_along or not all(target and cells[target] == "." for target in targets):
                        continue
                    changes = {first: ".", second: ".", **dict.fromkeys(targets, "Ss"[position.side])}
                    found[first + second + "".join(targets)] = self.after(position, cells, changes)

    def add_supports(self, found, position, cells, own):
        """Adds the attacks by support. [5.8] to [5.15]"""
        enemies = [cell for cell in self.CELLS if cells[cell] == "sS"[position.side]]
        for enemy in enemies:
            beside = [cell for cell in own if self.direction_between(cell, enemy)]
            for cell in beside:
                others = [other for other in beside if other != cell]
                if self.is_contiguous:
                    others = [other for other in others if self.direction_between(other, cell)]
                changes = self.pushed(cells, enemy, self.direction_between(cell, enemy))
                if others and changes is not None:
                    changes = {**changes, cell: ".", enemy: "Ss"[position.side]}
                    found[cell + enemy] = self.after(position, cells, changes)


Knights = collections.namedtuple("Knights", "knights walls side last")


class Alcaxar(Game):
    """Alcaxar. Comments name the sentences of docs/rules/alcaxar.md."""

    sides = ("red", "green")
    FORTRESSES = ("b8", "h2")
    AROUND = ((0, 1), (1, 0), (0, -1), (-1, 0))  # clockwise

    def __init__(self, options):
        options.take("RepetitionDraw", ("false", "true"))  # has no effect: no game is a draw

    @staticmethod
    def point(name, files, ranks):
        """Returns the point that lies this many files and ranks away; None if it is off the board."""
        file, rank = ord(name[0]) - ord("a") + files, int(name[1]) + ranks
        return chr(ord("a") + file) + str(rank) if 0 <= file <= 8 and 1 <= rank <= 9 else None

    @staticmethod
    def kind(name):
        """Returns 0 for a tower, 1 for a slot and 2 for a square. [2.2] to [2.4]"""
        return (name[0] in "bdfh") + (name[1] in "2468")

    def parse(self, fen):
        fields = fen.split(" ")
        require(len(fields) == 5, f"a FEN of Alcaxar has 5 fields, not {len(fields)}")
        pieces, walls, side, last, _ = fields
        require(re.fullmatch("([a-i][1-9]){2}", pieces) and re.fullmatch("([a-i][1-9]){8}", walls), "invalid points")
        knights, walls = (pieces[:2], pieces[2:]), tuple(re.findall("..", walls))
        require(all(self.kind(knight) == 2 for knight in knights), "a knight is not on a square")
        require(knights[0] != knights[1], "the knights are on the same square")
        require(all(self.kind(wall) == 1 for wall in walls), "a wall is not in a slot")
        require(list(walls) == sorted(set(walls)), "the walls are not in ascending order")
        require(side in ("r", "g"), f"there is no side '{side}'")
        require(last == "-" or last in walls, f"no wall is in {last}")
        position = Knights(knights, walls, "rg".index(side), last)
        mover = 1 - position.side
        require(self.accessible(position, mover), "the knight of the side that has moved has no step")
        require(knights[position.side] != self.FORTRESSES[mover], "the game had ended before")
        return position

    def fen(self, position):
        return f"{''.join(position.knights)} {''.join(position.walls)} {'rg'[position.side]} {position.last}"

    def accessible(self, position, side):
        """Returns the squares to which the knight of a side could step. [3.3] to [3.5]"""
        found = []
        for files, ranks in self.AROUND:
            slot = self.point(position.knights[side], files, ranks)
            square = self.point(position.knights[side], 2 * files, 2 * ranks)
            if square and slot not in position.walls and square != position.knights[1 - side]:
                found.append(square)
        return found

    def outcome(self, position):
        return self.sides[1 - position.side]  # [5.1] [5.2]

    def repetition_class(self, position):
        return position[:3]  # [5.5] [5.6]

    def third_occurrence(self, position):
        distances = []
        for knight, fortress in zip(position.knights, self.FORTRESSES[::-1]):
            distances.append(abs(ord(knight[0]) - ord(fortress[0])) + abs(int(knight[1]) - int(fortress[1])))
        freedom = [-len(self.accessible(position, side)) for side in (0, 1)]
        red, green = zip(distances, freedom)
        return "red" if red < green else "green"  # [5.7] to [5.9]

    def moves(self, position):
        found = {}
        side = position.side
        if position.knights[1 - side] == self.FORTRESSES[side] or not self.accessible(position, side):
            return found  # [5.1] [5.2] [5.11]
        for square in self.accessible(position, side):
            knights = tuple(square if number == side else knight for number, knight in enumerate(position.knights))
            found["K" + square] = Knights(knights, position.walls, 1 - side, "-")
        blocked = self.towers(position.last) if position.last != "-" else ()
        for wall in position.walls:
            if any(tower in blocked for tower in self.towers(wall)):  # [4.8]
                continue
            for slot in self.turns(position, wall):
                walls = tuple(sorted(slot if other == wall else other for other in position.walls))
                after = Knights(position.knights, walls, 1 - side, slot)
                if self.accessible(after, side):  # [4.11]
                    found[wall + slot] = after
        return found

    def towers(self, wall):
        """Returns the two towers that a wall joins. [2.5]"""
        files, ranks = (1, 0) if wall[1] in "13579" else (0, 1)
        return self.point(wall, files, ranks), self.point(wall, -files, -ranks)

    def turns(self, position, wall):
        """Yields the slots in which the turns of a wall can end; some more than once. [4.1] to [4.7]"""
        for tower in self.towers(wall):
            begin = next(way for way, step in enumerate(self.AROUND) if self.point(tower, *step) == wall)
            for turn in (1, -1):
                for quarters in (1, 2, 3):
                    before = self.AROUND[(begin + turn * (quarters - 1)) % 4]
                    after = self.AROUND[(begin + turn * quarters) % 4]
                    square = self.point(tower, before[0] + after[0], before[1] + after[1])
                    slot = self.point(tower, *after)
                    if square in position.knights or slot in position.walls:
                        break
                    if slot:
                        yield slot


GAMES = {"alquerque": Alquerque, "roses": Roses, "alcaxar": Alcaxar}


class Proof:
    """The contents of a proof file."""

    def __init__(self, contents):
        require(contents.isascii(), "the file has other characters than ASCII")
        body, mark, checksum = contents.decode().rpartition("Checksum: ")
        expected = f"crc32:{zlib.crc32(body.encode()):08x}\n"
        require(mark and checksum == expected, f"the last line is not 'Checksum: {expected.strip()}'")
        lines = body.split("\n")
        require(lines[0] == HEADER, f"the first line is not '{HEADER}'")
        require(lines[-1] == "", "the last line does not begin with 'Checksum: '")
        self.tags = {}
        options = []
        self.replies = {}
        for number, line in enumerate(lines[1:-1], 2):
            name, is_tag, value = line.partition(": ")
            fen, _, move = line.rpartition(" ")
            require(not is_tag or value, f"line {number}: the tag '{name}' is empty")
            if name == "Option":
                options.append(tuple(value.partition("=")[::2]))
            elif is_tag:
                is_known = name in ("Game", "Position", "Moves", "Claim", "Relaxed")
                require(is_known, f"line {number}: unknown tag '{name}'")
                require(name not in self.tags, f"line {number}: a second tag '{name}'")
                self.tags[name] = value
            else:
                fields, _, _ = fen.rpartition(" ")
                require(fields and move, f"line {number}: neither a tag nor a reply")
                require(fields not in self.replies, f"line {number}: a second reply to the same position")
                self.replies[fields] = move
        for name in ("Game", "Position", "Claim"):
            require(name in self.tags, f"the tag '{name}' is missing")
        if self.tags["Game"] not in GAMES:
            raise UnknownGame(f"no rules for the game '{self.tags['Game']}'")
        options = Options(options)
        self.game = GAMES[self.tags["Game"]](options)
        options.finish()
        claim = re.fullmatch(f"({'|'.join(self.game.sides)}) (wins|does not win)", self.tags["Claim"])
        require(claim, f"unknown claim '{self.tags['Claim']}'")
        self.attacker = self.game.sides.index(claim[1])
        self.is_win = claim[2] == "wins"
        # The side that has the replies: the attacker of a win, or the defender otherwise.
        self.upholder = self.attacker if self.is_win else 1 - self.attacker
        relaxed = self.tags.get("Relaxed")
        require(relaxed in (None, self.game.sides[self.upholder]), "the tag 'Relaxed' names the other side")

    def reply(self, position):
        """Returns the reply to a position; None if there is none."""
        fen = self.game.relaxed_fen(position, self.upholder) if "Relaxed" in self.tags else self.game.fen(position)
        return self.replies.get(fen)

    def played_game(self):
        """Returns the position of the claim, and the classes of positions whose next occurrence is the third."""
        game = self.game
        position = game.parse(self.tags["Position"])
        require(re.fullmatch("[1-9][0-9]{0,5}", self.tags["Position"].split(" ")[-1]), "invalid full-move number")
        counts = collections.Counter([game.repetition_class(position)])
        for move in self.tags["Moves"].split(" ") if "Moves" in self.tags else ():
            moves = game.moves(position)
            require(move in moves, f"the move '{move}' of the game is illegal")
            position = moves[move]
            counts[game.repetition_class(position)] += 1
            is_third = counts[game.repetition_class(position)] >= 3 and game.third_occurrence(position)
            require(not is_third, f"the game is over in {game.fen(position)}")
        require(game.moves(position), f"the game is over in {game.fen(position)}")
        return position, {repeated for repeated, count in counts.items() if count >= 2}

    def check(self):
        """Plays all moves of one side against the replies of the other, and returns the number of positions."""
        game = self.game
        root, repeated = self.played_game()
        followers = {}
        waiting = [root]
        while waiting:
            position = waiting.pop()
            if position in followers:
                continue
            followers[position] = []
            moves = game.moves(position)
            if not moves:
                self.require_end(position, game.outcome(position))
                continue
            if position.side == self.upholder:
                reply = self.reply(position)
                require(reply, f"there is no reply to {game.fen(position)}")
                require(reply in moves, f"the reply '{reply}' to {game.fen(position)} is illegal")
                moves = {reply: moves[reply]}
            for after in moves.values():
                third = game.third_occurrence(after) if game.repetition_class(after) in repeated else None
                if third:
                    self.require_end(after, third)
                else:
                    followers[position].append(after)
            waiting.extend(followers[position])
        if self.is_win:
            self.require_progress(followers)
        return len(followers)

    def require_end(self, position, outcome):
        """Rejects a line of play that does not end as claimed."""
        is_won = outcome == self.game.sides[self.attacker]
        require(is_won == self.is_win, f"the game ends in {self.game.fen(position)}, but not as claimed")

    def require_progress(self, followers):
        """Rejects a proof of a win in which a line of play returns to a position. Sorts the positions by Kahn's
        algorithm (1962), which leaves those of cycles."""
        classes = collections.defaultdict(list)
        arrivals = collections.Counter()
        for position, after in followers.items():
            classes[self.game.repetition_class(position)].extend(map(self.game.repetition_class, after))
        for after in classes.values():
            arrivals.update(after)
        ready = [name for name in classes if not arrivals[name]]
        sorted_classes = 0
        while ready:
            sorted_classes += 1
            for name in classes[ready.pop()]:
                arrivals[name] -= 1
                if not arrivals[name]:
                    ready.append(name)
        require(sorted_classes == len(classes), "the replies can lead back to an earlier position")


def main(names):
    if not names:
        print("check_proof.py: no proof was named", file=sys.stderr)
        return 2
    code = 0
    for name in names:
        try:
            with open(name, "rb") as file:
                proof = Proof(file.read())
            positions = proof.check()
            print(f"{name}: {proof.tags['Claim']}: {len(proof.replies)} replies, {positions} positions checked")
        except Invalid as reason:
            print(f"{name}: the proof does not hold: {reason}")
            code = max(code, 1)
        except OSError as error:
            print(f"{name}: not checked: {error.strerror}", file=sys.stderr)
            code = 2
        except UnknownGame as reason:
            print(f"{name}: not checked: {reason}", file=sys.stderr)
            code = 2
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
