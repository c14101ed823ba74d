//! The requests that wait to be answered, those of a higher priority first, and those that are being answered.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use serde_json::Value;

use crate::io::input::Line;
use pentarch_engine::request_members::Members;
use pentarch_engine::request_searches::Task;
use pentarch_engine::stopper::Stopper;

/// The place of a request in the queue: its priority, and its number among all requests.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Place {
    /// A greater one comes first.
    pub priority: f64,
    /// Among equals the smaller one comes first.
    pub number: u64,
}

impl Eq for Place {}

impl Ord for Place {
    fn cmp(&self, other: &Place) -> Ordering {
        other.priority.total_cmp(&self.priority).then(self.number.cmp(&other.number))
    }
}

impl PartialOrd for Place {
    fn partial_cmp(&self, other: &Place) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A request that waits.
pub struct Waiting {
    /// Its line, which counts as waiting until it is answered.
    pub line: Line,
    /// What was read of it, if it is to be prepared soon: that takes more memory than the line.
    pub members: Option<Members>,
    /// Its task, if it is prepared already.
    pub task: Option<Box<Task>>,
    /// What a stop must know of it.
    pub asked: Asked,
}

/// What a stop must know of a request that waits or is being answered.
#[derive(Clone)]
pub struct Asked {
    /// The identifier of the request.
    pub id: Value,
    /// Whether a search is asked for: only that can be stopped.
    pub is_searched: bool,
    /// What stops the search.
    pub stopper: Stopper,
}

/// What the threads share.
#[derive(Default)]
pub struct Queue {
    state: Mutex<State>,
    /// Is notified when the state has changed.
    changed: Condvar,
}

/// What is known of all requests that are not answered.
#[derive(Default)]
pub struct State {
    /// The requests that are to be prepared, in the order in which they came. Where answers are written in order there
    /// are none: the workers prepare.
    pub arrived: VecDeque<(Place, Waiting)>,
    /// Whether nothing more arrives.
    pub has_arrived: bool,
    /// The requests that wait for a worker, the one to be answered next first.
    pub waiting: BTreeMap<Place, Waiting>,
    /// The same by their numbers.
    places: BTreeMap<u64, Place>,
    /// The requests that are being prepared or answered.
    pub running: HashMap<u64, Asked>,
    /// How many answers were written.
    pub written: u64,
    /// Whether no more requests come to the workers.
    pub has_ended: bool,
    /// Whether nobody reads the answers any more.
    is_closed: bool,
}

impl State {
    /// The place of the request that a worker is to take. One that would wait long to be written is not taken; then the
    /// earliest one is.
    fn open(&self, most_ahead: Option<u64>) -> Option<Place> {
        let may_be_taken = |place: &&Place| {
            most_ahead.is_none_or(|most| place.number < self.written.saturating_add(most))
        };
        let first = self.waiting.keys().next().filter(may_be_taken);
        first.or_else(|| self.places.values().next().filter(may_be_taken)).copied()
    }
}

impl Queue {
    /// What is known now. Whoever changes what others wait for uses [`change`](Queue::change).
    pub fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until there is something to do, or nobody reads the answers any more: none then.
    fn wait_until(&self, ready: impl Fn(&State) -> bool) -> Option<MutexGuard<'_, State>> {
        let waits = |state: &mut State| !state.is_closed && !ready(state);
        let state =
            self.changed.wait_while(self.lock(), waits).unwrap_or_else(PoisonError::into_inner);
        Some(state).filter(|state| !state.is_closed)
    }

    /// The next request; none if no more come. Where answers are written in order, no request is taken that comes so
    /// many after the first one that is not written.
    pub fn next(&self, most_ahead: Option<u64>) -> Option<(u64, Waiting)> {
        let has_ended = |state: &State| state.waiting.is_empty() && state.has_ended;
        let mut state =
            self.wait_until(|state| state.open(most_ahead).is_some() || has_ended(state))?;
        let place = state.open(most_ahead)?;
        state.places.remove(&place.number);
        let waiting = state.waiting.remove(&place)?;
        state.running.insert(place.number, waiting.asked.clone());
        Some((place.number, waiting))
    }

    /// The next request to be prepared; none if no more come.
    pub fn next_arrived(&self) -> Option<(Place, Waiting)> {
        let mut state = self.wait_until(|state| !state.arrived.is_empty() || state.has_arrived)?;
        let (place, waiting) = state.arrived.pop_front()?;
        state.running.insert(place.number, waiting.asked.clone());
        Some((place, waiting))
    }

    /// Has a request wait for a worker.
    pub fn wait(&self, place: Place, waiting: Waiting) {
        self.change(|state| {
            state.running.remove(&place.number);
            state.places.insert(place.number, place);
            state.waiting.insert(place, waiting);
        });
    }

    /// Changes the state, and tells all threads.
    pub fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.lock());
        self.changed.notify_all();
    }

    /// Ends all work: nobody reads the answers any more.
    pub fn close(&self) {
        self.change(|state| state.is_closed = true);
        self.stop(&Value::Null);
    }

    /// Stops the requests with this id, or all of them for `null`, and returns how many searches that ends. One that
    /// waits ends as soon as it begins.
    pub fn stop(&self, id: &Value) -> usize {
        let state = self.lock();
        let waiting =
            state.waiting.values().chain(state.arrived.iter().map(|(_, waiting)| waiting));
        let all = state.running.values().chain(waiting.map(|waiting| &waiting.asked));
        let meant = all.filter(|asked| asked.is_searched && (id.is_null() || asked.id == *id));
        meant.filter(|asked| asked.stopper.stop()).count()
    }
}
