/** @import { GameNode } from "./game-tree.js" */
/** @import { AnalysisState, BoardState, GameState } from "./state.js" */
/**
 * The types of the page's own data. The types of the engine's responses are generated in
 * `protocol.d.ts`.
 *
 * @typedef {import("../protocol.js").Board} Geometry
 * @typedef {import("../protocol.js").Clicks} Clicks
 * @typedef {import("../protocol.js").Count} Count
 * @typedef {import("../protocol.js").CourseFields} Course
 * @typedef {import("../protocol.js").Details} Details
 * @typedef {import("../protocol.js").EndedBy} End
 * @typedef {import("../protocol.js").GameFields} GameInfo
 * @typedef {import("../protocol.js").Line} Line
 * @typedef {import("../protocol.js").LineEntry[]} Moves
 * @typedef {import("../protocol.js").AllowedEndings} AllowedEndings
 * @typedef {import("../protocol.js").MoveNotes} MoveNotes
 * @typedef {import("../protocol.js").MoveRace} MoveRace
 * @typedef {import("../protocol.js").OptionEntry} Option
 * @typedef {import("../protocol.js").Piece} Piece
 * @typedef {import("../protocol.js").PieceCount} PieceCount
 * @typedef {import("../protocol.js").Review} Review
 * @typedef {import("../protocol.js").ReviewedMove} ReviewedMove
 * @typedef {import("../protocol.js").ReviewedWorth} ReviewedWorth
 * @typedef {import("../protocol.js").RulesBlock} RulesBlock
 * @typedef {import("../protocol.js").RulesPage} RulesPage
 * @typedef {import("../protocol.js").Scene} Scene
 * @typedef {import("../protocol.js").Site} Site
 * @typedef {import("../protocol.js").Status} Status
 * @typedef {import("../protocol.js").Successor} Successor
 * @typedef {import("../protocol.js").Tally} Tally
 *
 * @typedef {{ clicks: Clicks, successor: Successor | null }} ClickResult The meaning of some sites. If they make a
 * move, also the position after the move.
 *
 * @typedef {{ scene: Scene, status: Status, clicks: Clicks }} PositionView A position as the page shows it.
 *
 * @typedef {object} Score A score of a position for one of two sides. It is an estimate in centipawns, a win in `mate`
 * moves (a loss if `mate` is negative), or the half points at the end of the game.
 * @property {number | null} [cp]
 * @property {number | null} [mate]
 * @property {number} [halfPoints]
 * @property {boolean} [proven]
 * @property {number} [rank] The rank of a win in tables without distances. It decreases along the win.
 * @property {number | null} chance The chance of winning. A draw counts as half a win.
 *
 * @typedef {"person" | "engine"} Player
 *
 * @typedef {"won" | "lost" | "drawn"} PersonResult The result of a game for the people who played the engine.
 *
 * @typedef {object} Setup The setup of a new game.
 * @property {string} game
 * @property {Record<string, string>} options The options of the rules.
 * @property {Player[]} players The player of each side.
 * @property {string} level
 * @property {number} seconds The engine's thinking time per move.
 * @property {{ minutes: number, increment: number } | null} clock
 * @property {string} fairStart The way in which the game begins, as `game/fair-start.js` describes it.
 *
 * @typedef {{ text: string, fen: string, moves: string[], hint: string, done: string }} Task A task of a lesson.
 *
 * @typedef {object} Lesson A lesson in progress.
 * @property {string} game
 * @property {Record<string, string>} options The options of the rules.
 * @property {Task[]} tasks
 * @property {number} index The index of the current task.
 * @property {"task" | "other" | "done"} stage Whether the task waits for a move, a wrong move was made, or the right
 * move was made.
 * @property {string} feedback The feedback on the task.
 * @property {SuspendedGame} suspendedGame The suspended game.
 *
 * @typedef {object} Exercise A position with a best move to find: a problem, a drill or a turning point. Problems and
 * drills have the fields up to `value`. Turning points have the fields after `value`.
 * @property {string} [fen] The FEN of the position.
 * @property {number} [grade]
 * @property {number} [length] The number of moves of the solver.
 * @property {string[]} [themes]
 * @property {Record<string, string>} [options] The options of the rules that differ from their defaults.
 * @property {string[]} [solution] The solution of a problem that is not built in.
 * @property {{ move: string, reply: string } | null} [temptation] The tempting move of a problem that is not built in.
 * @property {"win" | "draw"} [value] The value to keep in a drill.
 * @property {string} [moves] The moves from the start of the game.
 * @property {string} [best] The move to find.
 * @property {string} [name] The mistake, with its number and mark.
 * @property {string} [side] The side that made the mistake.
 * @property {boolean} [isFound]
 * @property {number} [asGood] The maximum loss of chance of a move that is about as good.
 *
 * @typedef {object} PracticeSession A session of problems, drills or turning points.
 * @property {"problems" | "drills" | "moments"} kind
 * @property {string} game
 * @property {Exercise[]} list
 * @property {Exercise[]} drills The drills of the game.
 * @property {number} index The index of the current exercise.
 * @property {SuspendedGame} suspendedGame The suspended game.
 * @property {GameNode} base The first position of the exercise.
 * @property {GameNode} at The position of the next move.
 * @property {string[]} solution The moves from the first position.
 * @property {{ move: string, reply: string } | null} temptation A tempting wrong move and its refutation.
 * @property {"solve" | "reply" | "wrong" | "done" | "shown"} stage Whether the page waits for a move, replies to a move
 * or refutes a move, or whether the exercise is solved or its solution is shown.
 * @property {number} hints The number of hints given.
 * @property {number} slips The number of moves of a drill that lost its value.
 * @property {string} feedback The feedback on the exercise.
 * @property {boolean} isDaily Whether the exercise is the problem of the day.
 *
 * @typedef {object} LinkFault A field of a link that the page cannot use.
 * @property {"duplicate" | "value" | "unused" | "missing" | "length"} kind The field is there already, has an invalid
 * value, has no effect, or is missing in the link of a problem, or the link is too long.
 * @property {string} name
 * @property {string} value
 *
 * @typedef {object} SaveInfo The identity of a game for saving.
 * @property {string} id
 * @property {string} name The name that somebody gave to the game; empty without a name.
 * @property {string} begun
 * @property {boolean} isStored Whether the store has the game.
 * @property {string | null} link The link from which the game comes, if there is one. Then the address has the whole
 * game, and the game is stored only after a change.
 * @property {{ tip: GameNode, treeVersion: number }} [linked] The game of the link, before any change.
 *
 * @typedef {object} SavedGame A saved game, as `docs/file-formats.md` describes it.
 * @property {string} id
 * @property {string} name
 * @property {string} begun
 * @property {string} changed
 * @property {string} game
 * @property {Record<string, string>} options
 * @property {Player[]} players
 * @property {string} level
 * @property {number} seconds
 * @property {Setup["clock"]} clock
 * @property {number[]} times
 * @property {string | null} start
 * @property {Moves} moves
 * @property {number} played
 * @property {End | null} end
 * @property {string} outcome
 * @property {[string, string][]} [tags] The tags that people added; missing if there are none.
 * @property {string} [fairStart] The way in which the game began; missing for the usual start.
 *
 * @typedef {object} DamagedGame An entry of the store that is not a game.
 * @property {{ id: IDBValidKey }} entry Its other fields are unknown.
 * @property {string} why The reason why it is not a game.
 *
 * @typedef {object} Clocks
 * @property {Setup["clock"]} setting `null` for no clocks.
 * @property {number[]} left The remaining milliseconds of each side when a clock was last started or stopped.
 * @property {number} running The side whose clock runs, or -1.
 * @property {number} since The time at which a clock was last started or stopped.
 *
 * @typedef {object} SuspendedGame The parts of the state that belong to a game.
 * @property {GameState} game
 * @property {Pick<BoardState, "flipped">} board
 * @property {Pick<AnalysisState, "isOn" | "review">} analysis
 *
 * @typedef {{ site: string, details: Details | null }} HoverTarget A site that can follow, and its move's effects.
 *
 * @typedef {{ sites: string[], tip: GameNode, isCareful: boolean }} Premove
 *
 * @typedef {{ from: string, to: string }} Arrow
 *
 * @typedef {object} UserShapes The shapes that the user draws.
 * @property {string[]} marks
 * @property {Arrow[]} arrows
 * @property {Arrow | null} draft The arrow that is being drawn.
 *
 * @typedef {object} Settings The settings for all games, which the browser stores.
 * @property {"wood" | "stone" | "sea"} theme The colours of the board.
 * @property {boolean} plain Whether pieces and boards are flat and without details.
 * @property {boolean} large Whether pieces and touch targets are larger.
 * @property {boolean} confirmTap Whether a finger confirms each move by a second tap.
 * @property {boolean} premove Whether a move can be chosen while the engine thinks.
 * @property {boolean} pace Whether the engine takes a moment for each move.
 * @property {boolean | null} sounds Whether there are sounds; `null` until the user has decided.
 */
export {};
