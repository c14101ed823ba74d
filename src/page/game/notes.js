/** @import { Moves, MoveNotes } from "../core/types.js" */
/** @import { GameNode } from "../core/game-tree.js" */

/**
 * Notes on moves: comments, marks and clock times. Notes can come from anybody. Therefore they are
 * always shown as text. `docs/records.md` describes their form in records.
 */

/** The marks of moves: the signs of the glyphs from 1 on. */
export const MOVE_MARKS = ["!", "?", "!!", "??", "!?", "?!"];
/** The maximum length of a comment. */
export const MAX_COMMENT_LENGTH = 10_000;
/** The maximum time on a clock in milliseconds: the hours of a record have four digits. */
const MAX_CLOCK = 10_000 * 3_600_000 - 1;
/** The maximum number of glyphs of a move. */
const MAX_GLYPHS = 256;

/** Returns whether a character is a control character but not white space. @param {string} letter */
const isHidden = (letter) => /\p{Cc}/u.test(letter) && !/[\t\n\r]/.test(letter);

/** Converts typed text to a comment: one line without control characters. @param {string} text */
export function sanitizeComment(text) {
    const seen = [...text].filter((letter) => !isHidden(letter)).join("");
    return [...seen.split(/\s+/u).filter(Boolean).join(" ")].slice(0, MAX_COMMENT_LENGTH).join("");
}

/** Returns whether a value is a comment. @param {any} value */
const isValidComment = (value) => typeof value === "string" && value.length <= 2 * MAX_COMMENT_LENGTH
    && value !== "" && sanitizeComment(value) === value;

/** Returns whether a value is that of a tag. @param {any} value */
export const isValidTagValue = (value) => typeof value === "string" && value.length <= 2 * MAX_COMMENT_LENGTH
    && !/[^\P{Cc}\t]/u.test(value);

/** @param {any} value @param {number} least @param {number} most */
const isIntegerIn = (value, least, most) => Number.isInteger(value) && value >= least && value <= most;

/** @type {Record<string, (value: any) => boolean>} */
const FIELDS = {
    comment: isValidComment,
    glyphs: (value) => Array.isArray(value) && value.length > 0 && value.length <= MAX_GLYPHS
        && value.every((glyph) => isIntegerIn(glyph, 0, 255)),
    signs: (value) => typeof value === "string" && /^[+#≠=≡!?]{1,100}$/.test(value),
    clock: (value) => isIntegerIn(value, 0, MAX_CLOCK),
    evaluation: (value) => typeof value === "object" && value !== null && Object.keys(value).length === 2
        && isIntegerIn(value.cp, -(2 ** 31), 2 ** 31 - 1) && isIntegerIn(value.depth, 0, 2 ** 32 - 1),
};

/** Returns whether a value is the notes on a move. @param {any} value */
export function isValidMoveNotes(value) {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
    const fields = Object.entries(value);
    return fields.length > 0
        && fields.every(([name, field]) => Object.hasOwn(FIELDS, name) && FIELDS[name](field));
}

/** Returns the mark of a move as a sign; an empty string if the move has no mark. @param {MoveNotes} note */
export const moveMarkOfNotes = ({ glyphs = [] }) => glyphs.map((glyph) => MOVE_MARKS[glyph - 1]).find(Boolean) ?? "";

/**
 * Returns the notes with another mark or without a mark.
 *
 * @param {MoveNotes} note
 * @param {string} mark The sign; empty for none.
 * @returns {MoveNotes}
 */
export function noteWithMark(note, mark) {
    const others = (note.glyphs ?? []).filter((glyph) => glyph < 1 || glyph > MOVE_MARKS.length);
    const glyphs = [...(mark === "" ? [] : [MOVE_MARKS.indexOf(mark) + 1]), ...others];
    const changed = { ...note, glyphs };
    if (glyphs.length === 0) delete (/** @type {MoveNotes} */ (changed)).glyphs;
    return changed;
}

/**
 * Returns the notes with another comment or without a comment.
 *
 * @param {MoveNotes} note
 * @param {string} comment The comment; empty for none.
 * @returns {MoveNotes}
 */
export function noteWithComment(note, comment) {
    const changed = { ...note, comment };
    if (comment === "") delete (/** @type {MoveNotes} */ (changed)).comment;
    return changed;
}

/** Returns whether a tree has notes or variations. @param {GameNode} root */
export function hasNotesOrVariations(root) {
    const rest = [root];
    for (let node = rest.pop(); node; node = rest.pop()) {
        if (node.children.length > 1 || Object.keys(node.notes).length > 0) return true;
        rest.push(...node.children);
    }
    return false;
}

/** Returns a move string without signs at its end. @param {string} move */
const stripSigns = (move) => move.replace(/[^\p{L}\p{N}]+$/u, "");

/**
 * Stores the notes of a line at the positions of a tree.
 *
 * @param {GameNode} start
 * @param {Moves} moves
 */
export function addNotesToTree(start, moves) {
    let node = start;
    for (const entry of moves) {
        if (typeof entry === "string") {
            const next = node.children.find(({ move }) => stripSigns(move) === stripSigns(entry));
            if (!next) return;
            node = next;
        } else if (Array.isArray(entry)) {
            if (node.parent) addNotesToTree(node.parent, entry);
        } else {
            node.notes = { ...entry };
        }
    }
}

/** Formats a comment of a record. A second bracket shows that a clock time is text. @param {string} comment */
const formatComment = (comment) =>
    `{${/^[+\- ]/.test(comment) ? " " : ""}${comment.replaceAll("}", "}}").replaceAll("[%clk", "[[%clk")}}`;

/** Formats a clock time for a record: hours, minutes, seconds and thousandths. @param {number} time */
function formatClockTime(time) {
    const two = (/** @type {number} */ number) => String(Math.floor(number)).padStart(2, "0");
    const seconds = Math.floor(time / 1000);
    const text = `${Math.floor(seconds / 3600)}:${two((seconds / 60) % 60)}:${two(seconds % 60)}`;
    return time % 1000 > 0 ? `${text}.${String(time % 1000).padStart(3, "0")}` : text;
}

/** Formats the notes on a move for a record. @param {MoveNotes} note @returns {string[]} */
function formatNotes({ glyphs = [], evaluation, clock, comment }) {
    const texts = glyphs.map((glyph) => `$${glyph}`);
    if (evaluation) {
        const { cp, depth } = evaluation;
        const amount = Math.abs(cp);
        const hundredths = String(amount % 100).padStart(2, "0");
        texts.push(`{${cp < 0 ? "-" : "+"}${Math.floor(amount / 100)}.${hundredths}/${depth}}`);
    }
    if (clock !== undefined) texts.push(`{[%clk ${formatClockTime(clock)}]}`);
    if (comment) texts.push(formatComment(comment));
    return texts;
}

/** Returns the signs in the notes after a move. @param {Moves[number] | undefined} entry */
const signsOf = (entry) => (typeof entry === "object" && !Array.isArray(entry) ? entry.signs ?? "" : "");

/** Formats moves with their notes and variations for a record. @param {Moves} moves @returns {string[]} */
export function formatMovesWithNotes(moves) {
    return moves.flatMap((entry, index) => {
        if (typeof entry === "string") return [entry + signsOf(moves[index + 1])];
        return Array.isArray(entry) ? [`(${formatMovesWithNotes(entry).join(" ")})`] : formatNotes(entry);
    });
}
