import { elementById, html } from "../core/dom.js";
import { sanitizeComment, MAX_COMMENT_LENGTH, MOVE_MARKS, moveMarkOfNotes, noteWithComment, noteWithMark } from
    "./notes.js";
import { setState, state, subscribe } from "../core/state.js";
import { TEXT } from "../core/strings.js";

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
    let editedNode = state.viewedNode;
    const storeNotes = (/** @type {import("../core/types.js").MoveNotes} */ notes, node = state.viewedNode) => {
        node.notes = notes;
        setState({ treeVersion: state.treeVersion + 1 });
    };
    comment.addEventListener("focus", () => {
        editedNode = state.viewedNode;
    });
    comment.addEventListener("change", () =>
        storeNotes(noteWithComment(editedNode.notes, sanitizeComment(comment.value)), editedNode));
    mark.addEventListener("change", () => storeNotes(noteWithMark(state.viewedNode.notes, mark.value)));
    const fields = TAGS.map((tag) => {
        const field = html("input", { maxlength: MAX_TAG_LENGTH, autocomplete: "off", onchange: () => {
            const text = sanitizeComment(field.value);
            const others = state.tags.filter(([name]) => name !== tag);
            setState({ tags: text === "" ? others : [...others, [tag, text]], treeVersion: state.treeVersion + 1 });
        } });
        elementById("tags").append(html("label", {}, html("span", {}, TEXT.tags[tag]), " ", field));
        return field;
    });
    subscribe(() => [state.viewedNode, state.treeVersion, state.tags], () => {
        const { viewedNode: { notes, name, parent } } = state;
        mark.disabled = parent === null;
        if (document.activeElement !== comment) {
            elementById("comment-of").textContent = parent ? TEXT.commentOf(name) : TEXT.commentBefore;
            comment.value = notes.comment ?? "";
        }
        mark.value = moveMarkOfNotes(notes);
        fields.forEach((field, index) => {
            if (document.activeElement === field) return;
            field.value = state.tags.find(([tag]) => tag === TAGS[index])?.[1] ?? "";
        });
    });
}
