//! Provides the engine with the clock, the memory and the files of the operating system.

use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use pentarch_core::TableFiles;
use pentarch_core::tables::directory::TableDirectory;
use pentarch_engine::host::{Host, TablebaseDirectoryError};
use pentarch_search::clock::Clock;

use super::free_memory::free_memory_mib;

/// The system on which the program runs.
#[derive(Debug, Clone, Copy)]
pub struct SystemHost;

impl SystemHost {
    /// Returns the operating system as a host. Several engines can share this host.
    pub fn shared_host() -> Arc<dyn Host> {
        Arc::new(SystemHost)
    }
}

impl Host for SystemHost {
    fn host_clock(&self) -> Clock {
        let start = Instant::now();
        Clock::new(move || start.elapsed())
    }

    fn free_memory_mib(&self) -> Option<u64> {
        free_memory_mib()
    }

    fn open_table_files(
        &self,
        directory: &str,
    ) -> Result<Arc<dyn TableFiles>, TablebaseDirectoryError> {
        let path = PathBuf::from(directory);
        // `DIRECTORY/.` exists only if DIRECTORY is a directory. Looking up this path requires
        // permission to use the directory.
        match fs::metadata(path.join(".")) {
            Ok(_) => Ok(Arc::new(TableDirectory(path))),
            Err(error) if error.kind() == ErrorKind::PermissionDenied => {
                Err(TablebaseDirectoryError::Denied { code: error.raw_os_error() })
            }
            Err(_) => Err(TablebaseDirectoryError::Missing),
        }
    }
}
