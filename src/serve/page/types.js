/**
 * The forms of the engine's answers, as `protocol.md` describes them, and of what the page keeps. There is nothing to
 * be run here.
 *
 * @typedef {{ id: string, x: number, y: number, shape: string, turn: number, class: string }} Site
 *
 * @typedef {object} Geometry The answer to `query board`.
 * @property {string} game
 * @property {Record<string, string>} rules
 * @property {string[]} sides
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
 * @typedef {object} Scene The answer to `query scene`.
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
 * @typedef {object} Clicks The answer to `query clicks`.
 * @property {string[]} next
 * @property {string | null} move
 * @property {string | null} text
 * @property {string | null} why
 *
 * @typedef {object} Details The answer to `query details`.
 * @property {string} move
 * @property {string[]} clicks
 * @property {{ from: string, to: string }[]} moved
 * @property {Piece[]} removed
 * @property {Piece[]} placed
 * @property {string[] | null} path
 * @property {string[] | null} captured
 * @property {{ from: string, to: string }[] | null} pushed
 * @property {boolean | null} promoted
 * @property {string | null} pivot
 * @property {"cw" | "ccw" | "either" | null} direction
 * @property {number | null} degrees
 *
 * @typedef {object} RulesTopic The answer to `query rules`.
 * @property {string[]} topics
 * @property {string[]} titles
 * @property {string} topic
 * @property {string} title
 * @property {RulesBlock[]} blocks
 *
 * @typedef {object} RulesBlock A paragraph, which has a text, or a picture.
 * @property {string} [text]
 * @property {string} [caption]
 * @property {string} [fen]
 * @property {string[]} [moves]
 * @property {Record<string, string>} [options]
 * @property {[string, string]} [show]
 *
 * @typedef {object} Option An `option` line.
 * @property {string} name
 * @property {string} type
 * @property {string} value The default.
 * @property {string[]} choices The values of a `combo`.
 * @property {number} min
 * @property {number} max
 *
 * @typedef {object} GameName A line of the answer to `games`.
 * @property {string} word
 * @property {string} title
 * @property {string[]} sides
 * @property {string} summary
 *
 * @typedef {"person" | "engine"} Player
 *
 * @typedef {object} Setup What a new game is begun with.
 * @property {string} game
 * @property {Record<string, string>} options
 * @property {Player[]} players Who plays each side.
 * @property {string} level
 * @property {number} seconds The engine's thinking time for a move.
 * @property {{ minutes: number, increment: number } | null} clock
 */
export {};
