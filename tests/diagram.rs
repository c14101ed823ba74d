//! SVG diagrams of positions, of a game and of a match.

use std::fs;
use std::path::Path;

use svg::parser::Event;

use crate::client::{program, run};
use crate::common::temporary::Folder;

/// The diagrams in `fixtures`. Each has the command that draws it. Some documentation pages show
/// them.
const DIAGRAMS: [(&str, &str); 11] = [
    ("alcaxar/start.svg", "--game alcaxar diagram"),
    ("alcaxar/wall.svg", "--game alcaxar diagram --moves e8d9 c6b7 --arrow b5a4"),
    ("alquerque/start.svg", "--game alquerque diagram"),
    (
        "alquerque/capture.svg",
        "--game alquerque diagram startpos moves d3c3 --arrow b3d3 --theme light",
    ),
    ("roses/start.svg", "--game roses diagram"),
    (
        "roses/phalanx.svg",
        "--game roses diagram c/1SS1/s4/1sSSs/1s2/C w 0/0 12 --arrow e5c3 --theme print",
    ),
    ("quoridor/start.svg", "--game quoridor diagram"),
    (
        "quoridor/proposed.svg",
        "--game quoridor diagram fen e4e6 - w 10/10 4 --moves e3h d6 --arrow c3h --flip",
    ),
    ("bushka/start.svg", "--game bushka diagram"),
    (
        "bushka/capture.svg",
        "--game bushka diagram --moves c3d4 f8g7 --arrow g3h4 --flip --theme dark",
    ),
    ("roses/castle.svg", "analyse fixtures/roses/castle.record --svg --nodes 1000"),
];

/// Returns the output of a command that must succeed.
fn draw(arguments: &str) -> String {
    let (out, err, code) = run(program(arguments.split(' ')), "");
    assert_eq!((err.as_str(), code), ("", Some(0)), "{arguments}");
    out
}

/// Checks that a text is well-formed SVG and refers to no other file.
fn check(svg: &str) {
    assert!(svg::read(svg).unwrap().all(|event| !matches!(event, Event::Error(_))), "{svg}");
    assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"), "{svg}");
    assert!(
        !["href", "url(", "@import", "NaN", "inf"].iter().any(|part| svg.contains(part)),
        "{svg}"
    );
}

/// `PENTARCH_WRITE_PICTURES=1 cargo test --test all diagram::` draws them again.
#[test]
fn draws_the_stored_diagrams() {
    for (name, arguments) in DIAGRAMS {
        let svg = draw(arguments);
        let path = Path::new("fixtures").join(name);
        check(&svg);
        if std::env::var_os("PENTARCH_WRITE_PICTURES").is_some() {
            fs::write(&path, &svg).unwrap();
        }
        assert_eq!(
            fs::read_to_string(&path).ok().as_deref(),
            Some(svg.as_str()),
            "pentarch {arguments}"
        );
    }
}

/// The diagram contains all pieces, marks and proposed moves of the scene.
#[test]
fn diagram_contains_everything_in_the_scene() {
    let svg =
        draw("--game quoridor diagram e4e6 - w 10/10 4 --moves e3h d6 --arrow c3h --arrow e5");
    for (part, count) in [
        ("\"piece pawn side-0 white\"", 2),
        ("\"piece pawn side-1 black\"", 1),
        ("\"piece wall ", 2),
    ] {
        assert_eq!(svg.matches(part).count(), count, "{part}");
    }
    assert!(
        svg.contains("White is to move") && svg.contains("White: 9 walls, Black: 10 walls"),
        "{svg}"
    );
    assert_eq!((svg.matches("\"ghost\"").count(), svg.matches("\"arrow way\"").count()), (2, 1));
    assert_eq!(
        svg.matches("class=\"was ").count(),
        2,
        "the squares that the last move left and reached"
    );
    let over = draw("--game roses diagram c/1SS1/s4/1sSSs/1s2/C b 0/0 12 --moves c3e3");
    assert!(over.contains("Black has won"), "{over}");
    let huff =
        draw("--game alquerque --set Alquerque_Ruleset=alfonso diagram 5/2x2/1o3/5/4x d - - b3 1");
    assert_eq!(huff.matches("class=\"mark huff\"").count(), 1, "{huff}");
}

#[test]
fn rejects_what_cannot_be_drawn() {
    for (arguments, why) in [
        ("diagram --moves Kb7", "move 1, Kb7, is illegal: b7 is a wall slot, not a square"),
        ("diagram --arrow Kb7", "move 1, Kb7, is illegal: b7 is a wall slot, not a square"),
        ("diagram b8h2", "position string: column 5: "),
        ("diagram startpos moves", ""),
        ("diagram --theme blue", "invalid value 'blue' for '--theme <THEME>'"),
    ] {
        let (out, err, code) = run(program(arguments.split(' ')), "");
        let is_fine = why.is_empty();
        assert_eq!(
            (out.is_empty(), code),
            (!is_fine, Some(if is_fine { 0 } else { 2 })),
            "{arguments}: {err}"
        );
        assert!(err.contains(why), "{arguments}: {err}");
    }
}

/// A front end gets the same diagram as one line of JSON.
#[test]
fn session_draws_the_same_diagram() {
    let session = |lines: &str| {
        let (out, ..) = run(program(["--game", "quoridor"]), lines);
        serde_json::from_str::<String>(out.trim_end().strip_prefix("response ").unwrap()).unwrap()
    };
    assert_eq!(
        session("play e2 e8\nquery diagram\n"),
        draw("--game quoridor diagram --moves e2 e8")
    );
    assert_eq!(
        session("play e2\nquery diagram flip moves e8\n"),
        draw("--game quoridor diagram --moves e2 e8 --flip")
    );
    let text = "e4e6 - w 10/10 4";
    assert_eq!(
        session(&format!("query diagram fen {text}\n")),
        draw(&format!("--game quoridor diagram {text}"))
    );
}

/// The page draws marks with its own symbols.
#[cfg(feature = "serve")]
#[test]
fn marks_look_as_on_the_page() {
    let page: String = include_str!("../src/page/index.html").lines().collect();
    for (kind, path) in pentarch_diagram::board::MARK_SVG_PATHS {
        let symbol = format!(
            "<symbol id=\"mark-{kind}\" viewBox=\"-1 -1 2 2\"><path d=\"{path}\"/></symbol>"
        );
        assert!(page.contains(&symbol), "{symbol}");
    }
}

#[test]
fn plots_a_finished_match() {
    let folder = Folder::new("plot");
    let [games, plot] = ["games", "plot.svg"].map(|name| folder.file(name));
    let arguments = format!(
        "arena --game quoridor --nodes 20 --games 6 --plies 30 --record {games} --plot {plot}"
    );
    draw(&arguments);
    let svg = fs::read_to_string(&plot).unwrap();
    check(&svg);
    assert!(
        svg.contains("The score of first after each pair of games, with its 95 % interval; Elo "),
        "{svg}"
    );
    let (_, err, code) = run(program(arguments.split(' ')), "");
    assert_eq!((err, code), (format!("pentarch: {plot}: it is there already\n"), Some(1)));
    // The diagram of a finished match is drawn again. No game is played.
    fs::remove_file(&plot).unwrap();
    draw(&arguments);
    assert_eq!(fs::read_to_string(&plot).unwrap(), svg);
}

/// A diagram is only written to a new file.
#[cfg(unix)]
#[test]
fn writes_a_diagram_to_an_existing_pipe() {
    let draw = |arguments: &[&str]| {
        run(program([&["--game", "roses", "diagram"], arguments].concat()), "")
    };
    assert_eq!(draw(&["--output", "/dev/stdout"]), draw(&[]));
    let folder = Folder::new("diagram-standard-output");
    let file = folder.file("start.svg");
    let status = program(["--game", "roses", "diagram", "--output", "/dev/stdout"])
        .stdout(fs::File::create(&file).unwrap())
        .status()
        .unwrap();
    assert!(status.success());
    assert_eq!(fs::read_to_string(&file).unwrap(), draw(&[]).0);
}

#[test]
fn writes_a_diagram_to_a_new_file() {
    let folder = Folder::new("diagram-output");
    let file = folder.file("start.svg");
    let draw = || run(program(["--game", "roses", "diagram", "--output", &file]), "");
    assert_eq!(draw(), (String::new(), String::new(), Some(0)));
    assert_eq!(
        fs::read_to_string(&file).unwrap(),
        run(program(["--game", "roses", "diagram"]), "").0
    );
    let (out, err, code) = draw();
    assert!(
        out.is_empty() && err.ends_with("start.svg: it is there already\n") && code == Some(1),
        "{err}"
    );
    let (_, err, code) =
        run(program(["--game", "roses", "diagram", "--output", &folder.file("")]), "");
    assert!(err.ends_with(": it is not a regular file\n") && code == Some(1), "{err}");
}
