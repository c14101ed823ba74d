import { byId, html } from "./dom.js";

/** Capitalises the first letter. @param {string} text */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** @param {number} number @param {string} one @param {string} many */
const countOf = (number, one, many) => `${number} ${number === 1 ? one : many}`;

/** Parts the words for players from their numbers: "player 1". @param {string} text */
const playerText = (text) => text.replace(/\b(player|team)(\d)/gi, "$1 $2");

/** Says options of the rules by the names that people know. @param {string} text */
const quoteOptions = (text) => text.replace(/\b[A-Z][a-z]+_\w+/g, (option) => `“${TEXT.optionName(option)}”`);

/** @param {string[]} words */
const joinWithAnd = (words) => words.join(" and ");

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
        "home-first": (sides) => `home of ${playerText(sides[0])}`,
        "home-second": (sides) => `home of ${playerText(sides[1])}`,
        "goal-first": (sides) => `goal of ${playerText(sides[0])}`,
        "goal-second": (sides) => `goal of ${playerText(sides[1])}`,
        "goal-third": (sides) => `goal of ${playerText(sides[2])}`,
        "goal-fourth": (sides) => `goal of ${playerText(sides[3])}`,
    }),
    marks: /** @type {Record<string, string>} */ ({
        blocked: "must not be moved now", huff: "may be huffed, and one must be, first", spent: "never steps again",
    }),
    arrows: /** @type {Record<string, string>} */ ({ forbidden: "must not step back" }),
    arrow: (/** @type {string} */ kind, /** @type {string} */ to) => `${kind} to ${to}`,
    lastMove: "last move",

    // Sides and players.
    side: (/** @type {string} */ word) => capital(playerText(word)),
    named: playerText,
    teamName: (/** @type {number} */ index) => `team ${index + 1}`,
    teamWord: (/** @type {number} */ index) => `team${index + 1}`,
    teams: (/** @type {string[][]} */ teams) =>
        `${teams.map((team) => joinWithAnd(team.map(TEXT.side))).join(" play against ")}.`,
    aim: (/** @type {string} */ aim) => `Aim: ${aim}.`,
    youAre: (/** @type {string[]} */ own) => `You are ${joinWithAnd(own.map(TEXT.side))}.`,
    person: "Person",
    engine: "Engine",
    player: (/** @type {string} */ side) => `Who plays ${playerText(side)}`,
    hand: (/** @type {number} */ count, /** @type {string} */ kind) => `${countOf(count, kind, `${kind}s`)} in hand`,
    captured: (/** @type {number} */ count) => `Lost: ${count}`,
    clock: (/** @type {string} */ side) => `Time of ${playerText(side)}`,
    timeIsUp: (/** @type {string} */ side) =>
        `The time of ${playerText(side)} has run out. By these rules nobody loses by that, and the game goes on.`,

    // The state of the game.
    moved: (/** @type {string} */ side, /** @type {string} */ move) => `${TEXT.side(side)}: ${move}.`,
    viewed: (/** @type {number} */ ply, /** @type {number} */ count) =>
        `You are looking at the position after ${ply} of ${countOf(count, "move", "moves")}.`,
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
        /** @type {string} */ turn) =>
        `The ${kind} on ${site} is ${playerText(side)}'s, and it is ${playerText(turn)}'s turn.`,
    marked: (/** @type {string} */ kind, /** @type {string} */ site, /** @type {string} */ mark) =>
        `The ${kind} on ${site} ${TEXT.marks[mark] ?? mark}.`,
    noWay: (/** @type {string[]} */ sites) => `No move goes by ${sites.join(", ")}.`,
    illegal: (/** @type {string} */ reason) => `That is not possible: ${playerText(reason)}.`,
    noMoveText: "Type a move first.",
    notAMove: (/** @type {string} */ text) =>
        `“${text}” is not how a move of this game is written. The rules say how, in “How moves are written”.`,
    notYours: (/** @type {string} */ kind, /** @type {string} */ site, /** @type {string} */ side) =>
        `The ${kind} on ${site} is ${playerText(side)}'s.`,
    premove: (/** @type {string[]} */ sites) =>
        `Premove: ${sites.join(" ")}. It is made after the engine's move if it is legal then.`,
    premoveDropped: (/** @type {string[]} */ sites, /** @type {string | null} */ why) =>
        `The premove ${sites.join(" ")} was not made${why ? `: ${playerText(why)}` : ", because it is not legal now"}.`,
    notYourTurn: "It is not your turn.",
    gameOver: "The game is over.",

    // The end of the game.
    rematch: "Rematch, sides changed",
    youWon: (/** @type {string} */ winner, /** @type {string} */ why) =>
        `You won as ${TEXT.side(winner)}: ${playerText(why)}`,
    youLost: (/** @type {string} */ winner, /** @type {string} */ why) =>
        `You lost to ${TEXT.side(winner)}: ${playerText(why)}`,

    // The guided first game.
    learn: "Learn this game",
    newHere: (/** @type {string} */ game) => `New to ${game}? A few small tasks on the board teach it.`,
    lesson: (/** @type {string} */ game) => `Learn ${game}`,
    progress: (/** @type {number} */ task, /** @type {number} */ count) => `${task} of ${count}`,
    taskHint: "Hint",
    nextTask: "Next",
    firstGame: "Play a first game",
    leaveLesson: "Back to my game",
    otherMove: "That is a move, but not what this task asks for. Try again.",
    waitForTask: "First go on to the next task.",

    // Problems, and the moments of a game that are practised.
    problems: "Problems",
    problemsOf: (/** @type {string} */ game) => `Problems of ${game}`,
    noProblems: "There are no problems of this game.",
    noSuchProblem: "The link is to a problem that this page does not have. Its position can be played.",
    problemAt: (/** @type {boolean} */ isDrill, /** @type {number} */ number, /** @type {number} */ count,
        /** @type {number} */ grade, /** @type {boolean} */ isSolved, /** @type {number} */ done,
        /** @type {string | null} */ date) => {
        const [name, solved] = isDrill ? ["Drill", "done"] : ["Problem", "solved"];
        return [
            ...(date === null ? [] : [`Problem of the day, ${date}`]),
            `${name} ${number} of ${count}, grade ${grade}${isSolved ? `, ${solved}` : ""}`, `${done} ${solved}`,
        ].join(" · ");
    },
    drills: "Drills",
    drillsOf: (/** @type {string} */ game) => `Drills of ${game}`,
    drillName: (/** @type {number} */ number, /** @type {boolean} */ isDone) =>
        `Drill ${number}${isDone ? ", done" : ""}`,
    nextDrill: "Next drill",
    toKeep: (/** @type {string} */ side, /** @type {string} */ value) => (value === "win"
        ? `${TEXT.side(side)} is to move and wins: win this won game to its end.`
        : `${TEXT.side(side)} is to move and can draw: hold this draw to the end of the game.`),
    drillKept: (/** @type {string} */ value) => `Done: the ${value} is kept to the end.`,
    drillWithSlips: (/** @type {number} */ slips) =>
        `${countOf(slips, "move was", "moves were")} taken back on the way: begin anew to do it without.`,
    givesAway: (/** @type {string} */ value) => `gives the ${value} away`,
    howManyKeep: (/** @type {number} */ keeping, /** @type {number} */ all, /** @type {string} */ value) =>
        `${keeping} of ${countOf(all, "move", "moves")} ${keeping === 1 ? "keeps" : "keep"} the ${value}.`,
    toWin: (/** @type {string} */ side, /** @type {number} */ length) =>
        `${TEXT.side(side)} is to move and wins in ${countOf(length, "move", "moves")}.`,
    toHold: (/** @type {string} */ side) => `${TEXT.side(side)} is to move and has one move that holds the draw.`,
    solved: "Solved.",
    held: "Solved: the draw is held.",
    solvedNotKept: "The browser does not keep that: perhaps it is set to block cookies and the data of sites.",
    rightMove: (/** @type {string} */ move) => `Right: ${move}.`,
    goesOn: (/** @type {string} */ move, /** @type {string} */ reply) =>
        `Right: ${move}. The reply is ${reply}. What now?`,
    noWin: "does not win",
    noWinAtOnce: "does not win at once",
    loses: "loses",
    notBest: "is not the best move",
    wrongMove: (/** @type {string} */ move, /** @type {string} */ fault, /** @type {string | null} */ reply,
        /** @type {string | null} */ end, /** @type {string[]} */ rest) => [
        `${move} ${fault}${reply ? `, because of ${reply}` : ""}.`,
        ...(end === null ? [] : [`${playerText(end)}.`]),
        ...(rest.length > 0 ? [`It might go on: ${rest.join(" ")}.`] : []),
        "It is taken back: find another move.",
    ].join(" "),
    waitForMove: "Wait until it is your turn.",
    themesOf: (/** @type {string[]} */ themes) =>
        `${capital(joinWithAnd(themes.map((theme) => TEXT.themeNames[theme] ?? theme)))}.`,
    themeNames: /** @type {Record<string, string>} */ ({
        capture: "the first move captures", placement: "the first move brings something onto the board",
        quiet: "the first move is quiet: no capture, and no threat to win at once",
        sacrifice: "the first move is a sacrifice", surprise: "most players miss the first move",
    }),
    oneOf: (/** @type {string[]} */ moves) => `It is one of these: ${moves.join(", ")}.`,
    solution: (/** @type {string[]} */ moves) => `The solution: ${moves.join(" ")}.`,
    showSolution: "Show the solution",
    nextProblem: "Next problem",
    anew: "Begin anew",
    problemOfDay: "Problem of the day",
    allProblems: "All problems",
    grade: (/** @type {number} */ grade) => `Grade ${grade}`,
    problemName: (/** @type {number} */ number, /** @type {number} */ length, /** @type {boolean} */ isSolved) =>
        `Problem ${number}, ${countOf(length, "move", "moves")}${isSolved ? ", solved" : ""}`,
    makeProblem: "Make this a problem",
    judging: "The engine looks whether this is a problem …",
    noProblem: (/** @type {string} */ why) => `This is no problem: ${playerText(why)}.`,
    practise: "Practise these",
    practiseEnd: "Practise the turning points",
    momentAt: (/** @type {number} */ number, /** @type {number} */ count, /** @type {number} */ done) =>
        `${number} of ${count} · ${done} found`,
    findBest: (/** @type {string} */ side, /** @type {string} */ mistake) =>
        `${TEXT.side(side)} played ${mistake} here. Find the best move.`,
    foundBest: (/** @type {string} */ move) => `Right: ${move} is the best move.`,
    asGood: (/** @type {string} */ move, /** @type {string} */ best) => `Right: ${move} is as good as ${best}.`,
    weighing: "The engine looks at this move …",
    nextMoment: "Next one",

    // What the engine would do.
    hint: (/** @type {string} */ move, /** @type {string} */ score) => `I would play ${move}${score}.`,
    hintScore: (/** @type {string} */ score) => ` (${score})`,
    confirmDraw: "Do both players agree on a draw?",
    drawDeclined: "The engine declines the draw.",
    confirmResign: (/** @type {string} */ side) => `Does ${playerText(side)} resign?`,

    // What positions are worth.
    unknown: "not known yet",
    anotherSide: "another side",
    drawn: "drawn, proven",
    drawnGame: "the game is drawn",
    hasWon: (/** @type {string} */ side) => `${side} has won`,
    winsIn: (/** @type {string} */ side, /** @type {number} */ moves) =>
        `${side} wins in ${countOf(moves, "move", "moves")}, proven`,
    winsByRepetition: (/** @type {string} */ side) => `${side} wins by repetition`,
    winsByTables: (
        /** @type {string} */ side, /** @type {boolean | undefined} */ proven, /** @type {number | undefined} */ rank,
    ) => `${side} wins, by tables${rank === undefined ? "" : ` with rank ${rank}`}${proven ? ", proven" : ""}`,
    winsLikely: (/** @type {string} */ side) => `${side} most likely wins`,
    halfPoints: ["lost", "draw", "won"],
    draw: "draw",
    win: (/** @type {number} */ moves) => `wins in ${moves}`,
    loss: (/** @type {number} */ moves) => `loses in ${moves}`,
    chance: (/** @type {string} */ words, /** @type {string} */ side, /** @type {number} */ share) =>
        `${words}, ${percent(share)} for ${TEXT.side(side)}`,

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
        `${done} of ${countOf(count, "move", "moves")}`,
    reviewDone: "The review is done.",
    markNames: /** @type {Record<string, string>} */ ({
        "!": "good move", "?": "mistake", "!!": "excellent move", "??": "blunder", "!?": "interesting move",
        "?!": "doubtful move",
    }),
    noMark: "no mark",
    commentOf: (/** @type {string} */ name) => `Comment on ${name}`,
    commentBefore: "Comment before the first move",
    tags: /** @type {Record<string, string>} */ ({ P1: "First player", P2: "Second player", Date: "Date",
        Event: "Event" }),
    tally: (/** @type {string} */ side, /** @type {number} */ accuracy, /** @type {number} */ mistakes,
        /** @type {number} */ blunders) => `${TEXT.side(side)}: accuracy ${(100 * accuracy).toFixed(1)} %, `
            + `${countOf(mistakes, "mistake", "mistakes")}, ${countOf(blunders, "blunder", "blunders")}`,
    moment: (/** @type {string} */ move, /** @type {string} */ mark, /** @type {string} */ side,
        /** @type {number} */ lost, /** @type {string} */ best) =>
        `${move}${mark} cost ${TEXT.side(side)} ${Math.floor(100 * lost)} % of the chances; best was ${best}`,
    turningPoint: "Turning point: ",
    again: "Try again",
    againBefore: (/** @type {string} */ move) => `Try again before ${move}`,
    graphAt: (/** @type {string} */ move, /** @type {string} */ words, /** @type {string} */ mark) =>
        `${move}${mark ? `, ${TEXT.markNames[mark]}` : ""}: ${words}`,
    offGraph: "in a variation",
    playOn: "Play on from here",
    tryAgain: "Try again from here",
    confirmDelete: (/** @type {number} */ count) => `Delete ${countOf(count, "move", "moves")} of the game?`,

    // The new game.
    yes: "yes",
    no: "no",
    ownClock: "Own values …",
    changedRules: (/** @type {string[]} */ changed) => (changed.length > 0 ? `(${changed.join("; ")})` : "(as usual)"),
    pairing: (/** @type {string} */ side, /** @type {number} */ index) =>
        `You play ${playerText(side)}, ${["first", "second", "third", "fourth"][index]}`,
    team: (/** @type {string[]} */ sides) => `Two people against the engine, as ${joinWithAnd(sides.map(playerText))}`,
    people: (/** @type {number} */ count) => `${count === 2 ? "Two" : "Four"} people at this board`,
    engines: "The engine plays itself",
    noClock: "No clocks",
    clocks: (/** @type {number} */ minutes, /** @type {number} */ increment) =>
        `${countOf(minutes, "minute", "minutes")}${increment ? ` and ${increment} s a move` : ""}`,
    seconds: (/** @type {number} */ seconds) => countOf(seconds, "second", "seconds"),
    values: /** @type {Record<string, string>} */ ({ ruleset: "as the rule set says" }),
    options: /** @type {Record<string, string>} */ ({
        RepetitionDraw: "Draw at the third repetition",
        Quoridor_Walls: "Walls of each player", Quoridor_Walls2: "Walls of the second player",
        Quoridor_Players: "Number of players", Quoridor_Teams: "Two teams", Quoridor_FourWalls: "Walls of each player",
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
    refused: (/** @type {string} */ reason, /** @type {number | null} */ column) =>
        `${capital(playerText(quoteOptions(reason)))}${column === null ? "" : `, at character ${column}`}.`,
    noPositionText: (/** @type {string} */ message) => `${capital(message)}.`,
    atEnd: "…",
    noRecord: (/** @type {string} */ message) => `This is not a record that can be loaded: ${message}.`,
    noPosition: "Type or paste the text of a position.",
    copied: "Copied.",
    loaded: "The record has been loaded.",

    // The games that the browser keeps.
    against: (/** @type {string} */ level) => `Against the engine, ${level}`,
    movesPlayed: (/** @type {number} */ count) => countOf(count, "move", "moves"),
    outcome: (/** @type {string} */ outcome) => {
        const [word, side] = outcome.split(" ");
        if (word === "ongoing") return "not over";
        return word === "win" ? TEXT.hasWon(TEXT.side(side ?? "")) : word;
    },
    inThisTab: "open here",
    inOtherTab: "open in another tab",
    rename: "Rename",
    newName: "What is the game to be called?",
    exportGame: "Export",
    deleteGame: "Delete",
    undoDelete: "Undo",
    deleted: (/** @type {string} */ name) => `Deleted: ${name}`,
    unplayable: (/** @type {string} */ why) =>
        `This version of the engine cannot go on with the game: ${why}. It stays in the list. Its record:`,
    noGame: "it is no game",
    badField: (/** @type {string} */ field) => `“${field}” is missing, or not as it must be`,
    noGamesFile: "This is not a file of games that this page has exported.",
    otherVersion: "This file of games is of another version of the page, which this one cannot read.",
    longFile: "The file is too long.",
    manyGames: (/** @type {number} */ count, /** @type {number} */ most) =>
        `The file has ${count} games. At most ${most} are read from one file.`,
    longLines: (/** @type {number} */ most) =>
        `its variations are too long: they have more than ${most} moves, each counted from the start of the game`,
    unreadGame: (/** @type {number} */ number, /** @type {string} */ why) => `Game ${number}: ${why}.`,
    andMore: (/** @type {number} */ count) => `And ${count} more.`,
    readGames: (/** @type {number} */ read, /** @type {number} */ known, /** @type {number} */ refused) => [
        `Read ${countOf(read, "game", "games")}.`,
        ...(known > 0 ? [`${countOf(known, "game was", "games were")} here already.`] : []),
        ...(refused > 0 ? [`${countOf(refused, "game", "games")} could not be read:`] : []),
    ].join(" "),
    storeFull: "The browser has no room to keep this game. It goes on, but only as long as this tab: export it, or "
        + "delete old games.",
    noStore: "The browser does not keep this game: perhaps it is set to block cookies and the data of sites. The game "
        + "goes on, but only as long as this tab: export it.",
    notResumed: (/** @type {string} */ why) =>
        `The last game cannot be gone on with. It stays in the list of games. ${why}`,
    // The settings.
    themes: { wood: "Wood", stone: "Stone", sea: "Sea" },

    // The page itself.
    board: (/** @type {string} */ title) => `${title} board`,
    title: (/** @type {string} */ title) => `${title} – pentarch`,
    lost: "The connection to the engine has ended. The page connects again by itself.",
    full: "This page is open in 16 tabs already, and the server has no room for more. Close one of them: the page "
        + "tries again by itself.",
    failed: "There is no connection. Is the server still running? The page tries again by itself.",
    usualHost: (/** @type {string} */ host) =>
        `This page runs at another address than usual, because ${host} was taken: the games kept under that address `
            + "are not here.",
    otherAddress: "The server has been started with another address, which it has printed: open that one.",
    engineFailed: (/** @type {string} */ message) =>
        `The engine has failed: ${message}. This is a fault of the program. It is started again by itself.`,
    engineAgain: "The engine had failed and has been started again. The game goes on as it was.",
    failsAtThis: "The engine fails at this, again and again: a fault of the program.",
    noModule: "The engine does not start. The page needs a browser with WebAssembly, and a network on the first visit. "
        + "It tries again by itself.",
    loading: "What the engine takes for this game is being loaded …",
    update: "There is a new version of this page. The game goes on in it.",
    useUpdate: "Use it now",
    notNowButLater: "Later",
    elsewhere: "This game goes on in another tab.",
    noGameNow: "No game can be begun now, because there is no connection to the engine.",
    tooLong: "it is longer than 1 MiB, the most that the engine reads",
    tooMuch: "the server has ended the connection, because it was sent too much at once",
    notNow: (/** @type {string} */ why) => `No move can be made now. ${why}`,

    noLink: "The address is no link to a game: it names none.",
    badLink: (/** @type {string} */ why) => `The link is wrong, and what is right of it has been opened. ${why}`,

    // The words of index.html: those of elements with `data-text`, and names of elements with `data-label`.
    newGame: "New game",
    games: "Games",
    noGames: "No games have been played here yet. A game is kept from its first move on.",
    importGames: "Import games from a file",
    exportGames: "Export all",
    exportThisGame: "Export this game",
    freeRoom: "Delete games",
    takeOver: "Go on here",
    chooseGame: "Choose a game",
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
    copyLink: "Copy the link",
    shareLink: "Share the link",
    tooLongForLink: "This game is too long for a link: save the record and send that.",
    loadRecord: "Load this record",
    copyRecord: "Copy the record",
    savePicture: "Save a picture",
    saveRecord: "Save the record",
    shareRecord: "Share the record",
    openRecord: "Open a record",
    mainLineOnly: "The record has the moves up to the position in play, and not what has been tried after it.",
    barelyForLink: "Comments and variations are too long for a link, which has the moves only: save the record and "
        + "send that.",
    notes: "Comments and names",
    mark: "Mark",
    keepFindings: "Write this to the moves",
    console: "Console",
    consoleLog: "Lines to and from the engine",
    consoleLine: "Line to the engine",
    send: "Send",
    players: "Who plays",
    usualRules: "All rules as usual",
    minutes: "Minutes for each side",
    increment: "Seconds more a move",
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
        ["Q", "problems"],
        ["G", "go to the graph of the game; arrow keys go through its moves"],
        ["F", "flip the board"],
        ["S", "sounds on or off"],
        ["E", "settings"],
        ["N", "new game"],
        ["O", "the games that are kept"],
        ["?", "this list"],
    ],
};

/** Writes the words of the page into its elements. */
export function fillPageStrings() {
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
