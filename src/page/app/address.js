import { elementById, isGameSuspended, setState, state, subscribe, TEXT } from "../core/index.js";
import { describeError, HAS_SERVER, RequestError, sendRequest } from "../engine/index.js";
import { createSaveInfoOfNewGame, currentSavedGame, fieldsDroppedFromLink, formatGameLink, formatProblemLink,
    formatRecordBody, formatRecordHeader, hasNotesOrVariations, linkFieldsInvalidForGame, linkFieldsUnusedByProblem,
    parseGameLink, resumeGame, shortenInvalidLink, startGame, startGameFromRecord, viewPosition } from
    "../game/index.js";
import { leaveLesson, leaveProblems, openProblems } from "../learn/index.js";
import { isHomeShown } from "./home.js";
import { lastGameSetup, startGameWithLastSetup } from "./setup-dialog.js";

/**
 * The address of the page is a link to the game or problem that it shows. Each game has an entry in
 * the tab's history, so that the browser's back button returns to the previous game.
 */

/** The maximum number of options that are checked. No game has as many. */
const MAX_OPTIONS = 30;

/** Whether the page is following the address. Meanwhile the page must not write the address. */
let isNavigating = false;
/** Whether the address is the one of the home. */
let isHomeAddressed = false;
/** The root of the game in the address. @type {import("../core/game-tree.js").GameNode | null} */
let addressedRoot = null;

/** @typedef {import("../game/game-link.js").Link} Link */

/** Starts the game of a link. @param {Link} link */
async function startLinkedGame({ game, options, start, moves, players, ply, flipped, record }) {
    const lastOrDefault = lastGameSetup(game);
    const setup = { ...lastOrDefault, game, options, players: players ?? lastOrDefault.players };
    const saveInfo = createSaveInfoOfNewGame({ link: location.hash.slice(1) });
    if (record === null) {
        await startGame(setup, { start, moves, saveInfo });
    } else {
        const text = [...formatRecordHeader(game, options, start), record].join("\n");
        await startGameFromRecord(text, setup, { saveInfo });
    }
    setState({ board: { flipped } });
    if (ply !== null) await viewPosition(state.game.tip.path[ply - 1] ?? (ply === 0 ? state.game.root : null));
}

/** Returns whether the address names a problem. */
export const isProblemAddress = () => parseGameLink(location.hash)?.isProblem ?? false;

/** Returns whether there is the game of a link. @param {Link} link */
const hasGame = ({ game }) => state.engine.games.some(({ word }) => word === game);

/**
 * Shows a problem over the current game. Without a game, starts one first.
 *
 * @param {Link} link
 * @returns {Promise<boolean>} Whether this problem exists.
 */
async function openLinkedProblem(link) {
    if (!hasGame(link)) return false;
    const { game, start } = link;
    if (!state.game.root) await startGameWithLastSetup(game);
    return openProblems(game, start);
}

/** Tries to start the game of a link. @param {Link} link @returns {Promise<RequestError | null>} The error. */
async function tryLink(link) {
    try {
        await startLinkedGame(link);
        return null;
    } catch (error) {
        if (!(error instanceof RequestError)) throw error;
        return error;
    }
}

/**
 * Asks the engine which options of a link it accepts.
 *
 * @param {Link} link
 * @returns {Promise<{ accepted: Record<string, string>, reasons: string[] }>} The reasons of the rejected options.
 */
async function checkOptions({ game, options }) {
    /** @type {Record<string, string>} */
    const accepted = {};
    const reasons = [];
    for (const [name, value] of Object.entries(options).slice(0, MAX_OPTIONS)) {
        try {
            await sendRequest({ game, options: { [name]: value }, ask: "board" });
            accepted[name] = value;
        } catch (error) {
            if (!(error instanceof RequestError)) throw error;
            reasons.push(describeError(error));
        }
    }
    return { accepted, reasons };
}

/**
 * Starts the longest valid part of a link. If no part is valid, starts the default game.
 *
 * @param {Link} link
 * @returns {Promise<{ isWhole: boolean, reasons: string[] }>} Whether the engine accepts the whole link, and the
 * reasons why parts of the link are invalid.
 */
async function startValidPart(link) {
    const reasons = link.faults.map(TEXT.linkFault);
    if (!hasGame(link)) {
        await startGameWithLastSetup();
        return { isWhole: false, reasons: [TEXT.noSuchGame(link.game), ...reasons] };
    }
    let part = link;
    let error = await tryLink(part);
    if (error) {
        const { accepted, reasons: rejected } = await checkOptions(link);
        if (rejected.length > 0) {
            reasons.push(...rejected);
            part = { ...link, options: accepted };
            error = await tryLink(part);
        }
    }
    const isWhole = error === null && part === link;
    if (error) {
        reasons.push(describeError(error));
        const invalid = part;
        const shorter = shortenInvalidLink(part, error.move);
        while (error && shorter.length > 0) {
            [part] = shorter.splice(0, 1);
            error = await tryLink(part);
        }
        reasons.push(...fieldsDroppedFromLink(invalid, part).map(TEXT.linkFault));
    }
    if (error) {
        await startGameWithLastSetup();
    } else {
        const { geometry: { sides }, tip } = state.game;
        reasons.push(...linkFieldsInvalidForGame(part, sides.length, tip.ply).map(TEXT.linkFault));
    }
    return { isWhole, reasons };
}

/**
 * Starts the game of the address. If the link is invalid, shows the reasons and starts the longest
 * valid part of the link.
 *
 * @returns {Promise<boolean>} Whether the address has a link.
 */
export async function startGameOfAddress() {
    if (location.hash.length < 2) return false;
    const link = parseGameLink(location.hash);
    if (!link) {
        await startGameWithLastSetup();
        setState({ app: { note: TEXT.notAGameLink, startNote: TEXT.notAGameLink } });
        return true;
    }
    const { isProblem } = link;
    if (isProblem) {
        if (await openLinkedProblem(link)) {
            const faults = [...link.faults, ...linkFieldsUnusedByProblem(link)];
            if (faults.length > 0) setState({ app: { note: TEXT.invalidLink(faults.map(TEXT.linkFault)) } });
            return true;
        }
        // Both players are people, so that the engine does not move before somebody has seen the
        // position.
        link.players = ["person", "person"];
    }
    const { isWhole, reasons } = await startValidPart(link);
    const notes = [];
    if (isProblem) notes.push(TEXT.noSuchProblem);
    if (isProblem && isWhole) notes.push(TEXT.playItsPosition);
    if (reasons.length > 0) notes.push(TEXT.invalidLink(reasons));
    const note = notes.join(" ");
    if (note !== "") setState({ app: { note, startNote: note } });
    return true;
}

/** Returns whether the address belongs to a saved game of this tab. Otherwise it names a game to start. */
export const isSavedGameAddress = () => history.state?.id !== undefined;

/** Returns whether the address belongs to the home. */
export const isHomeAddress = () => history.state?.isHome === true;

/** Follows the browser's back and forward buttons and typed addresses. */
async function onNavigation() {
    isNavigating = true;
    try {
        leaveLesson();
        leaveProblems();
        const isHome = isHomeAddress();
        setState({ app: { isHome } });
        if (isHome) return;
        const { id } = history.state ?? {};
        const isResumed = id === state.game.saveInfo?.id || (id && await resumeGame(id));
        if (!isResumed || isProblemAddress()) await startGameOfAddress();
    } catch (error) {
        setState({ app: { note: describeError(error) } });
    } finally {
        isNavigating = false;
        updateAddress(false);
    }
}

/** Returns the body of the current game's record for a link; `null` if the game has only moves. */
function annotatedRecord() {
    const { root, tags } = state.game;
    return tags.length > 0 || hasNotesOrVariations(root) ? formatRecordBody(currentSavedGame()) : null;
}

/**
 * Returns the link to the problem that is being solved. The link to a problem that the page made
 * names the position, because no list has the problem.
 *
 * @param {import("../core/types.js").PracticeSession} session
 */
function sessionLink({ game, list, index, base }) {
    const { fen = "", options = {}, solution } = list[index];
    if (solution === undefined) return formatProblemLink(game, fen);
    /** @type {import("../core/types.js").Setup} */
    const setup = { ...state.game.setup, game, options, players: ["person", "person"] };
    return formatGameLink({ ...linkedParts(), setup, start: fen, tip: base, viewedNode: base }).hash;
}

/** Returns the parts of the state that a link contains, and the options with their defaults. */
const linkedParts = () => ({ ...state.game, flipped: state.board.flipped, options: state.engine.options });

/**
 * Returns the link to the game. If the game is too long for a link and comes from a link, returns that link until the
 * game is stored. Otherwise a reload would lose the game.
 */
function gameLink() {
    const { hash, hasMoves, omitsNotes } = formatGameLink(linkedParts(), annotatedRecord());
    const { link = null, isStored } = state.game.saveInfo ?? {};
    return link === null || isStored || (hasMoves && !omitsNotes) ? hash : link;
}

/**
 * Writes a link to the shown game or problem into the address.
 *
 * @param {boolean} isAnother Whether the game is a new one.
 */
function updateAddress(isAnother) {
    const { practice } = state.learn;
    const { saveInfo, root } = (practice?.suspendedGame ?? state).game;
    const isHome = isHomeShown();
    const hash = isHome ? "" : `#${practice ? sessionLink(practice) : gameLink()}`;
    addressedRoot = root;
    isHomeAddressed = isHome;
    const address = hash || location.pathname + location.search;
    const entry = /** @type {[any, string, string]} */ ([{ id: saveInfo?.id, isHome }, "", address]);
    try {
        if (isAnother) history.pushState(...entry);
        else if (location.hash !== hash || history.state?.id !== saveInfo?.id || isHomeAddress() !== isHome) {
            history.replaceState(...entry);
        }
    } catch {
        // Some browsers limit the rate of changes. This is harmless, because the next change writes
        // the whole address.
    }
}

/** Updates the address with every change, and binds the buttons that copy and share the address. */
export function setUpAddressUpdates() {
    const parts = () => [state.game.root, state.game.tip, state.game.viewedNode, state.board.flipped,
        state.game.setup, state.game.saveInfo, isGameSuspended(), state.game.treeVersion, state.app.isHome];
    subscribe(parts, () => {
        // A lesson, a drill or a turning point has no address. The address of the suspended game
        // stays.
        const { lesson, practice } = state.learn;
        if (lesson || (practice && practice.kind !== "problems") || isNavigating) return;
        const { root } = (practice?.suspendedGame ?? state).game;
        updateAddress(addressedRoot !== null && (addressedRoot !== root || isHomeAddressed !== isHomeShown()));
    });
    addEventListener("popstate", () => void onNavigation());
    const copy = elementById("link-copy");
    const share = elementById("link-share");
    const note = elementById("link-note");
    elementById("link").hidden = HAS_SERVER;
    share.hidden = !("share" in navigator);
    subscribe(() => [state.game.tip, state.game.start, state.game.setup, state.game.treeVersion], () => {
        const { hasMoves, omitsNotes } = formatGameLink(linkedParts(), annotatedRecord());
        note.hidden = hasMoves && !omitsNotes;
        note.textContent = hasMoves ? TEXT.linkWithoutNotes : TEXT.tooLongForLink;
        for (const button of [copy, share]) button.toggleAttribute("disabled", !hasMoves);
    });
    copy.addEventListener("click", async () => {
        await navigator.clipboard.writeText(location.href);
        setState({ app: { note: TEXT.copied } });
    });
    // If the user cancels, the promise is rejected. This needs no message.
    share.addEventListener("click", () => void navigator.share({ url: location.href }).catch(() => {}));
}
