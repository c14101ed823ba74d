//! Reads, checks and writes proofs as text files. A proof file contains a claim, and the replies
//! that prove it.
//!
//! The file begins with tags. Each tag is on a separate line (`Claim: light wins`). Then there is a
//! line for each position with a reply. This line contains the FEN of the position and the move. A
//! checker needs only the rules, not this program. Two different positions never have the same FEN,
//! in contrast to hashes.
//!
//! The last line is a checksum of the lines before it. The proof does not depend on the checksum.
//! The checksum detects changes that do not affect the proof, for example of a full-move number.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write;

use thiserror::Error;

use pentarch_core::notation::parsing::quote_for_message;
use pentarch_core::{OptionSpec, OptionValue, Rules, Side};
use pentarch_games::Game;
use pentarch_search::prover::question::ProofQuestion;
use pentarch_search::prover::verify::{ProofError, ProofSize};
use pentarch_search::prover::{Proof, ProofClaim};

/// An error of a proof file.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ProofFileError {
    /// The first line is not the header.
    #[error("line 1: '{PROOF_FILE_HEADER}' expected")]
    Header,
    /// The file contains characters other than ASCII.
    #[error("the file has other characters than ASCII")]
    NotAscii,
    /// The last line is not the checksum of the lines before it.
    #[error("the last line is not '{expected}': the file is damaged or was changed")]
    Checksum {
        /// The line with the checksum of the contents.
        expected: String,
    },
    /// A line is neither a tag nor a reply.
    #[error("line {line}: expected a tag, or a FEN and a move")]
    Line {
        /// The number of the line, from 1.
        line: usize,
    },
    /// The format has no such tag.
    #[error("line {line}: unknown tag {}", quote_for_message(.name))]
    UnknownTag {
        /// The number of the line, from 1.
        line: usize,
        /// The name of the tag.
        name: String,
    },
    /// A tag has no value.
    #[error("line {line}: the tag {name} is empty")]
    EmptyTag {
        /// The number of the line, from 1.
        line: usize,
        /// The name of the tag.
        name: String,
    },
    /// An earlier line has the same tag.
    #[error("line {line}: a second tag {name}")]
    SecondTag {
        /// The number of the line, from 1.
        line: usize,
        /// The name of the tag.
        name: String,
    },
    /// An earlier line sets the same option.
    #[error("line {line}: the option {} is set twice", quote_for_message(.name))]
    SecondOption {
        /// The number of the line, from 1.
        line: usize,
        /// The name of the option.
        name: String,
    },
    /// An earlier line has a reply to the same position. The full-move number is ignored.
    #[error("line {line}: a second reply to the same position")]
    SecondReply {
        /// The number of the line, from 1.
        line: usize,
    },
    /// A tag is missing.
    #[error("there is no tag {0}")]
    MissingTag(&'static str),
    /// The tag Claim has an unknown side or an unknown claim.
    #[error("unknown claim {}", quote_for_message(.0))]
    UnknownClaim(String),
    /// The tag Relaxed names the wrong side. Relaxed rules restrict the opponent of the named side
    /// less. So a proof under relaxed rules proves the claim only if the named side upholds the
    /// claim.
    #[error("the tag Relaxed must be {expected}, not {}", quote_for_message(.found))]
    RelaxedSide {
        /// The side that the tag must name.
        expected: &'static str,
        /// The value of the tag.
        found: String,
    },
    /// The file has the tag Relaxed, but the game has no relaxed rules in this position.
    #[error("these rules cannot be relaxed here")]
    NotRelaxed,
    /// The replies do not prove the claim. The error names positions by their FENs.
    #[error(transparent)]
    Proof(#[from] ProofError<String>),
}

/// The first line of a proof file. The line contains the kind of the file and the version of the
/// format.
const PROOF_FILE_HEADER: &str = "pentarch proof 3";

/// The tags that occur at most once.
const SINGLE_TAGS: [&str; 5] = ["Game", "Position", "Moves", "Claim", "Relaxed"];

/// The tag of an option. A file can have several such tags.
const OPTION_TAG: &str = "Option";

const CHECKSUM_LINE_START: &str = "Checksum: ";

/// Returns the line with the checksum of the lines before it. Each line ends with a line feed.
fn checksum_line(lines: &str) -> String {
    format!("{CHECKSUM_LINE_START}crc32:{:08x}", crc32fast::hash(lines.as_bytes()))
}

/// The contents of a proof file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProofFile {
    /// The names and values of the tags, in the order of the file. Only options may have several
    /// tags.
    tags: Vec<(String, String)>,
    /// The move strings of the replies, by FEN [without move number](fen_without_move_number).
    replies: HashMap<String, String>,
}

impl ProofFile {
    /// Returns the text of the file for a proof. `settings` are the options of the rules that
    /// differ from their defaults.
    pub fn format_proof<G: Game>(
        question: &ProofQuestion<G>,
        proof: &Proof<G::Move>,
        settings: &[(&OptionSpec, OptionValue)],
    ) -> String {
        let history = &question.history;
        let rules = history.rules();
        let mut text = format!("{PROOF_FILE_HEADER}\nGame: {}\n", G::GAME_ID);
        let mut tag =
            |name: &str, value: &str| writeln!(text, "{name}: {value}").unwrap_or_default();
        for (spec, value) in settings {
            tag(OPTION_TAG, &format!("{}={value}", spec.name));
        }
        tag("Position", &rules.position_text(history.start_position()));
        let moves: Vec<String> = history.moves().map(|mv| rules.move_text(mv)).collect();
        if !moves.is_empty() {
            tag("Moves", &moves.join(" "));
        }
        tag("Claim", &proof_claim_text::<G>(question.attacker, proof.claim));
        let relaxed = proof.relaxed.and_then(|side| question.relaxed_question_for(side));
        if let Some(side) = proof.relaxed {
            tag("Relaxed", G::SIDE_NAMES[side.index()]);
        }
        for (position, mv) in proof_replies_by_fen(relaxed.as_ref().unwrap_or(question), proof) {
            writeln!(text, "{position} {mv}").unwrap_or_default();
        }
        ProofFile::with_checksum(text)
    }

    /// Returns the text of a proof file: `lines` and the line with their checksum.
    pub fn with_checksum(mut lines: String) -> String {
        let checksum = checksum_line(&lines);
        lines.push_str(&checksum);
        lines.push('\n');
        lines
    }

    /// Parses the text of a proof file.
    ///
    /// # Errors
    /// If the text has another format, or if its checksum does not match its contents. The order of
    /// the tags and replies does not matter.
    pub fn parse(text: &str) -> Result<ProofFile, ProofFileError> {
        if text.split('\n').next() != Some(PROOF_FILE_HEADER) {
            return Err(ProofFileError::Header);
        }
        if !text.is_ascii() {
            return Err(ProofFileError::NotAscii);
        }
        let checksum_start = text.rfind(CHECKSUM_LINE_START).unwrap_or(text.len());
        let (contents, last_line) = text.split_at(checksum_start);
        let expected = checksum_line(contents);
        if last_line.strip_suffix('\n') != Some(&expected) || !contents.ends_with('\n') {
            return Err(ProofFileError::Checksum { expected });
        }
        let mut file = ProofFile { tags: Vec::new(), replies: HashMap::new() };
        let mut options = HashSet::new();
        for (number, line) in (1..).zip(contents.split_terminator('\n')).skip(1) {
            match line.split_once(": ") {
                Some((name, value)) => file.add_tag(number, name, value, &mut options)?,
                None => file.add_reply(number, line)?,
            }
        }
        Ok(file)
    }

    /// Adds the tag of a line. `options` are the names of the options in earlier lines, in lower
    /// case.
    ///
    /// # Errors
    /// If the tag is unknown or empty, or if an earlier line has the same tag or option.
    fn add_tag(
        &mut self,
        line: usize,
        name: &str,
        value: &str,
        options: &mut HashSet<String>,
    ) -> Result<(), ProofFileError> {
        let is_option = name == OPTION_TAG;
        let name = String::from(name);
        if !is_option && !SINGLE_TAGS.contains(&name.as_str()) {
            return Err(ProofFileError::UnknownTag { line, name });
        }
        if value.is_empty() {
            return Err(ProofFileError::EmptyTag { line, name });
        }
        let option = value.split('=').next().unwrap_or_default();
        if is_option && !options.insert(option.to_ascii_lowercase()) {
            return Err(ProofFileError::SecondOption { line, name: option.into() });
        }
        if !is_option && self.tag_values(&name).next().is_some() {
            return Err(ProofFileError::SecondTag { line, name });
        }
        self.tags.push((name, value.into()));
        Ok(())
    }

    /// Adds the reply of a line: a FEN and a move.
    ///
    /// # Errors
    /// If the line has another form, or if an earlier line has a reply to the same position.
    fn add_reply(&mut self, line: usize, text: &str) -> Result<(), ProofFileError> {
        let reply = text.rsplit_once(' ').and_then(|(position, mv)| {
            let (fields, _) = position.rsplit_once(' ')?;
            (!fields.is_empty() && !mv.is_empty()).then_some((fields, mv))
        });
        let (fields, mv) = reply.ok_or(ProofFileError::Line { line })?;
        match self.replies.insert(fields.into(), mv.into()) {
            Some(_) => Err(ProofFileError::SecondReply { line }),
            None => Ok(()),
        }
    }

    /// Returns the value of the tag with this name.
    ///
    /// # Errors
    /// If the file has no such tag.
    pub fn tag_value(&self, name: &'static str) -> Result<&str, ProofFileError> {
        self.tag_values(name).next().ok_or(ProofFileError::MissingTag(name))
    }

    /// Returns the values of all tags with this name.
    pub fn tag_values(&self, name: &str) -> impl Iterator<Item = &str> {
        self.tags.iter().filter(move |tag| tag.0 == name).map(|tag| tag.1.as_str())
    }

    /// Returns the claim of the file: the attacking side, and whether it can force a win.
    ///
    /// # Errors
    /// If the tag is missing, or if it is not a claim about a side of this game.
    pub fn claimed_side_and_result<G: Game>(&self) -> Result<(Side, ProofClaim), ProofFileError> {
        let text = self.tag_value("Claim")?;
        for side in Side::BOTH_SIDES {
            for claim in [ProofClaim::Win, ProofClaim::Disproved] {
                if proof_claim_text::<G>(side, claim) == text {
                    return Ok((side, claim));
                }
            }
        }
        Err(ProofFileError::UnknownClaim(text.into()))
    }

    /// Returns the reply of the file in a position; `None` if the file has no reply or if the reply
    /// is illegal.
    pub fn reply_in_position<G: Game>(&self, rules: &G, position: &G::Position) -> Option<G::Move> {
        let reply = self.replies.get(fen_without_move_number(&rules.position_text(position)))?;
        let text = rules.parse_move(reply).ok()?;
        rules.resolve_move(position, &text).ok()
    }

    /// Checks the claim of the file about the position of `question`. Calls `stopped` from time to
    /// time, and gives up when `stopped` returns `true`.
    ///
    /// # Errors
    /// If the replies do not prove the claim.
    pub fn check_claim<G: Game>(
        &self,
        question: &ProofQuestion<G>,
        claim: ProofClaim,
        stopped: &dyn Fn() -> bool,
    ) -> Result<ProofSize, ProofFileError> {
        let relaxed = match self.tag_values("Relaxed").next() {
            Some(name) => Some(self.question_under_relaxed_rules(question, claim, name)?),
            None => None,
        };
        let question = relaxed.as_ref().unwrap_or(question);
        let rules = question.history.rules().as_ref();
        let checked = (G::search_functions().verify)(
            question,
            claim,
            &|position| self.reply_in_position(rules, position),
            stopped,
        );
        checked
            .map(|verified| verified.size)
            .map_err(|flaw| flaw.map(|position| rules.position_text(&position)).into())
    }

    /// Returns the question under rules that are [relaxed](ProofQuestion::relaxed_question_for) for
    /// the side with this name.
    ///
    /// # Errors
    /// If a proof under these rules would not imply the claim, or if there are no such rules.
    fn question_under_relaxed_rules<G: Game>(
        &self,
        question: &ProofQuestion<G>,
        claim: ProofClaim,
        name: &str,
    ) -> Result<ProofQuestion<G>, ProofFileError> {
        let side = claim.claiming_side(question);
        let expected = G::SIDE_NAMES[side.index()];
        if name != expected {
            return Err(ProofFileError::RelaxedSide { expected, found: name.into() });
        }
        question.relaxed_question_for(side).ok_or(ProofFileError::NotRelaxed)
    }
}

/// Returns the FENs and the moves of all replies in a proof, in the order of the FENs. Positions
/// with different FENs are listed separately, even if they have the same search key.
fn proof_replies_by_fen<G: Game>(
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
        if !seen.insert(fen_without_move_number(&text).to_string())
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

/// Returns a FEN without its last field. That field is the full-move number, which affects neither
/// moves nor outcomes.
fn fen_without_move_number(position: &str) -> &str {
    position.rsplit_once(' ').map_or(position, |(fields, _)| fields)
}

/// Returns a claim in words: `light wins`, `light does not win`.
pub fn proof_claim_text<G: Rules>(attacker: Side, claim: ProofClaim) -> String {
    let side = G::SIDE_NAMES[attacker.index()];
    match claim {
        ProofClaim::Win => format!("{side} wins"),
        ProofClaim::Disproved => format!("{side} does not win"),
    }
}
