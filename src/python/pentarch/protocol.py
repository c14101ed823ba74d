"""Requests to pentarch and its responses, as types. Generated from the program; do not edit."""

from __future__ import annotations

from typing import Any, Literal, TypedDict, Union


class AllowedEndings(TypedDict):
    """The ways in which players may end a game. There are none if the game is over."""

    #: Whether the players may agree on a draw.
    agree: bool
    #: The sides whose time may run out.
    flag: list[str]
    #: The sides that may resign.
    resign: list[str]


class Analysis(TypedDict):
    """The result of a search."""

    #: The best moves, best first. The list is empty if the game is over.
    lines: list[Line]
    #: The number of searched nodes.
    nodes: int
    #: The time of the search in milliseconds.
    time: int
    #: Faults that did not prevent the search, as messages for people, such as `a table file is damaged`.
    warnings: list[str]


#: An arrow, which is a mark that connects two sites.
Arrow = TypedDict(
    "Arrow",
    {
        "from": "str",
        "kind": "Literal['forbidden']",
        "to": "str",
    },
)


class BalancedOpening(TypedDict):
    """An opening from which either side can win."""

    #: The FEN of the position after the moves.
    fen: str
    #: The moves from the start position.
    moves: list[str]


class Board(TypedDict):
    """The rules, and the parts of a board that are the same in every position. Lengths are in units of one square,
    and `y` increases upwards."""

    #: A text for people that explains the aim of each side under these rules.
    aim: str
    #: The rectangle around everything that is drawn: the `x` and `y` of its lower left corner, its width and its
    #: height.
    box: list[float]
    #: The emblems on pieces, as paths by the kind of piece. A kind without an emblem is missing.
    emblems: dict[str, str]
    #: The word that names the game.
    game: str
    #: The outlines of pieces, by the kind of piece. Each outline is a path. Its origin is the centre of the piece's
    #: site.
    kinds: dict[str, str]
    #: Labels to draw.
    labels: list[Label]
    #: Lines to draw, each as `[x1, y1, x2, y2]`.
    lines: list[list[float]]
    #: The scale of the curve that converts scores to winning chances, in centipawns.
    odds: int
    #: The options of the rules, with their values as strings.
    rules: dict[str, str]
    #: The outlines of sites, by the name of the shape. Each outline is a path. Its origin is the centre of the site.
    shapes: dict[str, str]
    #: The words that name the players, in the order of their turns.
    sides: list[str]
    #: The sites, in drawing order.
    sites: list[Site]


class CentipawnScore(TypedDict):
    """A score."""

    #: The score in centipawns.
    cp: int


class Clicks(TypedDict):
    """The meaning of the clicks so far, and the clicks that can follow."""

    #: The legal move that the clicks form; `null` if they form no legal move.
    move: Union[str, None]
    #: The sites that can be clicked next, sorted.
    next: list[str]
    #: The text of `why` without the ids of requirements; `null` if nothing forbids the move.
    reason: Union[str, None]
    #: The id of the requirement that forbids the move; `null` if there is none.
    rule: Union[str, None]
    #: The string of the move that the clicks form, even if it is illegal; `null` if they form no move.
    text: Union[str, None]
    #: The reason why the move is illegal; `null` if the clicks form no illegal move.
    why: Union[str, None]


class _ClockFields(TypedDict):
    #: The remaining time of each player in milliseconds, in the order of their turns. A single number applies to all
    #: players.
    times: list[int]


class ClockFields(_ClockFields, total=False):
    """The clocks of the players."""

    #: The time that each move adds, in the same form as `times`. The default is no time.
    increments: Union[list[int], None]
    #: The time in milliseconds that each move loses between the front end and the engine. The default is the value of
    #: the option `Move Overhead`.
    overhead: Union[int, None]


class Count(TypedDict):
    """A number with which players assess a position."""

    #: The number after the move in the request; `null` if the request has no move.
    after: Union[CountAfter, None]
    #: The name of the number, for people, such as `steps to the goal`.
    label: str
    #: Whether the sites are a path.
    path: bool
    #: The index of the player whose number this is; `null` stands for the player to move.
    side: Union[int, None]
    #: The counted sites. If `path` is `true`, these are the sites of a path in order, and the first site is not
    #: counted. The list is empty if the number is not a count of sites.
    sites: list[str]
    #: The number; `null` for the steps of a piece that has no path.
    value: Union[int, None]


class CountAfter(TypedDict):
    """A number with which players assess a position, after a move."""

    #: The change of the number by the move; `null` if there is no number before or after the move, or if the number is
    #: that of the player to move.
    added: Union[int, None]
    #: The counted sites after the move.
    sites: list[str]
    #: The number after the move; `null` for the steps of a piece that has no path.
    value: Union[int, None]


class CourseFields(TypedDict):
    """A game, described by the fields of a request about it."""

    #: How the players ended the game; `null` if they did not end it.
    end: Union[EndedBy, None]
    #: The moves with the comments and variations of the record.
    line: list[LineEntry]
    #: The moves, beginning at the first position.
    moves: list[str]
    #: For each move, the index of the player who made it.
    players: list[int]
    #: The FEN of the first position; `null` for the start position of the rules.
    start: Union[str, None]
    #: The tags that people added to the record, as pairs of a name and a value.
    tags: list[list[str]]


class Details(TypedDict):
    """The effects of a legal move."""

    #: The sites of the captured pieces, in order.
    captured: list[str]
    #: The sites that must be clicked to make the move.
    clicks: list[str]
    #: The angle by which a wall turns, in degrees; `null` if no wall turns.
    degrees: Union[int, None]
    #: The direction in which a wall turns; `null` if no wall turns.
    direction: Literal["cw", "ccw", "either", None]
    #: The canonical notation of the move.
    move: str
    #: The pieces that move to another site.
    moved: list[PieceMove]
    #: The sites that the moving piece visits, from the first to the last. The list is empty if no piece or several
    #: pieces move.
    path: list[str]
    #: The site about which a wall turns; `null` if no wall turns.
    pivot: Union[str, None]
    #: The pieces that come onto the board.
    placed: list[Piece]
    #: Whether a piece is promoted; `null` in a game without promotion.
    promoted: Union[bool, None]
    #: The pushed pieces. These pieces are also in `moved`.
    pushed: list[PieceMove]
    #: The pieces that leave the board.
    removed: list[Piece]


class Drill(TypedDict):
    """A drill: a won or drawn position. The player must keep the win or the draw to the end of the game."""

    #: The FEN of the position, under the default rules.
    fen: str
    #: The grade from 1, easy, to 5. For a win, the grade depends on the number of plies to the end of the game with
    #: perfect play. For a draw, the grade depends on the number of plies to the end of the game after the wrong move
    #: that loses most slowly.
    grade: int
    #: The value that the player must keep to the end of the game: a win or a draw.
    value: Literal["win", "draw"]


class EndFields(TypedDict, total=False):
    """How the players ended the game. The object has exactly one of the fields."""

    #: Whether the players agreed on a draw.
    agree: Union[bool, None]
    #: The side whose time ran out, or a player of this side. The case of the word does not matter.
    flag: Union[str, None]
    #: The side that resigned, or a player of this side. The case of the word does not matter.
    resign: Union[str, None]


class EndedBy(TypedDict, total=False):
    """How the players ended a game. The object has exactly one of the fields."""

    #: `true` if the players agreed on a draw.
    agree: bool
    #: The side whose time ran out.
    flag: str
    #: The side that resigned.
    resign: str


class ErrorFields(TypedDict):
    """The error for a request that the engine rejects."""

    #: The column, in characters from 1; `null` if there is none. If the request is not JSON, or if a field has an
    #: invalid name or type, this is a column of the request's line. Otherwise it is a column of the field's string. For
    #: a record, it is a column of the invalid line of the record, and for a list of moves, a column of the invalid
    #: move.
    column: Union[int, None]
    #: The field of the request; `null` if the fault is not in a single field.
    field: Union[str, None]
    #: The kind of the fault.
    kind: ErrorKind
    #: The invalid line of a record, from 1; `null` if the fault is not in a single line.
    line: Union[int, None]
    #: The message about the fault, for people, without the location.
    message: str
    #: The number of the invalid move in a list or in the main line of a record, from 1; `null` if the fault is not in a
    #: single move.
    move: Union[int, None]
    #: The text of `message` without the ids of rules.
    reason: str
    #: The id of the rule that forbids a move or excludes a position; `null` if no rule does.
    rule: Union[str, None]


class GameFields(TypedDict):
    """A game of the engine."""

    #: The score of the first side in per cent, in games between players of the level `average` from the start position;
    #: `null` if nobody has measured it.
    firstscore: Union[int, None]
    #: The name of the game, for people.
    name: str
    #: Whether a first move can lose at once, because the opponent then has a winning move.
    sharp: bool
    #: The words that name the sides.
    sides: list[str]
    #: A summary of the game for people.
    summary: str
    #: The word that selects the game.
    word: str


class HandicapFields(TypedDict):
    """A start for players of different strength: one side has fewer walls or pieces than the other."""

    #: The name of the walls or pieces for people, in the plural.
    kind: str
    #: The number of walls or pieces of the side with the handicap.
    less: int
    #: The number of walls or pieces of the other side.
    more: int
    #: For each side in the order of the turns, the start in which this side has fewer walls or pieces.
    starts: list[HandicapStartFields]


class HandicapStartFields(TypedDict):
    """The start of a game with a handicap."""

    #: The FEN of the first position; `null` for the start position of the rules.
    fen: Union[str, None]
    #: The rule options to change, as names with their values.
    options: dict[str, str]


class Known(TypedDict):
    """The facts about a position that are certain."""

    #: A sentence that says how values from this source were checked; `null` if the value is unknown.
    checked: Union[str, None]
    #: Whether all sources were consulted; `false` if the tables are not complete. This happens if the wait for the
    #: tables was ended, or if the tables could not be computed or loaded. With complete tables, more facts may be
    #: known.
    complete: bool
    #: The legal moves with known values.
    moves: dict[str, KnownMove]
    #: The maximum number of plies to the end of the game; `null` for a draw, and if no bound is known.
    plies: Union[int, None]
    #: The source of the value; `null` if the value is unknown.
    source: Literal["rules", "table", "book", "proof", "search", None]
    #: The value of the position: `win SIDE` or `draw`; `null` if it is unknown.
    value: Union[str, None]


class KnownMove(TypedDict):
    """The known value of a move."""

    #: A sentence that says how values from this source were checked.
    checked: str
    #: The maximum number of plies to the end of the game, including the move itself; `null` for a draw, and if no bound
    #: is known.
    plies: Union[int, None]
    #: The source of the value.
    source: Literal["rules", "table", "book", "proof", "search"]
    #: The value of the position after the move: `win SIDE` or `draw`.
    value: str


class Label(TypedDict):
    """A label on the board."""

    #: The text of the label.
    text: str
    #: The `x` of the label's centre.
    x: float
    #: The `y` of the label's centre.
    y: float


class Legality(TypedDict):
    """Whether a move is legal, and if not, the rule that forbids it."""

    #: Whether the move is legal.
    legal: bool
    #: The canonical notation of the move; `null` if the move is not legal.
    move: Union[str, None]
    #: The text of `why` without the ids of requirements; `null` if the move is legal or its notation is invalid.
    reason: Union[str, None]
    #: The id of the requirement that forbids the move; `null` if the move is legal or its notation is invalid.
    rule: Union[str, None]
    #: The reason why the move is illegal, or the fault of its notation; `null` if the move is legal.
    why: Union[str, None]


class Lesson(TypedDict):
    """A guided first game."""

    #: The rules of the tasks, as names of options with their values.
    options: dict[str, str]
    #: The tasks in order. The last task wins the game.
    tasks: list[LessonTask]


class LessonTask(TypedDict):
    """A task of a guided first game."""

    #: The message that people see after they have solved the task. The message explains the lesson of the task.
    done: str
    #: The FEN of the position.
    fen: str
    #: A hint for people on how to solve the task.
    hint: str
    #: The moves that solve the task, in canonical notation.
    moves: list[str]
    #: The task, in one or two sentences for people.
    text: str


class _Line(TypedDict):
    #: The chance of winning of the side to move, from 0 to 1. A draw counts half. `null` if the move has no score.
    chance: Union[float, None]
    #: The score in centipawns; `null` for a proven win or loss, or without a score.
    cp: Union[int, None]
    #: The depth in plies at which the move has this score.
    depth: int
    #: The distance to the end of the game, in moves of the side to move. The distance is negative if that side loses.
    #: `null` if neither a win nor a loss is proven.
    mate: Union[int, None]
    #: The move as a string.
    move: str
    #: Whether the score is exact: a proven win or loss, or a draw.
    proven: bool
    #: The principal variation, which begins with the move.
    pv: list[str]


class Line(_Line, total=False):
    """A move with its score for the side to move."""

    #: The search's own score of the move, in centipawns. Present only if the other fields contain the known value of
    #: the position, and it is not known whether the move reaches this value.
    estimate: int
    #: The rank of the position in tablebases without distances, if these tablebases determine the score. The rank never
    #: increases on the way to the win. Missing if the search has seen the end of the game.
    rank: int


class ListedProblem(TypedDict):
    """A problem in the list of problems."""

    #: The FEN of the position.
    fen: str
    #: The grade from 1, easy, to 5.
    grade: int
    #: The number of moves of the solver.
    length: int
    #: The options of the rules that differ from their defaults.
    options: dict[str, str]
    #: The themes of the key.
    themes: list[Theme]


class Mark(TypedDict):
    """A mark of a site."""

    #: The kind of the mark.
    kind: Literal["blocked", "huff", "spent"]
    #: The marked site.
    site: str


class MateScore(TypedDict):
    """A proven win or loss."""

    #: The distance to the end of the game, in moves of the side that moved. It is negative if that side loses.
    mate: int


class MoveEvaluation(TypedDict):
    """The score and the depth of a search."""

    #: The score in centipawns, for the side that moved.
    cp: int
    #: The depth of the search, in plies.
    depth: int


class MoveNotes(TypedDict, total=False):
    """Notes on a move."""

    #: The remaining time of the player in milliseconds after the move; missing if it is unknown.
    clock: int
    #: The comment; missing if there is none.
    comment: str
    #: The score and the depth of the search that chose the move; missing if they are unknown.
    evaluation: MoveEvaluation
    #: The numeric annotation glyphs (NAGs) of the move; missing if there are none.
    glyphs: list[int]
    #: The signs `+ # ≠ = ≡ ! ?` that a person wrote after the move, except the sign that is stored as the mark of
    #: the move; missing if there are none. The signs are not verified. Only the notation of Alcaxar has such signs.
    signs: str


class MoveRace(TypedDict):
    """The numbers of both sides in a race, before and after a move."""

    #: The number of each side after the move.
    after: list[int]
    #: The number of each side before the move.
    before: list[int]
    #: The name of the numbers, for people, such as `steps to the goal`.
    label: str
    #: The loss of a mistake in comparison with the best move, for people, such as `three steps behind instead of one`;
    #: `null` if the move is not a mistake or lost no step.
    lost: Union[str, None]
    #: The numbers for people, such as `15-11, after the wall 15-14`.
    text: str


class OptionEntry(TypedDict):
    """An option of the engine or of a game."""

    #: The default value of the option.
    default: OptionDefault
    #: The words that name the games with this option.
    games: list[str]
    #: The meaning of the option and of its values, in one line for people.
    help: str
    #: The greatest number of a `spin`; `null` for other types.
    max: Union[int, None]
    #: The least number of a `spin`; `null` for other types.
    min: Union[int, None]
    #: The name of the option.
    name: str
    #: The type, as in UCI.
    type: Literal["check", "spin", "combo", "string", "button"]
    #: The values of a `combo`; `null` for other types.
    values: Union[list[str], None]
    #: The name and a value of another option. This option has an effect only while the other option has that value. The
    #: object is empty if there is no condition.
    when: dict[str, str]


class Piece(TypedDict):
    """A piece on the board."""

    #: The kind of the piece.
    kind: Literal["knight", "wall", "checker", "castle", "soldier", "pawn", "king", "piece"]
    #: The index of the player who owns the piece, or who placed it in this game; `null` if there is no such player.
    side: Union[int, None]
    #: The site of the piece.
    site: str


class PieceCount(TypedDict):
    """A number of pieces of one kind that are not on the board."""

    #: The number of these pieces.
    count: int
    #: The kind of the pieces.
    kind: Literal["knight", "wall", "checker", "castle", "soldier", "pawn", "king", "piece"]
    #: The index of the player.
    side: int


#: A piece that moves from one site to another.
PieceMove = TypedDict(
    "PieceMove",
    {
        "from": "str",
        "to": "str",
    },
)


class PlayedMove(TypedDict):
    """The move of a player."""

    #: The result of the search with which the player chose the move.
    analysis: Analysis
    #: The move; `null` if the game is over.
    move: Union[str, None]


class _Problem(TypedDict):
    #: The FEN of the position.
    fen: str
    #: The grade from 1, easy, to 5.
    grade: int
    #: The number of moves of the solver.
    length: int
    #: The options of the rules that differ from their defaults.
    options: dict[str, str]
    #: The word that names the side to solve the problem.
    side: str
    #: The moves of both sides.
    solution: list[str]
    #: A tempting wrong move; `null` if there is none.
    temptation: Union[Temptation, None]
    #: The themes of the key.
    themes: list[Theme]


class Problem(_Problem, total=False):
    """A problem with its solution."""

    #: The number in the list of problems, from 1; missing if the problem is not built in.
    number: int


class ProblemCheck(TypedDict):
    """Whether a position is a problem."""

    #: The problem; `null` if the position is not a problem.
    problem: Union[Problem, None]
    #: The reason why the position is not a problem, as a clause; `null` if it is a problem.
    why: Union[str, None]


class ProofResult(TypedDict):
    """The answer to the question of which side can force a win."""

    #: The number of positions that the search visited.
    nodes: int
    #: The length in plies of the longest winning line; `null` if there is no win.
    plies: Union[int, None]
    #: The number of positions that the verification of the proofs visited.
    positions: int
    #: The proofs. These proofs show that the winner can force a win, or that neither side can.
    proofs: list[str]
    #: The number of replies in the proofs.
    replies: int
    #: Whether the question was answered.
    settled: bool
    #: The time of the proof in milliseconds.
    time: int
    #: The reason why the question was not answered, as a clause; `null` if it was answered.
    why: Union[str, None]
    #: The word that names the side that can force a win; `null` if neither side can, or if the question was not
    #: answered.
    winner: Union[str, None]


class RequestFields(TypedDict, total=False):
    """A request, a stop, or a line for the console. Except for `stop`, a field with the value `null` counts as
    missing."""

    #: One or more questions. The default is `analysis`. The response has a field for each question.
    ask: Union[Union[Question, list[Question]], None]
    #: The clicked sites, for the questions `clicks` and `successor`.
    clicks: Union[Union[str, list[str]], None]
    #: The clocks of the players.
    clock: Union[ClockFields, None]
    #: The maximum depth in plies. Any limit in the request replaces all limits of the command line. A limit of 0 has
    #: the same meaning as in `go`.
    depth: Union[int, None]
    #: How the players ended the game after the moves.
    end: Union[EndFields, None]
    #: The time in milliseconds between two reports of a search. Without this field, there are no reports.
    every: Union[int, None]
    #: The FEN of the first position. Without this field, the game begins at its start position.
    fen: Union[str, None]
    #: Whether the second side is at the bottom of the image, for the question `diagram`.
    flip: Union[bool, None]
    #: The word that names the game. Its case does not matter. Without this field, the game of the command line applies.
    game: Union[str, None]
    #: The id of the request, which can be any JSON value. Each response repeats the id.
    id: Any
    #: The level of the player, for the questions `play` and `swap`. Its case does not matter. The default is set on the
    #: command line.
    level: Union[str, None]
    #: The memory in MiB for the question `prove`. The default is 256 MiB, or less if the machine has less.
    memory: Union[int, None]
    #: A move, for the questions `details`, `legal`, `counts` and `successor`. The questions `details` and `legal` need
    #: this field.
    move: Union[str, None]
    #: The moves from the first position to the position that the questions are about.
    moves: Union[Union[str, list[str]], None]
    #: The maximum time in milliseconds.
    movetime: Union[int, None]
    #: The number of moves that an analysis reports. The default is set on the command line.
    multipv: Union[int, None]
    #: The maximum number of nodes. The question `prove` needs this field.
    nodes: Union[int, None]
    #: The rules of the game, as names of options with their values. The case of the names does not matter. All other
    #: options have their values from the command line.
    options: Union[dict[str, Union[str, int, bool]], None]
    #: The priority. The default is 0. The engine answers requests with a higher priority first. Requests with the same
    #: priority are answered in the order of arrival.
    priority: Union[float, None]
    #: The number of a built-in problem of the game. The game begins at the position of the problem, with the rules of
    #: the problem. So this field replaces `options` and `fen`. The question `problem` needs this field.
    problem: Union[int, None]
    #: A game record, SGF or a list of moves, instead of `fen`, `moves` and `problem`. `game` and `options` apply if the
    #: text names no game.
    record: Union[str, None]
    #: The moves from which `analysis` and `play` choose. The default is all legal moves.
    searchmoves: Union[Union[str, list[str]], None]
    #: The seed for random choices, for the questions `play`, `swap` and `starts`; 0 for a new seed each time. The
    #: default is set on the command line.
    seed: Union[int, None]
    #: The `id` of the requests to stop. The value `null` stops all requests. A request with this field may have only
    #: one other field: `id`.
    stop: Any
    #: The engine solves all positions with up to this number of pieces before it answers `prove`. The default depends
    #: on the game.
    tables: Union[int, None]
    #: The topic of the rules, for the question `rules`. Its case does not matter. The default is the first topic.
    topic: Union[str, None]
    #: A line for the UGI session of a socket. A request with this field may have only one other field: `id`.
    ugi: Union[str, None]


class _Response(TypedDict):
    #: The number of the format.
    format: Literal[3]
    #: The `id` of the request; `null` if the request has none or if the line is not JSON.
    id: Any


class Response(_Response, total=False):
    """A response, a report before it, or a line of the console."""

    #: The best moves with their scores.
    analysis: Analysis
    #: The board and the rules.
    board: Board
    #: The meaning of the clicks.
    clicks: Clicks
    #: The numbers with which players assess the position.
    counts: list[Count]
    #: The game, described by the fields of a request about it.
    course: CourseFields
    #: The effects of the move.
    details: Details
    #: The position as an image in SVG.
    diagram: str
    #: Whether the side to move accepts a draw.
    drawoffer: DrawResponse
    #: The built-in drills of the game. The easiest drill comes first.
    drills: list[Drill]
    #: The error for a request that the engine rejects. Such a response contains no results.
    error: ErrorFields
    #: The FEN of the position.
    fen: str
    #: The word that names the game.
    game: str
    #: All games of the engine.
    games: list[GameFields]
    #: Whether the position is a problem, and the problem.
    isproblem: ProblemCheck
    #: The facts about the position that are certain, without a search or with the searches of the same request.
    known: Known
    #: Whether the move is legal.
    legal: Legality
    #: A guided first game.
    lesson: Lesson
    #: The legal moves in sorted order.
    moves: list[str]
    #: The options of the engine and of all games.
    options: list[OptionEntry]
    #: `true` in a report before the response. A report contains the results of a search so far.
    partial: Literal[True]
    #: The move that a player of the requested level makes.
    play: PlayedMove
    #: The built-in problem of the request, with its solution.
    problem: Problem
    #: The built-in problems of the game. The easiest problem comes first.
    problems: list[ListedProblem]
    #: The answer to the question of which side can force a win.
    prove: ProofResult
    #: The game as a record.
    record: str
    #: An evaluation of each move of the game.
    review: Review
    #: A topic of the rules for people.
    rules: RulesPage
    #: The pieces and marks in the position.
    scene: Scene
    #: The ways to begin a game under these rules.
    starts: Starts
    #: The state of the game.
    status: Status
    #: The number of requests that this stop has ended.
    stopped: int
    #: The position after the move; `null` if the move is not legal.
    successor: Union[Successor, None]
    #: Whether a player of the requested level takes over the other side.
    swap: bool
    #: A line that the UGI session of a socket has written.
    ugi: str
    #: The version of the program.
    version: Version
    #: Warnings about parts of the request's record that were not read; missing if there are none.
    warnings: list[str]


class Review(TypedDict):
    """A reviewed game. In a progress report it contains only the first moves."""

    #: If a move loses less of the chance of winning than this, it is about as good as the best one.
    as_good: float
    #: The plies of the three moves that lost most, in the order of the game. They are inaccuracies or worse.
    moments: list[int]
    #: The moves, first to last.
    moves: list[ReviewedMove]
    #: The outcome of the game in the words of the protocol.
    outcome: str
    #: The phase in which the loser lost most: the first, the second or the last third of the game. `null` if no side
    #: has lost, or if its moves lost nothing.
    phase: Literal["opening", "middle", "end", None]
    #: The accuracy of each side.
    sides: list[Tally]
    #: The ply of the mistake with the greatest loss. If several mistakes have this loss, it is the last of them. `null`
    #: if there is no mistake. Mistakes of the winner do not count.
    turning_point: Union[int, None]


#: A move of a game, with its evaluation for the side that moved.
ReviewedMove = TypedDict(
    "ReviewedMove",
    {
        "after": "ReviewedWorth",
        "before": "ReviewedWorth",
        "best": "str",
        "chances": "list[Union[float, None]]",
        "class": "Literal['only move', 'best', 'good', 'inaccuracy', 'mistake', 'blunder', 'missed win']",
        "human_chances": "list[Union[float, None]]",
        "line": "list[str]",
        "lost": "float",
        "mark": "Literal['', '?', '??']",
        "move": "str",
        "number": "int",
        "ply": "int",
        "race": "Union[MoveRace, None]",
        "reason": "Union[str, None]",
        "refutation": "list[str]",
        "side": "str",
        "stake": "float",
    },
)


class RulesPage(TypedDict):
    """A topic of a game's rules."""

    #: The paragraphs and diagrams of this topic.
    blocks: list[RulesBlock]
    #: The title of this topic.
    title: str
    #: The titles of all topics, in the order of `topics`.
    titles: list[str]
    #: The name of this topic.
    topic: str
    #: The names of all topics, in reading order.
    topics: list[str]


class RulesParagraph(TypedDict):
    """A paragraph of the rules."""

    #: The paragraph as a list of sentences.
    sentences: list[RulesSentence]
    #: The paragraph as `pentarch rules` prints it, with the ids of rules in brackets.
    text: str


class _RulesPicture(TypedDict):
    #: The caption of the diagram.
    caption: str
    #: The FEN of the position.
    fen: str
    #: Legal moves to show. The list is often empty.
    moves: list[str]


class RulesPicture(_RulesPicture, total=False):
    """A position, and moves that are shown one after the other."""

    #: Moves that are illegal in the position; missing if there are none.
    illegal: list[str]
    #: The options of the rules that differ from their defaults; missing if there are none.
    options: dict[str, str]
    #: Opposite corners of the part of the board to show; missing if the whole board should be shown.
    show: list[str]


class RulesSentence(TypedDict):
    """A sentence of the rules."""

    #: The id of the rule, which is also the id in errors; `null` if the sentence is not a rule.
    rule: Union[str, None]
    #: The sentence itself.
    text: str


class Scene(TypedDict):
    """The pieces and marks of a position."""

    #: Arrows, which are marks that connect two sites.
    arrows: list[Arrow]
    #: The number of pieces that each player has lost. Only pieces with which a player starts the game are counted.
    captured: list[int]
    #: The FEN of the position.
    fen: str
    #: The pieces that each player can still bring onto the board. A count may be 0.
    hands: list[PieceCount]
    #: The last move; `null` if none was made.
    last: Union[str, None]
    #: The sites of the last move.
    lastsites: list[str]
    #: The numbers in `captured`, split by the kinds of the pieces at the start of the game. A count may be 0.
    lost: list[PieceCount]
    #: Marks of sites.
    marks: list[Mark]
    #: The outcome in the words of the protocol, such as `ongoing`, `win red fortress` or `draw repetition`.
    outcome: str
    #: The pieces on the board.
    pieces: list[Piece]
    #: A sentence for people about whose turn it is or how the game ended.
    sentence: str
    #: The word that names the player to move; `null` if the game is over.
    turn: Union[str, None]


#: A site of the board.
Site = TypedDict(
    "Site",
    {
        "class": "str",
        "id": "str",
        "shape": "str",
        "turn": "int",
        "x": "float",
        "y": "float",
    },
)


class Starts(TypedDict):
    """The ways to begin a game under given rules."""

    #: A random opening from which either side can win; `null` if these rules have no openings.
    balanced: Union[BalancedOpening, None]
    #: The handicaps, the smallest first; empty if the game has none.
    handicaps: list[HandicapFields]


class Status(TypedDict):
    """The state of a game, in words."""

    #: The ways in which the players may end the game now.
    may: AllowedEndings
    #: The outcome in the words of the protocol, such as `ongoing`, `win red fortress` or `draw repetition`.
    outcome: str
    #: The index of the player whose turn it is in the position, even if the game is over.
    player: int
    #: The words that name the players, in the order of their turns.
    players: list[str]
    #: A sentence for people about whose turn it is or how the game ended, such as `Green has won: red's knight has no
    #: step`.
    sentence: str
    #: The words that name the players of each team; empty if each player plays alone.
    teams: list[list[str]]
    #: The word that names the player to move; `null` if the game is over.
    turn: Union[str, None]
    #: The reason why the game is over, for people; `null` if the game is not over.
    why: Union[str, None]
    #: The word that names the winner; `null` in a draw and if the game is not over.
    winner: Union[str, None]


class Successor(TypedDict):
    """The effects of a move, and the position after it."""

    #: The clicks that can begin the next move.
    clicks: Clicks
    #: The effects of the move.
    details: Details
    #: The position after the move.
    scene: Scene
    #: The state of the game after the move.
    status: Status


class Tally(TypedDict):
    """The accuracy of a side's moves."""

    #: The accuracy of a side: the sum of its stakes divided by the sum of its stakes and losses; `null` if it has made
    #: no moves, or if no stake is known.
    accuracy: Union[float, None]
    #: The number of blunders of the side.
    blunders: int
    #: The number of inaccuracies of the side.
    inaccuracies: int
    #: The number of mistakes, without blunders.
    mistakes: int
    #: The number of moves of the side.
    moves: int
    #: The word that names the side.
    side: str


class Temptation(TypedDict):
    """A tempting wrong move and its refutation."""

    #: The wrong first move.
    move: str
    #: The reply that refutes the wrong move.
    reply: str


class Version(TypedDict):
    """The program that has sent the response."""

    #: The number of the newest format.
    format: Literal[3]
    #: The name of the program and its version.
    program: str


#: The response to a draw offer.
DrawResponse = Literal["accept", "decline"]

#: The kind of an error. Programs that translate or compare messages use this kind.
ErrorKind = Literal["syntax", "field", "value", "position", "illegal", "state", "limit", "unavailable", "file"]

#: An entry of a line of moves.
LineEntry = Union[str, MoveNotes, list["LineEntry"]]

#: The default value of an option.
OptionDefault = Union[bool, int, str, None]

#: A question. `protocol.md` describes the responses.
Question = Literal["board", "scene", "clicks", "details", "counts", "successor", "rules", "lesson", "problem",
    "problems", "isproblem", "prove", "drills", "starts", "status", "moves", "legal", "known", "analysis", "play",
    "drawoffer", "swap", "review", "record", "course", "diagram", "games", "options", "version"]

#: The value of a position.
ReviewedWorth = Union[CentipawnScore, MateScore, str, None]

#: A paragraph or a diagram.
RulesBlock = Union[RulesParagraph, RulesPicture]

#: A theme: a property of the key. The key is the first move of the solution.
Theme = Literal["capture", "placement", "quiet", "sacrifice", "surprise", "draw"]
