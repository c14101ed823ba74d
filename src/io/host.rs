//! The system as the engine's host: its memory and its files.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;

use crate::engine::host::Host;

use super::free_memory::free_mib;

/// The system on which the program runs.
#[derive(Debug, Clone, Copy)]
pub struct System;

impl System {
    /// The system as a host that engines share.
    pub fn shared() -> Arc<dyn Host> {
        Arc::new(System)
    }
}

impl Host for System {
    fn free_memory(&self) -> Option<u64> {
        free_mib()
    }

    fn check_directory(&self, path: &str) -> Result<(), String> {
        // The path `DIRECTORY/.` exists only if it is a directory, and can be looked up only with the right to use it.
        match fs::metadata(Path::new(path).join(".")) {
            Ok(_) => Ok(()),
            Err(error) if error.kind() == ErrorKind::PermissionDenied => Err(format!("cannot be used: {error}")),
            Err(_) => Err("is none".into()),
        }
    }
}
