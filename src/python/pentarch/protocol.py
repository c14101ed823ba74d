"""Requests to pentarch and its responses, as types. Generated from the program; do not edit."""

from __future__ import annotations

from typing import Any, Literal, TypedDict, Union


class AllowedEndings(TypedDict):
    """The ways in which players may end a game; none if the game is over."""

    #: Whether the players may agree on a draw.
    agree: bool
    #: The sides whose time may run out.
    flag: list[str]
    #: The sides that may resign.
    resign: list[str]


class Analysis(TypedDict):
    """The result of a search."""

    #: The best moves, best first; none if the game is over.
    lines: list[Line]
    #: The number of searched nodes.
    nodes: int
    #: The time in milliseconds.
    time: int
    #: Faults that did not prevent the search, such as a damaged table file, for people.
    warnings: list[str]


#: A mark of the line from one site to another.
Arrow = TypedDict(
    "Arrow",
    {
        "from": "str",
        "kind": "Literal['forbidden']",
        "to": "str",
    },
)


class Board(TypedDict):
    """The parts of a board that are the same in every position, and the rules. Lengths are in units of one square,
    and `y` grows up."""

    #: The aim of each side by these rules, for people.
    aim: str
    #: A rectangle around everything: the `x` and `y` of its lower left corner, its width and its height.
    box: list[float]
    #: The word of the game.
    game: str
    #: The outlines of pieces by kind, as paths about the centres of their sites.
    kinds: dict[str, str]
    #: Labels to draw.
    labels: list[Label]
    #: Lines to draw, each as `[x1, y1, x2, y2]`.
    lines: list[list[float]]
    #: The scale, in centipawns, of the curve from scores to chances of winning.
    odds: int
    #: The options of the rules, with their values as strings.
    rules: dict[str, str]
    #: The outlines of sites by name, as paths about their centres.
    shapes: dict[str, str]
    #: The words of the players, in the order of their turns.
    sides: list[str]
    #: The sites, in drawing order.
    sites: list[Site]


class CentipawnScore(TypedDict):
    """A score."""

    #: The score in centipawns.
    cp: int


class Clicks(TypedDict):
    """The meaning of clicks, and the clicks that can follow."""

    #: The legal move that these clicks make; `null` if they make none.
    move: Union[str, None]
    #: The sites that can be clicked next, sorted.
    next: list[str]
    #: The reason without ids of requirements; `null` if there is none.
    reason: Union[str, None]
    #: The id of the requirement that forbids that move; `null` if there is none.
    rule: Union[str, None]
    #: The move string of the clicks, legal or not; `null` if they spell none.
    text: Union[str, None]
    #: The reason that forbids that move; `null` if there is none.
    why: Union[str, None]


class _ClockFields(TypedDict):
    #: The remaining time of each player, in the order of their turns, or one for all, in milliseconds.
    times: list[int]


class ClockFields(_ClockFields, total=False):
    """The clocks of the players."""

    #: The time that each move adds, in the same form. Without it moves add none.
    increments: Union[list[int], None]
    #: The time in milliseconds that a move loses between front end and engine. Without it the option `Move Overhead`
    #: decides.
    overhead: Union[int, None]


class CourseFields(TypedDict):
    """A game as the fields of a request."""

    #: How the players ended the game; `null` if they did not.
    end: Union[EndedBy, None]
    #: The moves with the comments and variations of the record.
    line: list[LineEntry]
    #: The moves from there.
    moves: list[str]
    #: The index of the player of each move.
    players: list[int]
    #: The FEN of the first position; `null` for the start position of the rules.
    start: Union[str, None]
    #: The tags of the record that people added, as pairs of a name and a value.
    tags: list[list[str]]


class Details(TypedDict):
    """The effects of a legal move."""

    #: The sites of the captured pieces, in order.
    captured: list[str]
    #: The sites that are clicked for it.
    clicks: list[str]
    #: The angle by which a wall turns, in degrees; `null` if none turns.
    degrees: Union[int, None]
    #: The direction in which a wall turns; `null` if none turns.
    direction: Literal["cw", "ccw", "either", None]
    #: The canonical notation of the move.
    move: str
    #: The pieces that move to another site.
    moved: list[PieceMove]
    #: The sites of a single moving piece, from its first to its last; empty if none or several move.
    path: list[str]
    #: The site about which a wall turns; `null` if none turns.
    pivot: Union[str, None]
    #: The pieces that come onto the board.
    placed: list[Piece]
    #: Whether a piece is promoted; `null` in a game without promotion.
    promoted: Union[bool, None]
    #: The pushed pieces; they are also in `moved`.
    pushed: list[PieceMove]
    #: The pieces that leave the board.
    removed: list[Piece]


class Drill(TypedDict):
    """A position to play to the end without losing its value."""

    #: The FEN of the position, under the default rules.
    fen: str
    #: The grade from 1, easy, to 5. It depends on the plies to the end of the game with perfect play. For a draw, these
    #: are the plies after the wrong move that loses most slowly.
    grade: int
    #: The value that the player must keep to the end of the game.
    value: Literal["win", "draw"]


class EndFields(TypedDict, total=False):
    """How the players ended the game: exactly one of the fields."""

    #: Whether the players agreed on a draw.
    agree: Union[bool, None]
    #: The side whose time ran out, or a player of it, in any case.
    flag: Union[str, None]
    #: The side that resigned, or a player of it, in any case.
    resign: Union[str, None]


class EndedBy(TypedDict, total=False):
    """How the players ended a game: one of the fields."""

    #: `true` if the players agreed on a draw.
    agree: bool
    #: The side whose time ran out.
    flag: str
    #: The side that resigned.
    resign: str


class ErrorFields(TypedDict):
    """The error of a request that the engine rejects."""

    #: The column, in characters from 1; `null` if there is none. If the line is not JSON, or if a field has an invalid
    #: name or type, the column counts in the line. Otherwise it counts in the string of the field; for a record or a
    #: list, it counts in the line or in the move.
    column: Union[int, None]
    #: The field of the request; `null` if the fault is not in a single one.
    field: Union[str, None]
    #: The kind of the fault.
    kind: ErrorKind
    #: The invalid line of a record, from 1; `null` if the fault is not in a single one.
    line: Union[int, None]
    #: The fault, for people, without its location.
    message: str
    #: The number of the invalid move, from 1, in a list or in the main line of a record; `null` if the fault is not in
    #: a single one.
    move: Union[int, None]
    #: The same message without ids of rules.
    reason: str
    #: The id of the rule that forbids a move or excludes a position; `null` if there is none.
    rule: Union[str, None]


class GameFields(TypedDict):
    """A game."""

    #: The name.
    name: str
    #: The words of the sides.
    sides: list[str]
    #: A summary for people.
    summary: str
    #: The word that selects the game.
    word: str


class Hand(TypedDict):
    """Pieces of one kind that a player can still bring onto the board."""

    #: The number of pieces, perhaps 0.
    count: int
    #: The kind.
    kind: Literal["knight", "wall", "checker", "castle", "soldier", "pawn", "king"]
    #: The index of the player.
    side: int


class Label(TypedDict):
    """A label on the board."""

    #: The text.
    text: str
    #: The `x` of its centre.
    x: float
    #: The `y` of its centre.
    y: float


class Legality(TypedDict):
    """Whether a move is legal, and if not, the rule that forbids it."""

    #: Whether it is legal.
    legal: bool
    #: The canonical notation of a legal move; `null` if it is not legal.
    move: Union[str, None]
    #: The same reason without ids of requirements; `null` if the move is legal or its notation is invalid.
    reason: Union[str, None]
    #: The id of the requirement that forbids the move; `null` if the move is legal or its notation is invalid.
    rule: Union[str, None]
    #: The reason why the move is illegal, or the fault of its notation; `null` if the move is legal.
    why: Union[str, None]


class Lesson(TypedDict):
    """A guided first game."""

    #: The options of the rules for the tasks, with their values.
    options: dict[str, str]
    #: The tasks in order. The last one wins the game.
    tasks: list[LessonTask]


class LessonTask(TypedDict):
    """A task of a guided first game."""

    #: The lesson of the task, for people.
    done: str
    #: The FEN of the position.
    fen: str
    #: A hint for people.
    hint: str
    #: The moves that solve the task, in canonical notation.
    moves: list[str]
    #: The task, in one or two sentences for people.
    text: str


class _Line(TypedDict):
    #: The chance of winning of the side to move, where a draw counts half; `null` without a score.
    chance: Union[float, None]
    #: The score in centipawns; `null` for a proven win or loss, or without a score.
    cp: Union[int, None]
    #: The depth in plies at which the move has this score.
    depth: int
    #: The number of moves of the side to move to the end of the game, negative if it loses; `null` unless a win or a
    #: loss is proven.
    mate: Union[int, None]
    #: The move.
    move: str
    #: Whether the score is exact: a proven win or loss, or a draw.
    proven: bool
    #: The principal variation, which begins with the move.
    pv: list[str]


class Line(_Line, total=False):
    """A move with its score for the side to move."""

    #: The rank of a win in tablebases without distances, which decreases along the win. Missing if the search has seen
    #: the end of the game.
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
    #: The themes.
    themes: list[Theme]


class Mark(TypedDict):
    """A mark of a site."""

    #: The kind.
    kind: Literal["blocked", "huff", "spent"]
    #: The site.
    site: str


class MateScore(TypedDict):
    """A proven win or loss."""

    #: The moves of the side that moved to the end of the game, negative if it loses.
    mate: int


class MoveEvaluation(TypedDict):
    """The score and the depth of a search."""

    #: The score in centipawns, for the side that moved.
    cp: int
    #: The depth in plies.
    depth: int


class MoveNotes(TypedDict, total=False):
    """Notes on a move."""

    #: The remaining time of the player in milliseconds after the move; missing if it is unknown.
    clock: int
    #: The comment; missing if there is none.
    comment: str
    #: The score and the depth of the search that chose the move; missing if they are unknown.
    evaluation: MoveEvaluation
    #: The numeric annotation glyphs; missing if there are none.
    glyphs: list[int]
    #: The signs `+ # ≠ = ≡ ! ?` that a person wrote after the move, other than its mark, unchecked; missing if
    #: there are none. Only the notation of Alcaxar has them.
    signs: str


class OptionEntry(TypedDict):
    """An option of the engine or of a game."""

    #: The default value.
    default: OptionDefault
    #: The words of the games that the option belongs to.
    games: list[str]
    #: The greatest number of a `spin`; `null` for other types.
    max: Union[int, None]
    #: The least number of a `spin`; `null` for other types.
    min: Union[int, None]
    #: The name.
    name: str
    #: The type, as in UCI.
    type: Literal["check", "spin", "combo", "string", "button"]
    #: The values of a `combo`; `null` for other types.
    values: Union[list[str], None]
    #: The name of another option, with the value that it must have for this option to have an effect; empty if there is
    #: none.
    when: dict[str, str]


class Piece(TypedDict):
    """A piece on the board."""

    #: The kind.
    kind: Literal["knight", "wall", "checker", "castle", "soldier", "pawn", "king"]
    #: The index of its player; `null` if it belongs to nobody.
    side: Union[int, None]
    #: Its site.
    site: str


#: The displacement of a piece.
PieceMove = TypedDict(
    "PieceMove",
    {
        "from": "str",
        "to": "str",
    },
)


class PlayedMove(TypedDict):
    """The move of a player."""

    #: The search by which the player chose the move.
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
    #: The word of the side that solves the problem.
    side: str
    #: The moves of both sides.
    solution: list[str]
    #: A tempting wrong move; `null` if there is none.
    temptation: Union[Temptation, None]
    #: The themes.
    themes: list[Theme]


class Problem(_Problem, total=False):
    """A problem with its solution."""

    #: The number in the list of problems, from 1; missing unless the problem is built in.
    number: int


class ProblemCheck(TypedDict):
    """Whether a position is a problem."""

    #: The problem; `null` if the position is none.
    problem: Union[Problem, None]
    #: The reason why it is none, as half a sentence; `null` if it is one.
    why: Union[str, None]


class ProofResult(TypedDict):
    """The side that can force a win."""

    #: The number of positions that the search visited.
    nodes: int
    #: The number of plies of the longest line of the win; `null` without one.
    plies: Union[int, None]
    #: The number of positions that the check of the proofs visited.
    positions: int
    #: The proofs: that the side can force a win, or that neither side can.
    proofs: list[str]
    #: The number of replies in the proofs.
    replies: int
    #: Whether it was determined.
    settled: bool
    #: The time in milliseconds.
    time: int
    #: The reason why it was not determined, as half a sentence; `null` if it was.
    why: Union[str, None]
    #: The word of the side; `null` if neither side can force a win, or if it was not determined.
    winner: Union[str, None]


class RequestFields(TypedDict, total=False):
    """A request, a stop, or a line for the console. A field that is `null` counts as missing, except `stop`."""

    #: One or several questions; `analysis` without this field. The response has a field for each.
    ask: Union[Union[Question, list[Question]], None]
    #: The clicked sites, for the questions `clicks` and `successor`.
    clicks: Union[Union[str, list[str]], None]
    #: The clocks of the players.
    clock: Union[ClockFields, None]
    #: The maximum depth in plies. A limit in the request replaces all limits of the command line. A limit of 0 counts
    #: as in `go`.
    depth: Union[int, None]
    #: How the players ended the game after the moves.
    end: Union[EndFields, None]
    #: The time in milliseconds between two reports of a search. Without it there are no reports.
    every: Union[int, None]
    #: The FEN of the first position. Without it the game begins at its start position.
    fen: Union[str, None]
    #: Whether the second side is at the bottom of the image, for the question `diagram`.
    flip: Union[bool, None]
    #: The word of the game, in any case. Without it the command line decides.
    game: Union[str, None]
    #: The name of the request: any value. Each response repeats it.
    id: Any
    #: The level of the player, in any case, for the question `play`. Without it the command line decides.
    level: Union[str, None]
    #: The memory in MiB for the question `prove`. Without it the limit is 256, or less if the machine has less.
    memory: Union[int, None]
    #: A move, for the questions `details`, `legal` and `successor`. The first two need it.
    move: Union[str, None]
    #: The moves from the first position to the position of the questions.
    moves: Union[Union[str, list[str]], None]
    #: The maximum time in milliseconds.
    movetime: Union[int, None]
    #: The number of moves that an analysis reports. Without it the command line decides.
    multipv: Union[int, None]
    #: The maximum number of nodes. The question `prove` needs it.
    nodes: Union[int, None]
    #: The rules of the game: option names, in any case, with their values. The command line decides about the others.
    options: Union[dict[str, Union[str, int, bool]], None]
    #: The priority, 0 without this field. The engine answers requests with a higher priority first, and those with the
    #: same priority in the order of arrival.
    priority: Union[float, None]
    #: The number of a built-in problem of the game. The game begins at its position, with its rules; it replaces
    #: `options` and `fen`. The question `problem` needs it.
    problem: Union[int, None]
    #: A game record, SGF or a list of moves, in place of `fen`, `moves` and `problem`. `game` and `options` apply if
    #: the text names no game.
    record: Union[str, None]
    #: The moves from which `analysis` and `play` choose. Without it they choose from all.
    searchmoves: Union[Union[str, list[str]], None]
    #: The `id` of the requests to stop, or `null` for all. A request with this field may have no other field but `id`.
    stop: Any
    #: The maximum number of pieces of the positions that the engine solves before it answers `prove`. Without it the
    #: game decides.
    tables: Union[int, None]
    #: The topic of the rules, in any case, for the question `rules`. Without it the first topic is shown.
    topic: Union[str, None]
    #: A line for the UGI session of a socket. A request with this field may have no other field but `id`.
    ugi: Union[str, None]


class _Response(TypedDict):
    #: The number of the format.
    format: Literal[3]
    #: The `id` of the request; `null` if it has none or if the line is not JSON.
    id: Any


class Response(_Response, total=False):
    """A response, a report before it, or a line of the console."""

    #: The best moves.
    analysis: Analysis
    #: The board and the rules.
    board: Board
    #: The meaning of the clicks.
    clicks: Clicks
    #: The game as the fields of a request.
    course: CourseFields
    #: The effects of the move.
    details: Details
    #: The position as an image in SVG.
    diagram: str
    #: Whether the side to move accepts a draw.
    drawoffer: DrawResponse
    #: The built-in drills of the game, easiest first.
    drills: list[Drill]
    #: The error of a request that the engine rejects. Such a response has no results.
    error: ErrorFields
    #: The FEN of the position.
    fen: str
    #: The word of the game.
    game: str
    #: The games.
    games: list[GameFields]
    #: The position as a problem.
    isproblem: ProblemCheck
    #: Whether the move is legal.
    legal: Legality
    #: A guided first game.
    lesson: Lesson
    #: The legal moves, sorted.
    moves: list[str]
    #: The options of the engine and of all games.
    options: list[OptionEntry]
    #: `true` in a report before the response. Such a report has the results of a search so far.
    partial: Literal[True]
    #: The move of a player of the level.
    play: PlayedMove
    #: The built-in problem of the request, with its solution.
    problem: Problem
    #: The built-in problems of the game, easiest first.
    problems: list[ListedProblem]
    #: The side that can force a win.
    prove: ProofResult
    #: The game as a record.
    record: str
    #: An evaluation of each move of the game.
    review: Review
    #: A topic of the rules for people.
    rules: RulesPage
    #: The pieces and marks in the position.
    scene: Scene
    #: The state of the game.
    status: Status
    #: The number of requests that a stop has stopped.
    stopped: int
    #: The position after the move; `null` if the move is not legal.
    successor: Union[Successor, None]
    #: A line of output of the UGI session of a socket.
    ugi: str
    #: The version of the program.
    version: Version
    #: Warnings about the record of the request: parts of it that were not read; missing if there are none.
    warnings: list[str]


class Review(TypedDict):
    """A reviewed game, or its first moves in a report."""

    #: The loss of chance below which a move is about as good as the best one.
    as_good: float
    #: The moves, first to last.
    moves: list[ReviewedMove]
    #: The outcome of the game in the words of the protocol.
    outcome: str
    #: The accuracy of each side.
    sides: list[Tally]
    #: The ply of the mistake with the greatest loss, the last one of several; `null` if there is none. Mistakes of the
    #: winner do not count.
    turning_point: Union[int, None]


class ReviewedMove(TypedDict):
    """A move of a game, with its evaluation for the side that moved."""

    #: Its value after the move.
    after: ReviewedWorth
    #: The value of the position before the move.
    before: ReviewedWorth
    #: The best move; empty if none is known.
    best: str
    #: The chances of winning before and after the move, where a draw counts half; `null` without a score.
    chances: list[Union[float, None]]
    #: The loss of this chance by the move; 0 if one of the two is `null`.
    lost: float
    #: `??` for a blunder, `?` for a mistake, else an empty string.
    mark: Literal["", "?", "??"]
    #: The move.
    move: str
    #: The number of the full move.
    number: int
    #: The number of the move in the game, from 1.
    ply: int
    #: The word of the side that moved.
    side: str


class RulesPage(TypedDict):
    """A topic of a game's rules."""

    #: Its paragraphs and diagrams.
    blocks: list[RulesBlock]
    #: Its title.
    title: str
    #: Their titles, in the same order.
    titles: list[str]
    #: The name of this topic.
    topic: str
    #: The names of all topics, in reading order.
    topics: list[str]


class RulesParagraph(TypedDict):
    """A paragraph of the rules."""

    #: The same as single sentences.
    sentences: list[RulesSentence]
    #: The paragraph as `pentarch rules` prints it, with the ids of rules in brackets.
    text: str


class _RulesPicture(TypedDict):
    #: The caption.
    caption: str
    #: The FEN of the position.
    fen: str
    #: Legal moves to show; often empty.
    moves: list[str]


class RulesPicture(_RulesPicture, total=False):
    """A position with moves to show one after the other."""

    #: Moves that are illegal in the position; missing if there are none.
    illegal: list[str]
    #: The options of the rules that differ from their defaults; missing if there are none.
    options: dict[str, str]
    #: Opposite corners of the relevant part of the board; missing if the whole board is relevant.
    show: list[str]


class RulesSentence(TypedDict):
    """A sentence of the rules."""

    #: The id of the rule, as errors name it; `null` if the sentence is not a rule.
    rule: Union[str, None]
    #: The sentence.
    text: str


class Scene(TypedDict):
    """The pieces and marks of a position."""

    #: Marks of lines from one site to another.
    arrows: list[Arrow]
    #: The number of pieces that each player has lost, of those with which it starts a game.
    captured: list[int]
    #: The FEN of the position.
    fen: str
    #: The pieces that each player can still bring onto the board.
    hands: list[Hand]
    #: The last move; `null` if none was made.
    last: Union[str, None]
    #: The sites of the last move.
    lastsites: list[str]
    #: Marks of sites.
    marks: list[Mark]
    #: The outcome in the words of the protocol: `ongoing`, `win red fortress`, `draw repetition`.
    outcome: str
    #: The pieces on the board.
    pieces: list[Piece]
    #: The player to move, or the end of the game, for people.
    sentence: str
    #: The word of the player to move; `null` if the game is over.
    turn: Union[str, None]


#: A site.
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


class Status(TypedDict):
    """The state of a game, in words."""

    #: The ways in which the players may end the game now.
    may: AllowedEndings
    #: The outcome in the words of the protocol: `ongoing`, `win red fortress`, `draw repetition`.
    outcome: str
    #: The index of the player whose turn it is in the position, even if the game is over.
    player: int
    #: The words of the players, in the order of their turns.
    players: list[str]
    #: The player to move, or the end of the game, for people: `Green has won: red's knight has no step`.
    sentence: str
    #: The words of the players of each team; empty if each player plays alone.
    teams: list[list[str]]
    #: The word of the player to move; `null` if the game is over.
    turn: Union[str, None]
    #: The reason why the game is over, for people; `null` if it is not over.
    why: Union[str, None]
    #: The word of the winner; `null` in a draw and if the game is not over.
    winner: Union[str, None]


class Successor(TypedDict):
    """The effects of a move, and the position after it."""

    #: The first clicks of the moves after it.
    clicks: Clicks
    #: The effects of the move.
    details: Details
    #: The position after it.
    scene: Scene
    #: The state of the game after it.
    status: Status


class Tally(TypedDict):
    """The accuracy of a side's moves."""

    #: One minus the average loss of the chance of winning per move; `null` without moves.
    accuracy: Union[float, None]
    #: The number of blunders.
    blunders: int
    #: The number of mistakes, without blunders.
    mistakes: int
    #: The number of moves.
    moves: int
    #: The word of the side.
    side: str


class Temptation(TypedDict):
    """A tempting wrong move and its refutation."""

    #: The wrong move.
    move: str
    #: The reply that refutes it.
    reply: str


class Version(TypedDict):
    """The program that responds."""

    #: The number of the newest format.
    format: Literal[3]
    #: The name of the program and its version.
    program: str


#: The response to a draw offer.
DrawResponse = Literal["accept", "decline"]

#: The kind of an error, for programs that translate messages or compare them.
ErrorKind = Literal["syntax", "field", "value", "position", "illegal", "state", "limit", "unavailable", "file"]

#: An entry of a line of moves.
LineEntry = Union[str, MoveNotes, list["LineEntry"]]

#: The default value of an option.
OptionDefault = Union[bool, int, str, None]

#: A question. `protocol.md` describes the responses.
Question = Literal["board", "scene", "clicks", "details", "successor", "rules", "lesson", "problem", "problems",
    "isproblem", "prove", "drills", "status", "moves", "legal", "analysis", "play", "drawoffer", "review", "record",
    "course", "diagram", "games", "options", "version"]

#: The value of a position.
ReviewedWorth = Union[CentipawnScore, MateScore, str, None]

#: A paragraph or a diagram.
RulesBlock = Union[RulesParagraph, RulesPicture]

#: A theme: a property of the key, the first move of the solution.
Theme = Literal["capture", "placement", "quiet", "sacrifice", "surprise", "draw"]
