//! The sentences of every game's rules text. The tests check the cases that decide each sentence.
//!
//! A sentence of `src/crates/GAME/rules.md` is a rule if it has an id. The id is the name of the
//! sentence. If several sentences have the same id, the third of them is named `ID/3`. In the
//! fixture files of the game, a comment `# GAME NAME, NAME: remark` names sentences. They
//! decide the cases below the comment, up to the next such comment. `tests/requirements/GAME.md`
//! contains rows `| NAME | FILE | TEXT |`. Such a row points to a case that contains this
//! text. In a transcript, each line is a case. A test fails in three cases: a rule has no case, a
//! case has no rule, or a row finds no case.
//!
//! Each page of `docs/rules` contains a whole text. The test writes the pages if the environment
//! variable [`WRITE_VARIABLE`] is set: `PENTARCH_WRITE_RULES=1 cargo test --test all
//! requirements::`

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use pentarch_core::notation::parsing::{PAGE_WIDTH_COLUMNS, to_ascii, wrap_text};
use pentarch_core::view::rules_page::{diagram_game_history, draw_rules_diagram, parse_rules_text};
use pentarch_core::view::rules_text::{
    RuleSentence, RulesDiagram, RulesText, RulesTextBlock, RulesTopic, has_rule_id_form,
    join_sentences,
};
use pentarch_core::{GameHistory, MoveError, Point};
use pentarch_engine::games::all_game_words;
use pentarch_games::{BuiltinRules, Game, GameOperation};

use crate::client::{program, run};
use crate::common::*;

/// The environment variable that makes the test write the rules texts to the pages of `docs/rules`.
const WRITE_VARIABLE: &str = "PENTARCH_WRITE_RULES";

/// The topics that every game has. The topics about its moves come between the first ones and the
/// last ones.
const FIRST_TOPICS: [&str; 2] = ["aim", "board"];
const LAST_TOPICS: [&str; 4] = ["end", "writing", "plan", "sources"];

/// The maximum number of lines of prose in the topics up to the last of [`LAST_TOPICS`].
const MAX_LINES: usize = 80;

/// The fixture files in which a comment must name the sentences of each case.
const FILES_WITH_NAMED_CASES: [&str; 3] = ["moves.ok", "moves.bad", ".game"];

/// The fixture files whose comments may name sentences.
const FILES_WITH_NAMES: [&str; 6] =
    ["moves.ok", "moves.bad", ".game", "positions.ok", "positions.bad", "rules.ugi"];

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns the rules text of a game; `None` if the game does not have one yet.
fn rules_text_of<G: Game>() -> Option<RulesText<'static>> {
    (!G::RULES_TEXT.is_empty())
        .then(|| parse_rules_text::<G>().unwrap_or_else(|error| panic!("{error}")))
}

/// Returns the names of the sentences of a text that are rules. They are in the order of the text.
pub(crate) fn sentence_names(text: &RulesText) -> Vec<String> {
    let ids: Vec<&str> = text.sentences().filter_map(|sentence| sentence.id).collect();
    let count = |ids: &[&str], id: &str| ids.iter().filter(|other| **other == id).count();
    let name = |(place, id): (usize, &&str)| match count(&ids, id) {
        1 => id.to_string(),
        _ => format!("{id}/{}", count(&ids[..=place], id)),
    };
    ids.iter().enumerate().map(name).collect()
}

/// Returns whether this word has the form of the name of a sentence: `4.2`, `REQ.27.ALT.3/4`.
fn is_sentence_name(word: &str) -> bool {
    word.split_once('/').map_or(has_rule_id_form(word), |(id, number)| {
        has_rule_id_form(id) && number.parse::<usize>().is_ok()
    })
}

/// A row of the table of a game's requirements.
struct Row<'a> {
    name: &'a str,
    file: &'a str,
    expected_text: &'a str,
}

/// Returns the rows of a table whose first cell is the name of a sentence.
fn rows(table: &str) -> Vec<Row<'_>> {
    table.lines().filter_map(row).collect()
}

/// Returns the row on this line of a table; `None` if the line is not such a row.
fn row(line: &str) -> Option<Row<'_>> {
    let mut cells = line.split('|').map(|cell| cell.trim().trim_matches('`'));
    let _ = cells.next()?;
    let name = cells.next()?;
    let file = cells.next()?;
    let expected_text = cells.next()?;
    // A row with more cells belongs to another table.
    let is_last = cells.next() == Some("") && cells.next().is_none();
    (is_last && is_sentence_name(name)).then_some(Row { name, file, expected_text })
}

/// Returns the result of a case. It is the part after the arrow, or the whole case if there is no
/// arrow. For a line that a transcript sends, returns an empty string.
fn case_result<G: Game>(case: &Case<G>) -> &str {
    if case.text.starts_with('>') {
        return "";
    }
    case.text.split_once(" => ").map_or(&case.text, |(_, right)| right)
}

/// Returns whether a case is in the fixture file of this name. The name is relative to the folder
/// of the game.
fn is_in<G: Game>(case: &Case<G>, file: &str) -> bool {
    let path = case.place.rsplit_once(':').map_or("", |(path, _)| path);
    let word = rules_file_word::<G>();
    path.ends_with(&format!("/{word}/{file}")) || path.ends_with(&format!("/{word}/games/{file}"))
}

/// Returns the inconsistencies between three things: the sentences of a text, a table, and the
/// cases of a game. `named` contains the locations of comments, with the names in them.
fn faults<G: Game>(
    text: &RulesText,
    table: &str,
    cases: &[Case<G>],
    named: &[(String, String)],
) -> Vec<String> {
    let sentence_names = sentence_names(text);
    let is_known = |name: &str| sentence_names.iter().any(|known| known == name);
    let rows = rows(table);
    let mut faults = Vec::new();
    for name in &sentence_names {
        if rows.iter().all(|row| row.name != name) {
            faults.push(format!("the sentence {name} has no row"));
        }
    }
    for Row { name, file, expected_text } in rows {
        let mut deciding = cases
            .iter()
            .filter(|case| is_in(case, file) && case.ids.iter().any(|named| named == name));
        if !is_known(name) {
            faults.push(format!("the row of {name}: there is no such sentence"));
        } else if expected_text.is_empty()
            || !deciding.any(|case| case_result(case).contains(expected_text))
        {
            faults.push(format!(
                "the row of {name}: under this name no case of {file} says '{expected_text}'"
            ));
        }
    }
    for (place, name) in named {
        if !is_known(name) {
            faults
                .push(format!("{place}: the comment names {name}, and there is no such sentence"));
        }
    }
    for case in cases {
        if case.ids.is_empty()
            && FILES_WITH_NAMED_CASES
                .iter()
                .any(|ending| case.place.contains(&format!("{ending}:")))
        {
            faults.push(format!(
                "{}: no comment above names the sentence that decides this case",
                case.place
            ));
        }
    }
    faults
}

/// Returns the name of each sentence in a comment of a fixture file. The comment's location is also
/// returned.
fn named_in_comments<G: Game>() -> Vec<(String, String)> {
    let mut named = Vec::new();
    for file in FILES_WITH_NAMES
        .into_iter()
        .flat_map(|ending| fixture_files(&rules_file_word::<G>(), ending))
    {
        let text = fs::read_to_string(&file).unwrap();
        for (number, line) in (1..).zip(text.lines()) {
            let ids = ids_named::<G>(line).unwrap_or_default();
            named.extend(ids.into_iter().map(|id| (format!("{}:{number}", file.display()), id)));
        }
    }
    named
}

#[derive(Clone)]
struct CheckIds;

impl GameOperation for CheckIds {
    type Output = ();

    fn run_for_game_type<G: Game>(self) {
        let Some(text) = rules_text_of::<G>() else { return };
        let word = rules_file_word::<G>();
        let table = format!("tests/requirements/{word}.md");
        let cases: Vec<Case<G>> = FILES_WITH_NAMES.into_iter().flat_map(cases).collect();
        let faults = faults(&text, &read(&table), &cases, &named_in_comments::<G>());
        assert!(
            faults.is_empty(),
            "{}: the rules, {table} and fixtures/{word} do not fit together:\n  {}\na row is '| NAME | \
             FILE | what a case says |', and '# {} NAME, NAME: remark' in a fixture file names the sentences that decide the \
             cases below it; a name is the id of a sentence, and ID/3 the third of several that have the same id",
            G::GAME_NAME,
            faults.join("\n  "),
            G::GAME_ID
        );
    }
}

#[test]
fn every_rule_has_a_case_and_every_case_a_rule() {
    for_each_rules(CheckIds);
}

/// Each id in an error of a game is on a page of the game's rules.
#[test]
fn every_error_id_is_on_the_rules_page() {
    for game in ["alcaxar", "alquerque", "bushka", "quoridor", "roses"] {
        let folder = format!("src/crates/{game}");
        let mut sources = vec![read(&format!("{folder}/rules.md"))];
        if game == "quoridor" {
            sources.push(read(&format!("{folder}/rules-four.md")));
        }
        let texts = sources.iter().map(|source| RulesText::parse(source).unwrap());
        let known: BTreeSet<String> = texts
            .flat_map(|text| {
                text.sentences().filter_map(|s| s.id.map(str::to_string)).collect::<Vec<_>>()
            })
            .collect();
        let errors = read(&format!("{folder}/src/rule_violations.rs"));
        let is_outside =
            |letter: char| !(letter.is_ascii_alphanumeric() || matches!(letter, '.' | '"'));
        let named: BTreeSet<&str> = errors
            .split(is_outside)
            .filter_map(|word| word.strip_prefix('"')?.strip_suffix('"'))
            .filter(|word| has_rule_id_form(word))
            .collect();
        assert!(named.len() > 15, "{game}: {named:?}");
        let lost: Vec<_> = named.iter().filter(|&&id| !known.contains(id)).collect();
        assert!(lost.is_empty(), "{game}: no sentence of the rules has the ids {lost:?}");
    }
}

/// Some changes to a text, a table or a case should be noticed. Each of them must be found as a
/// fault.
#[test]
fn finds_changes_on_either_side() {
    use pentarch_roses::Roses;
    let text = RulesText::parse("# R\n## aim: A\n1.1 A rule.\n1.2 Another.\n").unwrap();
    let case = |place: &str, ids: &[&str], text: &str| Case::<Roses> {
        place: format!("/fixtures/roses/{place}:1"),
        rules: rules(&[]),
        fen: String::new(),
        text: text.into(),
        ids: ids.iter().map(ToString::to_string).collect(),
    };
    let cases = || {
        vec![
            case("moves.bad", &["1.1"], "a4 => no cell a4"),
            case("games/ends.game", &["1.2"], "d3 => win"),
        ]
    };
    let table = "| id | file | says |\n|---|---|---|\n| 1.1 | moves.bad | cell a4 |\n| 1.2 | games/ends.game | win |\n";
    let found = |table: &str, cases: &[Case<Roses>]| faults(&text, table, cases, &[]).join("; ");
    assert_eq!(found(table, &cases()), "");
    let without = found(&table.replace("1.2", "1.1"), &cases());
    assert!(without.contains("the sentence 1.2 has no row"), "{without}");
    let strange = found(&format!("{table}| 1.3 | moves.bad | cell |"), &cases());
    assert_eq!(strange, "the row of 1.3: there is no such sentence");
    let changed = "the row of 1.1: under this name no case of moves.bad says 'cell a4'";
    assert_eq!(
        found(table, &[case("moves.bad", &["1.1"], "a4 => no cell"), cases().remove(1)]),
        changed
    );
    assert_eq!(
        found(table, &[case("moves.bad", &["1.2"], "a4 => no cell a4"), cases().remove(1)]),
        changed
    );
    // The part before the arrow is the move. It is not the response of the program.
    assert_eq!(
        found(table, &[case("moves.bad", &["1.1"], "cell a4 => no"), cases().remove(1)]),
        changed
    );
    assert_eq!(
        found(&table.replace("moves.bad", "moves.ok"), &cases()),
        changed.replace("bad", "ok")
    );
    let more = |extra| {
        let mut cases = cases();
        cases.push(extra);
        found(table, &cases)
    };
    assert!(more(case("moves.ok", &[], "d3 => d3")).ends_with(
        "moves.ok:1: no comment above names the sentence that \
                                                               decides this case"
    ));
    assert_eq!(more(case("positions.ok", &[], "x")), "");
    let named = [("moves.ok:3".to_string(), "1.4".to_string())];
    let unknown = "moves.ok:3: the comment names 1.4, and there is no such sentence";
    assert_eq!(faults(&text, table, &cases(), &named), [unknown]);
}

/// Checks the first and the last topics of a game's text, and its length.
#[derive(Clone)]
struct CheckForm;

impl GameOperation for CheckForm {
    type Output = ();

    fn run_for_game_type<G: Game>(self) {
        let Some(text) = rules_text_of::<G>() else { return };
        assert_eq!(text.title, G::GAME_NAME);
        let sentence_names: Vec<&str> = text.topic_names().collect();
        let place = |name: &str| sentence_names.iter().position(|known| *known == name);
        let places: Option<Vec<usize>> =
            FIRST_TOPICS.iter().chain(&LAST_TOPICS).map(|name| place(name)).collect();
        let places = places.unwrap_or_else(|| {
            panic!("{}: of {FIRST_TOPICS:?} and {LAST_TOPICS:?} the topics lack one", G::GAME_NAME)
        });
        assert!(
            places[0] == 0 && places[1] == 1,
            "{}: the first topics are {FIRST_TOPICS:?}",
            G::GAME_NAME
        );
        assert!(
            places[2] > 2,
            "{}: between 'board' and 'end' a topic on the moves is missing",
            G::GAME_NAME
        );
        assert!(
            places[2..].is_sorted_by(|a, b| a + 1 == *b),
            "{}: these follow each other: {LAST_TOPICS:?}",
            G::GAME_NAME
        );
        for RuleSentence { text, .. } in text.sentences() {
            assert!(
                !text.contains(['\\', '*', '<']),
                "{}: Markdown changes this: {text}",
                G::GAME_NAME
            );
        }
        let mut seen = BTreeSet::new();
        for id in text.sentences().filter_map(|sentence| sentence.id) {
            // A requirement of a source may take several sentences.
            assert!(
                seen.insert(id) || !id.starts_with(|first: char| first.is_ascii_digit()),
                "{}: twice {id}",
                G::GAME_NAME
            );
        }
        let main = text.topics.iter().take(places[5] + 1).flat_map(|topic| &topic.blocks);
        let prose = main.filter_map(|block| match block {
            RulesTextBlock::Paragraph(sentences) => {
                let texts: Vec<&str> = sentences.iter().map(|sentence| sentence.text).collect();
                Some(wrap_text(&texts.join(" "), "").lines().count())
            }
            RulesTextBlock::Diagram(_) => None,
        });
        let lines: usize = prose.sum();
        assert!(lines <= MAX_LINES, "{}: {lines} lines of prose, not {MAX_LINES}", G::GAME_NAME);
    }
}

#[test]
fn rules_texts_have_all_topics_and_are_short() {
    for_each_game(CheckForm);
}

/// Checks every diagram. Its position must be valid, its moves legal, and the moves marked as
/// illegal must be illegal. The page must be wide enough. The program cannot check the rest of the
/// caption.
#[derive(Clone)]
struct CheckDiagrams;

impl GameOperation for CheckDiagrams {
    type Output = ();

    fn run_for_game_type<G: Game>(self) {
        let Some(text) = rules_text_of::<G>() else { return };
        for picture in text.diagrams() {
            let place = format!("{}: {}", G::GAME_NAME, picture.caption);
            let drawing = draw_rules_diagram::<G>(picture, PAGE_WIDTH_COLUMNS)
                .unwrap_or_else(|error| panic!("{place}: {error}"));
            for line in drawing.lines() {
                assert!(
                    line.chars().count() <= PAGE_WIDTH_COLUMNS && line.trim_end() == line,
                    "{place}: {line}"
                );
            }
            let before = RulesDiagram { moves: Vec::new(), ..picture.clone() };
            let history: GameHistory<G> =
                diagram_game_history(&before).unwrap_or_else(|error| panic!("{place}: {error}"));
            for text in &picture.illegal {
                let error = history.resolve_move(text).err();
                assert!(matches!(error, Some(MoveError::Illegal(_))), "{place}: {text}: {error:?}");
            }
        }
    }
}

#[test]
fn diagrams_show_legal_and_illegal_moves() {
    for_each_rules(CheckDiagrams);
}

/// Returns the page with the rules: its name in `docs/rules`, and its content. Returns `None` if
/// the game has no rules text.
struct RulesPage;

impl GameOperation for RulesPage {
    type Output = Option<(String, String)>;

    fn run_for_game_type<G: Game>(self) -> Self::Output {
        let block = |block: &RulesTextBlock| match block {
            RulesTextBlock::Paragraph(sentences) => wrap_text(&join_sentences(sentences), ""),
            RulesTextBlock::Diagram(picture) => {
                format!(
                    "```\n{}\n```",
                    draw_rules_diagram::<G>(picture, PAGE_WIDTH_COLUMNS).unwrap()
                )
            }
        };
        let topic = |RulesTopic { title, blocks, .. }: &RulesTopic| {
            std::iter::once(format!("## {title}"))
                .chain(blocks.iter().map(block))
                .collect::<Vec<_>>()
                .join("\n\n")
        };
        let text =
            parse_rules_text::<G>().ok()?.topics.iter().map(topic).collect::<Vec<_>>().join("\n\n");
        let id = G::GAME_ID;
        let word = rules_file_word::<G>();
        let players = G::PLAYER_COUNT_OPTION.filter(|_| word != id);
        let number = G::PLAYER_NAMES.len();
        let title = players
            .map_or(G::GAME_NAME.into(), |_| format!("{} for {number} players", G::GAME_NAME));
        let flag =
            players.map_or(String::new(), |option| format!("--set {}={number} ", option.name));
        let page = format!(
            "# The rules of {title}\n\n\
             `pentarch {flag}rules {id}` prints this text, too.\n\
             [{id}.md](../games/{id}.md) says how programs write the positions and moves, and which options the game \
             has.\n\n\
             <!-- {WRITE_VARIABLE}=1 cargo test --test all requirements:: writes this page. -->\n\n\
             {text}\n"
        );
        Some((format!("{word}.md"), page))
    }
}

#[test]
fn rules_pages_match_the_printed_rules() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/rules");
    let mut names = BTreeSet::new();
    for (name, new) in BuiltinRules::ALL_RULES.iter().filter_map(|id| id.run_operation(RulesPage)) {
        let path = folder.join(&name);
        if std::env::var_os(WRITE_VARIABLE).is_some() {
            fs::write(&path, &new).unwrap();
        }
        let old = fs::read_to_string(&path).unwrap_or_default();
        let differs = old.lines().zip(new.lines()).zip(1..).find(|((old, new), _)| old != new);
        let line = differs
            .map(|((old, new), line)| format!("line {line} is\n  {old}\nand would be\n  {new}"));
        assert!(
            old == new,
            "docs/rules/{name} has not the text that 'pentarch rules' prints: {}\n\
             {WRITE_VARIABLE}=1 cargo test --test all requirements:: writes it there",
            line.unwrap_or_else(|| "one has more lines".into())
        );
        names.insert(name);
    }
    let found = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert_eq!(found.collect::<BTreeSet<_>>(), names, "the pages in docs/rules");
}

/// Checks that the boards of all games can be shown in diagrams without the text next to the board
/// or below it. Boards with labels can also be shown in part.
#[derive(Clone)]
struct CheckBoards;

impl GameOperation for CheckBoards {
    type Output = ();

    fn run_for_game_type<G: Game>(self) {
        let rules = rules::<G>(&[]);
        let fen = rules.position_text(&rules.start_position());
        let whole = RulesDiagram { caption: "The start.", fen: &fen, ..RulesDiagram::default() };
        let corners = [Point::new(3, 3), Point::new(1, 1)];
        let part = draw_rules_diagram::<G>(
            &RulesDiagram { show: Some(corners), ..whole.clone() },
            PAGE_WIDTH_COLUMNS,
        );
        let whole = draw_rules_diagram::<G>(&whole, PAGE_WIDTH_COLUMNS).unwrap();
        assert!(!whole.contains(" to move") && !whole.contains(':'), "{whole}");
        let Ok(part) = part else { return };
        let mut lines: Vec<&str> = part.lines().collect();
        // Below the board are the labels of the files, an empty line and the caption.
        let labels = lines.remove(lines.len() - 3);
        assert_eq!(labels.split_whitespace().collect::<Vec<_>>(), ["b", "c", "d"], "{part}");
        let label = |line: &str| line.split_whitespace().next()?.parse::<u8>().ok();
        let ranks: Vec<u8> = lines.into_iter().filter_map(label).collect();
        assert_eq!(ranks, [4, 3, 2], "{part}");
    }
}

#[test]
fn diagrams_can_show_every_board() {
    for_each_game(CheckBoards);
}

/// Runs `pentarch rules` with these words. Returns its output, error output and exit code.
fn print_rules(words: &[&str]) -> (String, String, Option<i32>) {
    run(program(words), "")
}

#[test]
fn prints_all_topics_or_one() {
    let (all, err, code) = print_rules(&["rules", "ROSES"]);
    assert_eq!((err.as_str(), code), ("", Some(0)));
    assert!(
        all.starts_with(
            "Guerre des Deux Roses\n=====================\n\nThe aim\n-------\n\nWhite and"
        ),
        "{all}"
    );
    assert!(
        all.contains("\nbefore ") && all.contains(" after\n") && all.contains(" [1.1]"),
        "{all}"
    );
    assert!(all.lines().all(|line| line.chars().count() <= PAGE_WIDTH_COLUMNS));
    let topics = "alone: aim, board, drop, moves, attacks,\nend, writing, plan, sources.\n";
    assert!(all.ends_with(topics), "{all}");
    let (aim, ..) = print_rules(&["rules", "roses", "Aim"]);
    assert!(aim.starts_with("The aim\n-------\n\n") && all.contains(&aim), "{aim}");
    assert_eq!(print_rules(&["--game", "roses", "rules", "aim"]).0, aim);
    assert_eq!(print_rules(&["rules", "--game", "roses"]).0, all);
    let (list, _, code) = print_rules(&["rules"]);
    assert_eq!((list.lines().count(), code), (BuiltinRules::TWO_PLAYER_GAMES.len(), Some(0)));
    assert!(
        list.lines()
            .any(|line| line.starts_with("roses ") && line.ends_with(" end writing plan sources")),
        "{list}"
    );
    assert!(print_rules(&["rules", "--help"]).0.contains("Examples:"));
}

#[cfg(unix)]
#[test]
fn prints_ascii_rules_without_unicode_locale() {
    let printed = |game: &str, locale: &str| {
        let mut command = program(["rules", game]);
        command.env("LC_ALL", locale);
        run(command, "").0
    };
    for game in all_game_words() {
        let plain = printed(game, "C");
        let unicode = printed(game, "en_GB.UTF-8");
        assert_eq!(plain, to_ascii(&unicode));
        assert_eq!(
            plain.matches('?').count(),
            unicode.matches('?').count(),
            "{game}: a character without a likeness"
        );
    }
    assert!(
        printed("alcaxar", "C").contains("A move with != wins")
            && !printed("alcaxar", "de_DE.utf8").is_ascii()
    );
}

#[test]
fn rejects_unknown_games_and_topics_with_the_nearest_words() {
    let rejection = |words: &[&str]| {
        let (out, err, code) = print_rules(words);
        assert_eq!((out.as_str(), code), ("", Some(2)), "{words:?} {err}");
        err
    };
    assert_eq!(
        rejection(&["rules", "rose"]),
        "pentarch: there is no game 'rose' (did you mean 'roses'?); 'pentarch games' lists them all\n"
    );
    let topic = rejection(&["rules", "roses", "mvoes"]);
    let start =
        "pentarch: there is no topic 'mvoes' (did you mean 'moves'?); the topics are aim, board, ";
    assert!(topic.starts_with(start), "{topic}");
    assert!(
        rejection(&["--game", "roses", "rules", "roses", "aim"])
            .contains("the game is named twice")
    );
}
