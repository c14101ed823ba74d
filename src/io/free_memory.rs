//! Determines the memory that the system and its limits leave to the program.
//!
//! Linux grants more memory than the machine has. Linux then kills a program that uses too much of
//! this memory. Linux reports the available memory in `/proc/meminfo`. For a container or another
//! control group, Linux reports memory in files of the group and of its ancestors.

use std::fs;
use std::path::Path;

/// Returns the memory in MiB that the program could get now; `None` if the system does not report
/// this amount.
pub fn free_memory_mib() -> Option<u64> {
    free_system_memory_bytes(Path::new("/")).map(|bytes| bytes / (1024 * 1024))
}

/// Returns the memory in bytes that a program could get. The system's files are below the directory
/// `root`.
fn free_system_memory_bytes(root: &Path) -> Option<u64> {
    let meminfo = fs::read_to_string(root.join("proc/meminfo")).ok();
    let of_system = meminfo.and_then(|text| {
        let kib = text
            .lines()
            .find_map(|line| line.strip_prefix("MemAvailable:"))?
            .trim()
            .strip_suffix(" kB")?;
        kib.parse::<u64>().ok()?.checked_mul(1024)
    });
    let groups = fs::read_to_string(root.join("proc/self/cgroup")).unwrap_or_default();
    let of_groups =
        groups.lines().filter_map(|line| free_bytes_in_cgroup(&root.join("sys/fs/cgroup"), line));
    of_groups.chain(of_system).min()
}

/// The names of the files in which a version of control groups reports memory.
struct ControlGroupFiles {
    /// The file with the limit in bytes.
    limit: &'static str,
    /// The file with the number of bytes in use. The number includes the file cache.
    usage: &'static str,
    /// The key in `memory.stat` for a part of the file cache. The kernel frees this part when
    /// memory is needed.
    cache: &'static str,
}

/// The names of version 1.
const CGROUP_V1_FILES: ControlGroupFiles = ControlGroupFiles {
    limit: "memory.limit_in_bytes",
    usage: "memory.usage_in_bytes",
    cache: "total_inactive_file ",
};
/// The names of version 2.
const CGROUP_V2_FILES: ControlGroupFiles =
    ControlGroupFiles { limit: "memory.max", usage: "memory.current", cache: "inactive_file " };

/// Returns the memory in bytes that the limits of a control group and of its ancestors leave;
/// `None` if nothing limits the memory. `line` is a line of `/proc/self/cgroup`, and names the
/// group.
fn free_bytes_in_cgroup(mounted: &Path, line: &str) -> Option<u64> {
    let (controllers, group) = line.split_once(':')?.1.split_once(':')?;
    let (files, top) = match controllers {
        "" => (CGROUP_V2_FILES, mounted.to_path_buf()),
        _ if controllers.split(',').any(|name| name == "memory") => {
            (CGROUP_V1_FILES, mounted.join("memory"))
        }
        _ => return None,
    };
    // In a container, the path of the group may be its path outside the container. Then only the
    // top directory exists inside the container.
    let group = Path::new(group.trim_start_matches('/'));
    group.ancestors().filter_map(|path| files.free_bytes_of_group(&top.join(path))).min()
}

impl ControlGroupFiles {
    /// Returns the memory in bytes that the limit of the control group in `directory` leaves.
    fn free_bytes_of_group(&self, directory: &Path) -> Option<u64> {
        let text = |name: &str| fs::read_to_string(directory.join(name)).ok();
        let number = |name: &str| text(name)?.trim().parse::<u64>().ok();
        let limit = number(self.limit)?;
        let usage = number(self.usage)?;
        let statistics = text("memory.stat").unwrap_or_default();
        let mut values = statistics.lines().filter_map(|line| line.strip_prefix(self.cache));
        let cache = values.find_map(|value| value.parse().ok()).unwrap_or(0);
        Some(limit.saturating_sub(usage.saturating_sub(cache)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the free memory of a system with these files.
    fn free(name: &str, files: &[(&str, &str)]) -> Option<u64> {
        let root =
            std::env::temp_dir().join(format!("pentarch-memory-{name}-{}", std::process::id()));
        for (path, text) in files {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let free = free_system_memory_bytes(&root);
        // If the folder cannot be removed, it remains among the temporary files.
        let _ = fs::remove_dir_all(root);
        free
    }

    const MEMINFO: (&str, &str) = ("proc/meminfo", "MemTotal:  9000 kB\nMemAvailable:   8000 kB\n");

    #[test]
    fn reads_meminfo_without_groups() {
        assert_eq!(free("none", &[]), None);
        assert_eq!(free("system", &[MEMINFO]), Some(8_192_000));
        let unlimited =
            [MEMINFO, ("proc/self/cgroup", "0::/a\n"), ("sys/fs/cgroup/a/memory.max", "max\n")];
        assert_eq!(free("unlimited", &unlimited), Some(8_192_000));
    }

    #[test]
    fn the_least_limit_of_the_ancestors_counts() {
        let files = [
            MEMINFO,
            ("proc/self/cgroup", "0::/a/b\n"),
            ("sys/fs/cgroup/a/memory.max", "5000000\n"),
            ("sys/fs/cgroup/a/memory.current", "4000000\n"),
            ("sys/fs/cgroup/a/memory.stat", "anon 7\ninactive_file 500000\n"),
            ("sys/fs/cgroup/a/b/memory.max", "3000000\n"),
            ("sys/fs/cgroup/a/b/memory.current", "1000000\n"),
        ];
        assert_eq!(free("version-2", &files), Some(1_500_000));
    }

    #[test]
    fn a_container_of_version_1_has_the_limit_of_the_top_group() {
        let files = [
            MEMINFO,
            ("proc/self/cgroup", "4:cpu,cpuacct:/outside/1\n3:memory:/outside/1\n0::/\n"),
            ("sys/fs/cgroup/memory/memory.limit_in_bytes", "40000\n"),
            ("sys/fs/cgroup/memory/memory.usage_in_bytes", "39000\n"),
            ("sys/fs/cgroup/memory/memory.stat", "total_inactive_file 3000\n"),
        ];
        assert_eq!(free("version-1", &files), Some(4_000));
    }
}
