//! Proofs as files: a text that says what is claimed, and the replies that uphold it.
//!
//! Tags first, one a line (`Claim: light wins`), then a line for each position to which a reply is given: its search
//! key in hexadecimal and the move. The positions themselves are not written: whoever checks the file comes to them by
//! playing.

use std::collections::HashMap;
use std::fmt::Write;

use crate::core::text::quoted;
use crate::core::{Complete, OptionSpec, Side};

use super::check::{self, Checked, Flaw};
use super::solver::Question;
use super::{Claim, Proof};

/// The first line of a file.
const HEADER: &str = "pentarch proof 1";

/// What a file says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProofFile {
    /// The tags, by name, in the order in which they stand: several may have the same name.
    tags: Vec<(String, String)>,
    /// The texts of the replies.
    replies: HashMap<u64, String>,
}

impl ProofFile {
    /// The text of the file for a proof; `settings` are the options of the rules that are not at their defaults.
    pub fn text<G: Complete>(
        question: &Question<G>,
        proof: &Proof<G::Move>,
        settings: &[(&OptionSpec, String)],
    ) -> String {
        let line = &question.line;
        let game = line.game();
        let mut text = format!("{HEADER}\nGame: {}\n", G::ID);
        let mut tag = |name: &str, value: &str| writeln!(text, "{name}: {value}").unwrap_or_default();
        settings.iter().for_each(|(spec, value)| tag("Option", &format!("{}={value}", spec.name)));
        tag("Position", &game.position_text(line.start()));
        let made: Vec<String> = line.moves().map(|mv| game.move_text(mv)).collect();
        if !made.is_empty() {
            tag("Moves", &made.join(" "));
        }
        tag("Claim", &claim_text::<G>(question.attacker, proof.claim));
        let mut replies: Vec<_> = proof.replies.iter().collect();
        replies.sort_unstable_by_key(|&(key, _)| key);
        for (key, &mv) in replies {
            writeln!(text, "{key:016x} {}", game.move_text(mv)).unwrap_or_default();
        }
        text
    }

    /// Reads a file.
    ///
    /// # Errors
    /// If it is not of the form; the error names the line.
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
    /// If there is none.
    pub fn value(&self, name: &str) -> Result<&str, String> {
        self.values(name).next().ok_or_else(|| format!("there is no tag {name}"))
    }

    /// The values of all tags of this name.
    pub fn values(&self, name: &str) -> impl Iterator<Item = &str> {
        self.tags.iter().filter(move |tag| tag.0 == name).map(|tag| tag.1.as_str())
    }

    /// Which side the file says can force a win, or cannot.
    ///
    /// # Errors
    /// If it says neither.
    pub fn claim<G: Complete>(&self) -> Result<(Side, Claim), String> {
        let text = self.value("Claim")?;
        let mut all = Side::BOTH.into_iter().flat_map(|side| [(side, Claim::Win), (side, Claim::Refuted)]);
        all.find(|&(side, claim)| claim_text::<G>(side, claim) == text)
            .ok_or_else(|| format!("unknown claim {}", quoted(text)))
    }

    /// The reply to a position.
    pub fn reply<G: Complete>(&self, game: &G, position: &G::Position) -> Option<G::Move> {
        let text = game.parse_move(self.replies.get(&game.search_key(position))?).ok()?;
        game.find_move(position, &text).ok()
    }

    /// Checks the claim of the file about this position.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn check<G: Complete>(
        &self,
        question: &Question<G>,
        claim: Claim,
        stopped: &impl Fn() -> bool,
    ) -> Result<Checked, Flaw> {
        let reply = |position: &G::Position| self.reply(question.line.game().as_ref(), position);
        let check = |question: &Question<G>| check::check(question, claim, reply, stopped).map(|(checked, _)| checked);
        // The rules by which it was proved are not written down.
        let easier = question.easier_against(claim.upholder(question));
        easier.and_then(|easier| check(&easier).ok()).map_or_else(|| check(question), Ok)
    }
}

/// A claim in words.
pub fn claim_text<G: Complete>(attacker: Side, claim: Claim) -> String {
    let side = G::SIDES[attacker.index()];
    match claim {
        Claim::Win => format!("{side} wins"),
        Claim::Refuted => format!("{side} does not win"),
    }
}
