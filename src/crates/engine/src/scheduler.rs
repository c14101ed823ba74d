//! The order of commands: which one runs now, which ones wait, and what a signal from outside reaches.
//!
//! A state machine without threads and without a clock, for all languages and all hosts. Commands enter as they arrive.
//! They run one after the other; a command that takes long becomes a *job*, and other commands can run while it does.
//! Jobs of a session begin in their turn. Jobs that have a session each, as requests do, wait by priority, and as many of
//! them run as the host has workers.
//!
//! | command | while a job of its session runs |
//! |---|---|
//! | `stop`, `ponderhit`, `quit`; `# interrupt` of GTP; `{"stop": ID}` | is a signal: it is never queued, and reaches running and waiting commands ([`StopEffect`]) |
//! | UGI: `isready`, `query`, `legal`, `d`, `eval`, `help`, `debug`, `register`, and an invalid line | runs ([`Timing::DuringJob`]) unless the job is exclusive |
//! | every other command of UGI, and every command of GTP | waits ([`Timing::AfterJob`]); a job without limits is stopped for it |
//! | a request in JSON | has a session of its own, so that no job delays it |
//!
//! Every command that follows a waiting command waits, too. UGI lets a signal overtake no command that can run
//! ([`Scheduler::is_settled`]).

use std::cmp::Ordering;
use std::collections::{BTreeMap, VecDeque};

use crate::requests::id::{Id, IdMatcher};
use crate::stopper::Stopper;

/// The time at which a command can run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Timing {
    /// In its turn, even while a job of its session runs.
    DuringJob,
    /// In its turn, when no job of its session runs.
    AfterJob,
}

/// The effect of a `stop` on a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum StopEffect {
    /// It stops the searches of the command, also before they begin.
    #[default]
    Searches,
    /// It stops the command itself, unless a job delays that.
    Command,
    /// None, because the command is short.
    None,
}

/// The way to reach a command from outside, while it waits or runs.
#[derive(Debug, Clone, Default)]
pub struct CommandHandle {
    /// The id of a request.
    pub id: Id,
    /// The effect of a `stop`.
    pub stop_effect: StopEffect,
    /// Stops the command.
    pub stopper: Stopper,
}

/// A command that has begun to run.
#[derive(Debug)]
pub struct Started<T> {
    /// The number of the command in the order of arrival, from 0.
    pub number: u64,
    /// The priority; a greater one comes first.
    pub priority: f64,
    /// The command, or the job that it has become.
    pub item: T,
    /// The way to reach it from outside.
    pub handle: CommandHandle,
    /// Whether a job runs.
    pub is_during_job: bool,
}

/// The place of a job among those that wait.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Place {
    priority: f64,
    number: u64,
}

impl Eq for Place {}

impl Ord for Place {
    /// A greater priority comes first, and then a smaller number.
    fn cmp(&self, other: &Place) -> Ordering {
        other.priority.total_cmp(&self.priority).then(self.number.cmp(&other.number))
    }
}

impl PartialOrd for Place {
    fn partial_cmp(&self, other: &Place) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A command that waits.
#[derive(Debug)]
struct Waiting<T> {
    number: u64,
    priority: f64,
    timing: Timing,
    item: T,
    handle: CommandHandle,
}

/// A command or a job that runs.
#[derive(Debug)]
struct Running {
    handle: CommandHandle,
    kind: RunningKind,
    /// Whether any further input stops it.
    is_ended_by_input: bool,
}

impl Running {
    fn is_command(&self) -> bool {
        self.kind == RunningKind::Command
    }

    /// Returns whether a command waits for the end of this.
    fn delays(&self, timing: Timing) -> bool {
        match self.kind {
            RunningKind::Command => false,
            RunningKind::Job => timing == Timing::AfterJob,
            RunningKind::ExclusiveJob => true,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RunningKind {
    /// A command, which may become a job.
    Command,
    /// A job.
    Job,
    /// A job during which no command runs.
    ExclusiveJob,
}

/// The commands and jobs without a response. `T` is a command, and the job that it becomes.
#[derive(Debug)]
pub struct Scheduler<T> {
    /// The number of the next command that arrives.
    next_number: u64,
    /// The commands that have not begun, in the order of arrival.
    commands: VecDeque<Waiting<T>>,
    /// The jobs that wait for a worker, the next one first.
    jobs: BTreeMap<Place, Waiting<T>>,
    /// The places of these jobs by number.
    places: BTreeMap<u64, Place>,
    running: BTreeMap<u64, Running>,
    /// Whether no more commands arrive.
    has_input_ended: bool,
    /// The number of responses that are written, where these come in the order of arrival.
    pub written: u64,
}

impl<T> Default for Scheduler<T> {
    fn default() -> Scheduler<T> {
        Scheduler {
            next_number: 0,
            commands: VecDeque::new(),
            jobs: BTreeMap::new(),
            places: BTreeMap::new(),
            running: BTreeMap::new(),
            has_input_ended: false,
            written: 0,
        }
    }
}

impl<T> Scheduler<T> {
    /// Accepts a command.
    pub fn push(&mut self, timing: Timing, priority: f64, item: T, handle: CommandHandle) {
        let number = self.take_number();
        self.commands.push_back(Waiting { number, priority, timing, item, handle });
        self.stop_jobs_ended_by_input();
    }

    /// Accepts a command that is a job from the beginning.
    pub fn push_job(&mut self, priority: f64, item: T, handle: CommandHandle) {
        let number = self.take_number();
        self.wait(Waiting { number, priority, timing: Timing::AfterJob, item, handle });
    }

    fn take_number(&mut self) -> u64 {
        self.next_number += 1;
        self.next_number - 1
    }

    /// Records that no more commands arrive.
    pub fn end_input(&mut self) {
        self.has_input_ended = true;
        self.stop_jobs_ended_by_input();
    }

    /// Returns whether no command waits that has not begun.
    pub fn has_no_commands(&self) -> bool {
        self.commands.is_empty()
    }

    /// Returns whether no further command will begin and no job runs.
    pub fn have_commands_ended(&self) -> bool {
        self.have_all_begun() && self.running.values().all(Running::is_command)
    }

    fn have_all_begun(&self) -> bool {
        self.has_input_ended && self.commands.is_empty()
    }

    /// Returns whether no further job will begin.
    pub fn have_jobs_ended(&self) -> bool {
        // A command that runs may still become a job.
        self.have_all_begun()
            && self.jobs.is_empty()
            && !self.running.values().any(Running::is_command)
    }

    /// Begins the first command that waits, if it can run now. Stops jobs without limits that it waits for, because
    /// nothing else would end them. The end of the input stops them, too.
    pub fn next_command(&mut self) -> Option<Started<T>> {
        let timing = match self.commands.front() {
            Some(first) => first.timing,
            None if self.has_input_ended => Timing::AfterJob,
            None => return None,
        };
        if self.is_delayed(timing) {
            for job in self.running.values().filter(|running| running.delays(timing)) {
                if job.handle.stopper.is_held_back() {
                    job.handle.stopper.stop();
                }
            }
            return None;
        }
        let is_during_job = self.running.values().any(|running| !running.is_command());
        let waiting = self.commands.pop_front()?;
        Some(self.start(waiting, RunningKind::Command, is_during_job))
    }

    /// Begins the next job that is ready.
    pub fn next_ready_job(
        &mut self,
        is_ready: impl Fn(&T, &CommandHandle) -> bool,
    ) -> Option<Started<T>> {
        let mut jobs = self.jobs.iter();
        let (&place, _) = jobs.find(|(_, job)| is_ready(&job.item, &job.handle))?;
        self.start_job(place)
    }

    /// Begins the next job whose number is less than `written + most_ahead`. If that bars the job with the highest
    /// priority, the oldest job begins.
    pub fn next_job(&mut self, most_ahead: Option<u64>) -> Option<Started<T>> {
        let is_near = |place: &&Place| {
            most_ahead.is_none_or(|most| place.number < self.written.saturating_add(most))
        };
        let first = self.jobs.keys().next().filter(is_near);
        let place = *first.or_else(|| self.places.values().next().filter(is_near))?;
        self.start_job(place)
    }

    fn start_job(&mut self, place: Place) -> Option<Started<T>> {
        self.places.remove(&place.number);
        let waiting = self.jobs.remove(&place)?;
        Some(self.start(waiting, RunningKind::Job, false))
    }

    fn start(&mut self, waiting: Waiting<T>, kind: RunningKind, is_during_job: bool) -> Started<T> {
        let Waiting { number, priority, item, handle, .. } = waiting;
        let running = Running { handle: handle.clone(), kind, is_ended_by_input: false };
        self.running.insert(number, running);
        Started { number, priority, item, handle, is_during_job }
    }

    /// Queues a command or a job that has begun as a job that waits.
    pub fn suspend(&mut self, started: Started<T>) {
        let Started { number, priority, item, handle, .. } = started;
        self.running.remove(&number);
        self.wait(Waiting { number, priority, timing: Timing::AfterJob, item, handle });
    }

    fn wait(&mut self, mut job: Waiting<T>) {
        if job.handle.stopper.is_stopped() {
            job.priority = f64::INFINITY;
        }
        let place = Place { priority: job.priority, number: job.number };
        self.places.insert(job.number, place);
        self.jobs.insert(place, job);
    }

    /// Records that the running command with this number is a job now. While an exclusive job runs, no command does.
    pub fn become_job(&mut self, number: u64, is_exclusive: bool) {
        if let Some(running) = self.running.get_mut(&number) {
            running.kind = if is_exclusive { RunningKind::ExclusiveJob } else { RunningKind::Job };
        }
    }

    /// Lets any further input stop the running command with this number. Input that has arrived already does so.
    pub fn let_input_end(&mut self, number: u64) {
        if let Some(running) = self.running.get_mut(&number) {
            running.is_ended_by_input = true;
            if self.has_input_ended || !self.commands.is_empty() {
                running.handle.stopper.stop();
            }
        }
    }

    fn stop_jobs_ended_by_input(&self) {
        for running in self.running.values().filter(|running| running.is_ended_by_input) {
            running.handle.stopper.stop();
        }
    }

    /// Removes a command or a job that has ended. Returns whether it was a job.
    pub fn end(&mut self, number: u64) -> bool {
        let ended = self.running.remove(&number);
        ended.is_some_and(|running| !running.is_command())
    }

    /// Stops the commands with this id, or all of them without one, and returns the number of searches that this ends. A
    /// command that waits ends as soon as it begins, and a job that waits begins before others.
    pub fn stop(&mut self, id: Option<&Id>) -> usize {
        let matcher = id.map(IdMatcher::new);
        let has_job = self.running.values().any(|running| !running.is_command());
        let is_meant = |handle: &&CommandHandle| {
            let is_reached = match handle.stop_effect {
                StopEffect::Searches => true,
                StopEffect::Command => !has_job,
                StopEffect::None => false,
            };
            is_reached && matcher.as_ref().is_none_or(|matcher| matcher.matches(&handle.id))
        };
        let count = self.handles().filter(is_meant).filter(|handle| handle.stopper.stop()).count();
        if count > 0 {
            let is_late = |(_, job): &(&Place, &Waiting<T>)| {
                job.handle.stopper.is_stopped() && job.priority < f64::INFINITY
            };
            let late: Vec<Place> =
                self.jobs.iter().filter(is_late).map(|(&place, _)| place).collect();
            for job in late.iter().filter_map(|place| self.jobs.remove(place)).collect::<Vec<_>>() {
                self.wait(job);
            }
        }
        count
    }

    /// Stops all commands, also those that a job delays.
    pub fn quit(&mut self) {
        for handle in self.handles() {
            handle.stopper.stop();
        }
    }

    /// Returns whether a signal would overtake no command: none can begin, and none executes, except one that a signal
    /// stops.
    pub fn is_settled(&self) -> bool {
        match self.running.values().find(|running| running.is_command()) {
            Some(running) => running.handle.stop_effect == StopEffect::Command,
            None => self.commands.front().is_none_or(|first| self.is_delayed(first.timing)),
        }
    }

    /// Returns whether a job delays a command.
    fn is_delayed(&self, timing: Timing) -> bool {
        self.running.values().any(|running| running.delays(timing))
    }

    /// Removes all commands and jobs that wait, and returns them.
    pub fn take_waiting(&mut self) -> Vec<T> {
        self.places.clear();
        let jobs = std::mem::take(&mut self.jobs).into_values();
        jobs.chain(std::mem::take(&mut self.commands)).map(|waiting| waiting.item).collect()
    }

    /// Tells each search that ponders, and each one that waits, that the expected move was made.
    pub fn ponder_hit(&mut self) {
        self.handles().for_each(|handle| handle.stopper.ponder_hit());
    }

    fn handles(&self) -> impl Iterator<Item = &CommandHandle> {
        let running = self.running.values().map(|running| &running.handle);
        let waiting = self.jobs.values().chain(&self.commands).map(|waiting| &waiting.handle);
        running.chain(waiting)
    }

    /// Returns the number of jobs that wait.
    pub fn waiting_jobs(&self) -> usize {
        self.jobs.len()
    }

    /// Returns the jobs that wait, the next one first.
    pub fn jobs(&self) -> impl Iterator<Item = (&T, &CommandHandle)> {
        self.jobs.values().map(|job| (&job.item, &job.handle))
    }

    /// Removes the jobs that wait and for which `keep` returns `false`.
    pub fn retain_jobs(&mut self, mut keep: impl FnMut(&mut T, &CommandHandle) -> bool) {
        self.jobs.retain(|_, job| keep(&mut job.item, &job.handle));
        let jobs = &self.jobs;
        self.places.retain(|_, place| jobs.contains_key(place));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use pentarch_search::clock::Clock;
    use pentarch_search::control::Control;

    use super::*;

    /// Accepts commands by name; those in capitals wait for jobs.
    fn with_commands(names: &[&'static str]) -> Scheduler<&'static str> {
        let mut scheduler = Scheduler::default();
        for name in names {
            let timing = match name.starts_with(char::is_uppercase) {
                true => Timing::AfterJob,
                false => Timing::DuringJob,
            };
            scheduler.push(timing, 0.0, *name, CommandHandle::default());
        }
        scheduler
    }

    /// The names of the commands that can run now, each of which ends at once.
    fn runnable(scheduler: &mut Scheduler<&'static str>) -> Vec<&'static str> {
        let mut names = Vec::new();
        while let Some(started) = scheduler.next_command() {
            names.push(started.item);
            scheduler.end(started.number);
        }
        names
    }

    #[test]
    fn a_command_that_waits_for_a_job_delays_those_after_it() {
        let mut scheduler = with_commands(&["Go", "query", "Play", "query"]);
        let go = scheduler.next_command().unwrap();
        assert!(!go.is_during_job);
        scheduler.become_job(go.number, false);
        assert!(scheduler.next_command().is_some_and(|query| query.is_during_job));
        assert_eq!(runnable(&mut scheduler), [""; 0]);
        assert!(!go.handle.stopper.is_stopped());
        scheduler.end(go.number);
        assert_eq!(runnable(&mut scheduler), ["Play", "query"]);
    }

    #[test]
    fn no_command_runs_during_an_exclusive_job() {
        let mut scheduler = with_commands(&["tables", "query"]);
        let tables = scheduler.next_command().unwrap();
        scheduler.become_job(tables.number, true);
        assert_eq!(runnable(&mut scheduler), [""; 0]);
        scheduler.end(tables.number);
        assert_eq!(runnable(&mut scheduler), ["query"]);
    }

    #[test]
    fn a_waiting_command_or_the_end_of_the_input_stops_an_endless_job_but_no_other() {
        for (commands, is_endless) in [
            (&["Go", "Play"][..], true),
            (&["Go", "Play"], false),
            (&["Go"], true),
            (&["Go"], false),
        ] {
            let mut scheduler = with_commands(commands);
            let go = scheduler.next_command().unwrap();
            let control = Control::new(&Clock::default(), None, false, is_endless);
            go.handle.stopper.begin(&Arc::new(control));
            scheduler.become_job(go.number, false);
            if commands.len() == 1 {
                scheduler.end_input();
            }
            assert!(scheduler.next_command().is_none());
            assert_eq!(go.handle.stopper.is_stopped(), is_endless);
            assert!(!scheduler.have_commands_ended());
        }
    }

    #[test]
    fn input_ends_a_command_that_lets_it() {
        let mut scheduler = with_commands(&["Analyze"]);
        let first = scheduler.next_command().unwrap();
        scheduler.let_input_end(first.number);
        assert!(!first.handle.stopper.is_stopped());
        scheduler.push(Timing::AfterJob, 0.0, "Analyze", CommandHandle::default());
        assert!(first.handle.stopper.is_stopped());
        scheduler.end(first.number);
        let second = scheduler.next_command().unwrap();
        scheduler.end_input();
        assert!(!second.handle.stopper.is_stopped());
        scheduler.let_input_end(second.number);
        assert!(second.handle.stopper.is_stopped() && scheduler.have_commands_ended());
    }

    #[test]
    fn signals_reach_commands_that_run_and_wait() {
        let mut scheduler = with_commands(&["Go", "Go", "query"]);
        let running = scheduler.next_command().unwrap();
        scheduler.become_job(running.number, false);
        scheduler.ponder_hit();
        assert_eq!((scheduler.stop(None), scheduler.stop(None)), (3, 0));
        scheduler.push(Timing::AfterJob, 0.0, "Later", CommandHandle::default());
        scheduler.end(running.number);
        let mut reached = || {
            let started = scheduler.next_command().unwrap();
            scheduler.end(started.number);
            (started.handle.stopper.is_stopped(), started.handle.stopper.has_ponder_hit())
        };
        assert_eq!([reached(), reached(), reached()], [(true, true), (true, true), (false, false)]);
    }

    /// The names of the jobs in the order in which they begin.
    fn jobs(
        scheduler: &mut Scheduler<&'static str>,
        next: impl Fn(&mut Scheduler<&'static str>) -> Option<Started<&'static str>>,
    ) -> Vec<&'static str> {
        let mut names = Vec::new();
        while let Some(started) = next(scheduler) {
            names.push(started.item);
            scheduler.end(started.number);
        }
        names
    }

    #[test]
    fn jobs_begin_by_priority_then_age_and_stopped_ones_first() {
        let mut scheduler = Scheduler::default();
        let handle = |id: u64| CommandHandle { id: id.into(), ..CommandHandle::default() };
        for (id, (priority, name)) in
            [(0.0, "a"), (1.0, "b"), (0.0, "c"), (9.0, "unready"), (-1.0, "d")]
                .into_iter()
                .enumerate()
        {
            scheduler.push_job(priority, name, handle(id as u64));
        }
        assert_eq!(scheduler.stop(Some(&4.into())), 1);
        let ready = |state: &mut Scheduler<&'static str>| {
            state.next_ready_job(|name, _| *name != "unready")
        };
        let first = ready(&mut scheduler).unwrap();
        assert_eq!(first.item, "d");
        // A job that is put back has its place again.
        scheduler.suspend(first);
        assert_eq!(jobs(&mut scheduler, ready), ["d", "b", "a", "c"]);
        assert_eq!(scheduler.jobs().count(), 1);
    }

    #[test]
    fn jobs_far_ahead_of_the_responses_wait_for_the_oldest() {
        let mut scheduler = Scheduler::default();
        for (priority, name) in [(0.0, "a"), (0.0, "b"), (1.0, "c")] {
            scheduler.push_job(priority, name, CommandHandle::default());
        }
        assert_eq!(jobs(&mut scheduler, |state| state.next_job(Some(2))), ["a", "b"]);
        scheduler.written = 1;
        assert_eq!(jobs(&mut scheduler, |state| state.next_job(Some(2))), ["c"]);
    }

    #[test]
    fn a_command_that_runs_may_still_become_a_job() {
        let mut scheduler = with_commands(&["request"]);
        scheduler.end_input();
        let request = scheduler.next_command().unwrap();
        assert!(scheduler.have_commands_ended() && !scheduler.have_jobs_ended());
        scheduler.suspend(request);
        assert!(!scheduler.have_jobs_ended());
        assert_eq!(jobs(&mut scheduler, |state| state.next_job(None)), ["request"]);
        assert!(scheduler.have_jobs_ended());
    }

    /// A command that a `stop` itself stops.
    fn push_load(scheduler: &mut Scheduler<&'static str>) {
        let handle = CommandHandle { stop_effect: StopEffect::Command, ..CommandHandle::default() };
        scheduler.push(Timing::AfterJob, 0.0, "Load", handle);
    }

    #[test]
    fn a_stop_leaves_alone_what_a_job_delays_and_a_quit_does_not() {
        let mut scheduler = with_commands(&["Go"]);
        push_load(&mut scheduler);
        let go = scheduler.next_command().unwrap();
        scheduler.become_job(go.number, false);
        assert_eq!(scheduler.stop(None), 1);
        scheduler.end(go.number);
        let load = scheduler.next_command().unwrap();
        assert!(!load.handle.stopper.is_stopped());
        assert_eq!((scheduler.stop(None), load.handle.stopper.is_stopped()), (1, true));
        scheduler.end(load.number);
        push_load(&mut scheduler);
        let handle = CommandHandle { stop_effect: StopEffect::None, ..CommandHandle::default() };
        scheduler.push(Timing::DuringJob, 0.0, "query", handle);
        assert_eq!(scheduler.stop(None), 1);
        scheduler.quit();
        assert_eq!(scheduler.take_waiting().len(), 2);
    }

    #[test]
    fn signals_overtake_no_command_that_can_run() {
        let mut scheduler = with_commands(&["query", "Go", "query", "Play"]);
        let mut settled = Vec::new();
        let query = scheduler.next_command().unwrap();
        settled.push(scheduler.is_settled());
        scheduler.end(query.number);
        let go = scheduler.next_command().unwrap();
        settled.push(scheduler.is_settled());
        scheduler.become_job(go.number, false);
        settled.push(scheduler.is_settled());
        assert_eq!(runnable(&mut scheduler), ["query"]);
        assert_eq!((settled, scheduler.is_settled()), (vec![false; 3], true));
        scheduler.end(go.number);
        assert!(!scheduler.is_settled());
        assert_eq!(runnable(&mut scheduler), ["Play"]);
        push_load(&mut scheduler);
        assert!(!scheduler.is_settled() && scheduler.next_command().is_some());
        assert!(scheduler.is_settled());
    }
}
