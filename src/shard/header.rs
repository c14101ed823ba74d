//! Describes a shard in its header, and finds the differences between the headers of two shards.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display};
use std::ops::Range;

use serde_json::{Map, Value, json};
use thiserror::Error;

use pentarch_core::notation::parsing::escape_for_terminal;

/// The format in the first line of each shard, before the version.
const SHARD_FORMAT_PREFIX: &str = "pentarch shard ";
const SHARD_FORMAT_VERSION: &str = "2";

/// Returns the checksum of a value: the CRC-32 of its JSON, as in `crc32:0a1b2c3d`.
pub fn crc32_of_json(value: &Value) -> String {
    format!("crc32:{:08x}", crc32fast::hash(value.to_string().as_bytes()))
}

/// An error in the first line of a shard.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ShardHeaderError {
    /// The line is not a header.
    #[error("it is not a shard: its first line is not a header")]
    Foreign,
    /// The shard has another version of the format.
    #[error("it is a shard of version {}, and this program reads version {SHARD_FORMAT_VERSION}", escape_for_terminal(.found))]
    Version {
        /// The version of the shard's format.
        found: String,
    },
    /// The checksum of the header does not match its contents.
    #[error("it is damaged: its first line has another checksum")]
    Checksum,
}

/// The description of a shard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShardHeader {
    /// The subcommand that wrote the shard.
    pub command: String,
    /// The version of the program, and the digest of its sources and nets.
    program: String,
    /// The number of items of the whole job.
    pub count: u64,
    /// The numbers of this shard.
    pub range: Range<u64>,
    /// The other settings that the results depend on: names and values.
    pub settings: Vec<(String, String)>,
}

impl ShardHeader {
    /// Creates the header of a shard that this program computes.
    pub fn new(
        command: &str,
        count: u64,
        range: Range<u64>,
        settings: Vec<(&str, String)>,
    ) -> ShardHeader {
        let program = concat!(env!("CARGO_PKG_VERSION"), " ", env!("PENTARCH_SOURCES")).into();
        let settings = settings.into_iter().map(|(name, value)| (name.into(), value)).collect();
        ShardHeader { command: command.into(), program, count, range, settings }
    }

    /// Returns the header as an object in JSON, in one line. Its last field is the checksum of the
    /// other fields.
    pub fn to_json(&self) -> String {
        let mut fields = self.json_fields();
        let checksum = crc32_of_json(&Value::from(fields.clone()));
        fields.insert("checksum".into(), checksum.into());
        Value::from(fields).to_string()
    }

    fn json_fields(&self) -> Map<String, Value> {
        let settings: Map<String, Value> =
            self.settings.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
        let ShardHeader { command, program, count, range, .. } = self;
        let fields = [
            ("format", json!(format!("{SHARD_FORMAT_PREFIX}{SHARD_FORMAT_VERSION}"))),
            ("command", json!(command)),
            ("program", json!(program)),
            ("count", json!(count)),
            ("from", json!(range.start)),
            ("to", json!(range.end)),
            ("settings", settings.into()),
        ];
        fields.into_iter().map(|(name, value)| (name.to_string(), value)).collect()
    }

    /// Parses the output of [`ShardHeader::to_json`].
    ///
    /// # Errors
    /// If the text is not a header, or has another version or a wrong checksum.
    pub fn parse(text: &str) -> Result<ShardHeader, ShardHeaderError> {
        let value: Value = serde_json::from_str(text).unwrap_or_default();
        let format = value.get("format").and_then(Value::as_str).unwrap_or_default();
        let version = format.strip_prefix(SHARD_FORMAT_PREFIX).ok_or(ShardHeaderError::Foreign)?;
        if version != SHARD_FORMAT_VERSION {
            return Err(ShardHeaderError::Version { found: version.into() });
        }
        let header = ShardHeader::from_json(&value).ok_or(ShardHeaderError::Foreign)?;
        let stated = value.get("checksum").and_then(Value::as_str);
        // An accepted object has no other fields, so the checksum covers all fields.
        match stated == Some(&*crc32_of_json(&header.json_fields().into())) {
            true => Ok(header),
            false => Err(ShardHeaderError::Checksum),
        }
    }

    /// Returns the header in an object of JSON; `None` if a field is missing.
    fn from_json(value: &Value) -> Option<ShardHeader> {
        let string = |name: &str| Some(value.get(name)?.as_str()?.to_string());
        let number = |name: &str| value.get(name)?.as_u64();
        let mut settings = Vec::new();
        for (name, value) in value.get("settings")?.as_object()? {
            settings.push((name.clone(), value.as_str()?.to_string()));
        }
        Some(ShardHeader {
            command: string("command")?,
            program: string("program")?,
            count: number("count")?,
            range: number("from")?..number("to")?,
            settings,
        })
    }

    /// Returns the value of a setting; empty if there is none.
    pub fn setting_value(&self, name: &str) -> &str {
        self.settings.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
    }

    /// Checks that this header and the header `expected` belong to the same shard.
    ///
    /// # Errors
    /// If the headers belong to different shards. The error lists the differences between the two
    /// headers.
    pub fn check_same_shard(&self, expected: &ShardHeader) -> Result<(), ShardHeaderDifferences> {
        let range = |header: &ShardHeader| {
            ("range".to_string(), format!("{}..{}", header.range.start, header.range.end))
        };
        let there = self.shared_job_values().into_iter().chain([range(self)]);
        let here = expected.shared_job_values().into_iter().chain([range(expected)]);
        check_equal_values(&there.collect(), &here.collect())
    }

    /// Checks that this header and the header `expected` belong to shards of the same job.
    ///
    /// # Errors
    /// If the headers belong to shards of different jobs. The error lists the differences between
    /// the two headers.
    pub fn check_same_job(&self, expected: &ShardHeader) -> Result<(), ShardHeaderDifferences> {
        check_equal_values(&self.shared_job_values(), &expected.shared_job_values())
    }

    /// Returns the values that are the same in all shards of a job, by name. If two values have the
    /// same name, the first one is used.
    fn shared_job_values(&self) -> BTreeMap<String, String> {
        let mut values = BTreeMap::from([
            ("command".to_string(), self.command.clone()),
            ("program".into(), self.program.clone()),
            ("count".into(), self.count.to_string()),
        ]);
        for (name, value) in &self.settings {
            values.entry(name.clone()).or_insert_with(|| value.clone());
        }
        values
    }
}

/// Compares the values in a file with the expected values, by name.
fn check_equal_values(
    there: &BTreeMap<String, String>,
    here: &BTreeMap<String, String>,
) -> Result<(), ShardHeaderDifferences> {
    let names: BTreeSet<&String> = there.keys().chain(here.keys()).collect();
    let mut differences = Vec::new();
    for name in names {
        let there = there.get(name).cloned();
        let here = here.get(name).cloned();
        if there != here {
            differences.push(ShardHeaderDifference { name: name.clone(), there, here });
        }
    }
    if differences.is_empty() { Ok(()) } else { Err(ShardHeaderDifferences(differences)) }
}

/// The differences between the header in a file and the expected header. There is at least one
/// difference. The message has a line for each difference.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub struct ShardHeaderDifferences(pub Vec<ShardHeaderDifference>);

/// A value that differs between two headers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShardHeaderDifference {
    /// The name of the value.
    pub name: String,
    /// The value in the file; `None` if the header in the file lacks the value.
    pub there: Option<String>,
    /// The expected value; `None` if the expected header lacks the value.
    pub here: Option<String>,
}

impl Display for ShardHeaderDifferences {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let lines: Vec<String> = self.0.iter().map(ShardHeaderDifference::to_string).collect();
        f.write_str(&lines.join("\n"))
    }
}

impl Display for ShardHeaderDifference {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let quoted = |value: &Option<String>| {
            value.as_ref().map_or("nothing".into(), |value| format!("'{value}'"))
        };
        let [there, here] = [&self.there, &self.here].map(quoted);
        f.write_str(&escape_for_terminal(&format!("  {}: {there} there, {here} here", self.name)))
    }
}
