// Requests to pentarch and its responses. Generated from the program; do not edit.

/** The ways in which players may end a game. There are none if the game is over. */
export interface AllowedEndings {
    /** Whether the players may agree on a draw. */
    agree: boolean;
    /** The sides whose time may run out. */
    flag: Array<string>;
    /** The sides that may resign. */
    resign: Array<string>;
}

/** The result of a search. */
export interface Analysis {
    /** The best moves, best first. The list is empty if the game is over. */
    lines: Array<Line>;
    /** The number of searched nodes. */
    nodes: number;
    /** The time of the search in milliseconds. */
    time: number;
    /** Faults that did not prevent the search, as messages for people, such as `a table file is damaged`. */
    warnings: Array<string>;
}

/** An arrow, which is a mark that connects two sites. */
export interface Arrow {
    /** The site where the arrow begins. */
    from: string;
    /** The kind of the arrow. */
    kind: "forbidden";
    /** The site where the arrow ends. */
    to: string;
}

/** An opening from which either side can win. */
export interface BalancedOpening {
    /** The FEN of the position after the moves. */
    fen: string;
    /** The moves from the start position. */
    moves: Array<string>;
}

/** The rules, and the parts of a board that are the same in every position. Lengths are in units of one square, and
 * `y` increases upwards. */
export interface Board {
    /** A text for people that explains the aim of each side under these rules. */
    aim: string;
    /** The rectangle around everything that is drawn: the `x` and `y` of its lower left corner, its width and its
     * height. */
    box: [number, number, number, number];
    /** The emblems on pieces, as paths by the kind of piece. A kind without an emblem is missing. */
    emblems: Record<string, string>;
    /** The word that names the game. */
    game: string;
    /** The outlines of pieces, by the kind of piece. Each outline is a path. Its origin is the centre of the piece's
     * site. */
    kinds: Record<string, string>;
    /** Labels to draw. */
    labels: Array<Label>;
    /** Lines to draw, each as `[x1, y1, x2, y2]`. */
    lines: Array<[number, number, number, number]>;
    /** The scale of the curve that converts scores to winning chances, in centipawns. */
    odds: number;
    /** The options of the rules, with their values as strings. */
    rules: Record<string, string>;
    /** The outlines of sites, by the name of the shape. Each outline is a path. Its origin is the centre of the
     * site. */
    shapes: Record<string, string>;
    /** The words that name the players, in the order of their turns. */
    sides: Array<string>;
    /** The sites, in drawing order. */
    sites: Array<Site>;
}

/** A score. */
export interface CentipawnScore {
    /** The score in centipawns. */
    cp: number;
}

/** The meaning of the clicks so far, and the clicks that can follow. */
export interface Clicks {
    /** The legal move that the clicks form; `null` if they form no legal move. */
    move: string | null;
    /** The sites that can be clicked next, sorted. */
    next: Array<string>;
    /** The text of `why` without the ids of requirements; `null` if nothing forbids the move. */
    reason: string | null;
    /** The id of the requirement that forbids the move; `null` if there is none. */
    rule: string | null;
    /** The string of the move that the clicks form, even if it is illegal; `null` if they form no move. */
    text: string | null;
    /** The reason why the move is illegal; `null` if the clicks form no illegal move. */
    why: string | null;
}

/** The clocks of the players. */
export interface ClockFields {
    /** The time that each move adds, in the same form as `times`. The default is no time. */
    increments?: Array<number> | null;
    /** The time in milliseconds that each move loses between the front end and the engine. The default is the value
     * of the option `Move Overhead`. */
    overhead?: number | null;
    /** The remaining time of each player in milliseconds, in the order of their turns. A single number applies to
     * all players. */
    times: Array<number>;
}

/** A number with which players assess a position. */
export interface Count {
    /** The number after the move in the request; `null` if the request has no move. */
    after: CountAfter | null;
    /** The name of the number, for people, such as `steps to the goal`. */
    label: string;
    /** Whether the sites are a path. */
    path: boolean;
    /** The index of the player whose number this is; `null` stands for the player to move. */
    side: number | null;
    /** The counted sites. If `path` is `true`, these are the sites of a path in order, and the first site is not
     * counted. The list is empty if the number is not a count of sites. */
    sites: Array<string>;
    /** The number; `null` for the steps of a piece that has no path. */
    value: number | null;
}

/** A number with which players assess a position, after a move. */
export interface CountAfter {
    /** The change of the number by the move; `null` if there is no number before or after the move, or if the number
     * is that of the player to move. */
    added: number | null;
    /** The counted sites after the move. */
    sites: Array<string>;
    /** The number after the move; `null` for the steps of a piece that has no path. */
    value: number | null;
}

/** A game, described by the fields of a request about it. */
export interface CourseFields {
    /** How the players ended the game; `null` if they did not end it. */
    end: EndedBy | null;
    /** The moves with the comments and variations of the record. */
    line: Array<LineEntry>;
    /** The moves, beginning at the first position. */
    moves: Array<string>;
    /** For each move, the index of the player who made it. */
    players: Array<number>;
    /** The FEN of the first position; `null` for the start position of the rules. */
    start: string | null;
    /** The tags that people added to the record, as pairs of a name and a value. */
    tags: Array<[string, string]>;
}

/** The effects of a legal move. */
export interface Details {
    /** The sites of the captured pieces, in order. */
    captured: Array<string>;
    /** The sites that must be clicked to make the move. */
    clicks: Array<string>;
    /** The angle by which a wall turns, in degrees; `null` if no wall turns. */
    degrees: number | null;
    /** The direction in which a wall turns; `null` if no wall turns. */
    direction: "cw" | "ccw" | "either" | null;
    /** The canonical notation of the move. */
    move: string;
    /** The pieces that move to another site. */
    moved: Array<PieceMove>;
    /** The sites that the moving piece visits, from the first to the last. The list is empty if no piece or several
     * pieces move. */
    path: Array<string>;
    /** The site about which a wall turns; `null` if no wall turns. */
    pivot: string | null;
    /** The pieces that come onto the board. */
    placed: Array<Piece>;
    /** Whether a piece is promoted; `null` in a game without promotion. */
    promoted: boolean | null;
    /** The pushed pieces. These pieces are also in `moved`. */
    pushed: Array<PieceMove>;
    /** The pieces that leave the board. */
    removed: Array<Piece>;
}

/** The response to a draw offer. */
export type DrawResponse = "accept" | "decline";

/** A drill: a won or drawn position. The player must keep the win or the draw to the end of the game. */
export interface Drill {
    /** The FEN of the position, under the default rules. */
    fen: string;
    /** The grade from 1, easy, to 5. For a win, the grade depends on the number of plies to the end of the game with
     * perfect play. For a draw, the grade depends on the number of plies to the end of the game after the wrong
     * move that loses most slowly. */
    grade: number;
    /** The value that the player must keep to the end of the game: a win or a draw. */
    value: "win" | "draw";
}

/** How the players ended the game. The object has exactly one of the fields. */
export interface EndFields {
    /** Whether the players agreed on a draw. */
    agree?: boolean | null;
    /** The side whose time ran out, or a player of this side. The case of the word does not matter. */
    flag?: string | null;
    /** The side that resigned, or a player of this side. The case of the word does not matter. */
    resign?: string | null;
}

/** How the players ended a game. The object has exactly one of the fields. */
export interface EndedBy {
    /** `true` if the players agreed on a draw. */
    agree?: boolean;
    /** The side whose time ran out. */
    flag?: string;
    /** The side that resigned. */
    resign?: string;
}

/** The error for a request that the engine rejects. */
export interface ErrorFields {
    /** The column, in characters from 1; `null` if there is none. If the request is not JSON, or if a field has an
     * invalid name or type, this is a column of the request's line. Otherwise it is a column of the field's string.
     * For a record, it is a column of the invalid line of the record, and for a list of moves, a column of the
     * invalid move. */
    column: number | null;
    /** The field of the request; `null` if the fault is not in a single field. */
    field: string | null;
    /** The kind of the fault. */
    kind: ErrorKind;
    /** The invalid line of a record, from 1; `null` if the fault is not in a single line. */
    line: number | null;
    /** The message about the fault, for people, without the location. */
    message: string;
    /** The number of the invalid move in a list or in the main line of a record, from 1; `null` if the fault is not
     * in a single move. */
    move: number | null;
    /** The text of `message` without the ids of rules. */
    reason: string;
    /** The id of the rule that forbids a move or excludes a position; `null` if no rule does. */
    rule: string | null;
}

/** The kind of an error. Programs that translate or compare messages use this kind. */
export type ErrorKind = "syntax" | "field" | "value" | "position" | "illegal" | "state" | "limit" | "unavailable" |
    "file";

/** A game of the engine. */
export interface GameFields {
    /** The score of the first side in per cent, in games between players of the level `average` from the start
     * position; `null` if nobody has measured it. */
    firstscore: number | null;
    /** The name of the game, for people. */
    name: string;
    /** Whether a first move can lose at once, because the opponent then has a winning move. */
    sharp: boolean;
    /** The words that name the sides. */
    sides: [string, string];
    /** A summary of the game for people. */
    summary: string;
    /** The word that selects the game. */
    word: string;
}

/** A start for players of different strength: one side has fewer walls or pieces than the other. */
export interface HandicapFields {
    /** The name of the walls or pieces for people, in the plural. */
    kind: string;
    /** The number of walls or pieces of the side with the handicap. */
    less: number;
    /** The number of walls or pieces of the other side. */
    more: number;
    /** For each side in the order of the turns, the start in which this side has fewer walls or pieces. */
    starts: [HandicapStartFields, HandicapStartFields];
}

/** The start of a game with a handicap. */
export interface HandicapStartFields {
    /** The FEN of the first position; `null` for the start position of the rules. */
    fen: string | null;
    /** The rule options to change, as names with their values. */
    options: Record<string, string>;
}

/** The facts about a position that are certain. */
export interface Known {
    /** A sentence that says how values from this source were checked; `null` if the value is unknown. */
    checked: string | null;
    /** Whether all sources were consulted; `false` if the tables are not complete. This happens if the wait for the
     * tables was ended, or if the tables could not be computed or loaded. With complete tables, more facts may be
     * known. */
    complete: boolean;
    /** The legal moves with known values. */
    moves: Record<string, KnownMove>;
    /** The maximum number of plies to the end of the game; `null` for a draw, and if no bound is known. */
    plies: number | null;
    /** The source of the value; `null` if the value is unknown. */
    source: "rules" | "table" | "book" | "proof" | "search" | null;
    /** The value of the position: `win SIDE` or `draw`; `null` if it is unknown. */
    value: string | null;
}

/** The known value of a move. */
export interface KnownMove {
    /** A sentence that says how values from this source were checked. */
    checked: string;
    /** The maximum number of plies to the end of the game, including the move itself; `null` for a draw, and if no
     * bound is known. */
    plies: number | null;
    /** The source of the value. */
    source: "rules" | "table" | "book" | "proof" | "search";
    /** The value of the position after the move: `win SIDE` or `draw`. */
    value: string;
}

/** A label on the board. */
export interface Label {
    /** The text of the label. */
    text: string;
    /** The `x` of the label's centre. */
    x: number;
    /** The `y` of the label's centre. */
    y: number;
}

/** Whether a move is legal, and if not, the rule that forbids it. */
export interface Legality {
    /** Whether the move is legal. */
    legal: boolean;
    /** The canonical notation of the move; `null` if the move is not legal. */
    move: string | null;
    /** The text of `why` without the ids of requirements; `null` if the move is legal or its notation is invalid. */
    reason: string | null;
    /** The id of the requirement that forbids the move; `null` if the move is legal or its notation is invalid. */
    rule: string | null;
    /** The reason why the move is illegal, or the fault of its notation; `null` if the move is legal. */
    why: string | null;
}

/** A guided first game. */
export interface Lesson {
    /** The rules of the tasks, as names of options with their values. */
    options: Record<string, string>;
    /** The tasks in order. The last task wins the game. */
    tasks: Array<LessonTask>;
}

/** A task of a guided first game. */
export interface LessonTask {
    /** The message that people see after they have solved the task. The message explains the lesson of the task. */
    done: string;
    /** The FEN of the position. */
    fen: string;
    /** A hint for people on how to solve the task. */
    hint: string;
    /** The moves that solve the task, in canonical notation. */
    moves: Array<string>;
    /** The task, in one or two sentences for people. */
    text: string;
}

/** A move with its score for the side to move. */
export interface Line {
    /** The chance of winning of the side to move, from 0 to 1. A draw counts half. `null` if the move has no score. */
    chance: number | null;
    /** The score in centipawns; `null` for a proven win or loss, or without a score. */
    cp: number | null;
    /** The depth in plies at which the move has this score. */
    depth: number;
    /** The search's own score of the move, in centipawns. Present only if the other fields contain the known value
     * of the position, and it is not known whether the move reaches this value. */
    estimate?: number;
    /** The distance to the end of the game, in moves of the side to move. The distance is negative if that side
     * loses. `null` if neither a win nor a loss is proven. */
    mate: number | null;
    /** The move as a string. */
    move: string;
    /** Whether the score is exact: a proven win or loss, or a draw. */
    proven: boolean;
    /** The principal variation, which begins with the move. */
    pv: Array<string>;
    /** The rank of the position in tablebases without distances, if these tablebases determine the score. The rank
     * never increases on the way to the win. Missing if the search has seen the end of the game. */
    rank?: number;
}

/** An entry of a line of moves. */
export type LineEntry = string | MoveNotes | Array<LineEntry>;

/** A problem in the list of problems. */
export interface ListedProblem {
    /** The FEN of the position. */
    fen: string;
    /** The grade from 1, easy, to 5. */
    grade: number;
    /** The number of moves of the solver. */
    length: number;
    /** The options of the rules that differ from their defaults. */
    options: Record<string, string>;
    /** The themes of the key. */
    themes: Array<Theme>;
}

/** A mark of a site. */
export interface Mark {
    /** The kind of the mark. */
    kind: "blocked" | "huff" | "spent";
    /** The marked site. */
    site: string;
}

/** A proven win or loss. */
export interface MateScore {
    /** The distance to the end of the game, in moves of the side that moved. It is negative if that side loses. */
    mate: number;
}

/** The score and the depth of a search. */
export interface MoveEvaluation {
    /** The score in centipawns, for the side that moved. */
    cp: number;
    /** The depth of the search, in plies. */
    depth: number;
}

/** Notes on a move. */
export interface MoveNotes {
    /** The remaining time of the player in milliseconds after the move; missing if it is unknown. */
    clock?: number;
    /** The comment; missing if there is none. */
    comment?: string;
    /** The score and the depth of the search that chose the move; missing if they are unknown. */
    evaluation?: MoveEvaluation;
    /** The numeric annotation glyphs (NAGs) of the move; missing if there are none. */
    glyphs?: Array<number>;
    /** The signs `+ # ≠ = ≡ ! ?` that a person wrote after the move, except the sign that is stored as the mark
     * of the move; missing if there are none. The signs are not verified. Only the notation of Alcaxar has such
     * signs. */
    signs?: string;
}

/** The numbers of both sides in a race, before and after a move. */
export interface MoveRace {
    /** The number of each side after the move. */
    after: [number, number];
    /** The number of each side before the move. */
    before: [number, number];
    /** The name of the numbers, for people, such as `steps to the goal`. */
    label: string;
    /** The loss of a mistake in comparison with the best move, for people, such as `three steps behind instead of
     * one`; `null` if the move is not a mistake or lost no step. */
    lost: string | null;
    /** The numbers for people, such as `15-11, after the wall 15-14`. */
    text: string;
}

/** The default value of an option. */
export type OptionDefault = boolean | number | string | null;

/** An option of the engine or of a game. */
export interface OptionEntry {
    /** The default value of the option. */
    default: OptionDefault;
    /** The words that name the games with this option. */
    games: Array<string>;
    /** The meaning of the option and of its values, in one line for people. */
    help: string;
    /** The greatest number of a `spin`; `null` for other types. */
    max: number | null;
    /** The least number of a `spin`; `null` for other types. */
    min: number | null;
    /** The name of the option. */
    name: string;
    /** The type, as in UCI. */
    type: "check" | "spin" | "combo" | "string" | "button";
    /** The values of a `combo`; `null` for other types. */
    values: Array<string> | null;
    /** The name and a value of another option. This option has an effect only while the other option has that value.
     * The object is empty if there is no condition. */
    when: Record<string, string>;
}

/** A piece on the board. */
export interface Piece {
    /** The kind of the piece. */
    kind: "knight" | "wall" | "checker" | "castle" | "soldier" | "pawn" | "king" | "piece";
    /** The index of the player who owns the piece, or who placed it in this game; `null` if there is no such player. */
    side: number | null;
    /** The site of the piece. */
    site: string;
}

/** A number of pieces of one kind that are not on the board. */
export interface PieceCount {
    /** The number of these pieces. */
    count: number;
    /** The kind of the pieces. */
    kind: "knight" | "wall" | "checker" | "castle" | "soldier" | "pawn" | "king" | "piece";
    /** The index of the player. */
    side: number;
}

/** A piece that moves from one site to another. */
export interface PieceMove {
    /** The site that the piece leaves. */
    from: string;
    /** The site that the piece reaches. */
    to: string;
}

/** The move of a player. */
export interface PlayedMove {
    /** The result of the search with which the player chose the move. */
    analysis: Analysis;
    /** The move; `null` if the game is over. */
    move: string | null;
}

/** A problem with its solution. */
export interface Problem {
    /** The FEN of the position. */
    fen: string;
    /** The grade from 1, easy, to 5. */
    grade: number;
    /** The number of moves of the solver. */
    length: number;
    /** The number in the list of problems, from 1; missing if the problem is not built in. */
    number?: number;
    /** The options of the rules that differ from their defaults. */
    options: Record<string, string>;
    /** The word that names the side to solve the problem. */
    side: string;
    /** The moves of both sides. */
    solution: Array<string>;
    /** A tempting wrong move; `null` if there is none. */
    temptation: Temptation | null;
    /** The themes of the key. */
    themes: Array<Theme>;
}

/** Whether a position is a problem. */
export interface ProblemCheck {
    /** The problem; `null` if the position is not a problem. */
    problem: Problem | null;
    /** The reason why the position is not a problem, as a clause; `null` if it is a problem. */
    why: string | null;
}

/** The answer to the question of which side can force a win. */
export interface ProofResult {
    /** The number of positions that the search visited. */
    nodes: number;
    /** The length in plies of the longest winning line; `null` if there is no win. */
    plies: number | null;
    /** The number of positions that the verification of the proofs visited. */
    positions: number;
    /** The proofs. These proofs show that the winner can force a win, or that neither side can. */
    proofs: Array<string>;
    /** The number of replies in the proofs. */
    replies: number;
    /** Whether the question was answered. */
    settled: boolean;
    /** The time of the proof in milliseconds. */
    time: number;
    /** The reason why the question was not answered, as a clause; `null` if it was answered. */
    why: string | null;
    /** The word that names the side that can force a win; `null` if neither side can, or if the question was not
     * answered. */
    winner: string | null;
}

/** A question. `protocol.md` describes the responses. */
export type Question = "board" | "scene" | "clicks" | "details" | "counts" | "successor" | "rules" | "lesson" |
    "problem" | "problems" | "isproblem" | "prove" | "drills" | "starts" | "status" | "moves" | "legal" | "known" |
    "analysis" | "play" | "drawoffer" | "swap" | "review" | "record" | "course" | "diagram" | "games" | "options" |
    "version";

/** A request, a stop, or a line for the console. Except for `stop`, a field with the value `null` counts as missing. */
export interface RequestFields {
    /** One or more questions. The default is `analysis`. The response has a field for each question. */
    ask?: Question | Array<Question> | null;
    /** The clicked sites, for the questions `clicks` and `successor`. */
    clicks?: string | Array<string> | null;
    /** The clocks of the players. */
    clock?: ClockFields | null;
    /** The maximum depth in plies. Any limit in the request replaces all limits of the command line. A limit of 0
     * has the same meaning as in `go`. */
    depth?: number | null;
    /** How the players ended the game after the moves. */
    end?: EndFields | null;
    /** The time in milliseconds between two reports of a search. Without this field, there are no reports. */
    every?: number | null;
    /** The FEN of the first position. Without this field, the game begins at its start position. */
    fen?: string | null;
    /** Whether the second side is at the bottom of the image, for the question `diagram`. */
    flip?: boolean | null;
    /** The word that names the game. Its case does not matter. Without this field, the game of the command line
     * applies. */
    game?: string | null;
    /** The id of the request, which can be any JSON value. Each response repeats the id. */
    id?: unknown;
    /** The level of the player, for the questions `play` and `swap`. Its case does not matter. The default is set on
     * the command line. */
    level?: string | null;
    /** The memory in MiB for the question `prove`. The default is 256 MiB, or less if the machine has less. */
    memory?: number | null;
    /** A move, for the questions `details`, `legal`, `counts` and `successor`. The questions `details` and `legal`
     * need this field. */
    move?: string | null;
    /** The moves from the first position to the position that the questions are about. */
    moves?: string | Array<string> | null;
    /** The maximum time in milliseconds. */
    movetime?: number | null;
    /** The number of moves that an analysis reports. The default is set on the command line. */
    multipv?: number | null;
    /** The maximum number of nodes. The question `prove` needs this field. */
    nodes?: number | null;
    /** The rules of the game, as names of options with their values. The case of the names does not matter. All
     * other options have their values from the command line. */
    options?: Record<string, string | number | boolean> | null;
    /** The priority. The default is 0. The engine answers requests with a higher priority first. Requests with the
     * same priority are answered in the order of arrival. */
    priority?: number | null;
    /** The number of a built-in problem of the game. The game begins at the position of the problem, with the rules
     * of the problem. So this field replaces `options` and `fen`. The question `problem` needs this field. */
    problem?: number | null;
    /** A game record, SGF or a list of moves, instead of `fen`, `moves` and `problem`. `game` and `options` apply if
     * the text names no game. */
    record?: string | null;
    /** The moves from which `analysis` and `play` choose. The default is all legal moves. */
    searchmoves?: string | Array<string> | null;
    /** The seed for random choices, for the questions `play`, `swap` and `starts`; 0 for a new seed each time. The
     * default is set on the command line. */
    seed?: number | null;
    /** The `id` of the requests to stop. The value `null` stops all requests. A request with this field may have
     * only one other field: `id`. */
    stop?: unknown;
    /** The engine solves all positions with up to this number of pieces before it answers `prove`. The default
     * depends on the game. */
    tables?: number | null;
    /** The topic of the rules, for the question `rules`. Its case does not matter. The default is the first topic. */
    topic?: string | null;
    /** A line for the UGI session of a socket. A request with this field may have only one other field: `id`. */
    ugi?: string | null;
}

/** A response, a report before it, or a line of the console. */
export interface Response {
    /** The best moves with their scores. */
    analysis?: Analysis;
    /** The board and the rules. */
    board?: Board;
    /** The meaning of the clicks. */
    clicks?: Clicks;
    /** The numbers with which players assess the position. */
    counts?: Array<Count>;
    /** The game, described by the fields of a request about it. */
    course?: CourseFields;
    /** The effects of the move. */
    details?: Details;
    /** The position as an image in SVG. */
    diagram?: string;
    /** Whether the side to move accepts a draw. */
    drawoffer?: DrawResponse;
    /** The built-in drills of the game. The easiest drill comes first. */
    drills?: Array<Drill>;
    /** The error for a request that the engine rejects. Such a response contains no results. */
    error?: ErrorFields;
    /** The FEN of the position. */
    fen?: string;
    /** The number of the format. */
    format: 3;
    /** The word that names the game. */
    game?: string;
    /** All games of the engine. */
    games?: Array<GameFields>;
    /** The `id` of the request; `null` if the request has none or if the line is not JSON. */
    id: unknown;
    /** Whether the position is a problem, and the problem. */
    isproblem?: ProblemCheck;
    /** The facts about the position that are certain, without a search or with the searches of the same request. */
    known?: Known;
    /** Whether the move is legal. */
    legal?: Legality;
    /** A guided first game. */
    lesson?: Lesson;
    /** The legal moves in sorted order. */
    moves?: Array<string>;
    /** The options of the engine and of all games. */
    options?: Array<OptionEntry>;
    /** `true` in a report before the response. A report contains the results of a search so far. */
    partial?: true;
    /** The move that a player of the requested level makes. */
    play?: PlayedMove;
    /** The built-in problem of the request, with its solution. */
    problem?: Problem;
    /** The built-in problems of the game. The easiest problem comes first. */
    problems?: Array<ListedProblem>;
    /** The answer to the question of which side can force a win. */
    prove?: ProofResult;
    /** The game as a record. */
    record?: string;
    /** An evaluation of each move of the game. */
    review?: Review;
    /** A topic of the rules for people. */
    rules?: RulesPage;
    /** The pieces and marks in the position. */
    scene?: Scene;
    /** The ways to begin a game under these rules. */
    starts?: Starts;
    /** The state of the game. */
    status?: Status;
    /** The number of requests that this stop has ended. */
    stopped?: number;
    /** The position after the move; `null` if the move is not legal. */
    successor?: Successor | null;
    /** Whether a player of the requested level takes over the other side. */
    swap?: boolean;
    /** A line that the UGI session of a socket has written. */
    ugi?: string;
    /** The version of the program. */
    version?: Version;
    /** Warnings about parts of the request's record that were not read; missing if there are none. */
    warnings?: Array<string>;
}

/** A reviewed game. In a progress report it contains only the first moves. */
export interface Review {
    /** If a move loses less of the chance of winning than this, it is about as good as the best one. */
    as_good: number;
    /** The plies of the three moves that lost most, in the order of the game. They are inaccuracies or worse. */
    moments: Array<number>;
    /** The moves, first to last. */
    moves: Array<ReviewedMove>;
    /** The outcome of the game in the words of the protocol. */
    outcome: string;
    /** The phase in which the loser lost most: the first, the second or the last third of the game. `null` if no
     * side has lost, or if its moves lost nothing. */
    phase: "opening" | "middle" | "end" | null;
    /** The accuracy of each side. */
    sides: [Tally, Tally];
    /** The ply of the mistake with the greatest loss. If several mistakes have this loss, it is the last of them.
     * `null` if there is no mistake. Mistakes of the winner do not count. */
    turning_point: number | null;
}

/** A move of a game, with its evaluation for the side that moved. */
export interface ReviewedMove {
    /** The value of the position after the move. */
    after: ReviewedWorth;
    /** The value of the position before the move. */
    before: ReviewedWorth;
    /** The best move; empty if none is known. */
    best: string;
    /** The chances of winning before and after the move. A draw counts half. `null` without a score. */
    chances: [number | null, number | null];
    /** The class of the move in words. */
    class: "only move" | "best" | "good" | "inaccuracy" | "mistake" | "blunder" | "missed win";
    /** The chances of people to win before and after the move, by a flatter curve than `chances`. A draw counts
     * half. `null` without a score. */
    human_chances: [number | null, number | null];
    /** If the move is an inaccuracy or worse, the line that is expected after the best move. It begins with that
     * move. */
    line: Array<string>;
    /** The decrease of the chance of people by the move; 0 if one of the two chances is `null`. */
    lost: number;
    /** `??` for a blunder, `?` for a mistake, otherwise an empty string. */
    mark: "" | "?" | "??";
    /** The move as a string. */
    move: string;
    /** The number of the full move. */
    number: number;
    /** The number of the move in the game, from 1. */
    ply: number;
    /** The race between the sides; `null` if the game is not a race. */
    race: MoveRace | null;
    /** The loss of a move that is an inaccuracy or worse, in the words of the game: `loses a checker`. `null` if the
     * engine has no words for it. */
    reason: string | null;
    /** If the move is an inaccuracy or worse, the line that is expected after it. It ends where the loss is visible. */
    refutation: Array<string>;
    /** The word that names the side that moved. */
    side: string;
    /** The stake: the chance of people that a few other moves lose on average; 0 if the search could not compare
     * moves. */
    stake: number;
}

/** The value of a position. */
export type ReviewedWorth = CentipawnScore | MateScore | string | null;

/** A paragraph or a diagram. */
export type RulesBlock = RulesParagraph | RulesPicture;

/** A topic of a game's rules. */
export interface RulesPage {
    /** The paragraphs and diagrams of this topic. */
    blocks: Array<RulesBlock>;
    /** The title of this topic. */
    title: string;
    /** The titles of all topics, in the order of `topics`. */
    titles: Array<string>;
    /** The name of this topic. */
    topic: string;
    /** The names of all topics, in reading order. */
    topics: Array<string>;
}

/** A paragraph of the rules. */
export interface RulesParagraph {
    /** The paragraph as a list of sentences. */
    sentences: Array<RulesSentence>;
    /** The paragraph as `pentarch rules` prints it, with the ids of rules in brackets. */
    text: string;
}

/** A position, and moves that are shown one after the other. */
export interface RulesPicture {
    /** The caption of the diagram. */
    caption: string;
    /** The FEN of the position. */
    fen: string;
    /** Moves that are illegal in the position; missing if there are none. */
    illegal?: Array<string>;
    /** Legal moves to show. The list is often empty. */
    moves: Array<string>;
    /** The options of the rules that differ from their defaults; missing if there are none. */
    options?: Record<string, string>;
    /** Opposite corners of the part of the board to show; missing if the whole board should be shown. */
    show?: [string, string];
}

/** A sentence of the rules. */
export interface RulesSentence {
    /** The id of the rule, which is also the id in errors; `null` if the sentence is not a rule. */
    rule: string | null;
    /** The sentence itself. */
    text: string;
}

/** The pieces and marks of a position. */
export interface Scene {
    /** Arrows, which are marks that connect two sites. */
    arrows: Array<Arrow>;
    /** The number of pieces that each player has lost. Only pieces with which a player starts the game are counted. */
    captured: Array<number>;
    /** The FEN of the position. */
    fen: string;
    /** The pieces that each player can still bring onto the board. A count may be 0. */
    hands: Array<PieceCount>;
    /** The last move; `null` if none was made. */
    last: string | null;
    /** The sites of the last move. */
    lastsites: Array<string>;
    /** The numbers in `captured`, split by the kinds of the pieces at the start of the game. A count may be 0. */
    lost: Array<PieceCount>;
    /** Marks of sites. */
    marks: Array<Mark>;
    /** The outcome in the words of the protocol, such as `ongoing`, `win red fortress` or `draw repetition`. */
    outcome: string;
    /** The pieces on the board. */
    pieces: Array<Piece>;
    /** A sentence for people about whose turn it is or how the game ended. */
    sentence: string;
    /** The word that names the player to move; `null` if the game is over. */
    turn: string | null;
}

/** A site of the board. */
export interface Site {
    /** The class: words separated by spaces. */
    class: string;
    /** The id of the site, as in move strings. */
    id: string;
    /** The name of the shape. */
    shape: string;
    /** The angle by which the shape and the piece on the site are turned counter-clockwise, in degrees. */
    turn: number;
    /** The `x` of the centre. */
    x: number;
    /** The `y` of the centre. */
    y: number;
}

/** The ways to begin a game under given rules. */
export interface Starts {
    /** A random opening from which either side can win; `null` if these rules have no openings. */
    balanced: BalancedOpening | null;
    /** The handicaps, the smallest first; empty if the game has none. */
    handicaps: Array<HandicapFields>;
}

/** The state of a game, in words. */
export interface Status {
    /** The ways in which the players may end the game now. */
    may: AllowedEndings;
    /** The outcome in the words of the protocol, such as `ongoing`, `win red fortress` or `draw repetition`. */
    outcome: string;
    /** The index of the player whose turn it is in the position, even if the game is over. */
    player: number;
    /** The words that name the players, in the order of their turns. */
    players: Array<string>;
    /** A sentence for people about whose turn it is or how the game ended, such as `Green has won: red's knight has
     * no step`. */
    sentence: string;
    /** The words that name the players of each team; empty if each player plays alone. */
    teams: Array<Array<string>>;
    /** The word that names the player to move; `null` if the game is over. */
    turn: string | null;
    /** The reason why the game is over, for people; `null` if the game is not over. */
    why: string | null;
    /** The word that names the winner; `null` in a draw and if the game is not over. */
    winner: string | null;
}

/** The effects of a move, and the position after it. */
export interface Successor {
    /** The clicks that can begin the next move. */
    clicks: Clicks;
    /** The effects of the move. */
    details: Details;
    /** The position after the move. */
    scene: Scene;
    /** The state of the game after the move. */
    status: Status;
}

/** The accuracy of a side's moves. */
export interface Tally {
    /** The accuracy of a side: the sum of its stakes divided by the sum of its stakes and losses; `null` if it has
     * made no moves, or if no stake is known. */
    accuracy: number | null;
    /** The number of blunders of the side. */
    blunders: number;
    /** The number of inaccuracies of the side. */
    inaccuracies: number;
    /** The number of mistakes, without blunders. */
    mistakes: number;
    /** The number of moves of the side. */
    moves: number;
    /** The word that names the side. */
    side: string;
}

/** A tempting wrong move and its refutation. */
export interface Temptation {
    /** The wrong first move. */
    move: string;
    /** The reply that refutes the wrong move. */
    reply: string;
}

/** A theme: a property of the key. The key is the first move of the solution. */
export type Theme = "capture" | "placement" | "quiet" | "sacrifice" | "surprise" | "draw";

/** The program that has sent the response. */
export interface Version {
    /** The number of the newest format. */
    format: 3;
    /** The name of the program and its version. */
    program: string;
}
