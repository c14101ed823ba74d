/** @import { Geometry, RulesBlock, RulesPage, Scene } from "../core/types.js" */
import { elementById, html, setText, state, subscribe, svg, TEXT } from "../core/index.js";
import { describeError, runAndShowError, sendRequest } from "../engine/index.js";
import { Board } from "../board/index.js";

/** Draws the rules of the current game with their diagrams, while the panel is open. */
export function mountRulesPanel() {
    const panel = elementById("rules", HTMLDetailsElement);
    const topics = elementById("rules-topic", HTMLSelectElement);
    const page = elementById("rules-page");
    const link = elementById("show-rule");
    /** The game and the options whose rules are shown. @type {string | null} */
    let shown = null;
    /** The number of the latest request. Responses for earlier requests are dropped. */
    let request = 0;
    const show = async (/** @type {string | null} */ topic) => {
        const thisRequest = ++request;
        const { game, options } = state.game.setup;
        shown = currentRules();
        try {
            /** @type {{ rules: RulesPage }} */
            const { rules } = await sendRequest({ game, options, ask: "rules", topic });
            const figures = await Promise.all(rules.blocks.map((block) => drawBlock(game, block)));
            if (thisRequest !== request) return;
            topics.replaceChildren(...rules.topics.map((value, index) =>
                html("option", { value, selected: value === rules.topic }, rules.titles[index])));
            page.replaceChildren(html("h3", {}, rules.title), ...figures.map(({ element }) => element));
            // A board must be on the page, because it measures its drawing.
            for (const { draw } of figures) draw();
        } catch (error) {
            if (thisRequest !== request) return;
            shown = null;
            page.replaceChildren(html("p", { role: "alert" }, describeError(error)));
        }
    };
    const look = () => {
        if (!panel.open || shown === currentRules()) return;
        page.replaceChildren();
        void show(null);
    };
    panel.addEventListener("toggle", look);
    topics.addEventListener("change", () => void show(topics.value));
    subscribe(() => [state.game.geometry], look);
    subscribe(() => [state.app.note, state.app.noteRule], () => {
        const { note, noteRule } = state.app;
        link.hidden = noteRule?.note !== note;
        if (noteRule) setText(link, TEXT.showRule(noteRule.rule));
    });
    link.addEventListener("click", () => runAndShowError(async () => {
        const { noteRule } = state.app;
        const topic = await topicOfRule(noteRule?.rule ?? "");
        // Meanwhile the person may have gone elsewhere.
        if (state.app.noteRule !== noteRule) return;
        panel.open = true;
        await show(topic);
        /** @type {HTMLElement | null} */
        const sentence = page.querySelector(`[data-rule="${noteRule?.rule}"]`);
        if (!sentence) return;
        sentence.tabIndex = -1;
        sentence.scrollIntoView({ block: "center" });
        sentence.focus({ preventScroll: true });
    }));
}

/** Returns a string that is the same for equal rules. */
const currentRules = () => JSON.stringify([state.game.setup.game, state.game.setup.options]);

/** Returns the topic with a rule of the current game; `null` if there is none. @param {string} id */
async function topicOfRule(id) {
    const { game, options } = state.game.setup;
    /** @type {{ rules: RulesPage }} */
    const { rules: { topics } } = await sendRequest({ game, options, ask: "rules" });
    for (const topic of topics) {
        /** @type {{ rules: RulesPage }} */
        const { rules: { blocks } } = await sendRequest({ game, options, ask: "rules", topic });
        const sentences = blocks.flatMap((block) => ("sentences" in block ? block.sentences : []));
        if (sentences.some(({ rule }) => rule === id)) return topic;
    }
    return null;
}

/**
 * Creates a paragraph or a diagram. In a paragraph, the id of each rule is after its sentence. A
 * diagram shows a position and, if there are moves, the position after the moves.
 *
 * @param {string} game
 * @param {RulesBlock} block
 * @returns {Promise<{ element: HTMLElement, draw: () => void }>}
 */
async function drawBlock(game, block) {
    if ("sentences" in block) {
        const parts = block.sentences.flatMap(({ rule, text }) => [rule === null ? text
            : html("span", { "data-rule": rule }, `${text} `,
                html("span", { class: "rule-id" }, `[${rule}]`)), " "]);
        return { element: html("p", {}, ...parts), draw: () => {} };
    }
    const { caption, fen, moves, options = {}, show } = block;
    const shown = [[], ...(moves.length > 0 ? [moves] : [])];
    /** @type {{ board: Geometry, scene: Scene }[]} */
    const responses = await Promise.all(shown.map((moveList) =>
        sendRequest({ game, options, fen, moves: moveList, ask: ["board", "scene"] })));
    const drawings = responses.map((_, index) => {
        const name = shown.length === 1 ? caption : `${caption} (${index === 0 ? TEXT.before : TEXT.after})`;
        return svg("svg", { class: "board small", role: "img", "aria-label": TEXT.drawing(name) });
    });
    const draw = () => responses.forEach(({ board, scene }, index) => {
        const drawn = new Board(drawings[index], board, 1.7);
        drawn.showScene(scene);
        if (show) drawn.crop(show);
    });
    const boards = html("div", { class: "boards" }, ...drawings);
    return { element: html("figure", {}, boards, html("figcaption", {}, caption)), draw };
}
