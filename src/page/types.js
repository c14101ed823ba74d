/** @import { GameNode } from "./tree.js" */
/**
 * The forms of the engine's answers, as `protocol.md` describes them, and of what the page keeps. There is nothing to
 * be run here.
 *
 * @typedef {{ id: string, x: number, y: number, shape: string, turn: number, class: string }} Site
 *
 * @typedef {object} Geometry The answer to `board`.
 * @property {string} game
 * @property {Record<string, string>} rules
 * @property {string[]} sides
 * @property {string} aim
 * @property {[number, number, number, number]} box
 * @property {Site[]} sites
 * @property {Record<string, string>} shapes
 * @property {Record<string, string>} kinds
 * @property {[number, number, number, number][]} lines
 * @property {{ text: string, x: number, y: number }[]} labels
 * @property {number} odds
 *
 * @typedef {{ kind: string, side: number | null, site: string }} Piece
 *
 * @typedef {object} Scene The answer to `scene`.
 * @property {string} fen
 * @property {string | null} turn
 * @property {string} outcome
 * @property {string} sentence
 * @property {Piece[]} pieces
 * @property {{ kind: string, site: string }[]} marks
 * @property {{ kind: string, from: string, to: string }[]} arrows
 * @property {{ side: number, kind: string, count: number }[]} hands
 * @property {number[]} captured
 * @property {string | null} last
 * @property {string[]} lastsites
 *
 * @typedef {{ next: string[], move: string | null, text: string | null, why: string | null,
 *     reason: string | null }} Clicks The answer to `clicks`.
 *
 * @typedef {Seen & { details: Details }} Successor The answer to `successor`: what a move does, and what the position
 * after it shows.
 *
 * @typedef {{ clicks: Clicks, successor: Successor | null }} Tried What some sites mean, and the position after the
 * move that they are, if they are one.
 *
 * @typedef {object} Details The answer to `details`.
 * @property {string} move
 * @property {string[]} clicks
 * @property {{ from: string, to: string }[]} moved
 * @property {Piece[]} removed
 * @property {Piece[]} placed
 * @property {string[] | null} path
 * @property {{ from: string, to: string }[] | null} pushed
 * @property {string | null} pivot
 * @property {"cw" | "ccw" | "either" | null} direction
 * @property {number | null} degrees
 *
 * @typedef {{ topics: string[], titles: string[], topic: string, title: string, blocks: RulesBlock[] }} RulesTopic The
 * answer to `rules`.
 *
 * @typedef {{ text?: string, caption?: string, fen?: string, moves?: string[], options?: Record<string, string>,
 *     show?: [string, string] }} RulesBlock A paragraph, which has a text, or a picture.
 *
 * @typedef {{ name: string, type: string, default: string | number | boolean | null, values: string[] | null,
 *     min: number | null, max: number | null, games: string[], when: Record<string, string> }} Option An option of the
 * engine, the games that it has to do with, and the value of another option without which it makes no difference.
 *
 * @typedef {{ word: string, name: string, sides: string[], summary: string }} GameName A game that can be played.
 *
 * @typedef {{ resign: string[], agree: boolean, flag: string[] }} May How the players may end the game.
 *
 * @typedef {{ player: number, winner: string | null, why: string | null, teams: string[][],
 *     may: May }} Status How the game stands.
 *
 * @typedef {{ scene: Scene, status: Status, clicks: Clicks }} Seen What a position shows, and what a move begins with.
 *
 * @typedef {{ resign: string } | { flag: string } | { agree: true }} End How the players have ended the game.
 *
 * @typedef {object} Course The way to a position.
 * @property {string | null} start The text of the position that the game began at; nothing for the start position.
 * @property {string[]} moves
 * @property {number[]} players The index of the player who has made each move.
 * @property {End | null} end
 * @property {Moves} line The moves with what was added to them.
 * @property {[string, string][]} tags The tags of a record that people have added.
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
 * @typedef {Worth & { move: string, depth: number, pv: string[] }} Line A move that an analysis has found, and the
 * moves that are expected, this one first. It is worth so much for the side to move.
 *
 * @typedef {{ cp?: number, mate?: number } | string | null} ReviewedWorth For the side that has moved.
 *
 * @typedef {object} ReviewedMove
 * @property {number} ply
 * @property {string} side
 * @property {string} best
 * @property {ReviewedWorth} before
 * @property {ReviewedWorth} after
 * @property {number} lost How much of the chance of winning the move has lost.
 * @property {string} mark `??` for a blunder, `?` for a mistake.
 *
 * @typedef {{ side: string, accuracy: number | null, mistakes: number, blunders: number }} Tally
 *
 * @typedef {object} Review The answer to `review`.
 * @property {ReviewedMove[]} moves
 * @property {Tally[]} sides
 * @property {number | null} turning_point
 * @property {number} as_good A move that loses less of the chance of winning is about as good as the best one.
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
 * @typedef {(string | Moves | Note)[]} Moves Moves with their variations: a list after a move are the moves of a
 * variation, the first of which is made instead of that move. An object after a move says what was added to it, and one
 * before the first move what is said before that.
 *
 * @typedef {object} Note What was added to a move.
 * @property {string} [comment]
 * @property {number[]} [glyphs] Numeric annotation glyphs.
 * @property {number} [clock] The milliseconds that the player has left after the move.
 * @property {{ cp: number, depth: number }} [evaluation] The score for the side that moved, and the depth in plies.
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
