//! Shares a [`Scheduler`] between threads. One thread reads commands, and other threads execute
//! them and run jobs. A *signal* is a command such as `stop`, which the reading thread executes
//! itself.

use std::io::BufRead;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use pentarch_engine::scheduler::{Scheduler, StartedCommand};
use pentarch_system::memory::ThreadError;

use super::input::{InputLines, WaitingInputLine, start_reader_thread};
use super::output::Output;

/// The memory of a waiting command in addition to its item, in bytes.
const WAITING_COMMAND_OVERHEAD_BYTES: usize = 256;

/// A scheduler for several threads, which wait for its commands and jobs.
#[derive(Debug)]
pub struct SharedScheduler<T> {
    state: Mutex<SchedulerState<T>>,
    /// Notified when the state has changed.
    changed: Condvar,
}

#[derive(Debug)]
struct SchedulerState<T> {
    scheduler: Scheduler<T>,
    /// Whether the reading thread waits until it can execute a signal.
    has_signal: bool,
    /// Whether the output is closed. If it is, nothing is queued in the scheduler.
    is_closed: bool,
}

impl<T> Default for SharedScheduler<T> {
    fn default() -> SharedScheduler<T> {
        let scheduler = Scheduler::default();
        let state = SchedulerState { scheduler, has_signal: false, is_closed: false };
        SharedScheduler { state: Mutex::new(state), changed: Condvar::new() }
    }
}

/// A guard that ends the input of the scheduler when it is dropped. So the input also ends if the
/// reading thread panics.
struct EndOfInputGuard<T>(Arc<SharedScheduler<T>>);

impl<T> Drop for EndOfInputGuard<T> {
    fn drop(&mut self) {
        self.0.change_scheduler_and_notify(Scheduler::mark_input_ended);
    }
}

impl<T: Send + 'static> SharedScheduler<T> {
    /// Creates a scheduler that closes when this output closes.
    pub fn new_closing_with_output(out: &Output) -> Arc<SharedScheduler<T>> {
        let scheduler: Arc<SharedScheduler<T>> = Arc::default();
        let closing = scheduler.clone();
        out.on_close(move || closing.close());
        scheduler
    }

    /// Starts the reading thread. The thread calls `receive` with each line until the input ends or
    /// the output is closed.
    ///
    /// # Errors
    /// If the system cannot start a thread.
    pub fn start_reading_thread(
        self: &Arc<Self>,
        lines: InputLines<impl BufRead + Send + 'static>,
        mut receive: impl FnMut(&SharedScheduler<T>, WaitingInputLine) + Send + 'static,
    ) -> Result<(), ThreadError> {
        let mut lines =
            lines.with_memory_overhead_per_line(WAITING_COMMAND_OVERHEAD_BYTES + size_of::<T>());
        let end = EndOfInputGuard(self.clone());
        start_reader_thread(move || {
            let EndOfInputGuard(scheduler) = &end;
            while !scheduler.is_closed()
                && let Some(line) = lines.next()
            {
                receive(scheduler, line);
            }
        })
    }
}

impl<T> SharedScheduler<T> {
    fn lock(&self) -> MutexGuard<'_, SchedulerState<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait_for_change<'a>(
        &self,
        state: MutexGuard<'a, SchedulerState<T>>,
    ) -> MutexGuard<'a, SchedulerState<T>> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls `change` with the scheduler, and notifies all threads that wait.
    pub fn change_scheduler_and_notify<R>(&self, change: impl FnOnce(&mut Scheduler<T>) -> R) -> R {
        let mut state = self.lock();
        let result = change(&mut state.scheduler);
        let lost = if state.is_closed { state.scheduler.drain_queue() } else { Vec::new() };
        drop(state);
        self.changed.notify_all();
        drop(lost);
        result
    }

    /// Calls `signal` with the scheduler as soon as the signal no longer overtakes a command. Only
    /// the reading thread may call this.
    pub fn process_signal_in_order<R>(&self, signal: impl FnOnce(&mut Scheduler<T>) -> R) -> R {
        let mut state = self.lock();
        state.has_signal = true;
        while !state.is_closed && !state.scheduler.can_process_signal() {
            state = self.wait_for_change(state);
        }
        state.has_signal = false;
        let result = signal(&mut state.scheduler);
        self.changed.notify_all();
        result
    }

    /// Calls `read` with the scheduler.
    pub fn with_scheduler<R>(&self, read: impl FnOnce(&Scheduler<T>) -> R) -> R {
        read(&self.lock().scheduler)
    }

    /// Removes a command or a job that has ended. Notifies the waiting threads if one of them can
    /// now continue.
    pub fn remove_ended_command(&self, number: u64) {
        let SchedulerState { scheduler, has_signal, .. } = &mut *self.lock();
        let was_job = scheduler.remove_ended_command(number);
        let frees_command = was_job && !scheduler.has_no_queued_commands();
        if *has_signal || frees_command || scheduler.can_start_no_more_jobs() {
            self.changed.notify_all();
        }
    }

    /// Waits for the next command, and starts it. Returns `None` if there are no more commands, or
    /// if the output is closed.
    pub fn start_next_command(&self) -> Option<StartedCommand<T>> {
        self.next(Scheduler::start_next_command, Scheduler::are_commands_done)
    }

    /// Waits for the next job, and starts it. Returns `None` if there are no more jobs, or if the
    /// output is closed. If `most_ahead` is given, the number of the job must be less than the
    /// number of the next response to write plus `most_ahead`. This limits the number of responses
    /// that wait for an earlier response.
    pub fn start_next_job(&self, most_ahead: Option<u64>) -> Option<StartedCommand<T>> {
        self.next(
            |scheduler| scheduler.start_next_job(most_ahead),
            Scheduler::can_start_no_more_jobs,
        )
    }

    fn next(
        &self,
        next: impl Fn(&mut Scheduler<T>) -> Option<StartedCommand<T>>,
        has_ended: impl Fn(&Scheduler<T>) -> bool,
    ) -> Option<StartedCommand<T>> {
        let mut state = self.lock();
        while !state.is_closed && !has_ended(&state.scheduler) {
            let started = next(&mut state.scheduler);
            if started.is_some() {
                if state.has_signal {
                    self.changed.notify_all();
                }
                return started;
            }
            state = self.wait_for_change(state);
        }
        None
    }

    /// Returns whether the output is closed.
    pub fn is_closed(&self) -> bool {
        self.lock().is_closed
    }

    /// Closes the scheduler because the output is closed. Ends all threads and stops their
    /// commands.
    pub fn close(&self) {
        let mut state = self.lock();
        state.is_closed = true;
        state.scheduler.stop_all_commands();
        let lost = state.scheduler.drain_queue();
        drop(state);
        self.changed.notify_all();
        // When a line is dropped, the reading thread is notified that there is space.
        drop(lost);
    }
}
