//! The opening book of Alquerque, by which Light wins from the start.

use std::sync::Arc;
use std::time::Duration;

use pentarch_alquerque::Alquerque;
use pentarch_alquerque::moves::Move;
use pentarch_alquerque::tables::AlquerqueTablebase;
use pentarch_core::{
    GameHistory, KnownValueSource, Notation, OpeningBook, Rules, Side, TableValue,
};
use pentarch_search::clock::Clock;
use pentarch_search::control::SearchControl;
use pentarch_search::known_value::KnownValueLookup;
use pentarch_search::opening_book::{PositionOrbit, book_move};
use pentarch_search::prover::ProofClaim;
use pentarch_search::prover::question::ProofQuestion;
use pentarch_search::strength_levels::StrengthLevel;
use pentarch_search::time_management::TimeBudget;
use pentarch_search::transposition::TranspositionTable;
use pentarch_search::{CompiledSearch, Limits, SearchResult, score, search};
use pentarch_tables::xor_filter::XorFilter;

use crate::common::{built_tables, new_history, no_tables, proof_tables, rules, table_value};

/// The rule sets that have a book.
fn rule_sets() -> Vec<Arc<Alquerque>> {
    let sets = [
        &["Alquerque_Retreat=free"][..],
        &[],
        &["Alquerque_Win=block"],
        &["Alquerque_Ruleset=bell"],
    ];
    sets.map(rules::<Alquerque>).to_vec()
}

fn bytes(rules: &Alquerque) -> &'static [u8] {
    rules.opening_book(&rules.start_position()).unwrap()
}

/// Dark moves at random. Light wins, or the game comes to a position where the tables take over.
/// The tables show that position as won. Before that position, Light always has a move in the book.
#[test]
fn light_wins_by_the_book_against_random_play() {
    let mut rng = fastrand::Rng::with_seed(12);
    for rules in rule_sets() {
        let tables = built_tables(rules.as_ref());
        let (book, symmetries) = (XorFilter::new(bytes(&rules)).unwrap(), rules.symmetries());
        for _ in 0..30 {
            let (mut position, mut plies) = (rules.start_position(), 0);
            let won = loop {
                if let Some(outcome) = rules.outcome(&position) {
                    break outcome.winner() == Some(Side::First);
                }
                if rules.opening_book(&position).is_none() {
                    let known = table_value(rules.as_ref(), &tables, &position).unwrap();
                    let is_win = matches!(known, TableValue::Win(_));
                    break is_win == (position.side == Side::First) && known != TableValue::Draw;
                }
                let mut moves = Vec::new();
                rules.legal_moves(&position, &mut moves);
                let mv = match position.side {
                    Side::First => {
                        book_move(rules.as_ref(), &symmetries, &book, &position).unwrap()
                    }
                    Side::Second => moves[rng.usize(..moves.len())],
                };
                position = rules.play(&position, mv);
                plies += 1;
            };
            assert!(won && plies < book.label, "{position:?}");
        }
    }
}

/// Returns the result of a search with a clock and a limit of few nodes. `tables` include the
/// opening book. With `mate` the search looks for a win within that number of moves.
fn answer(
    history: &GameHistory<Alquerque>,
    tables: Option<&Arc<AlquerqueTablebase>>,
    mate: Option<u32>,
) -> SearchResult<Move> {
    let limits =
        Limits { nodes: Some(10_000), mate, use_tablebases: tables.is_some(), ..Limits::default() };
    let budget = TimeBudget { soft: Duration::from_secs(3600), hard: Duration::from_secs(3600) };
    let control = SearchControl::new(&Clock::default(), Some(budget), false, false);
    let none = no_tables(history.rules().as_ref());
    search(
        history,
        tables.unwrap_or(&none),
        &limits,
        &TranspositionTable::new(1).unwrap(),
        &control,
        &mut |_| {},
    )
    .unwrap()
}

/// Returns the first legal move, for a side that plays badly.
fn first_move(history: &GameHistory<Alquerque>) -> Move {
    let mut moves = Vec::new();
    history.legal_moves(&mut moves);
    moves[0]
}

/// A search uses the opening book if the game has followed the book from the start.
#[test]
fn searches_play_by_the_book() {
    for rules in rule_sets() {
        let (mut history, tables) = (new_history(&rules), no_tables(rules.as_ref()));
        let first = history.resolve_move("c2c3").unwrap();
        let by_book = answer(&history, Some(&tables), None);
        assert_eq!((by_book.best, by_book.nodes), (first, 0));
        assert!(score::is_proven_score(by_book.score.unwrap()));
        assert!(answer(&history, None, None).nodes > 0);
        assert_eq!(answer(&history, Some(&tables), Some(3)).score, by_book.score);
        let mut followed = history.clone();
        for _ in 0..3 {
            followed.push(answer(&followed, Some(&tables), None).best);
            followed.push(first_move(&followed));
            assert_eq!(
                answer(&followed, Some(&tables), None).nodes,
                0,
                "{:?}",
                followed.position()
            );
        }
        let other = history.resolve_move("b2c3").unwrap();
        history.push(other);
        let reply = answer(&history, Some(&tables), None).best;
        history.push(reply);
        assert!(answer(&history, Some(&tables), None).nodes > 0);
    }
}

/// Every search reports the value of the book, with any limit. `use_books` decides only among moves
/// that are known to be equal. Levels below the strongest and searches without tables do not know
/// the value.
#[test]
fn every_search_reports_the_value_of_the_book() {
    let rules = rules::<Alquerque>(&["Alquerque_Ruleset=bell"]);
    let mut history = new_history(&rules);
    let tables = no_tables(rules.as_ref());
    let search_score = |history: &GameHistory<Alquerque>, limits: &Limits<Move>| {
        let table = TranspositionTable::new(1).unwrap();
        let control = SearchControl::default();
        search(history, &tables, limits, &table, &control, &mut |_| {}).unwrap().score.unwrap()
    };
    let limits = |change: fn(&mut Limits<Move>)| {
        let mut limits = Limits { nodes: Some(300), ..Limits::default() };
        change(&mut limits);
        limits
    };
    let knowing = [
        limits(|_| {}),
        limits(|limits| limits.nodes = Some(1)),
        limits(|limits| limits.depth = Some(1)),
        limits(|limits| limits.use_books = false),
        limits(|limits| limits.multi_pv = 4),
        limits(|limits| limits.mate = Some(2)),
        limits(|limits| limits.threads = 2),
    ];
    let unknowing = [
        limits(|limits| limits.use_tablebases = false),
        limits(|limits| limits.level = StrengthLevel::Master),
    ];
    for plies in [95, -94] {
        let expected = score::win_score_at_ply(i32::abs(plies) as usize) * plies.signum();
        for limits in &knowing {
            assert_eq!(search_score(&history, limits), expected, "{limits:?}");
        }
        for limits in &unknowing {
            assert!(!score::is_proven_score(search_score(&history, limits)), "{limits:?}");
        }
        if history.is_empty() {
            let first = history.resolve_move("c2c3").unwrap();
            history.push(first);
        }
    }
}

/// A win that the rules decide is quicker than the win by the book. Every search plays it and
/// reports its number of plies, and so does the question for the known values.
#[test]
fn a_quicker_win_has_precedence_over_the_book() {
    let rules = rules::<Alquerque>(&["Alquerque_Ruleset=bell"]);
    let mut history = new_history(&rules);
    let moves = "c2c3 c4c2 c1c3 a3c1 c3a3 d4c4 b1b2 b4c3 d2b4d4 e4c4 d1b1 e5e4 e3e5 a4b4 d3c3 \
                 c4c2 b2d2 a5a4 a3a5c3 b5b4 c3a5 c5b4";
    for text in moves.split(' ') {
        history.push(history.resolve_move(text).unwrap());
    }
    let tables = no_tables(rules.as_ref());
    let win = history.resolve_move("e5c5a3").unwrap();
    let known = KnownValueLookup::without_tables(&history).values(&history.legal_move_list());
    assert_eq!(known.position.and_then(|value| value.plies), Some(1));
    assert!(known.book_move.is_some_and(|book| book != win));
    let limits = [
        Limits { mate: Some(1), ..Limits::default() },
        Limits { mate: Some(2), ..Limits::default() },
        Limits { depth: Some(1), ..Limits::default() },
        Limits { depth: Some(6), multi_pv: 2, ..Limits::default() },
    ];
    for limits in limits {
        let mut lines = Vec::new();
        let table = TranspositionTable::new(1).unwrap();
        let control = SearchControl::default();
        let result = search(&history, &tables, &limits, &table, &control, &mut |report| {
            lines.push((report.rank, report.score, report.pv.to_vec()));
        });
        let result = result.unwrap();
        let score = score::win_score_at_ply(1);
        assert_eq!((result.best, result.score), (win, Some(score)), "{limits:?}");
        assert_eq!(lines[0], (1, score, vec![win]), "{limits:?}");
    }
}

/// A search for a win is answered at once if its moves are known not to win, although another move
/// wins by the book.
#[test]
fn a_search_for_a_win_knows_the_values_of_its_moves() {
    let rules = rules::<Alquerque>(&[]);
    let history = new_history(&rules);
    let moves = vec![history.resolve_move("d2c3").unwrap()];
    let limits = Limits { mate: Some(68), nodes: Some(300), moves, ..Limits::default() };
    let (table, control) = (TranspositionTable::new(1).unwrap(), SearchControl::default());
    let tables = no_tables(rules.as_ref());
    let result = search(&history, &tables, &limits, &table, &control, &mut |_| {}).unwrap();
    assert_eq!(result.score, Some(-score::win_score_at_ply(136)));
}

/// Plays random games in which Light leaves the book. Checks that no later position has a value by
/// the book, and that every position before has one. Stops after `count` positions off the book.
fn check_off_the_book(count: usize, seed: u64) {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut queries = 0;
    while queries < count {
        for rules in rule_sets() {
            let mut history = new_history(&rules);
            let mut has_left = false;
            let mut steps_off = 0;
            while history.outcome().is_none() && steps_off < 12 {
                let lookup = KnownValueLookup::without_tables(&history);
                let moves = history.legal_move_list();
                let known = lookup.values(&moves);
                let by_book = known.position.filter(|value| value.source == KnownValueSource::Book);
                if has_left {
                    assert_eq!(by_book, None, "{:?}", history.position());
                    // The rules may decide a position, and proofs are about the first moves.
                    let is_allowed = known.position.is_none_or(|value| match value.source {
                        KnownValueSource::Rules => true,
                        source => source == KnownValueSource::Proof && history.len() <= 2,
                    });
                    assert!(is_allowed && known.book_move.is_none(), "{:?}", history.position());
                    queries += 1;
                    steps_off += 1;
                } else if let Some(value) = by_book {
                    assert_eq!(value.winner, Some(Side::First));
                    // The same position is not in the book of a game that begins there.
                    if !history.is_empty() {
                        let begun = GameHistory::new(rules.clone(), *history.position());
                        let lookup = KnownValueLookup::without_tables(&begun);
                        let value = lookup.position_value();
                        assert!(value.is_none_or(|value| value.source != KnownValueSource::Book));
                        queries += 1;
                    }
                } else {
                    // Tables have taken over.
                    break;
                }
                let mv = match known.book_move.filter(|_| rng.u8(..8) > 0) {
                    Some(mv) => mv,
                    None => moves[rng.usize(..moves.len())],
                };
                let leaves = known.book_move.is_some_and(|book| book != mv);
                has_left |= leaves;
                history.push(mv);
            }
        }
    }
}

#[test]
fn positions_off_the_book_have_no_value_by_the_book() {
    check_off_the_book(300, 1);
}

/// The same with 100,000 positions: `cargo test --test all book::many_positions -- --ignored`.
#[test]
#[ignore = "takes half a minute"]
fn many_positions_off_the_book_have_no_value_by_the_book() {
    check_off_the_book(100_000, 2);
}

/// The book does not contain positions that the tables contain, although it may return a move for
/// them. Here this move would lose.
#[test]
fn the_book_ends_where_the_tables_take_over() {
    let rules = rule_sets().swap_remove(0);
    let tables = built_tables(rules.as_ref());
    let played = "c2c3 c4c2 c1c3 a3c1 c3a3 c1c2 d2b2 d4d2 e1c3 b4d2 d1d3 a4b4 d3c3 b4d2 e3c1 a5b4 e2e3 e4e2 b2c3 b4d2 \
                  c1e3e1 b5a5 a3a4 a5a3 a2a4 c5b4 a4c4 d5c5";
    let mut history = new_history(&rules);
    for text in played.split_whitespace() {
        let mv = history.resolve_move(text).unwrap();
        history.push(mv);
    }
    let best = answer(&history, Some(&tables), None).best;
    assert!(matches!(
        table_value(rules.as_ref(), &tables, &rules.play(history.position(), best)),
        Some(TableValue::Loss(_))
    ));
}

/// A proof may end at positions that are not in the tables of the program alone. From these
/// positions on, the book contains the moves of the tables on which the proof rests.
#[test]
fn a_book_goes_on_by_the_tables_of_its_proof() {
    let rules = rules::<Alquerque>(&[]);
    let position = rules.parse_position("3xx/5/5/5/ooo2 l - - - 1").unwrap();
    let history = GameHistory::new(rules.clone(), position);
    let question = ProofQuestion::new(history, proof_tables(rules.as_ref(), Some(5)), Side::First);
    let bytes =
        (Alquerque::search_functions().book)(&question, &|_, _| None, no_tables(rules.as_ref()))
            .unwrap();
    assert_eq!(XorFilter::new(&bytes).unwrap().label, 45, "the length of the longest win");
}

/// If a symmetry of the position maps two histories onto each other, they share a number. Other
/// histories have different numbers.
#[test]
fn symmetric_pasts_of_a_symmetric_position_are_one() {
    let rules = rules::<Alquerque>(&[]);
    let symmetries = rules.symmetries();
    let orbit = |past: &str| {
        let position =
            rules.parse_position(&format!("4x/1o1x1/2o2/o2o1/1o3 l {past} - - 17")).unwrap();
        PositionOrbit::new(rules.as_ref(), &symmetries, &position)
    };
    let [one, other, third, none] = ["d2c1", "b4a3", "d2d1", "-"].map(orbit);
    assert_eq!(
        (one.key, one.key_with_past, one.image),
        (other.key, other.key_with_past, other.image)
    );
    assert!([third.key, none.key] == [one.key; 2] && third.key_with_past != one.key_with_past);
    assert!(none.key_with_past != one.key_with_past);
}

/// Other rules have no book.
#[test]
fn the_book_is_for_its_rules_only() {
    for (settings, has_one) in [
        (&["Alquerque_Win=block"][..], true),
        (&["Alquerque_Win=capture"], false),
        (&["Alquerque_Retreat=checker"], false),
        (&["Alquerque_Ruleset=bell"], true),
        (&["Alquerque_Ruleset=bell", "Alquerque_Win=repetition"], true),
        (&["Alquerque_Ruleset=bell", "Alquerque_Retreat=player"], false),
        (&["Alquerque_Ruleset=bell", "Alquerque_BaseRow=spent"], false),
        (&["Alquerque_Ruleset=alfonso"], false),
    ] {
        let rules = rules::<Alquerque>(settings);
        assert_eq!(rules.opening_book(&rules.start_position()).is_some(), has_one, "{settings:?}");
    }
}

/// Plays all moves of Dark against the book, by the full rules. Takes minutes and some gigabytes:
/// `cargo test --release --test all book:: -- --ignored`.
#[test]
#[ignore = "takes minutes and gigabytes"]
fn light_wins_by_the_book_against_everything() {
    for rules in rule_sets() {
        let tables = proof_tables(rules.as_ref(), None);
        let (book, symmetries) = (XorFilter::new(bytes(&rules)).unwrap(), rules.symmetries());
        let question = ProofQuestion::new(new_history(&rules), tables, Side::First);
        let by_book = |position: &_| book_move(rules.as_ref(), &symmetries, &book, position);
        let verified =
            (Alquerque::search_functions().verify)(&question, ProofClaim::Win, &by_book, &|| false)
                .unwrap();
        assert!(verified.size.plies <= u32::from(book.label), "{} plies", verified.size.plies);
    }
}
