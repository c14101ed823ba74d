//! What a shard says of itself, and how two shards differ.

use std::fmt::{self, Display};
use std::ops::Range;

use serde_json::{Map, Value, json};
use thiserror::Error;

use pentarch_core::notation::text::escape_for_terminal;

/// The format in the first line of each shard, before the version.
const FORMAT: &str = "pentarch shard ";
/// The version of the format.
const VERSION: &str = "2";

/// Returns the checksum of a value by its JSON: its CRC-32, as in `crc32:0a1b2c3d`.
pub fn checksum(value: &Value) -> String {
    format!("crc32:{:08x}", crc32fast::hash(value.to_string().as_bytes()))
}

/// An error of the first line of a shard.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum HeaderError {
    /// The line is no header.
    #[error("it is no shard of a work: its first line is no header")]
    Foreign,
    /// Another version of the program made the shard.
    #[error("it is a shard of version {}, and this program reads version {VERSION}", escape_for_terminal(.found))]
    Version {
        /// The version of its format.
        found: String,
    },
    /// The header has another checksum.
    #[error("it is damaged: its first line has another checksum")]
    Checksum,
}

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

    /// The header as an object in JSON, in one line, with the checksum of what the object is without it.
    pub fn text(&self) -> String {
        let mut fields = self.fields();
        let checksum = checksum(&Value::from(fields.clone()));
        fields.insert("checksum".into(), checksum.into());
        Value::from(fields).to_string()
    }

    fn fields(&self) -> Map<String, Value> {
        let settings: Map<String, Value> =
            self.settings.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
        let Header { command, program, count, range, .. } = self;
        let fields = [
            ("format", json!(format!("{FORMAT}{VERSION}"))),
            ("command", json!(command)),
            ("program", json!(program)),
            ("count", json!(count)),
            ("from", json!(range.start)),
            ("to", json!(range.end)),
            ("settings", settings.into()),
        ];
        fields.into_iter().map(|(name, value)| (name.to_string(), value)).collect()
    }

    /// Parses such an object.
    ///
    /// # Errors
    /// If the text is no header, one of another version, or has another checksum.
    pub fn parse(text: &str) -> Result<Header, HeaderError> {
        let value: Value = serde_json::from_str(text).unwrap_or_default();
        let format = value.get("format").and_then(Value::as_str).unwrap_or_default();
        let version = format.strip_prefix(FORMAT).ok_or(HeaderError::Foreign)?;
        if version != VERSION {
            return Err(HeaderError::Version { found: version.into() });
        }
        let header = Header::of(&value).ok_or(HeaderError::Foreign)?;
        let stated = value.get("checksum").and_then(Value::as_str);
        // Nothing else is in the object, so that the checksum is that of all fields.
        match stated == Some(&*checksum(&header.fields().into())) {
            true => Ok(header),
            false => Err(HeaderError::Checksum),
        }
    }

    /// The header in such an object; none if a field is missing.
    fn of(value: &Value) -> Option<Header> {
        let word = |name: &str| Some(value.get(name)?.as_str()?.to_string());
        let number = |name: &str| value.get(name)?.as_u64();
        let settings = |value: &Value| {
            let pairs = value.get("settings")?.as_object()?.iter();
            let pairs =
                pairs.map(|(name, value)| Some((name.clone(), value.as_str()?.to_string())));
            pairs.collect::<Option<Vec<_>>>()
        };
        Some(Header {
            command: word("command")?,
            program: word("program")?,
            count: number("count")?,
            range: number("from")?..number("to")?,
            settings: settings(value)?,
        })
    }

    /// The value of a setting; empty if there is none.
    pub fn setting(&self, name: &str) -> &str {
        self.settings.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
    }

    /// Checks that a header here is of the same work as this one in a file, and of the same range if that counts.
    ///
    /// # Errors
    /// If they differ; the error says in what.
    pub fn check_same(&self, here: &Header, with_range: bool) -> Result<(), Differences> {
        let values = |header: &Header| -> Vec<(String, String)> {
            let mut values = vec![
                ("command".to_string(), header.command.clone()),
                ("program".into(), header.program.clone()),
                ("count".into(), header.count.to_string()),
            ];
            values.extend(with_range.then(|| {
                ("range".into(), format!("{}..{}", header.range.start, header.range.end))
            }));
            values.extend(header.settings.iter().cloned());
            values
        };
        let (there, here) = (values(self), values(here));
        let value = |values: &[(String, String)], name: &str| {
            values.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone())
        };
        let mut names: Vec<&String> = there.iter().chain(&here).map(|(name, _)| name).collect();
        names.sort();
        names.dedup();
        let mut differences = Vec::new();
        for name in names {
            let [there, here] = [&there, &here].map(|values| value(values, name));
            if there != here {
                differences.push(Difference { name: name.clone(), there, here });
            }
        }
        if differences.is_empty() { Ok(()) } else { Err(Differences(differences)) }
    }
}

/// The differences between a header in a file and one here, one at least. Their text has a line for each.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub struct Differences(pub Vec<Difference>);

/// A value that is not the same in two headers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The name of the value.
    pub name: String,
    /// The value in the file; none if the header there lacks it.
    pub there: Option<String>,
    /// The value here; none if the header here lacks it.
    pub here: Option<String>,
}

impl Display for Differences {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let lines: Vec<String> = self.0.iter().map(Difference::to_string).collect();
        f.write_str(&lines.join("\n"))
    }
}

impl Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let quoted = |value: &Option<String>| {
            value.as_ref().map_or("nothing".into(), |value| format!("'{value}'"))
        };
        let [there, here] = [&self.there, &self.here].map(quoted);
        f.write_str(&escape_for_terminal(&format!("  {}: {there} there, {here} here", self.name)))
    }
}
