//! Reads the first node of a game: the game's rules, result and tags.

use crate::games::GAME_OPTION;
use pentarch_core::notation::record::notes::{append_to_comment, normalise_comment};
use pentarch_core::notation::record::{GameRecord, escape_tag_value};
use pentarch_core::rules::options::RuleSettingError;
use pentarch_core::{EndByPlayers, Options, Side};

use crate::engine_state::{game_specific_options, new_game_session};
use crate::error::{EngineError, ErrorContext};
use crate::record::{RecordError, check_tag_value, game_record};
use crate::session::Session;
use crate::sgf_properties::{SGF_ROOT_PROPERTY_TAGS, swap_date_separators};
use crate::sgf_tree::SgfNode;

use super::{SgfError, SgfReader};

impl SgfReader<'_> {
    /// Reads the game that begins with this node.
    pub(super) fn read_game(
        &mut self,
        node: &SgfNode,
        options: &Options,
    ) -> Result<GameRecord, EngineError> {
        self.check_node_is_readable(node)?;
        match self.read_rules(node)? {
            Some(options) => self.read_game_by_rules(node, &options),
            None => self.read_game_by_rules(node, options).map_err(|error| {
                let game = options.value(&GAME_OPTION).to_string();
                error.in_context(ErrorContext::AssumedGame(game))
            }),
        }
    }

    fn read_game_by_rules(
        &mut self,
        node: &SgfNode,
        options: &Options,
    ) -> Result<GameRecord, EngineError> {
        let mut session = new_game_session(options);
        let size = match session.go_board_scene() {
            Some(scene) => scene.grid.size,
            None => return Err(self.error_at_node(node, SgfError::NoBoard)),
        };
        self.check_root_properties(node, session.as_ref(), size)?;
        let mut record = GameRecord::new(Vec::new());
        // If the root has a move, its comment is about the move, and otherwise about the game.
        let comments = if node.has_move() { ["GC"].as_slice() } else { &["GC", "C"] };
        for text in comments.iter().filter_map(|name| node.property_value(name)) {
            let comment = normalise_comment(text).and_then(|comment| {
                if comment.is_empty() {
                    Ok(())
                } else {
                    append_to_comment(&mut record.comment, &comment)
                }
            });
            comment.map_err(|error| self.error_at_node(node, RecordError::from(error)))?;
        }
        record.moves = self.read_move_line(session.as_mut(), node, Vec::new(), size, 0)?;
        let mut tags = game_record(options, session.as_ref()).tags;
        record.result = self.read_result_and_end_game(node, session.as_mut(), &mut tags).into();
        for (name, values) in &node.properties {
            let Some((_, tag)) =
                SGF_ROOT_PROPERTY_TAGS.iter().find(|(property, _)| property == name)
            else {
                continue;
            };
            let value = values.join("").replace(['\n', '\r', '\t'], " ");
            let value = if *tag == "Date" { swap_date_separators(&value) } else { value };
            check_tag_value(&value).map_err(|error| self.error_at_node(node, error))?;
            tags.push(((*tag).into(), escape_tag_value(&value)));
        }
        record.tags = tags;
        Ok(record)
    }

    /// Checks the properties of the root that must agree with the board and the rules. If a
    /// property disagrees but the game can be read without it, reports the property.
    fn check_root_properties(
        &mut self,
        node: &SgfNode,
        session: &dyn Session,
        size: u8,
    ) -> Result<(), EngineError> {
        for (name, values) in &node.properties {
            let value = values.first().map_or("", |value| value.trim());
            let number = value.parse::<f64>().ok();
            match name.as_str() {
                "SZ" if value.split(':').any(|part| part.trim() != size.to_string()) => {
                    let found = value.into();
                    return Err(self.error_at_node(node, SgfError::Size { size, found }));
                }
                // Several programs write a handicap of 0 in games without a handicap.
                "HA" if !value.is_empty() && number != Some(0.) => {
                    return Err(self.error_at_node(node, SgfError::SetUp { property: "HA" }));
                }
                "PL" if !value.to_ascii_uppercase().starts_with('B') => {
                    let found = value.into();
                    return Err(self.error_at_node(node, SgfError::FirstPlayer { found }));
                }
                "KM" if !value.is_empty() && number != Some(0.) => {
                    self.report_unread_property(node, name)
                }
                "GM" if value != "1" => self.report_unread_property(node, name),
                "GN" if value != session.game_constants().game => {
                    self.report_unread_property(node, name)
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Returns the options of the property `RU`, if this program wrote the property.
    fn read_rules(&mut self, node: &SgfNode) -> Result<Option<Options>, EngineError> {
        let words: Vec<&str> =
            node.property_value("RU").unwrap_or_default().split_whitespace().collect();
        let Some((&"pentarch", [game, settings @ ..])) = words.split_first() else {
            if !words.is_empty() {
                self.report_unread_property(node, "RU");
            }
            return Ok(None);
        };
        let mut options = Options::default();
        let set = options.set(&GAME_OPTION, game).map_err(RuleSettingError::from);
        set.map_err(|error| self.error_at_node(node, SgfError::from(error)))?;
        for (index, setting) in settings.iter().enumerate() {
            let name = |setting: &str| setting.split('=').next().map(str::to_ascii_lowercase);
            if settings[..index].iter().any(|other| name(other) == name(setting)) {
                let name = setting.split('=').next().unwrap_or_default().into();
                return Err(self.error_at_node(node, RecordError::DuplicateOption { name }));
            }
            options
                .set_rule_text(game_specific_options(&options), setting)
                .map_err(|error| self.error_at_node(node, SgfError::from(error)))?;
        }
        Ok(Some(options))
    }

    /// Returns the result of the game. If the players have ended the game, ends the game in the
    /// session, and updates the tag `Outcome`.
    fn read_result_and_end_game(
        &mut self,
        node: &SgfNode,
        session: &mut dyn Session,
        tags: &mut [(String, String)],
    ) -> &'static str {
        let stated = node.property_value("RE").unwrap_or_default().trim().to_ascii_uppercase();
        let (winner, reason) = stated.split_once('+').unwrap_or((&stated, ""));
        let loser = match winner {
            "B" => Some(Side::Second),
            "W" => Some(Side::First),
            _ => None,
        };
        let end = match (loser, reason) {
            (Some(loser), "R" | "RESIGN") => Some(EndByPlayers::Resignation(loser)),
            (Some(loser), "T" | "TIME") => Some(EndByPlayers::Time(loser)),
            (None, _) if winner == "0" || winner == "DRAW" => Some(EndByPlayers::Agreement),
            _ => None,
        };
        let is_ended = session.game_state().outcome.is_none()
            && end.is_some_and(|end| session.end_game_by_players(end).is_ok());
        if is_ended {
            let outcome = session.game_status().outcome;
            tags.iter_mut()
                .filter(|(name, _)| name == "Outcome")
                .for_each(|tag| tag.1.clone_from(&outcome));
        }
        let result = match (loser, winner) {
            (Some(Side::Second), _) => "1-0",
            (Some(Side::First), _) => "0-1",
            (None, "0" | "DRAW") => "1/2-1/2",
            _ => "*",
        };
        let is_reason_lost = loser.is_some() && !reason.is_empty() && !is_ended;
        let is_unknown = result == "*" && !matches!(stated.as_str(), "" | "?");
        if is_reason_lost || is_unknown {
            self.report_unread_property(node, if is_unknown { "RE" } else { "the reason in RE" });
        }
        result
    }
}
