//! A second checker of proof files. It shares no code with the program. It has a separate parser,
//! and plays by the slow implementations of the rules in the tests.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;

use pentarch_slow_rules::alcaxar::SlowPosition;
use pentarch_slow_rules::{alquerque as slow, roses};

use crate::client::{program, run};
use crate::common::temporary::Folder;

/// A position under a slow implementation of the rules.
pub(crate) trait ProofPosition: Clone {
    fn read(text: &str, options: &BTreeMap<&str, &str>) -> Self;

    fn text(&self) -> String;

    /// Returns the part of the position string that the repetition rule compares.
    fn repetition_class(&self) -> String;

    /// Returns all legal moves with the positions after them.
    fn moves_with_results(&self) -> Vec<(String, Self)>;

    /// Returns the word of the winner, `Some(None)` for a draw, or `None` if the game is not over.
    /// Ignores repetitions.
    fn outcome(&self) -> Option<Option<&'static str>>;

    /// Returns the word of the side to move.
    fn side_to_move(&self) -> &'static str;

    /// Returns the position string under relaxed rules. Under these rules the opponent of this side
    /// may make any step back.
    fn relaxed_text(&self, side: &str) -> String {
        panic!("no rules are relaxed for {side} in {}", self.text());
    }
}

/// A position of Alquerque with its rules.
#[derive(Clone)]
pub(crate) struct SlowAlquerque(slow::State, slow::RuleOptions);

impl SlowAlquerque {
    /// Returns the state of the game in the words of `query outcome`. It assumes that no position
    /// has occurred before.
    pub(crate) fn words(&self) -> String {
        self.0.outcome(&self.1, !self.moves_with_results().is_empty(), &[self.text()])
    }
}

const SIDE_NAMES: [(char, &str, &str); 2] = [('o', "l", "light"), ('x', "d", "dark")];

/// Returns the points of a field. Each point has two letters.
fn points(field: &str) -> Vec<slow::Point> {
    let bytes = field.trim_matches('-').as_bytes();
    bytes.chunks(2).map(|name| (i32::from(name[0] - b'a') + 1, i32::from(name[1] - b'0'))).collect()
}

impl ProofPosition for SlowAlquerque {
    fn read(text: &str, options: &BTreeMap<&str, &str>) -> Self {
        let modern = ["complete", "instant", "free", "free", "player", "illegal", "repetition"];
        let names =
            ["MultiCapture", "Removal", "Movement", "BaseRow", "Retreat", "MissedCapture", "Win"];
        let mut values = modern;
        match options.get("Alquerque_Ruleset") {
            Some(&"bell") => {
                values = ["complete", "instant", "bell", "free", "checker", "illegal", "block"]
            }
            Some(&"alfonso") => {
                values = ["complete", "instant", "free", "free", "free", "huff", "capture"]
            }
            _ => {}
        }
        for (name, value) in names.iter().zip(&mut values) {
            if let Some(&chosen) = options.get(format!("Alquerque_{name}").as_str()) {
                *value = chosen.to_string().leak();
            }
        }
        let [multi_capture, removal, movement, base_row, retreat, missed_capture, win] = values;
        let rules = slow::RuleOptions {
            multi_capture,
            removal,
            movement,
            base_row,
            retreat,
            missed_capture,
            win,
        };
        let fields: Vec<&str> = text.split(' ').collect();
        let mut state = slow::State::start();
        state.board.clear();
        for (rank, row) in [5, 4, 3, 2, 1].into_iter().zip(fields[0].split('/')) {
            let mut file = 1;
            for letter in row.chars() {
                match letter.to_digit(10) {
                    Some(free) => file += free as i32,
                    None => {
                        state.board.insert((file, rank), letter);
                        file += 1;
                    }
                }
            }
        }
        state.side = SIDE_NAMES.iter().find(|side| side.1 == fields[1]).unwrap().0;
        for step in points(fields[2]).chunks(2) {
            state.stepped_from.insert(step[0], step[1]);
            state.last_moved.insert(state.board[&step[0]], step[0]);
        }
        state.reached_base.extend(points(fields[3]));
        // A checker on the opponent's base row counts as having ended a move there.
        for (&point, &letter) in &state.board {
            if point.1 == (if letter == 'o' { 5 } else { 1 }) {
                state.reached_base.insert(point);
            }
        }
        state.huff.extend(points(fields[4]));
        state.full_move = fields[5].parse().unwrap();
        assert_eq!(state.text(&rules), text);
        SlowAlquerque(state, rules)
    }

    fn text(&self) -> String {
        self.0.text(&self.1)
    }

    fn repetition_class(&self) -> String {
        unnumbered(&self.text()).into()
    }

    fn moves_with_results(&self) -> Vec<(String, Self)> {
        self.0
            .turns(&self.1)
            .into_iter()
            .map(|(text, state)| (text, SlowAlquerque(state, self.1)))
            .collect()
    }

    fn outcome(&self) -> Option<Option<&'static str>> {
        let outcome = self.words();
        let words: Vec<&str> = outcome.split(' ').collect();
        match words[0] {
            "win" => Some(SIDE_NAMES.iter().map(|side| side.2).find(|&word| word == words[1])),
            "draw" => Some(None),
            _ => None,
        }
    }

    fn side_to_move(&self) -> &'static str {
        SIDE_NAMES.iter().find(|side| side.0 == self.0.side).unwrap().2
    }

    fn relaxed_text(&self, side: &str) -> String {
        let mut state = self.0.clone();
        let letter = SIDE_NAMES.iter().find(|other| other.2 == side).unwrap().0;
        state.last_moved.retain(|&moved, _| moved == letter);
        state.text(&self.1)
    }
}

impl ProofPosition for SlowPosition {
    fn read(text: &str, _: &BTreeMap<&str, &str>) -> Self {
        SlowPosition::new(text)
    }

    fn text(&self) -> String {
        SlowPosition::text(self)
    }

    fn repetition_class(&self) -> String {
        // This removes the wall that was moved last.
        SlowPosition::text(self).split(' ').take(3).collect::<Vec<_>>().join(" ")
    }

    fn moves_with_results(&self) -> Vec<(String, Self)> {
        let play = |text: String| {
            let mut next = self.clone();
            next.play(&text);
            (text, next)
        };
        self.moves().into_iter().map(play).collect()
    }

    fn outcome(&self) -> Option<Option<&'static str>> {
        let won = self.immediate_win()?;
        Some(["red", "green"].into_iter().find(|&side| won.split(' ').nth(1) == Some(side)))
    }

    fn side_to_move(&self) -> &'static str {
        ["red", "green"][self.side]
    }
}

/// A position of Guerre des Deux Roses.
#[derive(Clone)]
struct SlowRoses(roses::Position);

impl ProofPosition for SlowRoses {
    fn read(text: &str, options: &BTreeMap<&str, &str>) -> Self {
        let contiguous_support = options.get("Roses_ContiguousSupport") == Some(&"true");
        SlowRoses(roses::Position::parse(text, contiguous_support))
    }

    fn text(&self) -> String {
        self.0.text()
    }

    fn repetition_class(&self) -> String {
        unnumbered(&self.0.text()).into()
    }

    fn moves_with_results(&self) -> Vec<(String, Self)> {
        self.0.moves().into_iter().map(|(text, next)| (text, SlowRoses(next))).collect()
    }

    fn outcome(&self) -> Option<Option<&'static str>> {
        let board = self.0.text();
        let board = board.split(' ').next().unwrap();
        match (board.contains('C'), board.contains('c')) {
            (false, _) => Some(Some("black")),
            (_, false) => Some(Some("white")),
            _ if self.0.moves().is_empty() && self.0.white_to_move => Some(Some("black")),
            _ if self.0.moves().is_empty() => Some(Some("white")),
            _ => None,
        }
    }

    fn side_to_move(&self) -> &'static str {
        if self.0.white_to_move { "white" } else { "black" }
    }
}

/// Returns a proof file with these lines and their checksum. An old checksum at the end is removed.
pub(crate) fn with_new_checksum(lines: &str) -> String {
    let contents = lines.split("Checksum: ").next().unwrap();
    format!("{contents}Checksum: crc32:{:08x}\n", crc32fast::hash(contents.as_bytes()))
}

/// Returns a position string without its last field. That field is the full-move number.
fn unnumbered(text: &str) -> &str {
    text.rsplit_once(' ').unwrap().0
}

/// Returns an error if the proof in a file does not hold. Does not verify the checksum.
pub(crate) fn check(file: &str) -> Result<(), String> {
    match file.lines().find_map(|line| line.strip_prefix("Game: ")) {
        Some("alquerque") => check_as::<SlowAlquerque>(file),
        Some("alcaxar") => check_as::<SlowPosition>(file),
        Some("roses") => check_as::<SlowRoses>(file),
        other => Err(format!("no slow implementation of {other:?}")),
    }
}

/// Returns the position after these moves. If one of them is illegal, returns an error.
fn play_moves<P: ProofPosition>(mut position: P, moves: &str) -> Result<P, String> {
    let mut played = BTreeSet::from([position.repetition_class()]);
    for text in moves.split_whitespace() {
        let mut results = position.moves_with_results().into_iter();
        let (_, next) = results.find(|(other, _)| other == text).ok_or("an illegal move")?;
        position = next;
        assert!(played.insert(position.repetition_class()), "a game that repeats positions");
    }
    Ok(position)
}

/// Returns the attacker in a claim, and whether the claim is a win.
fn parse_claim(claim: &str) -> Result<(&str, bool), String> {
    match claim.split_once(' ').unwrap() {
        (side, "wins") => Ok((side, true)),
        (side, "does not win") => Ok((side, false)),
        other => Err(format!("the claim {other:?}")),
    }
}

/// Checks a proof file of the game of `P`.
fn check_as<P: ProofPosition>(file: &str) -> Result<(), String> {
    let mut lines = file.lines();
    assert_eq!(lines.next(), Some("pentarch proof 3"));
    let (tags, replies): (Vec<_>, Vec<_>) = lines.partition(|line| line.contains(": "));
    let tags: Vec<(&str, &str)> =
        tags.into_iter().map(|line| line.split_once(": ").unwrap()).collect();
    let tag = |name: &str| tags.iter().find(|tag| tag.0 == name).map(|tag| tag.1);
    let options = tags
        .iter()
        .filter(|tag| tag.0 == "Option")
        .map(|tag| tag.1.split_once('=').unwrap())
        .collect();
    let start = P::read(tag("Position").unwrap(), &options);
    let root = play_moves(start, tag("Moves").unwrap_or_default())?;
    let (attacker, wins) = parse_claim(tag("Claim").unwrap())?;
    let relaxed_side = tag("Relaxed");
    // Rules that are relaxed for a side have fewer bans for the other side. Therefore a result that
    // the side proves under these rules also holds under the true rules. If the claim is a win,
    // this side must be the attacker, and otherwise the attacker's opponent.
    if let Some(side) = relaxed_side
        && (side != attacker) == wins
    {
        return Err(format!("rules that are relaxed for {side}"));
    }
    let mut replies_by_position: HashMap<&str, &str> = HashMap::new();
    for line in replies {
        let (position, mv) = line.rsplit_once(' ').unwrap();
        replies_by_position.insert(unnumbered(position), mv);
    }
    if root.outcome().is_some() {
        return Err("the game is over".into());
    }
    let mut edges: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut seen = BTreeSet::new();
    let mut stack = vec![root];
    while let Some(position) = stack.pop() {
        let text = position.text();
        if !seen.insert(unnumbered(&text).to_string()) {
            continue;
        }
        if let Some(winner) = position.outcome() {
            if (winner == Some(attacker)) != wins {
                return Err(format!("{text} is no end as claimed"));
            }
            continue;
        }
        let mut turns = position.moves_with_results();
        let is_upholder_to_move = (position.side_to_move() == attacker) == wins;
        if is_upholder_to_move {
            let listed = relaxed_side.map_or(text.clone(), |side| position.relaxed_text(side));
            let reply = *replies_by_position
                .get(unnumbered(&listed))
                .ok_or_else(|| format!("no reply to {listed}"))?;
            turns.retain(|(other, _)| other == reply);
            if turns.is_empty() {
                return Err(format!("the reply {reply} to {text} is illegal"));
            }
        }
        let next = edges.entry(position.repetition_class()).or_default();
        next.extend(turns.iter().map(|(_, next)| next.repetition_class()));
        stack.extend(turns.into_iter().map(|(_, next)| next));
    }
    if wins && has_cycle(&edges) { Err("a line comes back to a position".into()) } else { Ok(()) }
}

/// Returns whether the edges contain a cycle. The function removes nodes without incoming edges
/// until there are none. The nodes that remain form cycles.
fn has_cycle(edges: &BTreeMap<String, BTreeSet<String>>) -> bool {
    let mut edges = edges.clone();
    loop {
        let led_to: BTreeSet<String> = edges.values().flatten().cloned().collect();
        let before = edges.len();
        edges.retain(|repetition_class, _| led_to.contains(repetition_class));
        if edges.len() == before {
            return before > 0;
        }
    }
}

/// Returns the file of the first proof that the program finds with these arguments.
fn proof_by(arguments: &str) -> String {
    let folder = Folder::new("proof-files");
    let name = &folder.file("some.proof");
    let words: Vec<&str> = arguments.split(' ').collect();
    let (before, position) =
        words.split_at(words.iter().position(|&word| word == "prove").unwrap() + 1);
    let (_, error, code) = run(program([before, &["--output", name], position].concat()), "");
    assert_eq!(code, Some(0), "{arguments}: {error}");
    fs::read_to_string(name).unwrap()
}

const PROOF_COMMANDS: [(&str, &str); 9] = [
    // These are the examples in the documentation.
    ("-g alquerque prove fen x4/2o2/4o/5/5 l - - - 19", "Claim: light wins\nRelaxed: light\n"),
    ("-g alcaxar prove fen f2h4 b5c6d7e2e8f3g4h5 r - 9", "Claim: red wins\n"),
    // In these two, the other side has just made a step when the proof begins.
    ("-g alquerque prove fen 5/2x2/2o2/5/5 l c3c4c4b4 - - 1", "Relaxed: light\n"),
    ("-g alquerque prove fen 2x2/5/2o2/5/5 d - - - 1 moves c5c4", "Relaxed: light\n"),
    (
        "-g alquerque --set Alquerque_Retreat=free prove fen x4/2o2/4o/5/5 l - - - 19",
        "Claim: light wins\n",
    ),
    (
        "-g alquerque --set Alquerque_Ruleset=bell prove fen 5/x3x/1o3/1o3/o4 l - - - 1",
        "Claim: light",
    ),
    ("-g alquerque prove fen 5/5/2x2/5/o4 d - - - 1", "Claim: dark does not win\n"),
    ("-g alquerque prove --side light fen x4/5/4o/5/5 d - - - 1", "Claim: light does not win\n"),
    (
        "-g alcaxar prove --side green fen f2h4 b5c6d7e2e8f3g4h5 r - 9",
        "Claim: green does not win\n",
    ),
];

#[test]
fn second_checker_accepts_proofs_and_rejects_changed_ones() {
    let mut refused = 0;
    for (arguments, claim) in PROOF_COMMANDS {
        let file = proof_by(arguments);
        assert!(file.contains(claim), "{arguments}: {file}");
        assert_eq!(check(&file), Ok(()), "{arguments}: {file}");
        // If any one of the replies is missing, the proof is invalid. Each reply belongs to a
        // position that can occur, possibly only under relaxed rules.
        let lines: Vec<&str> = file.lines().collect();
        let replies: Vec<usize> =
            (1..lines.len()).filter(|&at| !lines[at].contains(": ")).collect();
        let mut needed = 0;
        for &at in replies.iter().step_by(replies.len() / 12 + 1) {
            let mut fewer = lines.clone();
            fewer.remove(at);
            let is_needed = check(&fewer.join("\n")).is_err();
            assert!(is_needed || file.contains("Relaxed: "), "{arguments}: {}", lines[at]);
            needed += usize::from(is_needed);
        }
        assert!(needed > 0, "{arguments}");
        refused += needed;
        let other = if file.contains(" does not win") {
            file.replace(" does not win", " wins")
        } else {
            file.replace(" wins", " does not win")
        };
        assert!(check(&other).is_err(), "{arguments}: {other}");
    }
    assert!(refused > 20, "{refused}");
}

/// Checks the proof in the file that the environment variable PROOF names: `PROOF=FILE cargo test
/// --test all proof_files::a_proof_of_any_size -- --ignored`
#[test]
#[ignore = "needs a file"]
fn a_proof_of_any_size_is_confirmed() {
    let file = fs::read_to_string(std::env::var("PROOF").unwrap()).unwrap();
    assert_eq!(check(&file), Ok(()));
}
