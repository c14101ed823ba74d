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
 * The address of the page, which is a link to what it shows. Each game has an entry in the history of the tab, so that
 * the browser's button leads back to the game before.
 */

/** Whether the game in play is one that the address has asked for. */
let isFollowing = false;
/** The start of the game whose address was written last. @type {import("./tree.js").GameNode | null} */
let written = null;

/** Begins the game of a link. @param {import("./link.js").Link} link */
async function beginLink({ game, options, start, moves, players, ply, turned, record }) {
    const usual = lastSetup(game);
    const setup = { ...usual, game, options, players: players ?? usual.players };
    if (record === null) await begin(setup, { start, moves });
    else await load([...headOf(game, options, start), record].join("\n"), setup);
    change({ flipped: turned });
    if (ply !== null) await look(state.tip.path[ply - 1] ?? (ply === 0 ? state.root : null));
}

/** Whether the address is that of a problem. */
export const namesProblem = () => readLink(location.hash)?.isProblem ?? false;

/**
 * Shows a problem over the game that is going on, or without one over a new game.
 *
 * @param {import("./link.js").Link} link
 * @returns {Promise<boolean>} Whether there is such a problem.
 */
async function followProblem({ game, start }) {
    if (!state.root) await beginUsual(game);
    return openProblems(game, start);
}

/**
 * Begins the game of the address. Where that is wrong it is said what is, and as much of it is begun as is right.
 *
 * @returns {Promise<boolean>} Whether the address says anything.
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
            // Nobody is to move before somebody has looked at it.
            link.players = ["person", "person"];
        }
    } catch (error) {
        // The game of the link says what is wrong.
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

/** Whether the tab has this address for a game that it keeps, and not for one that it is to begin. */
export const isOwnAddress = () => history.state?.id !== undefined;

/** Goes where the browser's buttons or somebody's typing lead. */
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

/** What was added to the game in play, with its moves, for a link; nothing if there are moves only. */
function added() {
    const { root, tags } = state;
    return tags.length > 0 || saysSomething(root) ? bodyOf(gameInPlay()) : null;
}

/**
 * The link to a problem that is being solved. One that the page has made is in no list: its link is to the position.
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

/** Writes what is shown into the address. @param {boolean} isAnother Whether it is another game than before. */
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
        // Some browsers take only so many changes in a time; the next one has all of it.
    }
}

/** Keeps the address right, and lets links be copied and shared. */
export function keepAddress() {
    const parts = () => [state.root, state.tip, state.here, state.flipped, state.setup, state.kept, isAside(),
        state.version];
    whenever(parts, () => {
        // What has no address of its own has that of the game which was put aside for it.
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
    // Whoever changes their mind has shared nothing, and need not be told.
    share.addEventListener("click", () => void navigator.share({ url: location.href }).catch(() => {}));
}
