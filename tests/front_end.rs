//! Data for front ends. The tests check properties of the board, the pieces, clicks and details in
//! every game. A client without code for single games plays every game by clicks. A game without
//! sites passes all tests.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use pentarch_core::GameHistory;
use pentarch_core::view::layout::{BoardGeometry, MoveEffect, Piece, Scene, Site};
use pentarch_engine::games::all_game_words;
use pentarch_games::{BuiltinRules, Game, GameOperation};
use serde_json::{Value, json};

use crate::client::Client;
use crate::common::*;

/// Returns the pieces by site.
fn by_site(pieces: &[Piece]) -> BTreeMap<Site, Piece> {
    let by_site: BTreeMap<Site, Piece> = pieces.iter().map(|piece| (piece.site, *piece)).collect();
    assert_eq!(by_site.len(), pieces.len(), "two pieces on one site: {pieces:?}");
    by_site
}

/// Returns the pieces after a move. They follow from the details of the move.
fn pieces_after(pieces: &[Piece], details: &MoveEffect) -> BTreeMap<Site, Piece> {
    let mut by_site = by_site(pieces);
    let removed: Vec<Piece> =
        details.removed.iter().filter_map(|piece| by_site.remove(&piece.site)).collect();
    assert_eq!(removed, details.removed, "removed from where it stood");
    let taken: Vec<(Site, Piece)> = details
        .moved
        .iter()
        .map(|[from, to]| (*to, by_site.remove(from).expect("a piece that moves")))
        .collect();
    let placed = details.placed.iter().map(|piece| (piece.site, *piece));
    for (site, piece) in
        taken.into_iter().map(|(to, piece)| (to, Piece { site: to, ..piece })).chain(placed)
    {
        assert_eq!(by_site.insert(site, piece), None, "a piece lands on another");
    }
    by_site
}

for_all_games!(every_site_has_a_unique_id_and_is_in_the_box, G, SAMPLE, |history| {
    let BoardGeometry { bounds: [left, bottom, width, height], sites, shapes, labels, .. } =
        history.rules().board_geometry();
    let ids: BTreeSet<String> = sites.iter().map(|drawn| drawn.site.to_string()).collect();
    assert_eq!(ids.len(), sites.len(), "{}", G::GAME_ID);
    let inside = |[x, y]: [f64; 2]| {
        (left..=left + width).contains(&x) && (bottom..=bottom + height).contains(&y)
    };
    assert!(sites.iter().all(|drawn| inside(drawn.centre)), "{}", G::GAME_ID);
    assert!(labels.iter().all(|(_, place)| inside(*place)), "{}", G::GAME_ID);
    assert!(
        sites.iter().all(|drawn| shapes.iter().any(|(name, _)| *name == drawn.shape)),
        "{}",
        G::GAME_ID
    );
});

for_all_games!(pieces_marks_arrows_and_clicks_name_sites, G, SAMPLE, |history| {
    let rules = history.rules().clone();
    let position = *history.position();
    let geometry = rules.board_geometry();
    let sites: BTreeSet<Site> = geometry.sites.iter().map(|drawn| drawn.site).collect();
    let Scene { pieces, marks, arrows, hands, lost } = history.scene();
    by_site(&pieces);
    let known = |kind: &str| geometry.kinds.iter().any(|(name, _)| *name == kind);
    assert!(geometry.emblems.iter().all(|(kind, _)| known(kind)), "{}", G::GAME_ID);
    assert!(
        pieces.iter().all(|piece| sites.contains(&piece.site) && known(piece.kind)),
        "{}",
        G::GAME_ID
    );
    assert!(hands.iter().chain(&lost).all(|count| known(count.kind)), "{}", G::GAME_ID);
    assert!(marks.iter().all(|mark| sites.contains(&mark.site)), "{}", G::GAME_ID);
    assert!(
        arrows.iter().all(|arrow| sites.contains(&arrow.from) && sites.contains(&arrow.to)),
        "{}",
        G::GAME_ID
    );
    let mut moves = Vec::new();
    history.legal_moves(&mut moves);
    let mut all: HashMap<Vec<Site>, String> = HashMap::new();
    for mv in moves {
        let mut clicks = Vec::new();
        let text = rules.move_text(mv);
        rules.append_move_clicks(&position, mv, &mut clicks);
        assert!(clicks.iter().all(|site| sites.contains(site)), "{} {text}", G::GAME_ID);
        assert_eq!(clicks.is_empty(), sites.is_empty(), "{} {text}", G::GAME_ID);
        if !clicks.is_empty() {
            assert_eq!(rules.move_string_from_clicks(&position, &clicks), text, "{}", G::GAME_ID);
            let other = all.insert(clicks, text.clone());
            assert_eq!(other, None, "{} {text}", G::GAME_ID);
        }
    }
});

for_all_games!(
    details_transform_the_pieces_before_a_move_into_those_after_it,
    G,
    SAMPLE,
    |history| {
        let rules = history.rules().clone();
        let position = *history.position();
        let scene = history.scene();
        let mut after = history.clone();
        let mut moves = Vec::new();
        history.legal_moves(&mut moves);
        let step = moves.len() / 100 + 1;
        for mv in moves.into_iter().step_by(step) {
            let details = rules.move_effect(&position, mv);
            let place = || {
                format!("{} {} {}", G::GAME_ID, rules.position_text(&position), rules.move_text(mv))
            };
            after.push(mv);
            let next = after.scene();
            after.pop();
            assert_eq!(pieces_after(&scene.pieces, &details), by_site(&next.pieces), "{}", place());
            // A captured piece was on the board and is removed. A pushed piece moves.
            assert!(
                details
                    .captured
                    .iter()
                    .all(|site| details.removed.iter().any(|piece| piece.site == *site))
            );
            assert!(details.pushed.iter().all(|step| details.moved.contains(step)), "{}", place());
            assert!(details.moved.iter().all(|[from, to]| from != to), "{}", place());
            let enemies = details
                .removed
                .iter()
                .filter(|piece| piece.player == Some((!history.side_to_move()).index()));
            let lost = |scene: &Scene| scene.lost_count(0) + scene.lost_count(1);
            assert_eq!(enemies.count() as u32, lost(&next) - lost(&scene), "{}", place());
            if let [first, .., last] = details.path[..] {
                let ends = details.moved.contains(&[first, last]) || first == last;
                assert!(ends || details.promoted == Some(true), "{}: {details:?}", place());
            }
            assert_eq!(
                details.turn.is_some(),
                details.moved.len() == 1 && is_wall(&scene.pieces, details.moved[0][0])
            );
        }
    }
);

/// Returns whether a wall stands on this site.
fn is_wall(pieces: &[Piece], site: Site) -> bool {
    pieces.iter().any(|piece| piece.site == site && piece.kind == "wall")
}

/// Sends a query. Returns the answer as JSON.
fn ask(client: &mut Client, query: &str) -> Value {
    let line = client.ask(query);
    let answer = line.strip_prefix("response ").unwrap_or_else(|| panic!("{query}: {line}"));
    serde_json::from_str(answer).unwrap_or_else(|error| panic!("{query}: {answer}: {error}"))
}

/// Returns the strings of a list.
fn strings(list: &Value) -> Vec<String> {
    list.as_array().unwrap().iter().map(|text| text.as_str().unwrap().into()).collect()
}

/// Returns the field names of an object.
fn field_names(object: &Value) -> Vec<&str> {
    object.as_object().unwrap().keys().map(String::as_str).collect()
}

/// Plays a game by clicks on the sites that the engine lists as next. The game ends after `plies`
/// plies at the latest.
fn play_by_clicks(client: &mut Client, rng: &mut fastrand::Rng, plies: usize) {
    client.send("position startpos");
    let mut moves: Vec<String> = Vec::new();
    for _ in 0..plies {
        let scene = ask(client, "query scene");
        assert_eq!(scene["last"], moves.last().map_or(Value::Null, |mv| json!(mv)));
        let from_start = format!("query scene startpos moves {}", moves.join(" "));
        assert_eq!(ask(client, &from_start), scene);
        let mut clicked = Vec::new();
        let mv = loop {
            let answer = ask(client, &format!("query clicks {}", clicked.join(" ")));
            assert_eq!(field_names(&answer), ["move", "next", "reason", "rule", "text", "why"]);
            let next = strings(&answer["next"]);
            assert!(next.is_sorted());
            match answer["move"].as_str() {
                Some(mv) if next.is_empty() || rng.bool() => break Some(mv.to_string()),
                None if next.is_empty() => break None,
                _ => clicked.push(rng.choice(next).unwrap()),
            }
        };
        let Some(mv) = mv else {
            assert_ne!(scene["outcome"], "ongoing");
            assert_eq!((&scene["turn"], clicked.len()), (&Value::Null, 0));
            return;
        };
        let details = ask(client, &format!("query details {mv}"));
        assert_eq!((&details["move"], strings(&details["clicks"])), (&json!(mv), clicked));
        let shown = ask(client, &format!("query scene moves {mv}"));
        client.send(&format!("play {mv}"));
        assert_eq!(ask(client, "query scene"), shown);
        moves.push(mv);
    }
}

#[test]
fn generic_client_plays_all_games_by_clicks() {
    let mut rng = fastrand::Rng::with_seed(18);
    for &word in all_game_words() {
        let mut client = Client::in_process();
        client.send(&format!("setoption name Game value {word}"));
        let board = ask(&mut client, "query board");
        let all = [
            "aim", "box", "emblems", "game", "kinds", "labels", "lines", "odds", "rules", "shapes",
            "sides", "sites",
        ];
        assert_eq!((&board["game"], field_names(&board)), (&json!(word), all.to_vec()));
        for _ in 0..3 {
            play_by_clicks(&mut client, &mut rng, 120);
        }
    }
}

/// Returns the words in backticks after this cell in a table of `protocol.md`. They are in the
/// cells of the same row.
fn documented_words(cell: &str) -> BTreeSet<String> {
    let text = include_str!("../protocol.md");
    let row =
        text.lines().find_map(|line| line.strip_prefix(&format!("| {cell} | "))).expect("a row");
    row.split('`').skip(1).step_by(2).map(String::from).collect()
}

/// The words in the data of a game. They are classes, and kinds of pieces, of marks and of arrows.
#[derive(Default)]
struct DataWords([BTreeSet<String>; 4]);

impl DataWords {
    fn add<G: Game>(&mut self, history: &GameHistory<G>) {
        let rules = history.rules();
        let position = history.position();
        let BoardGeometry { sites, kinds, .. } = rules.board_geometry();
        let scene = rules.position_scene(position);
        let [classes, pieces, marks, arrows] = &mut self.0;
        classes.extend(sites.iter().flat_map(|drawn| drawn.class.split(' ')).map(String::from));
        pieces.extend(kinds.iter().map(|(kind, _)| kind.to_string()));
        marks.extend(scene.marks.iter().map(|mark| mark.kind.into()));
        arrows.extend(scene.arrows.iter().map(|arrow| arrow.kind.into()));
    }
}

#[test]
fn documentation_lists_exactly_the_words_of_the_data() {
    #[derive(Clone)]
    struct Collect;
    impl GameOperation for Collect {
        type Output = DataWords;
        fn run_for_game_type<G: Game>(self) -> DataWords {
            let mut words = DataWords::default();
            Sample { rule_sets: 12, ..SAMPLE }.run::<G>(|history| words.add(history));
            words
        }
    }
    let mut found = DataWords::default();
    for id in BuiltinRules::ALL_RULES {
        let DataWords(words) = id.run_operation(Collect);
        found.0.iter_mut().zip(words).for_each(|(all, more)| all.extend(more));
    }
    // The default layout has this kind; all games here have their own layouts.
    found.0[1].insert("piece".into());
    let [first, more] = ["a class has one of", "and may have"].map(documented_words);
    let rows = ["kinds of pieces", "kinds of marks", "kinds of arrows"].map(documented_words);
    assert_eq!(found.0[0], &first | &more);
    assert_eq!(found.0[1..], rows);
}
