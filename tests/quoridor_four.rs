//! Compares Quoridor for four players with a second, slow implementation of its rules. Also tests
//! each rule.

use std::sync::Arc;

use pentarch_core::{
    BoardLayout, GameHistory, HasPlayers, HasTurn, Notation, Outcome, Rules, Side,
};
use pentarch_quoridor::four_players::QuoridorForFour;
use pentarch_search::control::SearchControl;
use pentarch_search::transposition::TranspositionTable;
use pentarch_search::{Limits, score, search};
use pentarch_slow_rules::quoridor::SlowStatus;
use pentarch_slow_rules::quoridor_four::SlowPosition;

use crate::common::{cases, legal_move_strings, new_history, no_tables, rules};

/// Returns the game that starts with this position.
fn game_at(settings: &[&str], fen: &str) -> GameHistory<QuoridorForFour> {
    let rules = rules::<QuoridorForFour>(settings);
    let position = rules.parse_position(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
    GameHistory::new(rules, position)
}

/// Returns the reason why a move is illegal.
fn illegal_reason(history: &GameHistory<QuoridorForFour>, text: &str) -> String {
    history.resolve_move(text).err().unwrap_or_else(|| panic!("{text} is legal")).to_string()
}

fn play(history: &mut GameHistory<QuoridorForFour>, texts: &str) {
    for text in texts.split_whitespace() {
        history.push(history.resolve_move(text).unwrap_or_else(|error| panic!("{text}: {error}")));
    }
}

#[test]
fn both_implementations_agree_in_random_games() {
    let mut rng = fastrand::Rng::with_seed(41);
    let mut draws = 0;
    let mut wins = 0;
    let mut skipped = 0;
    // Each combination of a size, a number of walls and a choice of teams occurs once.
    for game in 0..70 {
        let size = 3 + game % 7;
        let walls = [0, 1, 2, 5, 10][game as usize % 5];
        let teams = game % 2 == 0;
        let settings = [
            format!("Quoridor_BoardSize={size}"),
            format!("Quoridor_FourWalls={walls}"),
            format!("Quoridor_Teams={teams}"),
        ];
        let mut history =
            new_history(&rules::<QuoridorForFour>(&settings.each_ref().map(String::as_str)));
        let mut slow = SlowPosition::start(size, walls, teams);
        for _ in 0..60 {
            let rules = history.rules().clone();
            let text = rules.position_text(history.position());
            assert_eq!(text, slow.text());
            let SlowStatus { outcome, legal_moves } = slow.status();
            assert_eq!(
                (history.status_protocol_words(), legal_move_strings(&history)),
                (outcome, legal_moves.clone()),
                "{text}"
            );
            assert_eq!(rules.parse_position(&text).as_ref(), Ok(history.position()), "{text}");
            assert!(
                rules
                    .board_diagram(history.position(), Side::First)
                    .lines()
                    .iter()
                    .all(|line| line.trim_end() == line)
            );
            if legal_moves.is_empty() {
                draws += u32::from(matches!(history.outcome(), Some(Outcome::Draw(_))));
                wins += u32::from(matches!(history.outcome(), Some(Outcome::Win(..))));
                break;
            }
            let chosen = &legal_moves[rng.usize(..legal_moves.len())];
            let before = history.player_to_move();
            play(&mut history, chosen);
            slow.play(chosen);
            skipped += u32::from(history.player_to_move() != (before + 1) % 4);
        }
    }
    assert!(wins > 20 && skipped + draws > 0, "{wins} {draws} {skipped}");
}

/// Compares the counts of the perft files with those of the slow implementation.
fn check_perft_files(most: u64) {
    for case in cases::<QuoridorForFour>(".perft") {
        let (depth, nodes) = case.text.split_once(' ').unwrap();
        let nodes: u64 = nodes.parse().unwrap();
        let start = case.rules.start_position();
        let repeats = case.rules.repetition_outcome(&start).is_some();
        if nodes <= most && !repeats {
            let teams = case.rules.side_of_player(0).is_some();
            let slow = SlowPosition::start(
                start.pawns[2].point().rank as i32 + 1,
                start.walls_left[0].into(),
                teams,
            );
            assert_eq!(
                (slow.text(), slow.perft(depth.parse().unwrap())),
                (case.fen, nodes),
                "{}",
                case.place
            );
        }
    }
}

#[test]
fn small_perft_counts_agree() {
    check_perft_files(1500);
}

/// To run this test: `cargo test --release --test all quoridor_four:: -- --ignored`
#[test]
#[ignore = "counts millions of leaves with the slow implementation: minutes"]
fn large_perft_counts_agree() {
    check_perft_files(3_000_000);
}

#[test]
fn players_start_in_the_middle_of_their_sides_and_move_clockwise() {
    let mut history = new_history(&rules::<QuoridorForFour>(&[]));
    let text =
        |history: &GameHistory<QuoridorForFour>| history.rules().position_text(history.position());
    assert_eq!(text(&history), "e1a5e9i5 - 1 5/5/5/5 1");
    play(&mut history, "e2 b5 e8");
    assert_eq!(text(&history), "e2b5e8i5 - 4 5/5/5/5 1");
    play(&mut history, "h5");
    assert_eq!(text(&history), "e2b5e8h5 - 1 5/5/5/5 2");
    let even = rules::<QuoridorForFour>(&["Quoridor_BoardSize=8", "Quoridor_FourWalls=3"]);
    assert_eq!(even.position_text(&even.start_position()), "d1a5e8h4 - 1 3/3/3/3 1");
}

#[test]
fn every_pawn_keeps_a_path_to_its_own_goal() {
    let history = game_at(&[], "e1a5e9i5 a4ha5h 2 5/4/4/5 1");
    assert_eq!(illegal_reason(&history, "b4v"), "it leaves player2 without a path to file i");
}

#[test]
fn a_third_pawn_bars_the_straight_jump_and_opens_no_diagonal_one() {
    let barred = game_at(&[], "e4d1e5e6 - 1 5/5/5/5 3");
    let reason = "player4's pawn on e6 is behind player3's pawn on e5: it bars the straight \
        jump and opens no diagonal one";
    assert_eq!(illegal_reason(&barred, "d5"), reason);
    assert_eq!(illegal_reason(&barred, "e6"), "player4's pawn stands on e6");
    let pawns = |history: &GameHistory<QuoridorForFour>| {
        let mut texts = legal_move_strings(history);
        texts.retain(|text| !text.ends_with(['h', 'v']));
        texts.join(" ")
    };
    assert_eq!(pawns(&barred), "d4 e3 f4");
    let free = game_at(&["Quoridor_Teams=true"], "e4d1e5h6 - 1 5/5/5/5 3");
    assert_eq!(pawns(&free), "d4 e3 e6 f4", "a partner is jumped");
    assert_eq!(
        illegal_reason(&free, "d5").split(',').next(),
        Some("neither a wall nor the edge is behind player3's pawn on e5")
    );
    let walled = game_at(&[], "e4d1e5e6 e5h 1 5/5/4/5 3");
    assert_eq!(pawns(&walled), "d4 d5 e3 f4 f5", "a wall opens them");
    // The pawn jumps over two neighbours in turn, each time in a straight line.
    let two_jumps = game_at(&["Quoridor_FourWalls=0"], "e4d1d4e5 - 1 0/0/0/0 3");
    assert_eq!(legal_move_strings(&two_jumps).join(" "), "c4 e3 e6 f4");
}

#[test]
fn the_first_pawn_on_its_goal_wins_for_its_player_or_team() {
    let ends = [
        ("Quoridor_Teams=false", "win player3 goal", 2),
        ("Quoridor_Teams=true", "win team1 goal", 0),
    ];
    for (setting, outcome, number) in ends {
        let mut history = game_at(&[setting], "e2b5c2h5 - 3 5/5/5/5 7");
        play(&mut history, "c1");
        assert_eq!(history.status_protocol_words(), outcome);
        let winner = history.outcome().and_then(Outcome::winner).unwrap();
        assert_eq!(history.rules().side_number_and_name(history.position(), winner).0, number);
        assert!(
            history.status_sentence().ends_with("player3's pawn has reached rank 1"),
            "{}",
            history.status_sentence()
        );
        assert_eq!(legal_move_strings(&history), Vec::<String>::new());
    }
}

#[test]
fn boxed_in_players_are_skipped() {
    // Player 2 on a1 is enclosed by player 1 on b1 and player 3 on a2. The ways past them are
    // walled off or occupied.
    let slow = SlowPosition {
        pawns: [(2, 1), (1, 1), (1, 2), (3, 2)],
        ..SlowPosition::start(4, 0, false)
    };
    let history = game_at(&["Quoridor_BoardSize=4", "Quoridor_FourWalls=0"], &slow.text());
    assert_eq!(legal_move_strings(&history), slow.status().legal_moves);
}

#[test]
fn repetition_is_a_draw_only_with_the_option() {
    for (setting, outcome) in
        [("RepetitionDraw=true", "draw repetition"), ("RepetitionDraw=false", "ongoing")]
    {
        let mut history = new_history(&rules::<QuoridorForFour>(&[setting]));
        play(&mut history, "e2 b5 e8 h5 e1 a5 e9 i5 e2 b5 e8 h5 e1 a5 e9 i5");
        assert_eq!(history.status_protocol_words(), outcome);
    }
}

/// Searches without pruning for the side to move. The engine's search must agree with it.
fn negamax(history: &mut GameHistory<QuoridorForFour>, depth: u32, ply: usize) -> i32 {
    let rules = history.rules().clone();
    let side = history.side_to_move();
    if let Some(outcome) = rules.outcome(history.position()) {
        let win = score::win_score_at_ply(ply);
        return outcome.winner().map_or(0, |winner| if winner == side { win } else { -win });
    }
    if depth == 0 {
        return 0;
    }
    let mut moves = Vec::new();
    history.legal_moves(&mut moves);
    let mut best = i32::MIN;
    for mv in moves {
        history.push(mv);
        let again = history.side_to_move() == side;
        let value = negamax(history, depth - 1, ply + 1);
        best = best.max(if again { value } else { -value });
        history.pop();
    }
    best
}

#[test]
fn the_search_finds_the_same_wins_as_negamax() {
    let mut rng = fastrand::Rng::with_seed(43);
    let mut found = 0;
    for game in 0..60 {
        let teams = if game % 2 == 0 { "Quoridor_Teams=true" } else { "Quoridor_Teams=false" };
        let mut history = new_history(&rules::<QuoridorForFour>(&[
            "Quoridor_BoardSize=5",
            "Quoridor_FourWalls=0",
            teams,
        ]));
        for _ in 0..rng.usize(4..24) {
            let texts = legal_move_strings(&history);
            let Some(text) = texts.get(rng.usize(..texts.len().max(1))) else { break };
            play(&mut history, text);
        }
        if history.outcome().is_some() {
            continue;
        }
        let depth = 5;
        let plain = negamax(&mut history.history_seen_by_mover(), depth, 0);
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let tables = no_tables(history.rules().as_ref());
        let table = TranspositionTable::new(4).unwrap();
        let answer =
            search(&history, &tables, &limits, &table, &SearchControl::default(), &mut |_| {})
                .unwrap();
        let score = answer.score.unwrap();
        let place = history.rules().position_text(history.position());
        if score::is_proven_score(plain) && plain > 0 {
            found += 1;
            assert!(
                score > 0 && score::is_proven_score(score),
                "{place} {teams}: {score}, not {plain}"
            );
        }
        if score::is_proven_score(score) && score::plies_to_end(score) <= depth as i32 {
            assert_eq!(score.signum(), plain.signum(), "{place} {teams}: {score}, not {plain}");
        }
    }
    assert!(found > 5, "{found}");
}

/// Checks the number of nodes of the search for four players. The benchmark does not include this
/// game.
#[test]
fn the_search_visits_the_expected_number_of_nodes() {
    let history =
        new_history(&rules::<QuoridorForFour>(&["Quoridor_BoardSize=5", "Quoridor_FourWalls=1"]));
    let limits = Limits { depth: Some(4), ..Limits::default() };
    let tables = no_tables(history.rules().as_ref());
    let table = TranspositionTable::new(4).unwrap();
    let answer =
        search(&history, &tables, &limits, &table, &SearchControl::default(), &mut |_| {}).unwrap();
    assert_eq!(answer.nodes, 38_660);
}

#[test]
fn pieces_and_hands_belong_to_players() {
    let history = new_history(&rules::<QuoridorForFour>(&["Quoridor_Teams=true"]));
    let rules = history.rules();
    let position = history.position();
    let scene = rules.position_scene(position);
    let owners: Vec<Option<usize>> = scene.pieces.iter().map(|piece| piece.player).collect();
    assert_eq!(owners, [Some(0), Some(1), Some(2), Some(3)]);
    assert_eq!(
        scene.hands.iter().map(|hand| (hand.player, hand.count)).collect::<Vec<_>>(),
        [(0, 5), (1, 5), (2, 5), (3, 5)]
    );
    assert_eq!(position.side_to_move(), Side::First);
}

#[test]
fn walls_belong_to_the_players_who_placed_them_in_the_game() {
    let mut history = new_history(&rules::<QuoridorForFour>(&[]));
    let walls = |history: &GameHistory<QuoridorForFour>| -> Vec<(String, Option<usize>)> {
        let pieces = history.scene().pieces.into_iter().filter(|piece| piece.kind == "wall");
        pieces.map(|wall| (wall.site.to_string(), wall.player)).collect()
    };
    play(&mut history, "e2 c3h d4h g6v");
    let owned = [("c3h", Some(1)), ("d4h", Some(2)), ("g6v", Some(3))];
    let mut found = walls(&history);
    found.sort();
    assert_eq!(found, owned.map(|(site, player)| (site.to_string(), player)));
    // A position does not store the players.
    let start = *history.position();
    let mut history = GameHistory::new(history.rules().clone(), start);
    assert!(walls(&history).iter().all(|(_, player)| player.is_none()));
    play(&mut history, "a1h");
    assert!(walls(&history).contains(&("a1h".to_string(), Some(0))));
    history.pop();
    assert_eq!(walls(&history).len(), 3);
}

#[test]
fn only_team_players_have_a_side() {
    let [teams, alone] = ["true", "false"]
        .map(|teams| rules::<QuoridorForFour>(&[&format!("Quoridor_Teams={teams}")]));
    let of_players =
        |rules: &QuoridorForFour| [0, 1, 2, 3].map(|player| rules.side_of_player(player));
    let [first, second] = Side::BOTH_SIDES.map(Some);
    assert_eq!(of_players(&teams), [first, second, first, second]);
    assert_eq!(of_players(&alone), [None; 4]);
    for player in 0..4 {
        let words = |rules: &Arc<QuoridorForFour>, moves: &str| {
            let mut history = new_history(rules);
            play(&mut history, moves);
            let seen = rules.position_seen_by_mover(history.position());
            Side::BOTH_SIDES.map(|side| rules.side_number_and_name(&seen, side).1)
        };
        let moves = ["", "e2", "e2 b5", "e2 b5 e8"][player];
        assert_eq!(words(&teams, moves), ["team1", "team2"]);
        assert_eq!(
            words(&alone, moves),
            [["player1", "player2", "player3", "player4"][player], "the rest"]
        );
    }
}
