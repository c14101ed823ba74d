/** @import { GameNode } from "./tree.js" */
/**
 * The types of the page's own data. Those of the engine's responses are generated in `protocol.d.ts`.
 *
 * @typedef {import("./protocol.js").Board} Geometry
 * @typedef {import("./protocol.js").Clicks} Clicks
 * @typedef {import("./protocol.js").CourseFields} Course
 * @typedef {import("./protocol.js").Details} Details
 * @typedef {import("./protocol.js").EndedBy} End
 * @typedef {import("./protocol.js").GameFields} GameName
 * @typedef {import("./protocol.js").Line} Line
 * @typedef {import("./protocol.js").LineEntry[]} Moves
 * @typedef {import("./protocol.js").AllowedEndings} May
 * @typedef {import("./protocol.js").MoveNotes} Note
 * @typedef {import("./protocol.js").OptionEntry} Option
 * @typedef {import("./protocol.js").Piece} Piece
 * @typedef {import("./protocol.js").Review} Review
 * @typedef {import("./protocol.js").ReviewedMove} ReviewedMove
 * @typedef {import("./protocol.js").ReviewedWorth} ReviewedWorth
 * @typedef {import("./protocol.js").RulesBlock} RulesBlock
 * @typedef {import("./protocol.js").RulesPage} RulesTopic
 * @typedef {import("./protocol.js").Scene} Scene
 * @typedef {import("./protocol.js").Site} Site
 * @typedef {import("./protocol.js").Status} Status
 * @typedef {import("./protocol.js").Successor} Successor
 * @typedef {import("./protocol.js").Tally} Tally
 *
 * @typedef {{ clicks: Clicks, successor: Successor | null }} Tried What some sites mean, and the position after the
 * move that they are, if they are one.
 *
 * @typedef {{ scene: Scene, status: Status, clicks: Clicks }} Seen What a position shows, and what a move begins with.
 *
 * @typedef {object} Worth What a position is worth for one of two sides: an estimate in centipawns; a win, or with a
 * negative number a loss, in so many moves; or the end of the game with so many half points.
 * @property {number | null} [cp]
 * @property {number | null} [mate]
 * @property {number} [over]
 * @property {boolean} [proven]
 * @property {number} [rank] How far a win by tables without distances has come: less with each move that gets on.
 * @property {number | null} chance The chance of winning, where a draw counts half.
 *
 * @typedef {"person" | "engine"} Player
 *
 * @typedef {object} Setup What a new game is begun with.
 * @property {string} game
 * @property {Record<string, string>} options Those of the rules.
 * @property {Player[]} players Who plays each side.
 * @property {string} level
 * @property {number} seconds The engine's thinking time for a move.
 * @property {{ minutes: number, increment: number } | null} clock
 *
 * @typedef {{ text: string, fen: string, moves: string[], hint: string, done: string }} Task A task of a lesson.
 *
 * @typedef {object} Lesson A guided first game that is going on.
 * @property {string} game
 * @property {Record<string, string>} options Those of its rules.
 * @property {Task[]} tasks
 * @property {number} index The task that is being done.
 * @property {"task" | "other" | "done"} stage Whether a move is to be made, or one was made: another one, or the right
 * one.
 * @property {string} said What is said about the task.
 * @property {object} aside The parts of the state that belong to the game that was going on.
 *
 * @typedef {object} Exercise A position in which the best move is to be found: a problem as the list of them has it,
 * or a moment of a game.
 * @property {string} [fen] Of a problem, with those up to the moves.
 * @property {number} [grade]
 * @property {number} [length] How many moves the solver makes.
 * @property {string[]} [themes]
 * @property {Record<string, string>} [options] Those of its rules that are not as usual.
 * @property {string[]} [solution] Where it is not one of the program's.
 * @property {{ move: string, reply: string } | null} [temptation] The same.
 * @property {"win" | "draw"} [value] What is to be kept in a drill.
 * @property {string} [moves] The moves from the start of the game, with those up to the end.
 * @property {string} [best] The move to be found.
 * @property {string} [name] The move that was a mistake, with its number and mark.
 * @property {string} [side] Who has made it.
 * @property {boolean} [isFound]
 * @property {number} [asGood] A move that loses less of the chance of winning is as good.
 *
 * @typedef {object} Solving What is being solved.
 * @property {"problems" | "drills" | "moments"} kind
 * @property {string} game
 * @property {Exercise[]} list
 * @property {Exercise[]} drills Those of the game.
 * @property {number} index Which of the list.
 * @property {import("./aside.js").Aside} aside The game that was going on.
 * @property {GameNode} base Where it begins.
 * @property {GameNode} at Where the next move is to be found.
 * @property {string[]} solution The moves from its beginning on.
 * @property {{ move: string, reply: string } | null} temptation A wrong move that tempts, and what refutes it.
 * @property {"solve" | "reply" | "wrong" | "done" | "shown"} stage Whether a move is to be found, is being replied to
 * or refuted, or has been found or shown.
 * @property {number} hints How many were given.
 * @property {number} slips How many moves of a drill have given its value away.
 * @property {string} said What is said about it.
 * @property {boolean} isDaily Whether it is the problem of the day.
 *
 * @typedef {{ id: string, name: string, begun: string, isStored: boolean }} Kept What a game is kept as: its name is
 * empty if nobody has given it one; and whether the store has it.
 *
 * @typedef {object} KeptGame A game as it is kept, described in `docs/file-formats.md`.
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
 * @property {[string, string][]} [tags] Names of players, the date and others; left out if there are none.
 *
 * @typedef {object} Clocks
 * @property {Setup["clock"]} setting `null` for no clocks.
 * @property {number[]} left The milliseconds that each side had when they were last set going.
 * @property {number} running The side whose clock runs, or -1.
 * @property {number} since When it was set going.
 */
export {};
