//! The queue of requests, sorted by priority, and the requests that run.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::io::input::Line;
use pentarch_engine::error::EngineError;
use pentarch_engine::requests::fields::RequestFields;
use pentarch_engine::requests::id::{Id, IdMatcher};
use pentarch_engine::requests::task::Task;
use pentarch_engine::stopper::Stopper;

/// The place of a request in the queue: its priority, and its number among all requests.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Place {
    /// The priority; a greater one comes first.
    pub priority: f64,
    /// The number; among equal priorities a smaller one comes first.
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
pub struct QueuedRequest {
    /// Its line, which counts as waiting until the response.
    pub line: Line,
    /// The request, as far as it is prepared.
    pub stage: Stage,
    /// Stops the request.
    pub handle: RequestHandle,
}

/// The stages of a request before its response.
pub enum Stage {
    /// The line was parsed, or is not a request.
    Parsed(Result<Box<RequestFields>, EngineError>),
    /// The request takes searches.
    Task(Box<Task>),
}

/// Stops a request that waits or runs.
#[derive(Clone)]
pub struct RequestHandle {
    /// The `id` of the request.
    pub id: Id,
    /// Whether the response takes a search: only that can be stopped.
    pub is_searched: bool,
    /// Stops the search.
    pub stopper: Stopper,
}

/// The state that the threads share.
#[derive(Default)]
pub struct Queue {
    state: Mutex<State>,
    /// Notified when the state has changed.
    changed: Condvar,
}

/// The requests without a response.
#[derive(Default)]
pub struct State {
    /// The requests that are not prepared, in the order in which they arrived. There are none if responses are written
    /// in order: then the workers prepare requests.
    pub arrived: VecDeque<(Place, QueuedRequest)>,
    /// Whether no more requests arrive.
    pub has_arrived: bool,
    /// The requests that wait for a worker, the next one first.
    pub waiting: BTreeMap<Place, QueuedRequest>,
    /// Their places by number.
    places: BTreeMap<u64, Place>,
    /// The requests that are prepared or run now.
    pub running: HashMap<u64, RequestHandle>,
    /// The number of written responses.
    pub written: u64,
    /// Whether the workers get no more requests.
    pub has_ended: bool,
    /// Whether the output is closed.
    is_closed: bool,
}

impl State {
    /// Returns the place of the next request for a worker. If the response to the first one would have to wait for too
    /// many others, that is the request with the lowest number.
    fn open(&self, most_ahead: Option<u64>) -> Option<Place> {
        let may_be_taken = |place: &&Place| {
            most_ahead.is_none_or(|most| place.number < self.written.saturating_add(most))
        };
        let first = self.waiting.keys().next().filter(may_be_taken);
        first.or_else(|| self.places.values().next().filter(may_be_taken)).copied()
    }
}

impl Queue {
    /// Locks the state. A change that other threads wait for must use [`change`](Queue::change).
    pub fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until the state is ready. Returns `None` if the output is closed.
    fn wait_until(&self, ready: impl Fn(&State) -> bool) -> Option<MutexGuard<'_, State>> {
        let waits = |state: &mut State| !state.is_closed && !ready(state);
        let state =
            self.changed.wait_while(self.lock(), waits).unwrap_or_else(PoisonError::into_inner);
        Some(state).filter(|state| !state.is_closed)
    }

    /// Waits for the next request, and returns `None` if there are no more. With `most_ahead` the number of the request
    /// is less than that of the next response to write plus this.
    pub fn next(&self, most_ahead: Option<u64>) -> Option<(u64, QueuedRequest)> {
        let has_ended = |state: &State| state.waiting.is_empty() && state.has_ended;
        let mut state =
            self.wait_until(|state| state.open(most_ahead).is_some() || has_ended(state))?;
        let place = state.open(most_ahead)?;
        state.places.remove(&place.number);
        let waiting = state.waiting.remove(&place)?;
        state.running.insert(place.number, waiting.handle.clone());
        Some((place.number, waiting))
    }

    /// Waits for the next request to prepare, and returns `None` if there are no more.
    pub fn next_arrived(&self) -> Option<(Place, QueuedRequest)> {
        let mut state = self.wait_until(|state| !state.arrived.is_empty() || state.has_arrived)?;
        let (place, waiting) = state.arrived.pop_front()?;
        state.running.insert(place.number, waiting.handle.clone());
        Some((place, waiting))
    }

    /// Queues a request for a worker.
    pub fn wait(&self, place: Place, waiting: QueuedRequest) {
        self.change(|state| {
            state.running.remove(&place.number);
            state.places.insert(place.number, place);
            state.waiting.insert(place, waiting);
        });
    }

    /// Changes the state, and notifies all threads.
    pub fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.lock());
        self.changed.notify_all();
    }

    /// Ends all threads, as the output is closed.
    pub fn close(&self) {
        self.change(|state| state.is_closed = true);
        self.stop(None);
    }

    /// Stops the requests with this id, or all of them without one, and returns the number of searches that this ends.
    /// A request that waits ends as soon as it begins.
    pub fn stop(&self, id: Option<&Id>) -> usize {
        let matcher = id.map(IdMatcher::new);
        let is_meant = |id: &Id| matcher.as_ref().is_none_or(|matcher| matcher.matches(id));
        let state = self.lock();
        let waiting =
            state.waiting.values().chain(state.arrived.iter().map(|(_, waiting)| waiting));
        let all = state.running.values().chain(waiting.map(|waiting| &waiting.handle));
        let meant = all.filter(|handle| handle.is_searched && is_meant(&handle.id));
        meant.filter(|handle| handle.stopper.stop()).count()
    }
}
