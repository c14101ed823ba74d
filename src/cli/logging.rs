//! Writes the log of the program, if a log is requested.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use crate::io::output::print_to_stderr;
use crate::io::whole_files::open_regular_file;
use pentarch_core::notation::parsing::escape_for_terminal;
use pentarch_system::{FileError, WithErrorLocation};

/// The file of the log. A failed write is reported once, and then the program continues without a
/// log.
struct LogFile {
    file: Option<File>,
    name: String,
}

impl Write for LogFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Some(Err(error)) = self.file.as_mut().map(|file| file.write_all(bytes)) {
            self.file = None;
            print_to_stderr(&format!("the log {} ends here: {error}", self.name));
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Starts logging, if an environment variable requests it or if `log_file` is a path.
pub(super) fn start_logging(log_file: Option<&Path>) -> Result<(), FileError> {
    let level = if log_file.is_some() { "debug" } else { "off" };
    let mut builder =
        env_logger::Builder::from_env(env_logger::Env::default().default_filter_or(level));
    let begun = std::time::Instant::now();
    let id = std::process::id();
    builder.format(move |line, record| {
        let seconds = begun.elapsed().as_secs_f64();
        let text = escape_for_terminal(&record.args().to_string());
        writeln!(line, "{id:7} {seconds:10.3} {:5} {text}", record.level())
    });
    if let Some(path) = log_file {
        // Several runs may append to one file. Only regular files are opened, because other files
        // could block the program or must not be written to. A new file is private to the user,
        // because the log may contain the user's games and paths.
        let mut options = OpenOptions::new();
        options.append(true).create(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = Some(open_regular_file(&options, path).with_file_path(path)?);
        builder.target(env_logger::Target::Pipe(Box::new(LogFile {
            file,
            name: path.display().to_string(),
        })));
    }
    builder.init();
    Ok(())
}
