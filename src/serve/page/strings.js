import { byId, html } from "./dom.js";

/** Capitalises the first letter. @param {string} text */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** @param {number} number @param {string} one @param {string} many */
const counted = (number, one, many) => `${number} ${number === 1 ? one : many}`;

/** @param {number} share From 0 to 1. */
const percent = (share) => `${Math.round(100 * share)} %`;

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
        "goal-third": (sides) => `goal of ${sides[2]}`,
        "goal-fourth": (sides) => `goal of ${sides[3]}`,
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
    timeIsUp: (/** @type {string} */ side) =>
        `The time of ${side} has run out. By these rules nobody loses by that, and the game goes on.`,

    // The state of the game.
    moved: (/** @type {string} */ side, /** @type {string} */ move) => `${capital(side)}: ${move}.`,
    viewed: (/** @type {number} */ ply, /** @type {number} */ count) =>
        `You are looking at the position after ${ply} of ${counted(count, "move", "moves")}.`,
    astray: (/** @type {string} */ move) => `You are looking at a variation, after ${move}.`,
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
    notYours: (/** @type {string} */ kind, /** @type {string} */ site, /** @type {string} */ side) =>
        `The ${kind} on ${site} is ${side}'s.`,
    premove: (/** @type {string[]} */ sites) =>
        `Premove: ${sites.join(" ")}. It is made after the engine's move if it is legal then.`,
    premoveDropped: (/** @type {string[]} */ sites, /** @type {string | null} */ why) =>
        `The premove ${sites.join(" ")} was not made${why ? `: ${why}` : ", because it is not legal now"}.`,
    notYourTurn: "It is not your turn.",
    gameOver: "The game is over.",

    // What the engine would do.
    hint: (/** @type {string} */ move, /** @type {string} */ score) => `I would play ${move}${score}.`,
    hintScore: (/** @type {string} */ score) => ` (${score})`,
    confirmDraw: "Do both players agree on a draw?",
    drawDeclined: "The engine declines the draw.",
    confirmResign: (/** @type {string} */ side) => `Does ${side} resign?`,

    // What positions are worth.
    unknown: "not known yet",
    anotherSide: "another side",
    drawn: "drawn, proven",
    drawnGame: "the game is drawn",
    hasWon: (/** @type {string} */ side) => `${side} has won`,
    winsIn: (/** @type {string} */ side, /** @type {number} */ moves) =>
        `${side} wins in ${counted(moves, "move", "moves")}, proven`,
    winsByRepetition: (/** @type {string} */ side) => `${side} wins by repetition`,
    winsByTables: (/** @type {string} */ side) => `${side} wins, by tables`,
    winsLikely: (/** @type {string} */ side) => `${side} most likely wins`,
    halfPoints: ["lost", "draw", "won"],
    draw: "draw",
    win: (/** @type {number} */ moves) => `wins in ${moves}`,
    loss: (/** @type {number} */ moves) => `loses in ${moves}`,
    chance: (/** @type {string} */ words, /** @type {string} */ side, /** @type {number} */ share) =>
        `${words}, ${percent(share)} for ${capital(side)}`,

    // The analysis.
    found: (/** @type {string} */ words, /** @type {number} */ depth, /** @type {boolean} */ searching) =>
        `${capital(words)}, depth ${depth}${searching ? " …" : ""}`,
    searching: "The engine is looking …",
    afterItsMove: "The engine is to move; the analysis goes on after its move.",
    preview: (/** @type {string[]} */ moves) => `Would be after ${moves.join(" ")}`,

    // The review.
    review: "Review the game",
    stopReview: "Stop the review",
    reviewed: (/** @type {number} */ done, /** @type {number} */ count) =>
        `${done} of ${counted(count, "move", "moves")}`,
    markNames: /** @type {Record<string, string>} */ ({ "?": "mistake", "??": "blunder" }),
    tally: (/** @type {string} */ side, /** @type {number} */ accuracy, /** @type {number} */ mistakes,
        /** @type {number} */ blunders) => `${capital(side)}: accuracy ${(100 * accuracy).toFixed(1)} %, `
            + `${counted(mistakes, "mistake", "mistakes")}, ${counted(blunders, "blunder", "blunders")}`,
    moment: (/** @type {string} */ move, /** @type {string} */ mark, /** @type {string} */ side,
        /** @type {number} */ lost, /** @type {string} */ best) =>
        `${move}${mark} cost ${capital(side)} ${Math.floor(100 * lost)} % of the chances; best was ${best}`,
    turningPoint: "Turning point: ",
    again: "Try again",
    againBefore: (/** @type {string} */ move) => `Try again before ${move}`,
    graphAt: (/** @type {string} */ move, /** @type {string} */ words, /** @type {string} */ mark) =>
        `${move}${mark ? `, ${TEXT.markNames[mark]}` : ""}: ${words}`,
    offGraph: "in a variation",
    playOn: "Play on from here",
    tryAgain: "Try again from here",
    confirmDelete: (/** @type {number} */ count) => `Delete ${counted(count, "move", "moves")} of the game?`,

    // The new game.
    yes: "yes",
    no: "no",
    pairing: (/** @type {string} */ side, /** @type {number} */ index) =>
        `You play ${side}, ${["first", "second", "third", "fourth"][index]}`,
    team: (/** @type {string[]} */ sides) => `People play ${sides.join(" and ")}`,
    people: (/** @type {number} */ count) => `${count === 2 ? "Two" : "Four"} people at this board`,
    engines: "The engine plays itself",
    noClock: "No clocks",
    clocks: (/** @type {number} */ minutes, /** @type {number} */ increment) =>
        `${counted(minutes, "minute", "minutes")}${increment ? ` and ${increment} s a move` : ""}`,
    seconds: (/** @type {number} */ seconds) => counted(seconds, "second", "seconds"),
    values: /** @type {Record<string, string>} */ ({ ruleset: "as the rule set says" }),
    common: /** @type {Record<string, string>} */ ({ RepetitionDraw: "Draw at the third repetition" }),
    options: /** @type {Record<string, string>} */ ({
        Quoridor_Walls: "Walls, of two players", Quoridor_Walls2: "Walls of the second player, of two",
        Quoridor_Teams: "Two teams, of four players", Quoridor_FourWalls: "Walls, of four players",
    }),
    optionName: (/** @type {string} */ name) => {
        if (name in TEXT.options) return TEXT.options[name];
        const words = name.replace(/^[^_]*_/, "").replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
        return capital(words);
    },

    // Rules, positions and records.
    before: "before",
    after: "after",
    drawing: (/** @type {string} */ caption) => `Board: ${caption}`,
    setUp: "This position can be played.",
    decided: "This position is decided.",
    refused: (/** @type {number | null} */ column, /** @type {string} */ message) =>
        column === null ? message : `column ${column}: ${message}`,
    noPosition: "Type or paste the text of a position.",
    copied: "Copied.",
    loaded: "The record has been loaded.",

    // The settings.
    themes: { wood: "Wood", stone: "Stone", sea: "Sea" },

    // The page itself.
    board: (/** @type {string} */ title) => `${title} board`,
    title: (/** @type {string} */ title) => `${title} – pentarch`,
    lost: "The connection to the engine has ended.",
    full: "The server has as many sessions as it takes, 16. Close another tab, then connect again.",
    failed: "There is no connection. Is the server still running?",

    // The words of index.html: those of elements with `data-text`, and names of elements with `data-label`.
    newGame: "New game",
    flip: "Flip",
    keys: "Keys",
    settings: "Settings",
    theme: "Colours of the board",
    large: "Larger pieces and places",
    confirmTap: "A second tap confirms a move",
    premoveSetting: "Premoves: choose a move while the engine thinks",
    sounds: "Sounds",
    askSounds: "Do you want to hear the moves?",
    soundsOn: "Sounds on",
    soundsOff: "No sounds",
    reconnect: "Connect again",
    table: "Table",
    game: "Game",
    cancel: "Choose again",
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
    analyse: "Analyse",
    lineCount: "Lines",
    deeper: "Deeper",
    evaluation: "Evaluation",
    lines: "Best lines",
    graph: "Evaluation of the game by move",
    moments: "Moments that turned the game",
    noMoments: "No move lost 10 % of the chances or more.",
    variation: "Variation",
    promote: "Make it the main line",
    deleteVariation: "Delete from here on",
    positionAndRecord: "Position and record",
    position: "Position",
    positionBoard: "The position of the text",
    playPosition: "Play from this position",
    copyPosition: "Copy the position",
    record: "Record",
    loadRecord: "Load this record",
    copyRecord: "Copy the record",
    savePicture: "Save a picture",
    saveRecord: "Save the record",
    shareRecord: "Share the record",
    openRecord: "Open a record",
    mainLineOnly: "Records have no variations: this one has the main line only.",
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
        ["Escape", "give up the half-made move or the premove, and take arrows and marks away"],
        ["X", "mark this place; with Shift, draw an arrow from the last mark to it"],
        ["M", "type a move"],
        ["U", "take back, in a variation its last move"],
        ["H", "what would you play?"],
        [", .", "look at the position before, or after"],
        ["[ ]", "look at the previous or the next variation, instead of this move"],
        ["T", "play on, or try again, from the position that is looked at"],
        ["P", "make this variation the main line"],
        ["Delete", "delete this move and what follows it"],
        ["A", "show or hide the analysis"],
        ["1 to 5", "so many lines"],
        ["D", "search deeper"],
        ["L", "go to the lines; arrow keys go through them, Enter makes one a variation"],
        ["R", "review the game, or stop that"],
        ["G", "go to the graph of the game; arrow keys go through its moves"],
        ["F", "flip the board"],
        ["S", "sounds on or off"],
        ["O", "settings"],
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
