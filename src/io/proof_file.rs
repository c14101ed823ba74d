//! Proofs as text files: a claim, and the replies that prove it.
//!
//! The file begins with tags, one per line (`Claim: light wins`). A line for each position with a
//! reply follows: the FEN of the position, and the move. A checker needs only the rules, not this
//! program. FENs, unlike hashes, never confuse two positions.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write;

use thiserror::Error;

use pentarch_core::notation::text::quoted;
use pentarch_core::{OptionSpec, OptionValue, Rules, Side};
use pentarch_games::Game;
use pentarch_search::prover::question::ProofQuestion;
use pentarch_search::prover::verify::{ProofError, ProofSize};
use pentarch_search::prover::{Claim, Proof};

/// An error of a proof file.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ProofFileError {
    /// The first line is not the header.
    #[error("line 1: '{PROOF_FILE_HEADER}' expected")]
    Header,
    /// A line is neither a tag nor a reply.
    #[error("line {line}: expected a tag, or a FEN and a move")]
    Line {
        /// The line, from 1.
        line: usize,
    },
    /// A tag is missing.
    #[error("there is no tag {0}")]
    MissingTag(&'static str),
    /// The tag Claim has an unknown side or an unknown claim.
    #[error("unknown claim {}", quoted(.0))]
    UnknownClaim(String),
    /// The tag Relaxed does not name the side that upholds the claim, so the proof would not imply
    /// the claim.
    #[error("the tag Relaxed must be {expected}, not {}", quoted(.found))]
    RelaxedSide {
        /// The side that the tag must name.
        expected: &'static str,
        /// The value of the tag.
        found: String,
    },
    /// The rules cannot be relaxed in this position.
    #[error("these rules cannot be relaxed here")]
    NotRelaxed,
    /// The replies do not prove the claim. Positions are FENs.
    #[error(transparent)]
    ProofError(#[from] ProofError<String>),
}

/// The first line of a proof file: its kind and the version of the format.
const PROOF_FILE_HEADER: &str = "pentarch proof 2";

/// The contents of a proof file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProofFile {
    /// The tags, names and values, in the order of the file. Several may have the same name.
    tags: Vec<(String, String)>,
    /// The move strings of the replies, by the FENs [without move numbers](without_move_number).
    replies: HashMap<String, String>,
}

impl ProofFile {
    /// Returns the text of the file for a proof. `settings` are the options of the rules that
    /// differ from their defaults.
    pub fn text<G: Game>(
        question: &ProofQuestion<G>,
        proof: &Proof<G::Move>,
        settings: &[(&OptionSpec, OptionValue)],
    ) -> String {
        let history = &question.history;
        let rules = history.rules();
        let mut text = format!("{PROOF_FILE_HEADER}\nGame: {}\n", G::ID);
        let mut tag =
            |name: &str, value: &str| writeln!(text, "{name}: {value}").unwrap_or_default();
        for (spec, value) in settings {
            tag("Option", &format!("{}={value}", spec.name));
        }
        tag("Position", &rules.position_text(history.start()));
        let moves: Vec<String> = history.moves().map(|mv| rules.move_text(mv)).collect();
        if !moves.is_empty() {
            tag("Moves", &moves.join(" "));
        }
        tag("Claim", &claim_text::<G>(question.attacker, proof.claim));
        let relaxed = proof.relaxed.and_then(|side| question.relaxation_for(side));
        if let Some(side) = proof.relaxed {
            tag("Relaxed", G::SIDE_NAMES[side.index()]);
        }
        for (position, mv) in proof_replies(relaxed.as_ref().unwrap_or(question), proof) {
            writeln!(text, "{position} {mv}").unwrap_or_default();
        }
        text
    }

    /// Parses the text of a proof file.
    ///
    /// # Errors
    /// If the text has another format; the error names the line.
    pub fn parse(text: &str) -> Result<ProofFile, ProofFileError> {
        let mut lines = (1..).zip(text.lines());
        if lines.next().is_none_or(|(_, line)| line.trim_end() != PROOF_FILE_HEADER) {
            return Err(ProofFileError::Header);
        }
        let mut file = ProofFile { tags: Vec::new(), replies: HashMap::new() };
        for (number, text) in lines {
            let line = text.trim_end();
            if let Some((name, value)) = line.split_once(": ") {
                file.tags.push((name.into(), value.into()));
                continue;
            }
            let reply = line.rsplit_once(' ').filter(|(position, _)| position.contains(' '));
            let (position, mv) = reply.ok_or(ProofFileError::Line { line: number })?;
            file.replies.insert(without_move_number(position).into(), mv.into());
        }
        Ok(file)
    }

    /// Returns the value of the first tag of this name.
    ///
    /// # Errors
    /// If the file has no such tag.
    pub fn value(&self, name: &'static str) -> Result<&str, ProofFileError> {
        self.values(name).next().ok_or(ProofFileError::MissingTag(name))
    }

    /// Returns the values of all tags of this name.
    pub fn values(&self, name: &str) -> impl Iterator<Item = &str> {
        self.tags.iter().filter(move |tag| tag.0 == name).map(|tag| tag.1.as_str())
    }

    /// Returns the claim of the file: the attacking side, and whether it can force a win.
    ///
    /// # Errors
    /// If the tag is missing, or is not a claim about a side of this game.
    pub fn claim<G: Game>(&self) -> Result<(Side, Claim), ProofFileError> {
        let text = self.value("Claim")?;
        for side in Side::BOTH {
            for claim in [Claim::Win, Claim::Disproved] {
                if claim_text::<G>(side, claim) == text {
                    return Ok((side, claim));
                }
            }
        }
        Err(ProofFileError::UnknownClaim(text.into()))
    }

    /// Returns the reply of the file in a position; `None` if there is none or it is illegal.
    pub fn reply<G: Game>(&self, rules: &G, position: &G::Position) -> Option<G::Move> {
        let reply = self.replies.get(without_move_number(&rules.position_text(position)))?;
        let text = rules.parse_move(reply).ok()?;
        rules.find_move(position, &text).ok()
    }

    /// Checks the claim of the file about the position of `question`. Gives up when `stopped`,
    /// called now and then, returns true.
    ///
    /// # Errors
    /// The flaw of the proof.
    pub fn check<G: Game>(
        &self,
        question: &ProofQuestion<G>,
        claim: Claim,
        stopped: &dyn Fn() -> bool,
    ) -> Result<ProofSize, ProofFileError> {
        let relaxed = match self.values("Relaxed").next() {
            Some(name) => Some(self.relaxed(question, claim, name)?),
            None => None,
        };
        let question = relaxed.as_ref().unwrap_or(question);
        let rules = question.history.rules().as_ref();
        let checked = (G::search_functions().verify)(
            question,
            claim,
            &|position| self.reply(rules, position),
            stopped,
        );
        checked
            .map(|verified| verified.size)
            .map_err(|flaw| flaw.map(|position| rules.position_text(&position)).into())
    }

    /// Returns the question under the rules that are [relaxed](ProofQuestion::relaxation_for) for
    /// the side of this name.
    ///
    /// # Errors
    /// If a proof under them would not imply the claim, or if there are no such rules.
    fn relaxed<G: Game>(
        &self,
        question: &ProofQuestion<G>,
        claim: Claim,
        name: &str,
    ) -> Result<ProofQuestion<G>, ProofFileError> {
        let side = claim.claiming_side(question);
        let expected = G::SIDE_NAMES[side.index()];
        if name != expected {
            return Err(ProofFileError::RelaxedSide { expected, found: name.into() });
        }
        question.relaxation_for(side).ok_or(ProofFileError::NotRelaxed)
    }
}

/// Returns the FENs and the moves of all replies of a proof, in the order of the FENs. Positions with different FENs are
/// listed separately even if they have the same search key.
fn proof_replies<G: Game>(
    question: &ProofQuestion<G>,
    proof: &Proof<G::Move>,
) -> BTreeMap<String, String> {
    let rules = question.history.rules().as_ref();
    let repeated = question.history.repeated_keys();
    let mut replies = BTreeMap::new();
    let mut seen = HashSet::new();
    let mut stack = vec![*question.history.position()];
    let mut moves = Vec::new();
    while let Some(position) = stack.pop() {
        let text = rules.position_text(&position);
        let is_first = seen.is_empty();
        if !seen.insert(without_move_number(&text).to_string())
            || (!is_first && question.known_result(&position, &repeated).is_some())
        {
            continue;
        }
        moves.clear();
        if let Some(&mv) = proof.replies.get(&rules.search_key(&position)) {
            replies.insert(text, rules.move_text(mv));
            moves.push(mv);
        } else {
            rules.legal_moves(&position, &mut moves);
        }
        stack.extend(moves.iter().map(|&mv| rules.play(&position, mv)));
    }
    replies
}

/// Returns a FEN without its last field, the full-move number, which affects neither moves nor
/// outcomes.
fn without_move_number(position: &str) -> &str {
    position.rsplit_once(' ').map_or(position, |(fields, _)| fields)
}

/// Returns a claim in words: `light wins`, `light does not win`.
pub fn claim_text<G: Rules>(attacker: Side, claim: Claim) -> String {
    let side = G::SIDE_NAMES[attacker.index()];
    match claim {
        Claim::Win => format!("{side} wins"),
        Claim::Disproved => format!("{side} does not win"),
    }
}
