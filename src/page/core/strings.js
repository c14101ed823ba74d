/** @import { Count, LinkFault, ReviewedMove } from "./types.js" */
import { elementById, html } from "./dom.js";

/** Capitalises the first letter. @param {string} text */
export const capitalise = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** @param {number} number @param {string} one @param {string} many */
const countOf = (number, one, many) => `${number} ${number === 1 ? one : many}`;

/** Separates the words of players from their numbers: "player 1". @param {string} text */
const playerText = (text) => text.replace(/\b(player|team)(\d)/gi, "$1 $2");

/** Replaces options of the rules by their names for people. @param {string} text */
const quoteOptions = (text) => text.replace(/\b[A-Z][a-z]+_\w+/g, (option) => `“${TEXT.optionName(option)}”`);

/** The maximum number of characters that a message shows of a value in a link. */
const MAX_SHOWN_VALUE = 40;

/** @param {string[]} words */
const joinWithAnd = (words) => words.join(" and ");

/** @param {number} share From 0 to 1. */
const percent = (share) => `${Math.round(100 * share)} %`;

/** All strings for people, in one table for translation. Only strings from the engine are not here. */
export const TEXT = {
    // Names of sites, marks and arrows.
    places: /** @type {Record<string, (sides: string[]) => string>} */ ({
        tower: () => "tower",
        slot: () => "slot",
        red: () => "red cell",
        "home-first": (sides) => `home of ${playerText(sides[0])}`,
        "home-second": (sides) => `home of ${playerText(sides[1])}`,
        "goal-first": (sides) => `goal of ${playerText(sides[0])}`,
        "goal-second": (sides) => `goal of ${playerText(sides[1])}`,
        "goal-third": (sides) => `goal of ${playerText(sides[2])}`,
        "goal-fourth": (sides) => `goal of ${playerText(sides[3])}`,
    }),
    grooveBetween: (/** @type {boolean} */ isVertical, /** @type {string[]} */ some, /** @type {string[]} */ others) =>
        `${isVertical ? "vertical" : "horizontal"} groove between ${some.join(" ")} and ${others.join(" ")}`,
    marks: /** @type {Record<string, string>} */ ({
        blocked: "cannot be moved now", huff: "can be huffed; one such piece must be huffed first",
        spent: "cannot step again",
    }),
    arrows: /** @type {Record<string, string>} */ ({ forbidden: "must not step back" }),
    arrow: (/** @type {string} */ kind, /** @type {string} */ to) => `${kind} to ${to}`,
    lastMove: "last move",

    // Sides and players.
    side: (/** @type {string} */ word) => capitalise(playerText(word)),
    playerNames: playerText,
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
    captured: (/** @type {number} */ count) => `Captured: ${count}`,
    clock: (/** @type {string} */ side) => `Time of ${playerText(side)}`,
    timeIsUp: (/** @type {string} */ side) =>
        `${TEXT.side(side)} is out of time. Under these rules nobody loses on time: the game continues.`,

    // The state of the game.
    moved: (/** @type {string} */ side, /** @type {string} */ move) => `${TEXT.side(side)}: ${move}.`,
    viewedPly: (/** @type {number} */ ply, /** @type {number} */ count) =>
        `You are viewing the position after ${ply} of ${countOf(count, "move", "moves")}.`,
    viewedVariation: (/** @type {string} */ move) => `You are viewing a variation, after ${move}.`,
    thinking: "The engine is thinking …",
    noMoves: "No moves have been made.",

    // Making a move.
    canStop: "The move can end here or continue.",
    confirm: (/** @type {string} */ move) => `Tap again to play ${move}.`,
    play: (/** @type {string} */ move) => `Play ${move}`,
    noMoveFrom: (/** @type {string} */ site) => `No move begins at ${site}.`,
    chooseTarget: (/** @type {string} */ kind, /** @type {string} */ site) =>
        `Where should the ${kind} on ${site} go? If that is illegal, you will see why.`,
    otherSide: (/** @type {string} */ kind, /** @type {string} */ site, /** @type {string} */ side,
        /** @type {string} */ turn) =>
        `The ${kind} on ${site} is ${playerText(side)}'s, and it is ${playerText(turn)}'s turn.`,
    marked: (/** @type {string} */ kind, /** @type {string} */ site, /** @type {string} */ mark) =>
        `The ${kind} on ${site} ${TEXT.marks[mark] ?? mark}.`,
    noMoveThrough: (/** @type {string[]} */ sites) => `No move goes through ${sites.join(", ")}.`,
    showRule: (/** @type {string} */ id) => `Read rule ${id}`,
    illegal: (/** @type {string} */ reason) => `That is not possible: ${playerText(reason)}.`,
    noMoveTyped: "Type a move first.",
    notAMove: (/** @type {string} */ text) =>
        `“${text}” is not a move in the notation of this game. See “How moves are written” in the rules.`,
    enginePiece: (/** @type {string} */ kind, /** @type {string} */ site, /** @type {string} */ side) =>
        `The ${kind} on ${site} is ${playerText(side)}'s.`,
    premove: (/** @type {string[]} */ sites) =>
        `Premove: ${sites.join(" ")}. It is played after the engine's move if it is legal then.`,
    premoveDropped: (/** @type {string[]} */ sites, /** @type {string | null} */ why) =>
        `The premove ${sites.join(" ")} was not played: ${why ? playerText(why) : "it is not legal now"}.`,
    notYourTurn: "It is not your turn.",
    gameOver: "The game is over.",

    // The end of the game.
    rematch: "Rematch",
    youWon: (/** @type {string} */ winner, /** @type {string} */ why) =>
        `You won as ${TEXT.side(winner)}: ${playerText(why)}`,
    youLost: (/** @type {string} */ winner, /** @type {string} */ why) =>
        `You lost to ${TEXT.side(winner)}: ${playerText(why)}`,

    resultOf: { won: "You won", lost: "You lost", drawn: "A draw" },
    nextGame: (/** @type {number} */ change, /** @type {string} */ level) => {
        const words = change > 0 ? "a little harder" : change < 0 ? "a little easier" : "as hard as this one";
        return `: the next game is ${words}. ${TEXT.autoLevel(level)}`;
    },
    you: "You",
    theEngine: "engine",
    gamesWon: (/** @type {string[]} */ names, /** @type {number[]} */ won, /** @type {number} */ drawn) =>
        `${[...names.map((name, index) => `${name} ${won[index]}`),
            ...(drawn > 0 ? [countOf(drawn, "draw", "draws")] : [])].join(", ")}.`,

    // The level that adapts to the results, and the ways to begin.
    levelBetween: (/** @type {string[]} */ ...levels) =>
        (levels.length > 1 ? `between ${joinWithAnd(levels)}` : levels[0]),
    autoLevel: (/** @type {string} */ level) => `Level: auto, now ${level}.`,
    autoChoice: (/** @type {string} */ level) => `auto (now ${level})`,
    usualStart: "The start position",
    balancedStart: "A balanced opening, at random",
    swapStart: "The second player may swap sides",
    handicapStart: (/** @type {number} */ more, /** @type {string} */ kind, /** @type {number} */ less) =>
        `You have ${more} ${kind}, the engine ${less}`,
    swapSides: (/** @type {string} */ side) => `Swap sides: take over ${playerText(side)}`,
    swapped: "the players have swapped sides.",
    engineSwaps: (/** @type {string} */ first, /** @type {string} */ second) =>
        `the engine takes over ${first}: you play ${second} now.`,

    // The guided first game.
    learn: "Learn",
    newHere: (/** @type {string} */ game) => `New to ${game}? A few small tasks on the board teach it.`,
    lesson: (/** @type {string} */ game) => `Learn ${game}`,
    progress: (/** @type {number} */ task, /** @type {number} */ count) => `${task} of ${count}`,
    taskHint: "Hint",
    nextTask: "Next",
    firstGame: "Play a first game",
    leaveLesson: "Back to my game",
    backHome: "Back",
    otherMove: "That move is legal, but it does not solve the task. Try again.",
    waitForTask: "Continue with the next task first.",

    // Problems, drills and turning points.
    problems: "Problems",
    problemsOf: (/** @type {string} */ game) => `Problems of ${game}`,
    noProblems: "There are no problems of this game.",
    noSuchProblem: "The link names a problem that this page does not have.",
    playItsPosition: "You can play its position.",
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
    drillTask: (/** @type {string} */ side, /** @type {string} */ value) => (value === "win"
        ? `${TEXT.side(side)} is to move and can force a win: win the game.`
        : `${TEXT.side(side)} is to move and can draw: hold the draw to the end of the game.`),
    drillDone: (/** @type {string} */ value) => `Done: you held the ${value} to the end.`,
    drillWithMistakes: (/** @type {number} */ slips) =>
        `${countOf(slips, "move was", "moves were")} taken back on the way: start again to solve it without mistakes.`,
    givesAway: (/** @type {string} */ value) => `gives the ${value} away`,
    howManyKeep: (/** @type {number} */ keeping, /** @type {number} */ all, /** @type {string} */ value) =>
        `${keeping} of ${countOf(all, "move", "moves")} ${keeping === 1 ? "keeps" : "keep"} the ${value}.`,
    winTask: (/** @type {string} */ side, /** @type {number} */ length) =>
        `${TEXT.side(side)} is to move and wins in ${countOf(length, "move", "moves")}.`,
    drawTask: (/** @type {string} */ side) => `${TEXT.side(side)} is to move and has one move that holds the draw.`,
    solved: "Solved.",
    drawHeld: "Solved: the draw is held.",
    solvedNotSaved: "The browser did not save this: it may be set to block cookies and site data.",
    rightMove: (/** @type {string} */ move) => `Right: ${move}.`,
    rightWithReply: (/** @type {string} */ move, /** @type {string} */ reply) =>
        `Right: ${move}. The reply is ${reply}. What now?`,
    noWin: "does not win",
    noWinAtOnce: "does not win at once",
    loses: "loses",
    notBest: "is not the best move",
    wrongMove: (/** @type {string} */ move, /** @type {string} */ fault, /** @type {string | null} */ reply,
        /** @type {string | null} */ end, /** @type {string[]} */ rest) => [
        `${move} ${fault}${reply ? `, because of ${reply}` : ""}.`,
        ...(end === null ? [] : [`${playerText(end)}.`]),
        ...(rest.length > 0 ? [`A likely continuation: ${rest.join(" ")}.`] : []),
        "The move is taken back: find another one.",
    ].join(" "),
    waitForMove: "Wait until it is your turn.",
    themesOf: (/** @type {string[]} */ themes) =>
        `${capitalise(joinWithAnd(themes.map((theme) => TEXT.themeNames[theme] ?? theme)))}.`,
    themeNames: /** @type {Record<string, string>} */ ({
        capture: "the first move captures", placement: "the first move brings something onto the board",
        quiet: "the first move is quiet: no capture, and no threat to win at once",
        sacrifice: "the first move is a sacrifice", surprise: "most players miss the first move",
    }),
    hintMoves: (/** @type {string[]} */ moves) =>
        (moves.length === 1 ? `It is ${moves[0]}.` : `It is one of these: ${moves.join(", ")}.`),
    solution: (/** @type {string[]} */ moves) => `The solution: ${moves.join(" ")}.`,
    showSolution: "Show the solution",
    nextProblem: "Next problem",
    restart: "Start again",
    problemOfDay: "Problem of the day",
    allProblems: "All problems",
    grade: (/** @type {number} */ grade) => `Grade ${grade}`,
    problemName: (/** @type {number} */ number, /** @type {number} */ length, /** @type {boolean} */ isSolved) =>
        `Problem ${number}, ${countOf(length, "move", "moves")}${isSolved ? ", solved" : ""}`,
    makeProblem: "Make this a problem",
    checkingPosition: "The engine is checking whether this is a problem …",
    notAProblem: (/** @type {string} */ why) => `This is not a problem: ${playerText(why)}.`,
    practise: "Practise these",
    practiseEnd: "Practise the turning points",
    momentAt: (/** @type {number} */ number, /** @type {number} */ count, /** @type {number} */ done) =>
        `${number} of ${count} · ${done} found`,
    findBest: (/** @type {string} */ side, /** @type {string} */ mistake) =>
        `${TEXT.side(side)} played ${mistake} here. Find the best move.`,
    bestFound: (/** @type {string} */ move) => `Right: ${move} is the best move.`,
    asGood: (/** @type {string} */ move, /** @type {string} */ best) => `Right: ${move} is as good as ${best}.`,
    checkingMove: "The engine is checking this move …",
    nextMoment: "Next one",

    // Hints, draw offers and resignation.
    hint: (/** @type {string} */ move) => `I would play ${move}.`,
    confirmDraw: "Do both players agree on a draw?",
    drawDeclined: "The engine declines the draw.",
    confirmResign: (/** @type {string} */ side) => `Does ${playerText(side)} resign?`,

    // Scores.
    unknown: "not known yet",
    anotherSide: "another side",
    drawn: "drawn, proven",
    drawnGame: "the game is drawn",
    hasWon: (/** @type {string} */ side) => `${side} has won`,
    winsIn: (/** @type {string} */ side, /** @type {number} */ moves) =>
        `${side} wins in ${countOf(moves, "move", "moves")}, proven`,
    inMoves: (/** @type {string} */ side, /** @type {number} */ moves) => `${side} in ${moves}`,
    winsByRepetition: (/** @type {string} */ side) => `${side} wins by repetition`,
    winsByTables: (
        /** @type {string} */ side, /** @type {boolean | undefined} */ proven, /** @type {number | undefined} */ rank,
    ) => `${side} wins, by tables${rank === undefined ? "" : ` with rank ${rank}`}${proven ? ", proven" : ""}`,
    winsLikely: (/** @type {string} */ side) => `${side} most likely wins`,
    chance: (/** @type {string} */ words, /** @type {string} */ side, /** @type {number} */ share) =>
        `${words}, ${percent(share)} for ${TEXT.side(side)}`,

    // The analysis.
    evaluationLine: (/** @type {string} */ words, /** @type {number} */ depth, /** @type {boolean} */ searching) =>
        `${capitalise(words)}, depth ${depth}${searching ? " …" : ""}`,
    searching: "The engine is searching …",
    analysisPaused: "The engine is to move; the analysis continues after its move.",
    preview: (/** @type {string[]} */ moves) => `Preview: after ${moves.join(" ")}`,

    // The counts.
    counts: "Counts",
    afterMove: (/** @type {string} */ move) => `After ${move}`,
    count: (/** @type {Count} */ { value, after }) => {
        if (!after) return `${value ?? "none"}`;
        // A wall can close or open the only path.
        if ((value === null) !== (after.value === null)) return `${after.value ?? "none"} (from ${value ?? "none"})`;
        const added = after.added ?? 0;
        const change = added === 0 ? "" : ` (${added > 0 ? "+" : "−"}${Math.abs(added)})`;
        return `${after.value ?? "none"}${change}`;
    },

    // The review.
    review: "Review",
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
        /** @type {number} */ blunders) => `${TEXT.side(side)}: accuracy ${(100 * accuracy).toFixed(0)} %, `
            + `${countOf(mistakes, "mistake", "mistakes")}, ${countOf(blunders, "blunder", "blunders")}`,
    moment: (/** @type {string} */ move, /** @type {ReviewedMove} */ reviewed) =>
        `${move}${reviewed.mark} ${TEXT.cost(reviewed)}`,
    cost: (/** @type {ReviewedMove} */ { side, lost, best, reason, race }) =>
        `cost ${TEXT.side(side)} ${Math.floor(100 * lost)} % of the chances`
            + `${reason === null ? "" : `: it ${reason}`}; best was ${best}${race === null ? "" : `; ${race.text}`}`,
    betterLine: (/** @type {string[]} */ moves) => `Better: ${moves.join(" ")}`,
    refutationLine: (/** @type {string} */ move, /** @type {string[]} */ moves) => `After ${move}: ${moves.join(" ")}`,
    lostIn: /** @type {Record<string, string>} */ ({
        opening: "The game was lost in the first third of the moves.",
        middle: "The game was lost in the second third of the moves.",
        end: "The game was lost in the last third of the moves.",
    }),
    mattered: (/** @type {string[]} */ moves) => `Moves that mattered most: ${moves.join(", ")}.`,
    turningPoint: "Turning point: ",
    turningPointFrame: "Thick frame: the turning point, the costliest mistake of the side that did not win.",
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
    changedRules: (/** @type {string[]} */ changed) => (changed.length > 0 ? `(${changed.join("; ")})` : "(default)"),
    pairing: (/** @type {string} */ side, /** @type {number} */ index) =>
        `You play ${playerText(side)}, ${["first", "second", "third", "fourth"][index]}`,
    team: (/** @type {string[]} */ sides) => `Two people against the engine, as ${joinWithAnd(sides.map(playerText))}`,
    people: (/** @type {number} */ count) => `${["Two", "Three", "Four"][count - 2]} people at this board`,
    engines: "The engine plays itself",
    randomSide: "You play a random side",
    noClock: "No clocks",
    clocks: (/** @type {number} */ minutes, /** @type {number} */ increment) =>
        `${countOf(minutes, "minute", "minutes")}${increment ? ` and ${increment} s per move` : ""}`,
    seconds: (/** @type {number} */ seconds) => countOf(seconds, "second", "seconds"),
    values: /** @type {Record<string, string>} */ ({ ruleset: "as in the rule set" }),
    options: /** @type {Record<string, string>} */ ({
        RepetitionDraw: "Draw at the third repetition",
        Quoridor_Walls: "Walls of each player", Quoridor_Walls2: "Walls of the second player",
        Quoridor_Players: "Number of players", Quoridor_Teams: "Two teams", Quoridor_FourWalls: "Walls of each player",
    }),
    optionName: (/** @type {string} */ name) => {
        if (name in TEXT.options) return TEXT.options[name];
        const words = name.replace(/^[^_]*_/, "").replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
        return capitalise(words);
    },

    // Rules, positions and records.
    before: "before",
    after: "after",
    drawing: (/** @type {string} */ caption) => `Board: ${caption}`,
    positionPlayable: "This position can be played.",
    positionDecided: "This position is decided.",
    rejected: (/** @type {string} */ reason, /** @type {number | null} */ column) =>
        `${capitalise(playerText(quoteOptions(reason)))}${column === null ? "" : `, at character ${column}`}.`,
    invalidPosition: (/** @type {string} */ message) => `${capitalise(message)}.`,
    atEnd: "…",
    invalidRecord: (/** @type {string} */ message) => `The record cannot be loaded: ${message}.`,
    noPosition: "Type or paste a position (FEN).",
    copied: "Copied.",
    loaded: "The record has been loaded.",
    recordWarning: (/** @type {string} */ warning) => `Warning: ${warning}.`,
    readAsLatin1: "the file is not UTF-8, and was read as Latin-1",
    unknownCharset: (/** @type {string} */ name) => `the character set "${name}" is unknown`,
    otherCharset: (/** @type {string} */ name) => `the file is not in its character set, ${name}`,

    // Saved games.
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
    newName: "New name of the game:",
    exportGame: "Export",
    deleteGame: "Delete",
    undoDelete: "Undo",
    deleted: (/** @type {string} */ name) => `Deleted: ${name}`,
    cannotContinue: (/** @type {string} */ why) =>
        `This version of the engine cannot continue the game: ${why}. The game stays in the list. Its record:`,
    damagedGame: "Damaged game",
    damagedEntry: (/** @type {string} */ why) => `The page cannot read this saved game: ${why}.`,
    notAGame: "it is not a game",
    invalidField: (/** @type {string} */ field) => `“${field}” is missing or invalid`,
    notAGamesFile: "This is not a file of games that this page has exported.",
    otherVersion: "This file of games is from another version of the page, and this version cannot read it.",
    fileTooLong: "The file is too long.",
    tooManyGames: (/** @type {number} */ count, /** @type {number} */ most) =>
        `The file has ${count} games. At most ${most} are read from one file.`,
    linesTooLong: (/** @type {number} */ most) =>
        `its variations are too long: they have more than ${most} moves, each counted from the start of the game`,
    invalidGame: (/** @type {number} */ number, /** @type {string} */ why) => `Game ${number}: ${why}.`,
    andMore: (/** @type {number} */ count) => `And ${count} more.`,
    readGames: (/** @type {number} */ read, /** @type {number} */ known, /** @type {number} */ invalid) => [
        `Read ${countOf(read, "game", "games")}.`,
        ...(known > 0 ? [`${countOf(known, "game was", "games were")} here already.`] : []),
        ...(invalid > 0 ? [`${countOf(invalid, "game", "games")} could not be read:`] : []),
    ].join(" "),
    storeFull: "The browser has no space to save this game. It continues, but only until this tab is closed: export "
        + "it, or delete old games.",
    notSaved: "The browser does not save this game: it may be set to block cookies and site data. The game continues, "
        + "but only until this tab is closed: export it.",
    notResumed: (/** @type {string} */ why) =>
        `The last game cannot be resumed. It stays in the list of games. ${why}`,

    // The settings.
    themes: { wood: "Wood", stone: "Stone", sea: "Sea" },

    // The home.
    homeTitle: (/** @type {number} */ count) => (count === 1 ? "A game for two"
        : `${["Two", "Three", "Four", "Five", "Six"][count - 2] ?? count} games for two`),
    firstScore: (/** @type {string} */ side, /** @type {number} */ score) =>
        `${TEXT.side(side)} begins, and scores ${score} % between average players.`,
    playGame: "Play",
    learnGame: "Learn",
    continueGame: (/** @type {string} */ name) => `Your game of ${name}`,
    continueHere: "Continue",
    solve: "Solve it",
    lessonTasks: (/** @type {number} */ count) =>
        `Learn the rules on the board, in ${countOf(count, "task", "tasks")}.`,
    startLesson: "Start",

    // The page itself.
    board: (/** @type {string} */ title) => `${title} board`,
    title: (/** @type {string} */ title) => `${title} – pentarch`,
    connectionLost: "The connection to the engine has ended. The page reconnects automatically.",
    tooManyTabs: "This page is already open in 16 tabs, the maximum of the server. Close one of them: the page retries "
        + "automatically.",
    noConnection: "There is no connection. Is the server still running? The page retries automatically.",
    otherHost: (/** @type {string} */ host) =>
        `This page has another address than usual, because ${host} was in use: the games saved under that address `
            + "are not here.",
    otherAddress: "The server has been restarted with another address: open the address that it printed.",
    engineFailed: (/** @type {string} */ message) =>
        `The engine has failed: ${message}. This is a bug in the program. The engine restarts automatically.`,
    engineRestarted: "The engine failed and has been restarted. The game continues.",
    engineFailsAtRequest: "The engine fails at this request again and again: a bug in the program.",
    engineNotStarted: "The engine does not start. The page needs a browser with WebAssembly, and a network on the "
        + "first visit. It retries automatically.",
    loading: "The engine's files for this game are being loaded …",
    update: "A new version of this page is available. The game continues in it.",
    useUpdate: "Use it now",
    updateLater: "Later",
    openInOtherTab: "This game continues in another tab.",
    cannotStartGame: "No game can start now, because there is no connection to the engine.",
    tooLong: "it is longer than 1 MiB, the limit of the engine",
    tooManyRequests: "the server has ended the connection because of too many requests at once",
    cannotMove: (/** @type {string} */ why) => `You cannot move now. ${why}`,

    linkFault: (/** @type {LinkFault} */ { kind, name, value }) => {
        if (kind === "length") return "It is too long: the page did not read its end.";
        if (kind === "duplicate") return `It has “${name}” more than once: the first value counts.`;
        if (kind === "missing") return `It has no “${name}”, which a problem needs.`;
        if (kind === "unused") return `“${name}” has no effect in it.`;
        return `“${name}” cannot be “${value.slice(0, MAX_SHOWN_VALUE)}”.`;
    },
    noSuchGame: (/** @type {string} */ game) => `There is no game “${game.slice(0, MAX_SHOWN_VALUE)}”.`,
    notAGameLink: "This address is not a game link: it names no game.",
    invalidLink: (/** @type {string[]} */ reasons) =>
        `The link is invalid. The page opened its valid part. ${reasons.join(" ")}`,

    // The strings of index.html: the text of elements with `data-text`, and the names of elements
    // with `data-label`.
    menu: "Menu",
    homeLead: "Play the engine, or a friend at this screen. A few small tasks on the board teach each game.",
    gameActions: "The game",
    newGame: "New game",
    games: "Games",
    noGames: "No games have been played here yet. A game is saved from its first move on.",
    importGames: "Import games from a file",
    exportGames: "Export all",
    exportThisGame: "Export this game",
    deleteGames: "Delete games",
    takeOver: "Continue here",
    flip: "Flip the board",
    keys: "Keys",
    settings: "Settings",
    theme: "Colours of the board",
    large: "Larger pieces and targets",
    plain: "Plain pieces and boards",
    confirmTap: "A second tap confirms a move",
    premoveSetting: "Premoves: choose a move while the engine thinks",
    pace: "The engine takes a moment for each move",
    sounds: "Sounds",
    askSounds: "Do you want sounds?",
    soundsOn: "Sounds on",
    soundsOff: "No sounds",
    reconnect: "Connect again",
    table: "Table",
    game: "Game",
    cancel: "Choose again",
    takeBack: "Take back",
    askHint: "Hint",
    resign: "Resign",
    offerDraw: "Offer a draw",
    move: "Move",
    playMove: "Play",
    moves: "Moves",
    viewPosition: "Go to a position",
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
    noOwnMoments: "None of your moves lost 10 % of the chances or more.",
    variation: "Variation",
    promote: "Make it the main line",
    deleteVariation: "Delete from here on",
    positionAndRecord: "Position and record",
    position: "Position",
    positionBoard: "The typed position",
    playPosition: "Play from this position",
    copyPosition: "Copy the position",
    record: "Record",
    copyLink: "Copy the link",
    shareLink: "Share the link",
    tooLongForLink: "This game is too long for a link: save the record and send that.",
    loadRecord: "Load this record",
    copyRecord: "Copy the record",
    savePicture: "Save a diagram",
    saveRecord: "Save the record",
    shareRecord: "Share the record",
    openRecord: "Open a record",
    mainLineOnly: "The record has the moves up to the current position of the game, but not the moves tried after it.",
    linkWithoutNotes: "Comments and variations are too long for a link, which has the moves only: save the record and "
        + "send that.",
    notes: "Comments and names",
    mark: "Mark",
    addReview: "Add to the moves",
    console: "Console",
    consoleLog: "Lines to and from the engine",
    consoleLine: "Line to the engine",
    send: "Send",
    players: "Who plays",
    defaultRules: "Default rules",
    minutes: "Minutes for each side",
    increment: "Extra seconds per move",
    level: "Level",
    startTitle: "Start",
    thinkingTime: "Thinking time",
    clocksTitle: "Clocks",
    begin: "Begin",
    dismiss: "Cancel",
    close: "Close",
    keyList: [
        ["Tab, B", "go to the board"],
        ["Arrow keys", "go to the nearest place that can be chosen; with Shift, to any place"],
        ["Page Up, Page Down", "go to the previous or next place that can be chosen"],
        ["Enter, Space", "choose this place; a second time, end the move here"],
        ["Escape", "cancel the move or the premove, remove arrows and marks, and close the result"],
        ["X", "mark this place; with Shift, draw an arrow from the last mark to it"],
        ["M", "type a move"],
        ["U", "take back; in a variation, its last move"],
        ["H", "ask the engine for a hint"],
        [", . ← →", "view the position before or after; the arrow keys move on the board instead if a piece is chosen, "
            + "or after Tab or B"],
        ["Mouse wheel", "over the board: view the position before or after"],
        ["[ ]", "view the previous or next variation instead of this move"],
        ["T", "play on, or try again, from the viewed position"],
        ["P", "make this variation the main line"],
        ["Delete", "delete this move and all moves after it"],
        ["A", "show or hide the analysis"],
        ["C", "show or hide what players count, with the paths on the board"],
        ["1 to 5", "set the number of lines"],
        ["D", "search deeper"],
        ["L", "go to the lines; arrow keys move among them, Enter makes one a variation"],
        ["R", "review the game, or stop the review"],
        ["Q", "problems"],
        ["G", "go to the graph of the game; arrow keys move along it"],
        ["F", "flip the board"],
        ["S", "turn sounds on or off"],
        ["E", "settings"],
        ["N", "new game"],
        ["O", "saved games"],
        ["?", "this list"],
    ],
};

/** Writes the strings into the elements of the page. */
export function fillPageStrings() {
    const words = /** @type {Record<string, unknown>} */ (TEXT);
    for (const element of document.querySelectorAll("[data-text]")) {
        element.textContent = String(words[element.getAttribute("data-text") ?? ""]);
    }
    for (const element of document.querySelectorAll("[data-label]")) {
        element.setAttribute("aria-label", String(words[element.getAttribute("data-label") ?? ""]));
    }
    // People who see only an icon read its name in the tip.
    for (const tool of document.querySelectorAll(".tool")) tool.setAttribute("title", tool.textContent?.trim() ?? "");
    const keys = TEXT.keyList.flatMap(([key, meaning]) => [html("dt", {}, key), html("dd", {}, meaning)]);
    elementById("key-list", HTMLElement).replaceChildren(...keys);
}
