//! How much memory the system and its limits leave to the program.
//!
//! Linux grants more memory than it has, and ends a program that uses it. It says how much there is in
//! `/proc/meminfo`, and for a container or another control group in files of the group and of those above it.

use std::fs;
use std::path::Path;

/// How much memory the program could get now, in MiB; `None` where the system does not say.
pub fn free_mib() -> Option<u64> {
    free_bytes(Path::new("/")).map(|bytes| bytes / (1024 * 1024))
}

/// How much memory a program could get, in bytes, by the files of the system below this directory.
fn free_bytes(root: &Path) -> Option<u64> {
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
    let of_groups = groups.lines().filter_map(|line| of_group(&root.join("sys/fs/cgroup"), line));
    of_groups.chain(of_system).min()
}

/// The files of a control group of the first version that limit memory: those with the limit in bytes and with the
/// bytes in use, file cache included; and the line of `memory.stat` with the file cache that is given up when memory is
/// needed.
const VERSION_1: [&str; 3] =
    ["memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file "];
/// The same of the second version.
const VERSION_2: [&str; 3] = ["memory.max", "memory.current", "inactive_file "];

/// What is left under the limits of the control group in a line of `/proc/self/cgroup` and of those above it; `None` if
/// nothing limits its memory.
fn of_group(mounted: &Path, line: &str) -> Option<u64> {
    let (controllers, group) = line.split_once(':')?.1.split_once(':')?;
    let ([limit, usage, cache], top) = match controllers {
        "" => (VERSION_2, mounted.to_path_buf()),
        _ if controllers.split(',').any(|name| name == "memory") => {
            (VERSION_1, mounted.join("memory"))
        }
        _ => return None,
    };
    let left = |directory: &Path| {
        let text = |name: &str| fs::read_to_string(directory.join(name)).ok();
        let number = |name: &str| text(name)?.trim().parse::<u64>().ok();
        let (limit, usage) = (number(limit)?, number(usage)?);
        let statistics = text("memory.stat").unwrap_or_default();
        let cache =
            statistics.lines().find_map(|line| line.strip_prefix(cache)?.parse().ok()).unwrap_or(0);
        Some(limit.saturating_sub(usage.saturating_sub(cache)))
    };
    // In a container the path may be that outside of it, of which only the top is there.
    let below = Path::new(group.trim_start_matches('/'));
    below.ancestors().filter_map(|path| left(&top.join(path))).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is free where the system has these files.
    fn free(name: &str, files: &[(&str, &str)]) -> Option<u64> {
        let root =
            std::env::temp_dir().join(format!("pentarch-memory-{name}-{}", std::process::id()));
        for (path, text) in files {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let free = free_bytes(&root);
        // What cannot be removed stays among the temporary files.
        let _ = fs::remove_dir_all(root);
        free
    }

    const MEMINFO: (&str, &str) = ("proc/meminfo", "MemTotal:  9000 kB\nMemAvailable:   8000 kB\n");

    #[test]
    fn without_groups_the_system_says_what_is_free() {
        assert_eq!(free("none", &[]), None);
        assert_eq!(free("system", &[MEMINFO]), Some(8_192_000));
        let unlimited =
            [MEMINFO, ("proc/self/cgroup", "0::/a\n"), ("sys/fs/cgroup/a/memory.max", "max\n")];
        assert_eq!(free("unlimited", &unlimited), Some(8_192_000));
    }

    #[test]
    fn the_least_limit_of_the_groups_above_counts() {
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
    fn in_a_container_of_version_1_the_group_at_the_top_counts() {
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
