//! Proofs as text files: what is claimed, and the replies that prove it.
//!
//! The file begins with tags, one a line (`Claim: light wins`). A line for each position with a reply follows: the
//! position text, and the move. So whoever knows the rules can check the file, and needs nothing of this program; and
//! no two positions are taken for one.

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
    /// The first line is another one.
    #[error("line 1: '{HEADER}' expected")]
    Header,
    /// A line is neither a tag nor a reply.
    #[error("line {line}: a tag, or a position text and a move expected")]
    Line {
        /// The line, from 1.
        line: usize,
    },
    /// A tag is missing.
    #[error("there is no tag {0}")]
    MissingTag(&'static str),
    /// The tag Claim names no side of this game, or claims something else.
    #[error("unknown claim {}", quoted(.0))]
    UnknownClaim(String),
    /// The tag Relaxed names another side than the one whose claim would hold all the more.
    #[error("the tag Relaxed must be {expected}, not {}", quoted(.found))]
    RelaxedSide {
        /// The side that the tag must name.
        expected: &'static str,
        /// The text of the tag.
        found: String,
    },
    /// The rules cannot be relaxed in this position.
    #[error("these rules cannot be relaxed here")]
    NotRelaxed,
    /// The replies do not prove the claim. The positions are position texts.
    #[error(transparent)]
    ProofError(#[from] ProofError<String>),
}

/// The first line of a proof file: its kind and the version of the format.
const HEADER: &str = "pentarch proof 2";

/// The contents of a proof file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProofFile {
    /// The tags, names and values, in the order of the file. Several may have the same name.
    tags: Vec<(String, String)>,
    /// The texts of the replies, by the position texts [without their numbers](unnumbered).
    replies: HashMap<String, String>,
}

impl ProofFile {
    /// The text of the file for a proof. `settings` are the options of the rules that differ from their defaults.
    pub fn text<G: Game>(
        question: &ProofQuestion<G>,
        proof: &Proof<G::Move>,
        settings: &[(&OptionSpec, OptionValue)],
    ) -> String {
        let history = &question.history;
        let rules = history.rules();
        let mut text = format!("{HEADER}\nGame: {}\n", G::ID);
        let mut tag =
            |name: &str, value: &str| writeln!(text, "{name}: {value}").unwrap_or_default();
        settings.iter().for_each(|(spec, value)| tag("Option", &format!("{}={value}", spec.name)));
        tag("Position", &rules.position_text(history.start()));
        let moves: Vec<String> = history.moves().map(|mv| rules.move_text(mv)).collect();
        if !moves.is_empty() {
            tag("Moves", &moves.join(" "));
        }
        tag("Claim", &claim_text::<G>(question.attacker, proof.claim));
        let relaxed = proof.relaxed.and_then(|side| question.relaxation_for(side));
        if let Some(side) = proof.relaxed {
            tag("Relaxed", G::SIDES[side.index()]);
        }
        for (position, mv) in replies(relaxed.as_ref().unwrap_or(question), proof) {
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
        if lines.next().is_none_or(|(_, line)| line.trim_end() != HEADER) {
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
            file.replies.insert(unnumbered(position).into(), mv.into());
        }
        Ok(file)
    }

    /// The value of the first tag of this name.
    ///
    /// # Errors
    /// If the file has no such tag.
    pub fn value(&self, name: &'static str) -> Result<&str, ProofFileError> {
        self.values(name).next().ok_or(ProofFileError::MissingTag(name))
    }

    /// The values of all tags of this name.
    pub fn values(&self, name: &str) -> impl Iterator<Item = &str> {
        self.tags.iter().filter(move |tag| tag.0 == name).map(|tag| tag.1.as_str())
    }

    /// The claim of the file: the attacking side, and whether it can force a win.
    ///
    /// # Errors
    /// If the tag is missing or holds no claim about a side of this game.
    pub fn claim<G: Game>(&self) -> Result<(Side, Claim), ProofFileError> {
        let text = self.value("Claim")?;
        let mut all =
            Side::BOTH.into_iter().flat_map(|side| [(side, Claim::Win), (side, Claim::Disproved)]);
        all.find(|&(side, claim)| claim_text::<G>(side, claim) == text)
            .ok_or_else(|| ProofFileError::UnknownClaim(text.into()))
    }

    /// The reply that the file gives in a position; `None` if it gives none that is legal there.
    pub fn reply<G: Game>(&self, rules: &G, position: &G::Position) -> Option<G::Move> {
        let text =
            rules.parse_move(self.replies.get(unnumbered(&rules.position_text(position)))?).ok()?;
        rules.find_move(position, &text).ok()
    }

    /// Checks the claim of the file about the position of `question`. `stopped` is asked now and then whether to give
    /// up.
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
        let checked = (G::functions().verify)(
            question,
            claim,
            &|position| self.reply(rules, position),
            stopped,
        );
        checked
            .map(|verified| verified.size)
            .map_err(|flaw| flaw.map(|position| rules.position_text(&position)).into())
    }

    /// The question under the rules that are [relaxed](ProofQuestion::relaxation_for) for the side of this name.
    ///
    /// # Errors
    /// If what is proved under them would say nothing about the claim, or if there are no such rules.
    fn relaxed<G: Game>(
        &self,
        question: &ProofQuestion<G>,
        claim: Claim,
        name: &str,
    ) -> Result<ProofQuestion<G>, ProofFileError> {
        let side = claim.upholder(question);
        let expected = G::SIDES[side.index()];
        if name != expected {
            return Err(ProofFileError::RelaxedSide { expected, found: name.into() });
        }
        question.relaxation_for(side).ok_or(ProofFileError::NotRelaxed)
    }
}

/// The position texts and the moves of all replies of a proof, in the order of the texts. Positions are told apart by
/// their texts, so that they include some that have the same search key.
fn replies<G: Game>(
    question: &ProofQuestion<G>,
    proof: &Proof<G::Move>,
) -> BTreeMap<String, String> {
    let rules = question.history.rules().as_ref();
    let repeated = question.history.repeated_keys();
    let (mut replies, mut seen) = (BTreeMap::new(), HashSet::new());
    let (mut stack, mut moves) = (vec![*question.history.position()], Vec::new());
    while let Some(position) = stack.pop() {
        let text = rules.position_text(&position);
        let is_first = seen.is_empty();
        if !seen.insert(unnumbered(&text).to_string())
            || (!is_first && question.known(&position, &repeated).is_some())
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

/// A position text without its last field, the full-move number, on which neither moves nor outcomes depend.
fn unnumbered(position: &str) -> &str {
    position.rsplit_once(' ').map_or(position, |(fields, _)| fields)
}

/// A claim in words: `light wins`, `light does not win`.
pub fn claim_text<G: Rules>(attacker: Side, claim: Claim) -> String {
    let side = G::SIDES[attacker.index()];
    match claim {
        Claim::Win => format!("{side} wins"),
        Claim::Disproved => format!("{side} does not win"),
    }
}
