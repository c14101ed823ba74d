//! The JSON Schema of requests and answers, and the check of values against it. Also an engine on
//! one thread for requests.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use boon::{Compiler, SchemaIndex, Schemas};
use pentarch_core::Options;
use pentarch_engine::host::Host;
use pentarch_engine::requests::polling_engine::PollingEngine;
use pentarch_engine::requests::request::SearchLimits;
use pentarch_engine::requests::responder::Responder;
use pentarch_engine::session::MAX_GAME_PLIES;
use pentarch_games::Game;
use pentarch_search::clock::Clock;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use crate::common::option_specs;

/// The schema.
pub(super) const SCHEMA_TEXT: &str = include_str!("../../fixtures/protocol/requests.schema.json");

/// The address of the schema. Nothing exists at this address.
const SCHEMA_ADDRESS: &str = "https://pentarch.invalid/requests.schema.json";

/// The compiled schema.
pub(super) struct Schema {
    schemas: Schemas,
    request: SchemaIndex,
    response: SchemaIndex,
}

impl Schema {
    /// Returns the schema. It is compiled once. Then it is also checked against the schema of
    /// schemas.
    pub(super) fn read() -> &'static Schema {
        static SCHEMA: OnceLock<Schema> = OnceLock::new();
        SCHEMA.get_or_init(Schema::new)
    }

    fn new() -> Schema {
        let mut schemas = Schemas::new();
        let mut compiler = Compiler::new();
        compiler.add_resource(SCHEMA_ADDRESS, serde_json::from_str(SCHEMA_TEXT).unwrap()).unwrap();
        let mut compile = |name| {
            let index = compiler.compile(&format!("{SCHEMA_ADDRESS}#/$defs/{name}"), &mut schemas);
            index.unwrap_or_else(|error| panic!("{error:#}"))
        };
        let request = compile("RequestFields");
        let response = compile("Response");
        Schema { schemas, request, response }
    }

    /// Returns whether a value is a request.
    pub(super) fn is_request(&self, value: &Value) -> bool {
        self.schemas.validate(value, self.request).is_ok()
    }

    /// Checks that a value is a request.
    pub(super) fn check_request(&self, value: &Value) {
        if let Err(error) = self.schemas.validate(value, self.request) {
            panic!("this is no request: {value}\n{error:#}");
        }
    }

    /// Checks a line of output. Returns the line with its kind.
    pub(super) fn response(&self, line: &str) -> (&'static str, Value) {
        let value = value_of(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        if let Err(error) = self.schemas.validate(&value, self.response) {
            panic!("this is no response: {line}\n{error:#}");
        }
        let fields = value.as_object().unwrap();
        assert!(fields.keys().is_sorted(), "{line}");
        let has = |name: &str| fields.contains_key(name);
        let head: &[&str] =
            if has("game") { &["fen", "format", "game", "id"] } else { &["format", "id"] };
        let others: Vec<&str> =
            fields.keys().map(String::as_str).filter(|name| !head.contains(name)).collect();
        let kind = match others[..] {
            ["error"] if !has("game") => "error",
            ["stopped"] if !has("game") => "stopped",
            ["ugi"] if !has("game") => "ugi",
            ["analysis" | "play", "partial"] | ["partial", "play" | "review"] => "partial",
            _ => "response",
        };
        let has_kind =
            others.iter().any(|name| ["error", "stopped", "ugi", "partial"].contains(name));
        assert!(!others.is_empty() && (kind != "response" || !has_kind), "{line}");
        (kind, value)
    }
}

/// Returns the value of a line of JSON. If a number in a field is too large, the field becomes a
/// string with the digits of the number.
pub(super) fn value_of(line: &str) -> serde_json::Result<Value> {
    let is_too_large = |error: &serde_json::Error| error.to_string().contains("out of range");
    match serde_json::from_str(line) {
        Err(error) if is_too_large(&error) => {}
        value => return value,
    }
    let fields = serde_json::from_str::<BTreeMap<String, &RawValue>>(line)?;
    // The brackets ensure that the value has the same depth as in the line.
    let value = |text: &str| match serde_json::from_str::<[Value; 1]>(&format!("[{text}]")) {
        Err(error) if is_too_large(&error) => Ok(text.into()),
        value => value.map(|[value]| value),
    };
    let fields = fields.into_iter().map(|(name, field)| Ok((name, value(field.get())?)));
    fields.collect::<serde_json::Result<Map<_, _>>>().map(Value::Object)
}

/// A host whose clock is set by the test.
#[derive(Clone, Default)]
pub(super) struct ManualHost(Arc<AtomicU64>);

impl ManualHost {
    /// Advances the clock by `milliseconds`.
    pub(super) fn advance(&self, milliseconds: u64) {
        self.0.fetch_add(milliseconds, Relaxed);
    }
}

impl Host for ManualHost {
    fn host_clock(&self) -> Clock {
        let shown = self.0.clone();
        Clock::new(move || Duration::from_millis(shown.load(Relaxed)))
    }
}

/// The schema and an engine. The requests to the engine and its answers are checked against the
/// schema.
pub(super) struct RequestEngine {
    pub schema: &'static Schema,
    pub engine: PollingEngine,
    pub clock: ManualHost,
}

impl RequestEngine {
    /// Returns an engine whose options have their default values.
    pub(super) fn new() -> RequestEngine {
        RequestEngine::with_options(Options::default())
    }

    /// Returns an engine with these default options.
    pub(super) fn with_options(options: Options) -> RequestEngine {
        let clock = ManualHost::default();
        let host = Arc::new(clock.clone());
        let responder = Responder::new(options, SearchLimits::UNLIMITED, MAX_GAME_PLIES, host);
        RequestEngine { schema: Schema::read(), engine: PollingEngine::new(responder, 1), clock }
    }

    /// Sends a request. Returns the answer if it comes at once.
    pub(super) fn send(&mut self, request: &Value) -> Option<(&'static str, Value)> {
        self.schema.check_request(request);
        let mut lines = self.engine.receive_request(&request.to_string());
        assert!(lines.len() <= 1, "{lines:#?}");
        lines.pop().map(|line| self.schema.response(&line))
    }

    /// Searches `nodes` nodes for the open requests.
    pub(super) fn step(&mut self, nodes: u64) -> Vec<(&'static str, Value)> {
        self.engine.step(nodes).iter().map(|line| self.schema.response(line)).collect()
    }

    /// Searches until an answer comes. Returns the answer, and the reports before it.
    pub(super) fn finish(&mut self, nodes: u64) -> Vec<(&'static str, Value)> {
        let mut told = Vec::new();
        while told.last().is_none_or(|(kind, _)| *kind == "partial") {
            assert!(!self.engine.is_idle(), "no answer after {told:#?}");
            told.extend(self.step(nodes));
        }
        told
    }

    /// Returns the answer to a request of valid form. The engine searches in slices of `nodes`
    /// nodes.
    pub(super) fn ask(&mut self, request: &Value, nodes: u64) -> (&'static str, Value) {
        let answer = self.send(request).or_else(|| self.finish(nodes).pop()).unwrap();
        assert!(self.engine.is_idle());
        assert_eq!(answer.1["id"], request["id"], "{request}");
        answer
    }
}

/// Returns a request about the game that these options choose. The request has an id and these
/// additional fields.
pub(super) fn request<G: Game>(options: &Options, members: Value) -> Value {
    let specs = option_specs::<G>();
    let changed = specs.iter().filter(|spec| options.value(spec) != spec.default_value());
    let settings: Value =
        changed.map(|spec| (spec.name, options.value(spec).to_string())).collect();
    let mut request = json!({ "id": ["a", 1, null], "game": G::GAME_ID, "options": settings });
    extend(&mut request, members);
    request
}

/// Adds fields to a request.
pub(super) fn extend(request: &mut Value, members: Value) {
    let (Value::Object(request), Value::Object(members)) = (request, members) else {
        panic!("objects")
    };
    request.extend(members);
}
