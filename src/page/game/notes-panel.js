import { elementById, html, setState, state, subscribe, TEXT } from "../core/index.js";
import { MAX_COMMENT_LENGTH, MOVE_MARKS, moveMarkOfNotes, noteWithComment, noteWithMark,
    sanitizeComment } from "./notes.js";

/** The tags of a record that have an input field. */
const TAGS = ["P1", "P2", "Date", "Event"];
/** The maximum length of a tag. */
const MAX_TAG_LENGTH = 100;

/** Draws the fields for the comment and the mark of the viewed move, and for the players, the date and the event. */
export function mountNotesPanel() {
    const comment = elementById("comment", HTMLTextAreaElement);
    const mark = elementById("mark", HTMLSelectElement);
    comment.maxLength = MAX_COMMENT_LENGTH;
    mark.replaceChildren(...["", ...MOVE_MARKS].map((sign) =>
        html("option", { value: sign }, sign === "" ? TEXT.noMark : `${sign} ${TEXT.markNames[sign]}`)));
    // The engine may move while somebody writes. The comment belongs to the move that was viewed
    // first.
    let editedNode = state.game.viewedNode;
    const storeNotes = (/** @type {import("../core/types.js").MoveNotes} */ notes, node = state.game.viewedNode) => {
        node.notes = notes;
        setState({ game: { treeVersion: state.game.treeVersion + 1 } });
    };
    comment.addEventListener("focus", () => {
        editedNode = state.game.viewedNode;
    });
    comment.addEventListener("change", () =>
        storeNotes(noteWithComment(editedNode.notes, sanitizeComment(comment.value)), editedNode));
    mark.addEventListener("change", () => storeNotes(noteWithMark(state.game.viewedNode.notes, mark.value)));
    const fields = TAGS.map((tag) => {
        const field = html("input", { maxlength: MAX_TAG_LENGTH, autocomplete: "off", onchange: () => {
            const text = sanitizeComment(field.value);
            const others = state.game.tags.filter(([name]) => name !== tag);
            /** @type {[string, string][]} */
            const tags = text === "" ? others : [...others, [tag, text]];
            setState({ game: { tags, treeVersion: state.game.treeVersion + 1 } });
        } });
        elementById("tags").append(html("label", {}, html("span", {}, TEXT.tags[tag]), " ", field));
        return field;
    });
    subscribe(() => [state.game.viewedNode, state.game.treeVersion, state.game.tags], () => {
        const { viewedNode: { notes, name, parent } } = state.game;
        mark.disabled = parent === null;
        if (document.activeElement !== comment) {
            elementById("comment-of").textContent = parent ? TEXT.commentOf(name) : TEXT.commentBefore;
            comment.value = notes.comment ?? "";
        }
        mark.value = moveMarkOfNotes(notes);
        fields.forEach((field, index) => {
            if (document.activeElement === field) return;
            field.value = state.game.tags.find(([tag]) => tag === TAGS[index])?.[1] ?? "";
        });
    });
}
