import { byId, html } from "./dom.js";

/** Capitalises the first letter. @param {string} text */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** @param {number} number @param {string} one @param {string} many */
const counted = (number, one, many) => `${number} ${number === 1 ? one : many}`;

/** Every text for people that the engine does not give, in one table, so that it can be translated. */
export const TEXT = {
    // What sites, marks and arrows of the closed lists are called.
    places: /** @type {Record<string, (sides: string[]) => string>} */ ({
        tower: () => "tower",
        slot: () => "slot",
        groove: () => "groove",
        red: () => "red cell",
        "home-first": (sides) => `home of ${sides[0]}`,
        "home-second": (sides) => `home of ${sides[1]}`,
        "goal-first": (sides) => `goal of ${sides[0]}`,
        "goal-second": (sides) => `goal of ${sides[1]}`,
    }),
    marks: /** @type {Record<string, string>} */ ({
        blocked: "must not be moved now", huff: "may be huffed, and one must be, first", spent: "never steps again",
    }),
    arrows: /** @type {Record<string, string>} */ ({ forbidden: "must not step back" }),
    arrow: (/** @type {string} */ kind, /** @type {string} */ to) => `${kind} to ${to}`,
    lastMove: "last move",

    // Sides and players.
    side: (/** @type {string} */ word) => capital(word),
    person: "Person",
    engine: "Engine",
    player: (/** @type {string} */ side) => `Who plays ${side}`,
    hand: (/** @type {number} */ count, /** @type {string} */ kind) => `${counted(count, kind, `${kind}s`)} in hand`,
    captured: (/** @type {number} */ count) => `Lost: ${count}`,
    clock: (/** @type {string} */ side) => `Time of ${side}`,

    // The state of the game.
    moved: (/** @type {string} */ side, /** @type {string} */ move) => `${capital(side)}: ${move}.`,
    viewed: (/** @type {number} */ ply, /** @type {number} */ count) =>
        `You are looking at the position after ${ply} of ${counted(count, "move", "moves")}.`,
    thinking: "The engine is thinking …",
    noMoves: "No moves have been made.",

    // Making a move.
    mayStop: "The move may end here or go on.",
    confirm: (/** @type {string} */ move) => `Tap again to play ${move}.`,
    play: (/** @type {string} */ move) => `Play ${move}`,
    nothing: (/** @type {string} */ site) => `No move begins at ${site}.`,
    whereTo: (/** @type {string} */ kind, /** @type {string} */ site) =>
        `Where should the ${kind} on ${site} go? If it cannot go there, the rules say why.`,
    otherSide: (/** @type {string} */ kind, /** @type {string} */ site, /** @type {string} */ side,
        /** @type {string} */ turn) => `The ${kind} on ${site} is ${side}'s, and it is ${turn}'s turn.`,
    marked: (/** @type {string} */ kind, /** @type {string} */ site, /** @type {string} */ mark) =>
        `The ${kind} on ${site} ${TEXT.marks[mark] ?? mark}.`,
    noWay: (/** @type {string[]} */ sites) => `No move goes by ${sites.join(", ")}.`,
    notYourTurn: "It is not your turn.",
    gameOver: "The game is over.",
    lookingBack: "This is an earlier position. Choose “Play on from here” to move in it.",

    // What the engine would do.
    hint: (/** @type {string} */ move, /** @type {string} */ score) => `I would play ${move}${score}.`,
    hintScore: (/** @type {string} */ score) => ` (${score})`,
    wins: (/** @type {number} */ moves) => `a win in ${counted(moves, "move", "moves")}`,
    loses: (/** @type {number} */ moves) => `a loss in ${counted(moves, "move", "moves")}`,
    analysis: (/** @type {string} */ side, /** @type {string} */ score, /** @type {string} */ depth) =>
        `${capital(side)}: ${score}, depth ${depth}`,
    confirmDraw: "Do both players agree on a draw?",
    drawDeclined: "The engine declines the draw.",
    confirmResign: (/** @type {string} */ side) => `Does ${side} resign?`,

    // The new game.
    yes: "yes",
    no: "no",
    pairing: (/** @type {string} */ side, /** @type {number} */ index) =>
        `You play ${side}, ${index === 0 ? "first" : "second"}`,
    twoPeople: "Two people at this board",
    twoEngines: "The engine plays itself",
    noClock: "No clocks",
    clocks: (/** @type {number} */ minutes, /** @type {number} */ increment) =>
        `${counted(minutes, "minute", "minutes")}${increment ? ` and ${increment} s a move` : ""}`,
    seconds: (/** @type {number} */ seconds) => counted(seconds, "second", "seconds"),
    values: /** @type {Record<string, string>} */ ({ ruleset: "as the rule set says" }),
    common: /** @type {Record<string, string>} */ ({ RepetitionDraw: "Draw at the third repetition" }),
    optionName: (/** @type {string} */ name) => {
        const words = name.replace(/^[^_]*_/, "").replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
        return capital(words);
    },

    // Rules, positions and records.
    before: "before",
    after: "after",
    drawing: (/** @type {string} */ caption) => `Board: ${caption}`,
    setUp: "This position can be played.",
    noPosition: "Type or paste the text of a position.",
    copied: "Copied.",
    loaded: "The record has been loaded.",

    // The page itself.
    board: (/** @type {string} */ title) => `${title} board`,
    title: (/** @type {string} */ title) => `${title} – pentarch`,
    lost: "The connection to the engine has ended.",
    failed: "There is no connection. Is the server still running?",

    // The words of index.html: those of elements with `data-text`, and names of elements with `data-label`.
    newGame: "New game",
    flip: "Flip",
    keys: "Keys",
    reconnect: "Connect again",
    table: "Table",
    game: "Game",
    cancel: "Choose again",
    playOn: "Play on from here",
    takeBack: "Take back",
    askHint: "What would you play?",
    resign: "Resign",
    offerDraw: "Offer a draw",
    move: "Move",
    playMove: "Play",
    moves: "Moves",
    lookAt: "Look at",
    first: "Start",
    back: "Back",
    forward: "Forward",
    last: "End",
    rules: "Rules",
    topic: "Topic",
    analysisTitle: "Analysis",
    analyse: "Analyse while people are to move",
    positionAndRecord: "Position and record",
    position: "Position",
    positionBoard: "The position of the text",
    playPosition: "Play from this position",
    copyPosition: "Copy the position",
    record: "Record",
    loadRecord: "Load this record",
    copyRecord: "Copy the record",
    console: "Console",
    consoleLog: "Lines to and from the engine",
    consoleLine: "Line to the engine",
    send: "Send",
    players: "Players",
    level: "Level",
    thinkingTime: "Thinking time",
    clocksTitle: "Clocks",
    begin: "Begin",
    dismiss: "Cancel",
    close: "Close",
    keyList: [
        ["Tab, B", "go to the board"],
        ["Arrow keys", "to the nearest place that may be chosen; with Shift, to any place"],
        ["Page Up, Page Down", "to the previous or the next place that may be chosen"],
        ["Enter, Space", "choose this place; a second time, end the move here"],
        ["Escape", "give up the half-made move"],
        ["M", "type a move"],
        ["U", "take back"],
        ["H", "what would you play?"],
        [", .", "look at the position before, or after"],
        ["F", "flip the board"],
        ["N", "new game"],
        ["?", "this list"],
    ],
};

/** Writes the words of the page into its elements. */
export function write() {
    const words = /** @type {Record<string, unknown>} */ (TEXT);
    for (const element of document.querySelectorAll("[data-text]")) {
        element.textContent = String(words[element.getAttribute("data-text") ?? ""]);
    }
    for (const element of document.querySelectorAll("[data-label]")) {
        element.setAttribute("aria-label", String(words[element.getAttribute("data-label") ?? ""]));
    }
    const keys = TEXT.keyList.flatMap(([key, meaning]) => [html("dt", {}, key), html("dd", {}, meaning)]);
    byId("key-list", HTMLElement).replaceChildren(...keys);
}
