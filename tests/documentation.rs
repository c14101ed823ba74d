//! The lists in the documentation. Each list of games must name every game of
//! [`game_words()`], and each table of modules must name every module.

use pentarch_core::rules::options::REPETITION_DRAW_OPTION;
use pentarch_core::{OptionKind, OptionSpec};
use pentarch_engine::games::{all_game_words, all_games};
use pentarch_games::{Game, GameOperation};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::client::{program, run};
use crate::common::{for_each_game, rules};

/// The documents with a list of games.
#[derive(Clone)]
struct Lists {
    readme: String,
    protocol: String,
    /// The page about the boards that Go front ends show.
    go_boards: String,
    /// The help text before the usage line.
    help: String,
    /// The transcript of GTP's command `list_games`.
    gtp: String,
    /// The file that describes the package.
    manifest: String,
    /// Other files that name every game.
    others: [(&'static str, String); 4],
}

/// Returns whether a sentence names a game. The sentence may contain the whole name or a part that
/// selects the game.
fn names<G: Game>(sentence: &str) -> bool {
    sentence.contains(G::GAME_NAME) || sentence.to_lowercase().contains(G::GAME_ID)
}

impl GameOperation for Lists {
    type Output = ();

    fn run_for_game_type<G: Game>(self) {
        let (id, name) = (format!("`{}`", G::GAME_ID), G::GAME_NAME);
        let option = self
            .protocol
            .lines()
            .find(|line| line.starts_with("| `Game` | ") && line.matches('`').count() > 4);
        let option = option.expect("protocol.md has no row for the option Game");
        let mut missing = Vec::new();
        let mut must = |holds: bool, what: String| missing.extend((!holds).then_some(what));
        must(
            self.readme.lines().any(|line| line.starts_with(&format!("| {name} | {id} | "))),
            format!(
                "README.md: the row '| {name} | {id} | what it is about |' in the table of games"
            ),
        );
        must(
            option.contains(&id),
            format!("protocol.md, table of options: {id} among the values of `Game`"),
        );
        let page = format!("docs/games/{}.md", G::GAME_ID);
        must(
            self.protocol.lines().any(|line| {
                line.starts_with(&format!("| {name} | {id} | ")) && line.contains(&page)
            }),
            format!(
                "protocol.md: the row '| {name} | {id} | options | [{}.md]({page}) | rules |' in 'The games'",
                G::GAME_ID
            ),
        );
        let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(&page))
            .unwrap_or_default();
        must(
            !text.is_empty(),
            format!("{page}: the page on the notation, options and outcomes of {name}"),
        );
        for heading in ["Options", "FEN", "Moves", "Outcomes", "Where the rules are silent"] {
            must(
                text.contains(&format!("\n## {heading}\n")),
                format!("{page}: a section '## {heading}'"),
            );
        }
        must(text.contains("\n```ugi\n"), format!("{page}: examples, marked `ugi`"));
        for option in G::RULE_OPTIONS {
            must(
                text.contains(&format!("\n| `{}` | ", option.name)),
                format!("{page}: a row for {}", option.name),
            );
        }
        let missing_values = undocumented_values(G::RULE_OPTIONS, &text);
        must(
            missing_values.is_empty(),
            format!("{page}, 'Sources of the options': rows for {}", missing_values.join(", ")),
        );
        must(
            rules::<G>(&[]).go_board_shape().is_none()
                || self.go_boards.contains(&format!("\n## {name}\n")),
            format!("docs/go-front-ends.md: a section '## {name}' on its board"),
        );
        must(names::<G>(&self.help), format!("`pentarch --help`: {name} in the first sentence"));
        let description = self.manifest.lines().find(|line| line.starts_with("description = "));
        must(description.is_some_and(names::<G>), format!("Cargo.toml: {name} in `description`"));
        for (path, text) in &self.others {
            must(names::<G>(text), format!("{path}: {name} or {id} in the list of games"));
        }
        let (_, list) =
            self.gtp.split_once("\n> list_games\n").expect("a list of games in the transcript");
        let lists = list
            .lines()
            .take_while(|line| line.starts_with('<'))
            .any(|line| line.ends_with(&format!(" {}", G::GAME_ID)));
        must(
            lists,
            format!(
                "fixtures/protocol/commands.gtp: the line '< {}' below '> list_games'",
                G::GAME_ID
            ),
        );
        assert!(
            missing.is_empty(),
            "{name} is not in every list of games; add\n  {}",
            missing.join("\n  ")
        );
    }
}

/// The words of the evidence for a value of an option. A row may continue after such a word.
const EVIDENCE: [&str; 3] = ["stated", "inferred", "own choice"];

/// Returns the options and values that have no row in the section on sources of a page. A row has
/// the option, the value, the requirement, the statement of the source, and the evidence.
fn undocumented_values(options: &[OptionSpec], page: &str) -> Vec<String> {
    let section = page.split_once("\n## Sources of the options\n").map_or("", |parts| parts.1);
    let section = section.split("\n## ").next().unwrap_or_default();
    let mut documented = BTreeSet::new();
    for row in section.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        if cells.len() == 5
            && !cells[2].is_empty()
            && EVIDENCE.iter().any(|word| cells[4].starts_with(word))
        {
            let values = cells[1].replace('`', "");
            let bounds: Vec<i64> =
                values.split(" to ").filter_map(|bound| bound.parse().ok()).collect();
            let numbers = match bounds[..] {
                [first, last] => (first..=last).map(|number| number.to_string()).collect(),
                _ => vec![values],
            };
            documented.extend(
                numbers.iter().map(|value| format!("{} {value}", cells[0].replace('`', ""))),
            );
        }
    }
    // All games have the option for draws by repetition.
    let values = options.iter().chain([&REPETITION_DRAW_OPTION.spec]).flat_map(|option| {
        let words: Vec<String> = match option.kind {
            OptionKind::Check { .. } => vec!["false".into(), "true".into()],
            OptionKind::Spin { min, max, .. } => (min..=max).map(|n| n.to_string()).collect(),
            OptionKind::Combo { values, .. } => values.iter().map(|&word| word.into()).collect(),
            OptionKind::String | OptionKind::Button => Vec::new(),
        };
        words.into_iter().map(|word| format!("{} {word}", option.name))
    });
    // The value `ruleset` leaves the choice to the preset, which has rows of its own.
    values.filter(|value| !documented.contains(value) && !value.ends_with(" ruleset")).collect()
}

#[test]
fn a_value_without_its_evidence_is_undocumented() {
    let option = OptionSpec {
        name: "Sample_Size",
        help: "",
        kind: OptionKind::Spin { default: 1, min: 1, max: 4 },
        when: None,
    };
    let page = "\n## Sources of the options\n\n\
                | `Sample_Size` | `1` | 2.1 | nothing | own choice |\n\
                | `Sample_Size` | `2` to `3` | 2.1 | nothing | |\n\
                | `Sample_Size` | `3` | 2.1 | nothing | inferred |\n\
                | `Sample_Size` | `4` | | nothing | inferred |\n\
                | `RepetitionDraw` | `true` | 7.3 | nothing | own choice |\n";
    assert_eq!(
        undocumented_values(&[option], page),
        ["Sample_Size 2", "Sample_Size 4", "RepetitionDraw false"]
    );
    assert_eq!(undocumented_values(&[option], "").len(), 6);
}

#[test]
fn every_list_of_games_names_every_game() {
    let read =
        |name: &str| fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).unwrap();
    let (help, ..) = run(program(["--help"]), "");
    let help = help.split("Usage:").next().unwrap().into();
    let gtp = read("fixtures/protocol/commands.gtp");
    for_each_game(Lists {
        readme: read("README.md"),
        protocol: read("protocol.md"),
        go_boards: read("docs/go-front-ends.md"),
        help,
        gtp,
        manifest: read("Cargo.toml"),
        others: [
            "src/lib.rs",
            "src/crates/web/page/manifest.webmanifest",
            ".github/CONTRIBUTING.md",
            "pyproject.toml",
        ]
        .map(|path| (path, read(path))),
    });
    assert!(!all_game_words().is_empty());
}

/// The page shows the same scores as docs/levels.md.
#[test]
fn the_scores_of_the_first_sides_are_documented() {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/levels.md"));
    let page = page.unwrap();
    for game in all_games() {
        let score = game.first_side_score_percent.unwrap();
        let row = format!("| {} | {} | {score} |", game.name, game.sides[0]);
        assert!(page.contains(&row), "{row}");
    }
}

#[test]
fn the_citation_has_the_data_of_the_package() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("CITATION.cff");
    let citation = fs::read_to_string(path).unwrap();
    let lines: Vec<&str> =
        citation.lines().map(|line| line.trim_start_matches([' ', '-'])).collect();
    for line in [
        "cff-version: 1.2.0".to_string(),
        format!("title: {}", env!("CARGO_PKG_NAME")),
        format!("abstract: {}", env!("CARGO_PKG_DESCRIPTION")),
        format!("name: {}", env!("CARGO_PKG_AUTHORS")),
        format!("version: {}", env!("CARGO_PKG_VERSION")),
    ] {
        assert!(lines.contains(&line.as_str()), "{line}");
    }
    for license in env!("CARGO_PKG_LICENSE").split(" OR ") {
        assert!(lines.contains(&license), "{license}");
    }
}

#[test]
fn the_python_package_has_the_data_of_the_package() {
    let read =
        |name: &str| fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).unwrap();
    let version = format!("__version__ = \"{}\"\n", env!("CARGO_PKG_VERSION"));
    assert!(read("src/python/pentarch/__init__.py").contains(&version), "{version}");
    let project = read("pyproject.toml");
    for line in [
        format!("name = \"{}\"\n", env!("CARGO_PKG_NAME")),
        format!("license = \"{}\"\n", env!("CARGO_PKG_LICENSE")),
        format!("authors = [{{ name = \"{}\" }}]\n", env!("CARGO_PKG_AUTHORS")),
    ] {
        assert!(project.contains(&line), "{line}");
    }
}

/// Returns three sets of modules: those that a file declares for tests, its other modules, and
/// those in its table.
fn modules(text: &str) -> [BTreeSet<&str>; 3] {
    let mut declared = [BTreeSet::new(), BTreeSet::new()];
    for (before, line) in text.lines().zip(text.lines().skip(1)) {
        let line = line.trim_start_matches("pub(crate) ").trim_start_matches("pub ");
        if let Some(name) = line.strip_prefix("mod ").and_then(|name| name.strip_suffix(';')) {
            declared[usize::from(before != "#[cfg(test)]")].insert(name);
        }
    }
    let rows = text
        .lines()
        .filter_map(|line| line.strip_prefix("//! | ")?.trim_start_matches('[').strip_prefix('`'))
        .filter(|row| !row.starts_with("pentarch"));
    let [for_tests, declared] = declared;
    [for_tests, declared, rows.filter_map(|row| row.split('`').next()).collect()]
}

#[test]
fn the_table_of_crates_is_complete() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let text = fs::read_to_string(source.join("lib.rs")).unwrap();
    for folder in fs::read_dir(source.join("crates")).unwrap().map(|entry| entry.unwrap()) {
        let is_game = folder.path().join("rules.md").exists();
        let name = folder.file_name().into_string().unwrap();
        let row = if is_game {
            "//! | `pentarch-GAME` ".into()
        } else {
            format!("//! | [`pentarch_{name}`] ")
        };
        assert!(
            ["python", "web"].contains(&name.as_str()) || text.contains(&row),
            "src/lib.rs, table of crates: '{row}', or for a game src/crates/{name}/rules.md"
        );
    }
}

/// Returns the Rust files in a folder and in its subfolders.
fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    paths
        .flat_map(|path| if path.is_dir() { rust_files(&path) } else { vec![path] })
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .collect()
}

#[test]
fn modules_of_the_program_import_from_those_above_them_in_the_table() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let text = fs::read_to_string(source.join("lib.rs")).unwrap();
    let (_, table) = text.split_once("//! | module |").unwrap();
    let order: Vec<&str> = table
        .lines()
        .filter(|line| line.starts_with("//! | "))
        .filter_map(|line| line.split('`').nth(1))
        .collect();
    let mut imports = 0;
    for (index, module) in order.iter().enumerate() {
        let folder = source.join(module);
        let files =
            if folder.is_dir() { rust_files(&folder) } else { vec![folder.with_extension("rs")] };
        for file in files {
            let text = fs::read_to_string(&file).unwrap();
            for path in text.split("crate::").skip(1) {
                let name = path.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap();
                assert!(!name.is_empty(), "{}: name each path after crate:: alone", file.display());
                let above = order.iter().position(|other| *other == name);
                // The list of the games is the only cycle: it names the operations of all modules.
                let is_above = above.is_none_or(|above| above <= index) || name == "games";
                assert!(is_above, "{}: {name}", file.display());
                imports += usize::from(above.is_some());
            }
        }
    }
    assert!(imports > 100, "{imports}");
}

#[test]
fn every_table_of_modules_is_complete() {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    let mut tables = 0;
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.ends_with("mod.rs") || path.ends_with("lib.rs") {
                let text = fs::read_to_string(&path).unwrap();
                if text.contains("| module |") {
                    let [for_tests, declared, listed] = modules(&text);
                    assert_eq!(
                        &listed - &for_tests,
                        declared,
                        "the table of {} and its modules",
                        path.display()
                    );
                    tables += 1;
                }
            }
        }
    }
    assert!(tables > 20, "{tables}");
}
