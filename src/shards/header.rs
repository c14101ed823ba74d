//! What a shard says of itself, and how two shards differ.

use std::ops::Range;

use serde_json::{Map, Value, json};

use pentarch_core::notation::text::printable;

/// What the first line of each shard has as its format.
const FORMAT: &str = "pentarch shard 1";

/// What a shard says of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// The subcommand.
    pub command: String,
    /// The version of the program, and the digest of its sources and nets.
    program: String,
    /// How many numbers the whole work has.
    pub count: u64,
    /// The numbers of this shard.
    pub range: Range<u64>,
    /// What the results depend on besides: names and values.
    pub settings: Vec<(String, String)>,
}

impl Header {
    /// The header of a shard that this program makes.
    pub fn new(
        command: &str,
        count: u64,
        range: Range<u64>,
        settings: Vec<(&str, String)>,
    ) -> Header {
        let program = concat!(env!("CARGO_PKG_VERSION"), " ", env!("PENTARCH_SOURCES")).into();
        let settings = settings.into_iter().map(|(name, value)| (name.into(), value)).collect();
        Header { command: command.into(), program, count, range, settings }
    }

    /// The header as an object in JSON, in one line.
    pub fn text(&self) -> String {
        let settings: Map<String, Value> =
            self.settings.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
        let Header { command, program, count, range, .. } = self;
        json!({
            "format": FORMAT, "command": command, "program": program, "count": count,
            "from": range.start, "to": range.end, "settings": settings,
        })
        .to_string()
    }

    /// Reads such an object.
    ///
    /// # Errors
    /// If the text is something else.
    pub fn parse(text: &str) -> Result<Header, &'static str> {
        let value: Value = serde_json::from_str(text).unwrap_or_default();
        let word = |name: &str| Some(value.get(name)?.as_str()?.to_string());
        let number = |name: &str| value.get(name)?.as_u64();
        let settings = |value: &Value| {
            let pairs = value.get("settings")?.as_object()?.iter();
            let pairs =
                pairs.map(|(name, value)| Some((name.clone(), value.as_str()?.to_string())));
            pairs.collect::<Option<Vec<_>>>()
        };
        let read = || {
            word("format").filter(|format| format == FORMAT)?;
            Some(Header {
                command: word("command")?,
                program: word("program")?,
                count: number("count")?,
                range: number("from")?..number("to")?,
                settings: settings(&value)?,
            })
        };
        read().ok_or("it is no shard of a work: its first line is no header")
    }

    /// The value of a setting; empty if there is none.
    pub fn setting(&self, name: &str) -> &str {
        self.settings.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
    }

    /// In what this header differs from another one, with a line for each difference; none if they are of the same
    /// work, and of the same range if that counts.
    pub fn differences(&self, other: &Header, with_range: bool) -> Option<String> {
        let members = |header: &Header| -> Vec<(String, String)> {
            let mut members = vec![
                ("command".to_string(), header.command.clone()),
                ("program".into(), header.program.clone()),
                ("count".into(), header.count.to_string()),
            ];
            members.extend(with_range.then(|| {
                ("range".into(), format!("{}..{}", header.range.start, header.range.end))
            }));
            members.extend(header.settings.iter().cloned());
            members
        };
        let (there, here) = (members(self), members(other));
        let value = |members: &[(String, String)], name: &str| {
            let member = members.iter().find(|(known, _)| known == name);
            member.map_or("nothing".into(), |(_, value)| format!("'{value}'"))
        };
        let mut names: Vec<&String> = there.iter().chain(&here).map(|(name, _)| name).collect();
        names.sort();
        names.dedup();
        let lines = names.into_iter().filter_map(|name| {
            let [there, here] = [&there, &here].map(|members| value(members, name));
            (there != here).then(|| printable(&format!("  {name}: {there} there, {here} here")))
        });
        let lines: Vec<String> = lines.collect();
        (!lines.is_empty()).then(|| lines.join("\n"))
    }
}
