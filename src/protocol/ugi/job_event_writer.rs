//! Writes the events of a job as lines of UGI and UCI.

use pentarch_engine::games::all_game_words;
use pentarch_engine::job::{Job, JobEvent};

use crate::io::output::Output;
use crate::io::progress::ProgressLine;
use crate::protocol::uci_lines;

/// A job, and the writer of its events.
pub struct RunnableJob {
    /// The job to run.
    pub job: Job,
    /// The writer of the job's events.
    pub writer: JobEventWriter,
}

impl RunnableJob {
    /// Runs the job, and calls `before_result` before it writes the result. Returns the score of a
    /// search, in centipawns for the side to move.
    pub fn run(self, before_result: impl Fn()) -> Option<i32> {
        let RunnableJob { job, mut writer } = self;
        job.run(&mut |event| {
            if event.is_result() {
                before_result();
            }
            writer.write_event(&event);
        })
    }
}

/// Writes the events of one job.
pub struct JobEventWriter {
    out: Output,
    /// The progress display, for jobs that write no lines for a long time.
    progress: Option<ProgressLine>,
    /// Whether `bestmove` names the expected reply.
    pub ponder: bool,
    /// Whether a perft lists its moves.
    pub divide: bool,
}

impl JobEventWriter {
    /// Creates a writer.
    pub fn new(out: Output) -> JobEventWriter {
        JobEventWriter { out, progress: None, ponder: false, divide: false }
    }

    /// Returns the writer with a progress display under this title.
    pub fn with_progress(self, title: String) -> JobEventWriter {
        JobEventWriter { progress: Some(ProgressLine::begin(title)), ..self }
    }

    /// Shows the progress of the job.
    fn show_progress(&mut self, state: &str) {
        if let Some(progress) = &mut self.progress {
            progress.show(state);
        }
    }

    /// Writes an event as a line, or shows the event as progress.
    pub fn write_event(&mut self, event: &JobEvent) {
        let line = match event {
            JobEvent::SearchReport(info) => uci_lines::info_line(info),
            JobEvent::Proven => "info string proven".into(),
            JobEvent::PositionProven => {
                "info string proven for the position, not for the move".into()
            }
            JobEvent::Fault(fault) => return self.out.report_error(fault),
            JobEvent::BestMove { best, reply: Some(reply) } if self.ponder => {
                format!("bestmove {best} ponder {reply}")
            }
            JobEvent::BestMove { best, .. } => format!("bestmove {best}"),
            JobEvent::TablesReady => "readyok".into(),
            JobEvent::PerftMove { text, leaves, .. } if self.divide => format!("{text}: {leaves}"),
            JobEvent::PerftMove { text, sum, .. } => {
                return self.show_progress(&format!("{sum} nodes up to {text}"));
            }
            JobEvent::PerftSum(nodes) => format!("Nodes: {nodes}"),
            JobEvent::BenchPosition { game, number, count } => {
                if *number == 1 {
                    self.progress = Some(ProgressLine::begin(format!("bench {game}")));
                }
                return self.show_progress(&format!("position {number} of {count}"));
            }
            JobEvent::BenchGame { game, depth, nodes, time } => {
                let width =
                    all_game_words().iter().map(|word| word.len()).max().unwrap_or(0).max(10);
                let nps = uci_lines::nodes_per_second(*nodes, *time);
                format!(
                    "{game:width$} depth {depth:2} {nodes:>12} nodes {:>7} ms {nps:>10} nps",
                    time.as_millis()
                )
            }
            JobEvent::BenchSum { nodes, time } => {
                format!("Nodes: {nodes}\nNPS: {}", uci_lines::nodes_per_second(*nodes, *time))
            }
            JobEvent::Stopped => "info string stopped".into(),
            JobEvent::NoMemory => return self.out.report_error("no memory for the benchmark"),
        };
        if let Some(progress) = &mut self.progress {
            progress.clear();
        }
        self.out.write_lines(&line);
    }
}
