//! Responds to requests in lines of JSON, on several threads. Each request gets one response.
//! Reports of the results so far may precede the response.
//!
//! The reading thread executes each `stop` immediately, and passes the other requests to the
//! [scheduler](pentarch_engine::scheduler). Workers take jobs from the scheduler. One thread writes
//! the responses. There are two modes:
//!
//! - Ordered: responses come in the order of the requests, and each request is a job.
//! - Not ordered: a response is written as soon as it is ready. One more thread responds to
//!   requests without a search.

use std::collections::BTreeMap;
use std::io::BufRead;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;

use crate::io::host::SystemHost;
use crate::io::input::{InputLines, WaitingInputLine};
use crate::io::output::Output;
use crate::io::shared_scheduler::SharedScheduler;
use pentarch_engine::error::EngineError;
use pentarch_engine::host::{Host, HostFault};
use pentarch_engine::proof::ProofFailure;
use pentarch_engine::requests::field_checks::{FieldCheckError, UnavailableFeature};
use pentarch_engine::requests::fields::{InputMessage, InvalidMessage, RequestFields};
use pentarch_engine::requests::id::Id;
use pentarch_engine::requests::report_throttle::ReportThrottle;
use pentarch_engine::requests::responder::{PreparedResponse, Responder};
use pentarch_engine::requests::response::Response;
use pentarch_engine::requests::response_task::ResponseTask;
use pentarch_engine::scheduler::{
    CommandHandle, CommandStartCondition, Scheduler, StartedCommand, StopEffect,
};
use pentarch_engine::stopper::Stopper;
use pentarch_search::transposition::TranspositionTable;

use super::{BatchThreadOptions, start_detached_thread, thread_error_to_host_fault};

/// The maximum number of responses per worker that wait for an earlier response.
const MAX_OUT_OF_ORDER_RESPONSES: u64 = 64;

/// The maximum number of lines that wait for the writing thread. A thread that sends more lines
/// must wait, so that a slow reader does not increase memory use.
const MAX_QUEUED_OUTPUT_LINES: usize = 64;

/// A request in the queue.
struct QueuedRequest {
    /// The line of input with the request. The line counts as unanswered until its response is
    /// written.
    line: WaitingInputLine,
    /// The stage that the request has reached.
    stage: RequestStage,
}

/// The stage of a request that has no response yet.
enum RequestStage {
    /// The parsed request, or the error for a line that is not a request.
    Parsed(Result<Box<RequestFields>, EngineError>),
    /// The request needs searches.
    Task(Box<ResponseTask>),
}

type RequestQueue = SharedScheduler<QueuedRequest>;

/// A line of output.
enum OutputLine {
    /// A report on the request with this number. In each interval of this length, at most one
    /// report on the request is written.
    Report(u64, Duration, Box<Response>),
    /// The response to a request.
    Response {
        /// The number of the request.
        number: u64,
        /// The response as a line of JSON.
        line: String,
        /// Whether there was not enough memory for a proof.
        lacks_memory: bool,
    },
    /// A response that does not wait for a search: the response to a `stop`, or to a line that the
    /// console rejects.
    Immediate(String),
}

impl OutputLine {
    /// Returns the output line for a response. `number` is the number of the request.
    fn for_response(number: u64, response: &Response) -> OutputLine {
        let why = response.prove.as_ref().and_then(|settled| settled.why.as_ref());
        let lacks_memory = why == Some(&ProofFailure::NoMemory);
        OutputLine::Response { number, line: response.to_json_line(), lacks_memory }
    }
}

/// A handler of lines for the UGI session of a socket. The reading thread calls the handler with a
/// line and with the `id` of the responses to this line.
pub(crate) type ConsoleLineHandler = dyn FnMut(Id, String) -> Result<(), EngineError> + Send;

/// Responds to each line of the input, until the input ends or the output closes. If the batch is
/// not ordered, responds immediately to requests without a search. Without a console, each line for
/// the console is an error. If a proof did not have enough memory, returns the number of the first
/// such request, from 0.
///
/// # Errors
/// If there is not enough memory. In that case no thread is running. A failure of the input or of
/// the output is stored in the output.
pub(crate) fn respond_to_request_lines(
    input: impl BufRead + Send + 'static,
    limit: usize,
    out: &Output,
    responder: Responder,
    batch: BatchThreadOptions,
    console: Option<Box<ConsoleLineHandler>>,
) -> Result<Option<u64>, HostFault> {
    let queue = RequestQueue::new_closing_with_output(out);
    let lines = InputLines::new(input, limit, out)
        .with_memory_overhead_per_line(size_of::<RequestFields>());
    let output_lines = start_analysis_threads(&queue, lines, responder, batch, console)
        .inspect_err(|_| queue.close())?;
    Ok(write_output_lines(&queue, &output_lines, out, batch.ordered))
}

/// Starts the threads, and returns the receiver of their lines.
fn start_analysis_threads(
    queue: &Arc<RequestQueue>,
    lines: InputLines<impl BufRead + Send + 'static>,
    responder: Responder,
    batch: BatchThreadOptions,
    mut console: Option<Box<ConsoleLineHandler>>,
) -> Result<Receiver<OutputLine>, HostFault> {
    let BatchThreadOptions { concurrency, ordered, .. } = batch;
    let (sender, output_lines) = sync_channel(MAX_QUEUED_OUTPUT_LINES);
    for number in 0..concurrency {
        let queue = queue.clone();
        let sender = sender.clone();
        let responder = responder.clone_for_thread();
        let most_ahead = ordered.then_some(MAX_OUT_OF_ORDER_RESPONSES * concurrency as u64);
        batch.start_worker_thread(number, move |table| {
            run_search_jobs(&queue, responder, table, &sender, most_ahead);
        })?;
    }
    let mut dispatcher =
        RequestDispatcher { queue: queue.clone(), sender: sender.clone(), ordered };
    // If the responses are ordered, only the workers and the dispatcher send lines. Otherwise one
    // more thread also sends responses.
    if !ordered {
        let queue = queue.clone();
        let most_tasks = MAX_OUT_OF_ORDER_RESPONSES as usize * concurrency;
        start_detached_thread("answers".into(), "answer on", move || {
            prepare_requests(&queue, responder, &sender, most_tasks);
        })?;
    }
    queue
        .start_reading_thread(lines, move |_, line| {
            dispatcher.dispatch_line(line, console.as_deref_mut())
        })
        .map_err(thread_error_to_host_fault)?;
    Ok(output_lines)
}

/// Passes each line of the input on. Runs on the reading thread.
struct RequestDispatcher {
    queue: Arc<RequestQueue>,
    sender: SyncSender<OutputLine>,
    ordered: bool,
}

impl RequestDispatcher {
    /// Accepts a line: executes a `stop`, passes a line to the console, or queues a request.
    fn dispatch_line(
        &mut self,
        mut line: WaitingInputLine,
        console: Option<&mut ConsoleLineHandler>,
    ) {
        if let Ok(text) = &line.text {
            if text.trim().is_empty() {
                return;
            }
            log::debug!("> {text}");
        }
        let (id, parsed) = match parse_message_line(&line) {
            Ok(InputMessage::Request(fields)) => {
                (fields.id.clone().unwrap_or_default(), Ok(fields))
            }
            Ok(InputMessage::Stop { id, target }) => {
                let count = self.queue.change_scheduler_and_notify(|state| {
                    state.stop_commands_with_id(target.as_ref())
                });
                if let Some(id) = id {
                    self.send_output_line(OutputLine::Immediate(
                        Response::for_stop(id, count).to_json_line(),
                    ));
                }
                return;
            }
            Ok(InputMessage::Console { id, line }) => match console {
                None => (
                    id,
                    Err(FieldCheckError::from(UnavailableFeature::Console).in_named_field("ugi")),
                ),
                Some(console) => {
                    if let Err(error) = console(id.clone(), line) {
                        self.send_output_line(OutputLine::Immediate(
                            Response::for_error(id, error).to_json_line(),
                        ));
                    }
                    return;
                }
            },
            Err(invalid) => (invalid.id, Err(invalid.error)),
        };
        let questions = parsed.as_ref().map_or(&[][..], |fields| fields.questions());
        let needs_search = questions.iter().any(|question| question.needs_search());
        let priority = parsed.as_ref().ok().and_then(|fields| fields.priority).unwrap_or_default();
        // The line still counts as a waiting request. Its text is dropped to free memory, because
        // `parsed` contains its fields.
        line.text = Ok(String::new());
        let stop_effect = if needs_search { StopEffect::Searches } else { StopEffect::None };
        let handle = CommandHandle { id, stop_effect, stopper: Stopper::default() };
        let request = QueuedRequest { line, stage: RequestStage::Parsed(parsed) };
        self.queue.change_scheduler_and_notify(|state| match self.ordered {
            true => state.push_job(priority.0, request, handle),
            false => {
                state.push_command(CommandStartCondition::DuringJob, priority.0, request, handle)
            }
        });
    }

    fn send_output_line(&self, line: OutputLine) {
        // Sending fails only if the output is closed.
        let _ = self.sender.send(line);
    }
}

/// Parses a line.
fn parse_message_line(line: &WaitingInputLine) -> Result<InputMessage, Box<InvalidMessage>> {
    match &line.text {
        Ok(text) => InputMessage::parse(text),
        Err(error) => Err(Box::new(InvalidMessage { id: Id::default(), error: error.into() })),
    }
}

/// Returns the result of `run` for a request with this ID. A panic is a fault of the program, and
/// becomes an error of the request.
fn panic_to_error_response<T: From<Response>>(id: &Id, run: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(run))
        .unwrap_or_else(|_| Response::for_error(id.clone(), HostFault::Panic.into()).into())
}

/// Prepares a request from the queue.
fn prepare_request(
    responder: &mut Responder,
    stage: RequestStage,
    handle: &CommandHandle,
) -> PreparedResponse {
    let mut prepared = match stage {
        RequestStage::Task(task) => PreparedResponse::Task(task),
        RequestStage::Parsed(Err(error)) => Response::for_error(handle.id.clone(), error).into(),
        RequestStage::Parsed(Ok(fields)) => {
            panic_to_error_response(&handle.id, || responder.prepare_response(*fields))
        }
    };
    if let PreparedResponse::Task(task) = &mut prepared {
        task.stopper = handle.stopper.clone();
    }
    prepared
}

/// Prepares requests as they arrive, until no request is left. Responds to requests without a
/// search, and queues the others for the workers. At most `most_tasks` tasks are queued, because a
/// task takes more memory than a request.
fn prepare_requests(
    queue: &RequestQueue,
    mut responder: Responder,
    sender: &SyncSender<OutputLine>,
    most_tasks: usize,
) {
    while let Some(mut started) = queue.start_next_command() {
        if started.handle.stop_effect != StopEffect::None
            && queue.with_scheduler(Scheduler::queued_job_count) >= most_tasks
        {
            queue.change_scheduler_and_notify(|state| state.requeue_as_job(started));
            continue;
        }
        match prepare_request(&mut responder, started.item.stage, &started.handle) {
            PreparedResponse::Task(task) => {
                started.item.stage = RequestStage::Task(task);
                queue.change_scheduler_and_notify(|state| state.requeue_as_job(started));
            }
            PreparedResponse::Response(response) => {
                queue.remove_ended_command(started.number);
                if sender.send(OutputLine::for_response(started.number, &response)).is_err() {
                    break;
                }
            }
        }
    }
}

/// Executes jobs and sends their responses until there are no more jobs.
fn run_search_jobs(
    queue: &RequestQueue,
    mut responder: Responder,
    table: &TranspositionTable,
    sender: &SyncSender<OutputLine>,
    most_ahead: Option<u64>,
) {
    while let Some(StartedCommand { number, item, handle, .. }) = queue.start_next_job(most_ahead) {
        let QueuedRequest { line: _line, stage } = item;
        let response = match prepare_request(&mut responder, stage, &handle) {
            PreparedResponse::Response(response) => *response,
            PreparedResponse::Task(mut task) => {
                let every = task.every.unwrap_or_default();
                let mut report = |report| {
                    drop(sender.send(OutputLine::Report(number, every, Box::new(report))));
                };
                panic_to_error_response(&handle.id, || task.run(table, &mut report))
            }
        };
        queue.remove_ended_command(number);
        if sender.send(OutputLine::for_response(number, &response)).is_err() {
            return;
        }
    }
}

/// Writes lines until no line is left, or the output is closed. If a proof did not have enough
/// memory, returns the number of the first such request.
fn write_output_lines(
    queue: &RequestQueue,
    output_lines: &Receiver<OutputLine>,
    out: &Output,
    ordered: bool,
) -> Option<u64> {
    let clock = SystemHost.host_clock();
    let mut reports: BTreeMap<u64, ReportThrottle> = BTreeMap::new();
    let mut responses: BTreeMap<u64, String> = BTreeMap::new();
    let mut next = 0;
    let mut without_memory: Option<u64> = None;
    while !out.is_closed() {
        let due = reports.values().filter_map(ReportThrottle::report_due_time).min();
        let received = match due {
            None => output_lines.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(due) => output_lines.recv_timeout(due.saturating_sub(clock.now())),
        };
        match received {
            Ok(OutputLine::Immediate(line)) => out.write_lines(&line),
            Ok(OutputLine::Report(number, every, report)) => {
                reports
                    .entry(number)
                    .or_insert_with(|| ReportThrottle::new(every))
                    .store_report(*report);
            }
            Ok(OutputLine::Response { number, line, lacks_memory }) => {
                reports.remove(&number);
                if lacks_memory {
                    without_memory = without_memory.into_iter().chain([number]).min();
                }
                responses.insert(if ordered { number } else { next }, line);
                while let Some(line) = responses.remove(&next) {
                    next += 1;
                    out.write_lines(&line);
                }
                queue.change_scheduler_and_notify(|state| state.responses_written = next);
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        for report in
            reports.values_mut().filter_map(|throttle| throttle.take_due_report(clock.now()))
        {
            out.write_lines(&Response { partial: Some(true), ..report }.to_json_line());
        }
    }
    without_memory
}
