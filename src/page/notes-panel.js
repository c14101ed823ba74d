import { byId, html } from "./dom.js";
import { MARKS, MOST_SAID, commentOf, markOf, withComment, withMark } from "./notes.js";
import { change, state, whenever } from "./state.js";
import { TEXT } from "./strings.js";

/** The tags of a record that have an input field. */
const TAGS = ["P1", "P2", "Date", "Event"];
/** The maximum length of a tag. */
const MOST_OF_TAG = 100;

/** Draws the fields for the comment and mark of the viewed move, the players, the date and the event. */
export function drawNotes() {
    const [comment, mark] = [byId("comment", HTMLTextAreaElement), byId("mark", HTMLSelectElement)];
    comment.maxLength = MOST_SAID;
    mark.replaceChildren(...["", ...MARKS].map((sign) =>
        html("option", { value: sign }, sign === "" ? TEXT.noMark : `${sign} ${TEXT.markNames[sign]}`)));
    // The engine may move while somebody writes: the comment belongs to the move that was viewed first.
    let subject = state.here;
    const keep = (/** @type {import("./types.js").Note} */ notes, node = state.here) => {
        node.notes = notes;
        change({ version: state.version + 1 });
    };
    comment.addEventListener("focus", () => {
        subject = state.here;
    });
    comment.addEventListener("change", () => keep(withComment(subject.notes, commentOf(comment.value)), subject));
    mark.addEventListener("change", () => keep(withMark(state.here.notes, mark.value)));
    const fields = TAGS.map((tag) => {
        const field = html("input", { maxlength: MOST_OF_TAG, autocomplete: "off", onchange: () => {
            const text = commentOf(field.value);
            const others = state.tags.filter(([name]) => name !== tag);
            change({ tags: text === "" ? others : [...others, [tag, text]], version: state.version + 1 });
        } });
        byId("tags").append(html("label", {}, html("span", {}, TEXT.tags[tag]), " ", field));
        return field;
    });
    whenever(() => [state.here, state.version, state.tags], () => {
        const { here: { notes, name, parent } } = state;
        mark.disabled = parent === null;
        if (document.activeElement !== comment) {
            byId("comment-of").textContent = parent ? TEXT.commentOf(name) : TEXT.commentBefore;
            comment.value = notes.comment ?? "";
        }
        mark.value = markOf(notes);
        fields.forEach((field, index) => {
            if (document.activeElement === field) return;
            field.value = state.tags.find(([tag]) => tag === TAGS[index])?.[1] ?? "";
        });
    });
}
