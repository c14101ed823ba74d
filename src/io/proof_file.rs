//! Proofs as text files: what is claimed, and the replies that prove it.
//!
//! The file begins with tags, one a line (`Claim: light wins`). A line for each position with a reply follows: the
//! search key of the position in hexadecimal, and the move. The positions themselves are not written, since a check of
//! the file reaches them by making moves.

use std::collections::HashMap;
use std::fmt::Write;

use crate::core::text::quoted;
use crate::core::{Game, OptionSpec, Rules, Side};
use crate::search::prover::question::Question;
use crate::search::prover::verify::{Flaw, VerifiedSize, verify};
use crate::search::prover::{Claim, Proof};

/// The first line of a proof file: its kind and the version of the format.
const HEADER: &str = "pentarch proof 1";

/// The contents of a proof file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProofFile {
    /// The tags, names and values, in the order of the file. Several may have the same name.
    tags: Vec<(String, String)>,
    /// The texts of the replies, by the search keys of the positions.
    replies: HashMap<u64, String>,
}

impl ProofFile {
    /// The text of the file for a proof. `settings` are the options of the rules that differ from their defaults.
    pub fn text<G: Game>(question: &Question<G>, proof: &Proof<G::Move>, settings: &[(&OptionSpec, String)]) -> String {
        let history = &question.history;
        let rules = history.rules();
        let mut text = format!("{HEADER}\nGame: {}\n", G::ID);
        let mut tag = |name: &str, value: &str| writeln!(text, "{name}: {value}").unwrap_or_default();
        settings.iter().for_each(|(spec, value)| tag("Option", &format!("{}={value}", spec.name)));
        tag("Position", &rules.position_text(history.start()));
        let moves: Vec<String> = history.moves().map(|mv| rules.move_text(mv)).collect();
        if !moves.is_empty() {
            tag("Moves", &moves.join(" "));
        }
        tag("Claim", &claim_text::<G>(question.attacker, proof.claim));
        let mut replies: Vec<_> = proof.replies.iter().collect();
        replies.sort_unstable_by_key(|&(key, _)| key);
        for (key, &mv) in replies {
            writeln!(text, "{key:016x} {}", rules.move_text(mv)).unwrap_or_default();
        }
        text
    }

    /// Parses the text of a proof file.
    ///
    /// # Errors
    /// If the text has another format; the error names the line.
    pub fn parse(text: &str) -> Result<ProofFile, String> {
        let mut lines = (1..).zip(text.lines());
        if lines.next().is_none_or(|(_, line)| line.trim_end() != HEADER) {
            return Err(format!("line 1: '{HEADER}' expected"));
        }
        let mut file = ProofFile { tags: Vec::new(), replies: HashMap::new() };
        for (number, line) in lines {
            let line = line.trim_end();
            if let Some((name, value)) = line.split_once(": ") {
                file.tags.push((name.into(), value.into()));
                continue;
            }
            let reply = line.split_once(' ').and_then(|(key, mv)| Some((u64::from_str_radix(key, 16).ok()?, mv)));
            let (key, mv) = reply.ok_or_else(|| format!("line {number}: a tag, or a key and a move expected"))?;
            file.replies.insert(key, mv.into());
        }
        Ok(file)
    }

    /// The value of the first tag of this name.
    ///
    /// # Errors
    /// If the file has no such tag.
    pub fn value(&self, name: &str) -> Result<&str, String> {
        self.values(name).next().ok_or_else(|| format!("there is no tag {name}"))
    }

    /// The values of all tags of this name.
    pub fn values(&self, name: &str) -> impl Iterator<Item = &str> {
        self.tags.iter().filter(move |tag| tag.0 == name).map(|tag| tag.1.as_str())
    }

    /// The claim of the file: the attacking side, and whether it can force a win.
    ///
    /// # Errors
    /// If the tag is missing or holds no claim about a side of this game.
    pub fn claim<G: Game>(&self) -> Result<(Side, Claim), String> {
        let text = self.value("Claim")?;
        let mut all = Side::BOTH.into_iter().flat_map(|side| [(side, Claim::Win), (side, Claim::Disproved)]);
        all.find(|&(side, claim)| claim_text::<G>(side, claim) == text)
            .ok_or_else(|| format!("unknown claim {}", quoted(text)))
    }

    /// The reply that the file gives in a position; `None` if it gives none that is legal there.
    pub fn reply<G: Game>(&self, rules: &G, position: &G::Position) -> Option<G::Move> {
        let text = rules.parse_move(self.replies.get(&rules.search_key(position))?).ok()?;
        rules.find_move(position, &text).ok()
    }

    /// Checks the claim of the file about the position of `question`. `stopped` is asked now and then whether to give
    /// up.
    ///
    /// # Errors
    /// The flaw of the proof.
    pub fn check<G: Game>(
        &self,
        question: &Question<G>,
        claim: Claim,
        stopped: &impl Fn() -> bool,
    ) -> Result<VerifiedSize, Flaw<G::Position>> {
        let reply = |position: &G::Position| self.reply(question.history.rules().as_ref(), position);
        let check = |question: &Question<G>| verify(question, claim, reply, stopped).map(|(checked, _)| checked);
        // The file does not say whether the proof was found under relaxed rules, so both are tried.
        let relaxed = question.relaxed_for(claim.upholder(question));
        relaxed.and_then(|relaxed| check(&relaxed).ok()).map_or_else(|| check(question), Ok)
    }
}

/// A claim in words: `light wins`, `light does not win`.
pub fn claim_text<G: Rules>(attacker: Side, claim: Claim) -> String {
    let side = G::SIDES[attacker.index()];
    match claim {
        Claim::Win => format!("{side} wins"),
        Claim::Disproved => format!("{side} does not win"),
    }
}
