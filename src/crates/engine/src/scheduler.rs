//! The order of commands. The scheduler decides which command runs next, and which commands a
//! signal reaches. All other commands wait.
//!
//! The scheduler is a state machine without threads and without a clock, so all protocols and hosts
//! can use it. Commands are queued in the order of arrival and run one after another. A
//! long-running command becomes a *job*, and other commands can run during the job. The jobs of one
//! session start in order. Jobs with separate sessions, such as requests, start in the order of
//! their priority and run on all workers of the host.
//!
//! | command | while a job of its session runs |
//! |---|---|
//! | `stop`, `ponderhit`, `quit`; `# interrupt` of GTP; `{"stop": ID}` | is a signal: it is never queued, and reaches running and waiting commands ([`StopEffect`]) |
//! | UGI: `isready`, `query`, `legal`, `d`, `eval`, `help`, `debug`, `register`, and an invalid line | runs ([`CommandStartCondition::DuringJob`]) unless the job is exclusive |
//! | every other command of UGI, and every command of GTP | waits ([`CommandStartCondition::AfterJob`]), and stops a job without limits |
//! | a request in JSON | has a separate session, so no job delays it |
//!
//! A command that follows a waiting command also waits. In UGI, a signal does not overtake a
//! command that can run (see [`Scheduler::can_process_signal`]).

use std::cmp::Ordering;
use std::collections::{BTreeMap, VecDeque};

use crate::requests::id::{Id, IdComparer};
use crate::stopper::Stopper;

/// The condition under which a command can start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommandStartCondition {
    /// The command can start when it is first in the queue, even while a job of its session runs.
    DuringJob,
    /// The command can start when it is first in the queue and no job of its session runs.
    AfterJob,
}

/// The effect of a `stop` on a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum StopEffect {
    /// Stops the searches of the command. A search that has not started yet ends at once.
    #[default]
    Searches,
    /// Stops the command itself, except while it waits for a job.
    Command,
    /// Has no effect, because the command is short.
    None,
}

/// A handle for other parts of the program to access a command while it waits or runs.
#[derive(Debug, Clone, Default)]
pub struct CommandHandle {
    /// The id of a request.
    pub id: Id,
    /// The effect of a `stop`.
    pub stop_effect: StopEffect,
    /// The handle that stops the command.
    pub stopper: Stopper,
}

/// A command or a job that has started to run.
#[derive(Debug)]
pub struct StartedCommand<T> {
    /// The arrival number of the command, from 0.
    pub number: u64,
    /// The priority. A higher priority comes first.
    pub priority: f64,
    /// The command, or the job into which it has turned.
    pub item: T,
    /// Access to the command from outside.
    pub handle: CommandHandle,
    /// Whether a job that has not reported its result yet is running when the command starts.
    pub is_during_job: bool,
}

/// The rank of a job in the queue. Jobs start by descending priority, and jobs of equal priority by
/// age.
#[derive(Debug, Clone, Copy, PartialEq)]
struct JobQueueRank {
    priority: f64,
    number: u64,
}

impl Eq for JobQueueRank {}

impl Ord for JobQueueRank {
    /// Orders jobs by descending priority, and then by ascending number.
    fn cmp(&self, other: &JobQueueRank) -> Ordering {
        other.priority.total_cmp(&self.priority).then(self.number.cmp(&other.number))
    }
}

impl PartialOrd for JobQueueRank {
    fn partial_cmp(&self, other: &JobQueueRank) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[derive(Debug)]
struct QueuedCommand<T> {
    number: u64,
    priority: f64,
    start_condition: CommandStartCondition,
    item: T,
    handle: CommandHandle,
}

/// A running command or job.
#[derive(Debug)]
struct ActiveCommand {
    handle: CommandHandle,
    kind: ActiveCommandState,
    stops_on_input: bool,
}

impl ActiveCommand {
    fn is_command(&self) -> bool {
        self.kind == ActiveCommandState::Command
    }

    /// Returns whether a command with this start condition must wait until this command or job has
    /// ended.
    fn blocks_start(&self, start_condition: CommandStartCondition) -> bool {
        match self.kind {
            ActiveCommandState::Command => false,
            ActiveCommandState::Job | ActiveCommandState::EndingJob => {
                start_condition == CommandStartCondition::AfterJob
            }
            ActiveCommandState::ExclusiveJob => true,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ActiveCommandState {
    /// A command, which may become a job.
    Command,
    /// A job during which some commands can run.
    Job,
    /// A job during which no command can run.
    ExclusiveJob,
    /// A job that has reported its result. A reader of the result regards the job as ended.
    EndingJob,
}

/// The commands and jobs that have no response yet. `T` is the type of commands and of the jobs
/// that they become.
#[derive(Debug)]
pub struct Scheduler<T> {
    next_number: u64,
    /// The commands that have not started, in the order of arrival.
    commands: VecDeque<QueuedCommand<T>>,
    /// The jobs that wait for a worker, the next one first.
    jobs: BTreeMap<JobQueueRank, QueuedCommand<T>>,
    /// The ranks of the waiting jobs, by their numbers.
    ranks: BTreeMap<u64, JobQueueRank>,
    running: BTreeMap<u64, ActiveCommand>,
    /// Whether the input has ended.
    has_input_ended: bool,
    /// The number of responses written so far. The number is used only if responses are written in
    /// the order of arrival.
    pub responses_written: u64,
}

impl<T> Default for Scheduler<T> {
    fn default() -> Scheduler<T> {
        Scheduler {
            next_number: 0,
            commands: VecDeque::new(),
            jobs: BTreeMap::new(),
            ranks: BTreeMap::new(),
            running: BTreeMap::new(),
            has_input_ended: false,
            responses_written: 0,
        }
    }
}

impl<T> Scheduler<T> {
    /// Queues a command.
    pub fn push_command(
        &mut self,
        start_condition: CommandStartCondition,
        priority: f64,
        item: T,
        handle: CommandHandle,
    ) {
        let number = self.take_next_command_number();
        self.commands.push_back(QueuedCommand { number, priority, start_condition, item, handle });
        self.stop_commands_that_input_stops();
    }

    /// Queues a command that is a job from the start.
    pub fn push_job(&mut self, priority: f64, item: T, handle: CommandHandle) {
        let number = self.take_next_command_number();
        self.queue_job(QueuedCommand {
            number,
            priority,
            start_condition: CommandStartCondition::AfterJob,
            item,
            handle,
        });
    }

    fn take_next_command_number(&mut self) -> u64 {
        self.next_number += 1;
        self.next_number - 1
    }

    /// Records that the input has ended.
    pub fn mark_input_ended(&mut self) {
        self.has_input_ended = true;
        self.stop_commands_that_input_stops();
    }

    /// Returns whether the queue of commands is empty.
    pub fn has_no_queued_commands(&self) -> bool {
        self.commands.is_empty()
    }

    /// Returns whether all commands have started and no job runs.
    pub fn are_commands_done(&self) -> bool {
        self.have_all_commands_started() && self.running.values().all(ActiveCommand::is_command)
    }

    fn have_all_commands_started(&self) -> bool {
        self.has_input_ended && self.commands.is_empty()
    }

    /// Returns whether no further job can start.
    pub fn can_start_no_more_jobs(&self) -> bool {
        // A running command may still become a job.
        self.have_all_commands_started()
            && self.jobs.is_empty()
            && !self.running.values().any(ActiveCommand::is_command)
    }

    /// Starts the first command of the queue if it can run now. If the command waits for jobs
    /// without limits, stops these jobs, because otherwise they would never end. Also stops such
    /// jobs at the end of the input.
    pub fn start_next_command(&mut self) -> Option<StartedCommand<T>> {
        let start_condition = match self.commands.front() {
            Some(first) => first.start_condition,
            None if self.has_input_ended => CommandStartCondition::AfterJob,
            None => return None,
        };
        if self.must_command_wait(start_condition) {
            for job in self.running.values().filter(|running| running.blocks_start(start_condition))
            {
                if job.handle.stopper.can_end_only_by_signal() {
                    job.handle.stopper.stop();
                }
            }
            return None;
        }
        let is_during_job = self.has_unfinished_job();
        let waiting = self.commands.pop_front()?;
        Some(self.start_queued_command(waiting, ActiveCommandState::Command, is_during_job))
    }

    /// Starts the next job that is ready.
    pub fn start_next_ready_job(
        &mut self,
        is_ready: impl Fn(&T, &CommandHandle) -> bool,
    ) -> Option<StartedCommand<T>> {
        let mut jobs = self.jobs.iter();
        let (&rank, _) = jobs.find(|(_, job)| is_ready(&job.item, &job.handle))?;
        self.start_queued_job(rank)
    }

    /// Starts the next job whose arrival number is less than `responses_written + most_ahead`. If
    /// the arrival number of the job with the highest priority is too great, the oldest job may
    /// start instead.
    pub fn start_next_job(&mut self, most_ahead: Option<u64>) -> Option<StartedCommand<T>> {
        let is_near = |rank: &&JobQueueRank| {
            most_ahead.is_none_or(|most| rank.number < self.responses_written.saturating_add(most))
        };
        let first = self.jobs.keys().next().filter(is_near);
        let rank = *first.or_else(|| self.ranks.values().next().filter(is_near))?;
        self.start_queued_job(rank)
    }

    fn start_queued_job(&mut self, rank: JobQueueRank) -> Option<StartedCommand<T>> {
        self.ranks.remove(&rank.number);
        let waiting = self.jobs.remove(&rank)?;
        Some(self.start_queued_command(waiting, ActiveCommandState::Job, false))
    }

    fn start_queued_command(
        &mut self,
        waiting: QueuedCommand<T>,
        kind: ActiveCommandState,
        is_during_job: bool,
    ) -> StartedCommand<T> {
        let QueuedCommand { number, priority, item, handle, .. } = waiting;
        let running = ActiveCommand { handle: handle.clone(), kind, stops_on_input: false };
        self.running.insert(number, running);
        StartedCommand { number, priority, item, handle, is_during_job }
    }

    /// Puts a started command or job back into the queue, as a job.
    pub fn requeue_as_job(&mut self, started: StartedCommand<T>) {
        let StartedCommand { number, priority, item, handle, .. } = started;
        self.running.remove(&number);
        self.queue_job(QueuedCommand {
            number,
            priority,
            start_condition: CommandStartCondition::AfterJob,
            item,
            handle,
        });
    }

    fn queue_job(&mut self, mut job: QueuedCommand<T>) {
        if job.handle.stopper.is_stopped() {
            job.priority = f64::INFINITY;
        }
        let rank = JobQueueRank { priority: job.priority, number: job.number };
        self.ranks.insert(job.number, rank);
        self.jobs.insert(rank, job);
    }

    /// Records that the running command with this number has become a job. No command runs during
    /// an exclusive job.
    pub fn turn_into_job(&mut self, number: u64, is_exclusive: bool) {
        if let Some(running) = self.running.get_mut(&number) {
            running.kind = if is_exclusive {
                ActiveCommandState::ExclusiveJob
            } else {
                ActiveCommandState::Job
            };
        }
    }

    /// Records that the job with this number is about to report its result.
    pub fn mark_job_as_ending(&mut self, number: u64) {
        let running = self.running.get_mut(&number);
        if let Some(running) = running.filter(|running| running.kind == ActiveCommandState::Job) {
            running.kind = ActiveCommandState::EndingJob;
        }
    }

    /// Makes any input after the running command with this number stop the command, including input
    /// that has already arrived.
    pub fn let_input_stop_command(&mut self, number: u64) {
        if let Some(running) = self.running.get_mut(&number) {
            running.stops_on_input = true;
            if self.has_input_ended || !self.commands.is_empty() {
                running.handle.stopper.stop();
            }
        }
    }

    fn stop_commands_that_input_stops(&self) {
        for running in self.running.values().filter(|running| running.stops_on_input) {
            running.handle.stopper.stop();
        }
    }

    /// Removes a command or a job that has ended. Returns whether the removed item was a job.
    pub fn remove_ended_command(&mut self, number: u64) -> bool {
        let ended = self.running.remove(&number);
        ended.is_some_and(|running| !running.is_command())
    }

    /// Stops the commands with this id, or all commands for `None`. Returns the number of commands
    /// that were not already stopped. A stopped command ends as soon as it starts. A stopped job
    /// starts before other jobs.
    pub fn stop_commands_with_id(&mut self, id: Option<&Id>) -> usize {
        let matcher = id.map(IdComparer::new);
        let has_job = self.has_unfinished_job();
        let is_selected = |handle: &&CommandHandle| {
            let is_reached = match handle.stop_effect {
                StopEffect::Searches => true,
                StopEffect::Command => !has_job,
                StopEffect::None => false,
            };
            is_reached && matcher.as_ref().is_none_or(|matcher| matcher.is_equal_to(&handle.id))
        };
        let count = self
            .command_handles()
            .filter(is_selected)
            .filter(|handle| handle.stopper.stop())
            .count();
        if count > 0 {
            let is_newly_stopped = |(_, job): &(&JobQueueRank, &QueuedCommand<T>)| {
                job.handle.stopper.is_stopped() && job.priority < f64::INFINITY
            };
            let newly_stopped: Vec<JobQueueRank> =
                self.jobs.iter().filter(is_newly_stopped).map(|(&rank, _)| rank).collect();
            for job in
                newly_stopped.iter().filter_map(|rank| self.jobs.remove(rank)).collect::<Vec<_>>()
            {
                self.queue_job(job);
            }
        }
        count
    }

    /// Stops all commands, even those that wait for a job.
    pub fn stop_all_commands(&mut self) {
        for handle in self.command_handles() {
            handle.stopper.stop();
        }
    }

    /// Returns whether a signal can be processed without overtaking a command. This requires that
    /// no command can start now, and that no command is running, except a command that the signal
    /// itself stops.
    pub fn can_process_signal(&self) -> bool {
        match self.running.values().find(|running| running.is_command()) {
            Some(running) => {
                running.handle.stop_effect == StopEffect::Command && !self.has_unfinished_job()
            }
            None => self
                .commands
                .front()
                .is_none_or(|first| self.must_command_wait(first.start_condition)),
        }
    }

    /// Returns whether a job that has not reported its result yet is running.
    fn has_unfinished_job(&self) -> bool {
        self.running.values().any(|running| {
            matches!(running.kind, ActiveCommandState::Job | ActiveCommandState::ExclusiveJob)
        })
    }

    /// Returns whether a command with this start condition must wait for a running command or job.
    fn must_command_wait(&self, start_condition: CommandStartCondition) -> bool {
        self.running.values().any(|running| running.blocks_start(start_condition))
    }

    /// Removes all queued commands and jobs, and returns them.
    pub fn drain_queue(&mut self) -> Vec<T> {
        self.ranks.clear();
        let jobs = std::mem::take(&mut self.jobs).into_values();
        jobs.chain(std::mem::take(&mut self.commands)).map(|waiting| waiting.item).collect()
    }

    /// Records for each running or queued search that the expected move was made.
    pub fn ponder_hit(&mut self) {
        self.command_handles().for_each(|handle| handle.stopper.ponder_hit());
    }

    fn command_handles(&self) -> impl Iterator<Item = &CommandHandle> {
        let running = self.running.values().map(|running| &running.handle);
        let waiting = self.jobs.values().chain(&self.commands).map(|waiting| &waiting.handle);
        running.chain(waiting)
    }

    /// Returns the number of queued jobs.
    pub fn queued_job_count(&self) -> usize {
        self.jobs.len()
    }

    /// Returns the queued jobs, the next one first.
    pub fn queued_jobs(&self) -> impl Iterator<Item = (&T, &CommandHandle)> {
        self.jobs.values().map(|job| (&job.item, &job.handle))
    }

    /// Removes the queued jobs for which `keep` returns `false`.
    pub fn retain_queued_jobs(&mut self, mut keep: impl FnMut(&mut T, &CommandHandle) -> bool) {
        self.jobs.retain(|_, job| keep(&mut job.item, &job.handle));
        let jobs = &self.jobs;
        self.ranks.retain(|_, rank| jobs.contains_key(rank));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use pentarch_search::clock::Clock;
    use pentarch_search::control::SearchControl;

    use super::*;

    /// Returns a scheduler with these commands. Commands in capital letters wait for jobs.
    fn with_commands(names: &[&'static str]) -> Scheduler<&'static str> {
        let mut scheduler = Scheduler::default();
        for name in names {
            let start_condition = match name.starts_with(char::is_uppercase) {
                true => CommandStartCondition::AfterJob,
                false => CommandStartCondition::DuringJob,
            };
            scheduler.push_command(start_condition, 0.0, *name, CommandHandle::default());
        }
        scheduler
    }

    /// Returns the names of the commands that can run now. Each command ends at once.
    fn runnable(scheduler: &mut Scheduler<&'static str>) -> Vec<&'static str> {
        let mut names = Vec::new();
        while let Some(started) = scheduler.start_next_command() {
            names.push(started.item);
            scheduler.remove_ended_command(started.number);
        }
        names
    }

    #[test]
    fn a_command_that_waits_for_a_job_delays_those_after_it() {
        let mut scheduler = with_commands(&["Go", "query", "Play", "query"]);
        let go = scheduler.start_next_command().unwrap();
        assert!(!go.is_during_job);
        scheduler.turn_into_job(go.number, false);
        assert!(scheduler.start_next_command().is_some_and(|query| query.is_during_job));
        assert_eq!(runnable(&mut scheduler), [""; 0]);
        assert!(!go.handle.stopper.is_stopped());
        scheduler.remove_ended_command(go.number);
        assert_eq!(runnable(&mut scheduler), ["Play", "query"]);
    }

    #[test]
    fn a_command_after_the_result_of_a_job_is_not_during_the_job() {
        let mut scheduler = with_commands(&["Go", "query", "Play"]);
        let go = scheduler.start_next_command().unwrap();
        scheduler.turn_into_job(go.number, false);
        scheduler.mark_job_as_ending(go.number);
        let query = scheduler.start_next_command().unwrap();
        assert!(!query.is_during_job);
        scheduler.remove_ended_command(query.number);
        assert_eq!(runnable(&mut scheduler), [""; 0]);
    }

    /// A `stop` for the job must not overtake the second query, because nothing else would end the
    /// query's wait.
    #[test]
    fn a_signal_overtakes_no_query_during_a_job() {
        let mut scheduler = with_commands(&["Go"]);
        let go = scheduler.start_next_command().unwrap();
        scheduler.turn_into_job(go.number, false);
        for _ in 0..2 {
            let handle =
                CommandHandle { stop_effect: StopEffect::Command, ..CommandHandle::default() };
            scheduler.push_command(CommandStartCondition::DuringJob, 0.0, "query", handle);
        }
        for _ in 0..2 {
            let query = scheduler.start_next_command().unwrap();
            assert!(!scheduler.can_process_signal());
            scheduler.remove_ended_command(query.number);
        }
        assert!(scheduler.can_process_signal());
    }

    #[test]
    fn no_command_runs_during_an_exclusive_job() {
        let mut scheduler = with_commands(&["tables", "query"]);
        let tables = scheduler.start_next_command().unwrap();
        scheduler.turn_into_job(tables.number, true);
        assert_eq!(runnable(&mut scheduler), [""; 0]);
        scheduler.remove_ended_command(tables.number);
        assert_eq!(runnable(&mut scheduler), ["query"]);
    }

    #[test]
    fn a_waiting_command_or_the_end_of_input_stops_only_endless_jobs() {
        for (commands, is_endless) in [
            (&["Go", "Play"][..], true),
            (&["Go", "Play"], false),
            (&["Go"], true),
            (&["Go"], false),
        ] {
            let mut scheduler = with_commands(commands);
            let go = scheduler.start_next_command().unwrap();
            let control = SearchControl::new(&Clock::default(), None, false, is_endless);
            go.handle.stopper.connect_search_control(&Arc::new(control));
            scheduler.turn_into_job(go.number, false);
            if commands.len() == 1 {
                scheduler.mark_input_ended();
            }
            assert!(scheduler.start_next_command().is_none());
            assert_eq!(go.handle.stopper.is_stopped(), is_endless);
            assert!(!scheduler.are_commands_done());
        }
    }

    #[test]
    fn input_stops_a_command_that_allows_it() {
        let mut scheduler = with_commands(&["Analyze"]);
        let first = scheduler.start_next_command().unwrap();
        scheduler.let_input_stop_command(first.number);
        assert!(!first.handle.stopper.is_stopped());
        scheduler.push_command(
            CommandStartCondition::AfterJob,
            0.0,
            "Analyze",
            CommandHandle::default(),
        );
        assert!(first.handle.stopper.is_stopped());
        scheduler.remove_ended_command(first.number);
        let second = scheduler.start_next_command().unwrap();
        scheduler.mark_input_ended();
        assert!(!second.handle.stopper.is_stopped());
        scheduler.let_input_stop_command(second.number);
        assert!(second.handle.stopper.is_stopped() && scheduler.are_commands_done());
    }

    #[test]
    fn signals_reach_commands_that_run_and_wait() {
        let mut scheduler = with_commands(&["Go", "Go", "query"]);
        let running = scheduler.start_next_command().unwrap();
        scheduler.turn_into_job(running.number, false);
        scheduler.ponder_hit();
        assert_eq!(
            (scheduler.stop_commands_with_id(None), scheduler.stop_commands_with_id(None)),
            (3, 0)
        );
        scheduler.push_command(
            CommandStartCondition::AfterJob,
            0.0,
            "Later",
            CommandHandle::default(),
        );
        scheduler.remove_ended_command(running.number);
        let mut reached = || {
            let started = scheduler.start_next_command().unwrap();
            scheduler.remove_ended_command(started.number);
            (started.handle.stopper.is_stopped(), started.handle.stopper.has_ponder_hit())
        };
        assert_eq!([reached(), reached(), reached()], [(true, true), (true, true), (false, false)]);
    }

    /// Returns the names of the jobs in starting order.
    fn jobs(
        scheduler: &mut Scheduler<&'static str>,
        next: impl Fn(&mut Scheduler<&'static str>) -> Option<StartedCommand<&'static str>>,
    ) -> Vec<&'static str> {
        let mut names = Vec::new();
        while let Some(started) = next(scheduler) {
            names.push(started.item);
            scheduler.remove_ended_command(started.number);
        }
        names
    }

    #[test]
    fn jobs_start_by_priority_then_age_and_stopped_ones_first() {
        let mut scheduler = Scheduler::default();
        let handle = |id: u64| CommandHandle { id: id.into(), ..CommandHandle::default() };
        for (id, (priority, name)) in
            [(0.0, "a"), (1.0, "b"), (0.0, "c"), (9.0, "unready"), (-1.0, "d")]
                .into_iter()
                .enumerate()
        {
            scheduler.push_job(priority, name, handle(id as u64));
        }
        assert_eq!(scheduler.stop_commands_with_id(Some(&4.into())), 1);
        let ready = |state: &mut Scheduler<&'static str>| {
            state.start_next_ready_job(|name, _| *name != "unready")
        };
        let first = ready(&mut scheduler).unwrap();
        assert_eq!(first.item, "d");
        // A suspended job retains its rank.
        scheduler.requeue_as_job(first);
        assert_eq!(jobs(&mut scheduler, ready), ["d", "b", "a", "c"]);
        assert_eq!(scheduler.queued_jobs().count(), 1);
    }

    #[test]
    fn jobs_far_ahead_of_the_responses_wait_for_the_oldest() {
        let mut scheduler = Scheduler::default();
        for (priority, name) in [(0.0, "a"), (0.0, "b"), (1.0, "c")] {
            scheduler.push_job(priority, name, CommandHandle::default());
        }
        assert_eq!(jobs(&mut scheduler, |state| state.start_next_job(Some(2))), ["a", "b"]);
        scheduler.responses_written = 1;
        assert_eq!(jobs(&mut scheduler, |state| state.start_next_job(Some(2))), ["c"]);
    }

    #[test]
    fn a_command_that_runs_may_still_become_a_job() {
        let mut scheduler = with_commands(&["request"]);
        scheduler.mark_input_ended();
        let request = scheduler.start_next_command().unwrap();
        assert!(scheduler.are_commands_done() && !scheduler.can_start_no_more_jobs());
        scheduler.requeue_as_job(request);
        assert!(!scheduler.can_start_no_more_jobs());
        assert_eq!(jobs(&mut scheduler, |state| state.start_next_job(None)), ["request"]);
        assert!(scheduler.can_start_no_more_jobs());
    }

    /// Queues a command with [`StopEffect::Command`].
    fn push_load(scheduler: &mut Scheduler<&'static str>) {
        let handle = CommandHandle { stop_effect: StopEffect::Command, ..CommandHandle::default() };
        scheduler.push_command(CommandStartCondition::AfterJob, 0.0, "Load", handle);
    }

    #[test]
    fn a_stop_does_not_reach_commands_that_a_job_delays_but_a_quit_does() {
        let mut scheduler = with_commands(&["Go"]);
        push_load(&mut scheduler);
        let go = scheduler.start_next_command().unwrap();
        scheduler.turn_into_job(go.number, false);
        assert_eq!(scheduler.stop_commands_with_id(None), 1);
        scheduler.remove_ended_command(go.number);
        let load = scheduler.start_next_command().unwrap();
        assert!(!load.handle.stopper.is_stopped());
        assert_eq!(
            (scheduler.stop_commands_with_id(None), load.handle.stopper.is_stopped()),
            (1, true)
        );
        scheduler.remove_ended_command(load.number);
        push_load(&mut scheduler);
        let handle = CommandHandle { stop_effect: StopEffect::None, ..CommandHandle::default() };
        scheduler.push_command(CommandStartCondition::DuringJob, 0.0, "query", handle);
        assert_eq!(scheduler.stop_commands_with_id(None), 1);
        scheduler.stop_all_commands();
        assert_eq!(scheduler.drain_queue().len(), 2);
    }

    #[test]
    fn signals_overtake_no_command_that_can_run() {
        let mut scheduler = with_commands(&["query", "Go", "query", "Play"]);
        let mut settled = Vec::new();
        let query = scheduler.start_next_command().unwrap();
        settled.push(scheduler.can_process_signal());
        scheduler.remove_ended_command(query.number);
        let go = scheduler.start_next_command().unwrap();
        settled.push(scheduler.can_process_signal());
        scheduler.turn_into_job(go.number, false);
        settled.push(scheduler.can_process_signal());
        assert_eq!(runnable(&mut scheduler), ["query"]);
        assert_eq!((settled, scheduler.can_process_signal()), (vec![false; 3], true));
        scheduler.remove_ended_command(go.number);
        assert!(!scheduler.can_process_signal());
        assert_eq!(runnable(&mut scheduler), ["Play"]);
        push_load(&mut scheduler);
        assert!(!scheduler.can_process_signal() && scheduler.start_next_command().is_some());
        assert!(scheduler.can_process_signal());
    }
}
