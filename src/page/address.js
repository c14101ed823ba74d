import { byId } from "./dom.js";
import { begin, load, look } from "./game.js";
import { bodyOf, headOf } from "./game-file.js";
import { linkOf, linkOfProblem, readLink, remainders } from "./link.js";
import { saysSomething } from "./notes.js";
import { leaveLesson } from "./lesson.js";
import { leaveProblems, openProblems } from "./problems.js";
import { explained, Refused } from "./requests.js";
import { gameInPlay, resume } from "./saved-game.js";
import { beginUsual, lastSetup } from "./setup-dialog.js";
import { change, isAside, state, whenever } from "./state.js";
import { TEXT } from "./strings.js";
import { HAS_SERVER } from "./transport.js";

/**
 * The address of the page is a link to the game or problem that it shows. Each game has an entry in
 * the tab's history, so that the browser's back button returns to the game before.
 */

/** Whether the page is following the address, so that it must not write it. */
let isFollowing = false;
/** The root of the game in the address. @type {import("./tree.js").GameNode | null} */
let written = null;

/** Starts the game of a link. @param {import("./link.js").Link} link */
async function beginLink({ game, options, start, moves, players, ply, turned, record }) {
    const usual = lastSetup(game);
    const setup = { ...usual, game, options, players: players ?? usual.players };
    if (record === null) await begin(setup, { start, moves });
    else await load([...headOf(game, options, start), record].join("\n"), setup);
    change({ flipped: turned });
    if (ply !== null) await look(state.tip.path[ply - 1] ?? (ply === 0 ? state.root : null));
}

/** Returns whether the address names a problem. */
export const namesProblem = () => readLink(location.hash)?.isProblem ?? false;

/**
 * Shows a problem over the current game; without a game, over a new one.
 *
 * @param {import("./link.js").Link} link
 * @returns {Promise<boolean>} Whether this problem exists.
 */
async function followProblem({ game, start }) {
    if (!state.root) await beginUsual(game);
    return openProblems(game, start);
}

/**
 * Starts the game of the address. If the link is invalid, shows the reason and starts the longest
 * valid part of it.
 *
 * @returns {Promise<boolean>} Whether the address has a link.
 */
export async function followAddress() {
    if (location.hash.length < 2) return false;
    const link = readLink(location.hash);
    /** @type {string | null} */
    let fault = link ? null : TEXT.noLink;
    try {
        if (link?.isProblem) {
            if (await followProblem(link)) return true;
            fault = TEXT.noSuchProblem;
            // Both players are people until somebody has seen the position.
            link.players = ["person", "person"];
        }
    } catch (error) {
        // Starting the game of the link reports the error below.
        if (!(error instanceof Refused)) throw error;
    }
    let tries = link ? [link] : [];
    for (let next = tries.shift(); next; next = tries.shift()) {
        try {
            await beginLink(next);
            if (fault !== null) change({ note: fault });
            return true;
        } catch (error) {
            if (!(error instanceof Refused)) throw error;
            if (fault === null) tries = remainders(next, error.move);
            fault ??= TEXT.badLink(explained(error));
        }
    }
    await beginUsual();
    if (fault !== null) change({ note: fault });
    return true;
}

/** Returns whether the address belongs to a saved game of this tab, instead of a game to start. */
export const isOwnAddress = () => history.state?.id !== undefined;

/** Follows the browser's back and forward buttons and typed addresses. */
async function travel() {
    isFollowing = true;
    try {
        leaveLesson();
        leaveProblems();
        const { id } = history.state ?? {};
        const isKept = id === state.kept?.id || (id && await resume(id));
        if (!isKept || namesProblem()) await followAddress();
    } catch (error) {
        change({ note: explained(error) });
    } finally {
        isFollowing = false;
        writeAddress(false);
    }
}

/** Returns the body of the current game's record for a link; `null` if the game has only moves. */
function added() {
    const { root, tags } = state;
    return tags.length > 0 || saysSomething(root) ? bodyOf(gameInPlay()) : null;
}

/**
 * Returns the link to the problem that is being solved. A problem that the page made is in no list,
 * so that its link names the position.
 *
 * @param {import("./types.js").Solving} solving
 */
function linkOfSolving({ game, list, index, base }) {
    const { fen = "", options = {}, solution } = list[index];
    if (solution === undefined) return linkOfProblem(game, fen);
    /** @type {import("./types.js").Setup} */
    const setup = { ...state.setup, game, options, players: ["person", "person"] };
    return linkOf({ ...state, setup, start: fen, tip: base, here: base }).hash;
}

/** Writes what the page shows into the address. @param {boolean} isAnother Whether the game is a new one. */
function writeAddress(isAnother) {
    const { solving } = state;
    const { kept, root } = solving?.aside ?? state;
    const hash = solving ? linkOfSolving(solving) : linkOf(state, added()).hash;
    written = root;
    const entry = /** @type {[any, string, string]} */ ([{ id: kept?.id }, "", `#${hash}`]);
    try {
        if (isAnother) history.pushState(...entry);
        else if (location.hash !== `#${hash}` || history.state?.id !== kept?.id) history.replaceState(...entry);
    } catch {
            // Some browsers limit the rate of changes. The next change writes the whole address.
    }
}

/** Updates the address with every change, and binds the buttons that copy and share it. */
export function keepAddress() {
    const parts = () => [state.root, state.tip, state.here, state.flipped, state.setup, state.kept, isAside(),
        state.version];
    whenever(parts, () => {
        // A lesson, a drill or a moment has no address: the suspended game's address stays.
        if (state.lesson || (state.solving && state.solving.kind !== "problems") || isFollowing) return;
        writeAddress(written !== null && written !== (state.solving?.aside ?? state).root);
    });
    addEventListener("popstate", () => void travel());
    const [copy, share, note] = [byId("link-copy"), byId("link-share"), byId("link-note")];
    byId("link").hidden = HAS_SERVER;
    share.hidden = !("share" in navigator);
    whenever(() => [state.tip, state.start, state.setup, state.version], () => {
        const { isWhole, isBare } = linkOf(state, added());
        note.hidden = isWhole && !isBare;
        note.textContent = isWhole ? TEXT.barelyForLink : TEXT.tooLongForLink;
        for (const button of [copy, share]) button.toggleAttribute("disabled", !isWhole);
    });
    copy.addEventListener("click", async () => {
        await navigator.clipboard.writeText(location.href);
        change({ note: TEXT.copied });
    });
    // The promise is rejected if the user cancels, which needs no message.
    share.addEventListener("click", () => void navigator.share({ url: location.href }).catch(() => {}));
}
