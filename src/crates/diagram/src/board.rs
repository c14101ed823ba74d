//! A position as a picture: the board, what stands on it, the last move, and moves that are shown by arrows.
//!
//! What is drawn is the data of [`Layout`], as the page draws it, with the same classes. The `y` of the data grows up
//! and that of SVG grows down.

use svg::Document;
use svg::node::element::{Circle, Element, Group, Line, Path, Rectangle, Style, Text, Title};

use pentarch_core::notation::text::capitalised;
use pentarch_core::view::layout::{
    Arrow, DrawnSite, Geometry, Layout, Mark, MoveEffect, Piece, PiecesInHand, Site, WallTurn,
    rounded,
};
use pentarch_core::{GameHistory, Players};

use super::style::{self, Theme};

/// How a picture is drawn.
#[derive(Debug, Clone, Copy)]
pub struct View {
    /// Whether the second side sits below.
    pub flipped: bool,
    /// The colours.
    pub theme: Theme,
}

/// What marks look like by their kinds, within 1 of their centres. The y of these paths grows down.
pub const MARKS: [(&str, &str); 3] = [
    ("blocked", "M-0.35 0V-0.35A0.35 0.35 0 0 1 0.35 -0.35V0M-0.55 0H0.55V0.8H-0.55z"),
    ("huff", "M-0.7 -0.7L0.7 0.7M-0.7 0.7L0.7 -0.7"),
    ("spent", "M-0.6 -0.6H0.6V0.6H-0.6z"),
];
/// The width of a picture in pixels, where nothing else says how large it is.
const PIXELS: f64 = 480.0;

/// The current position of a game as a picture. It says whose turn it is, and what stands beside the board. `shown` are
/// legal moves that are drawn as they would be made.
pub fn svg<G: Layout>(history: &GameHistory<G>, shown: &[G::Move], view: View) -> String {
    let (rules, position) = (history.rules().as_ref(), history.position());
    let geometry = rules.geometry();
    let board = Board { geometry: &geometry, players: G::PLAYERS, flipped: view.flipped };
    let [x, y, width, height] = board.bounds();
    let letters = 0.08 + 0.016 * width;
    let scene = rules.scene(position);
    let beside = beside::<G>(&scene.hands);
    let captions = [history.status(), beside].into_iter().filter(|text| !text.is_empty());
    let labels = geometry.labels.iter().map(|(text, [x, y])| board.text(text, [*x, *y]));
    let last = history.last_sites().into_iter().filter_map(|site| board.outline(site, "was"));
    let marks = scene.marks.into_iter().filter_map(|mark| board.mark(mark));
    let arrows =
        scene.arrows.into_iter().filter_map(|Arrow { kind, from, to }| board.arrow(from, to, kind));
    let ghosts = shown.iter().map(|&mv| board.ghost(&scene.pieces, &rules.details(position, mv)));
    let ground = Rectangle::new().set("class", "ground").set("x", rounded(x)).set("y", rounded(y));
    let (mut bottom, middle) = (y + height, rounded(x + width / 2.0));
    let captions = captions.map(|text| {
        bottom += letters * 1.6;
        Text::new(text).set("x", middle).set("y", rounded(bottom - letters * 0.4)).into()
    });
    let captions = group("caption", captions).set("font-size", rounded(letters));
    let [whole_width, whole_height] = [width, bottom + letters * 0.6 - y].map(rounded);
    let body = Group::new()
        .set("class", board.class())
        .add(ground.set("width", whole_width).set("height", whole_height))
        .add(group("lines", geometry.lines.iter().map(|&line| board.line(line))))
        .add(group(
            "sites",
            geometry.sites.iter().map(|site| board.site(site, &format!("site {}", site.class))),
        ))
        .add(group("labels", labels).set("font-size", rounded(letters)))
        .add(group("last", last))
        .add(group(
            "pieces",
            scene.pieces.iter().filter_map(|piece| board.piece(piece, piece.site)),
        ))
        .add(group("marks", marks.chain(arrows)))
        .add(group("ghosts", ghosts))
        .add(captions);
    let title = format!("{}: {}", G::NAME, rules.position_text(position));
    let document = Document::new()
        .set("viewBox", (rounded(x), rounded(y), whole_width, whole_height))
        .set("width", PIXELS)
        .set("height", (PIXELS * whole_height / whole_width).round())
        .set("role", "img")
        .add(Title::new(title))
        .add(Style::new(style::of_picture(view.theme)))
        .add(body);
    format!("{document}\n")
}

/// What stands beside the board, in words: `white: 9 walls; black: 10 walls`.
fn beside<G: Players>(hands: &[PiecesInHand]) -> String {
    let hand = |&PiecesInHand { player, kind, count }: &PiecesInHand| {
        format!(
            "{}: {count} {kind}{}",
            capitalised(G::PLAYERS[player]),
            if count == 1 { "" } else { "s" }
        )
    };
    hands.iter().map(hand).collect::<Vec<_>>().join(", ")
}

/// A group of this class.
pub(super) fn group(class: &str, elements: impl IntoIterator<Item = Element>) -> Group {
    elements.into_iter().fold(Group::new().set("class", class), Group::add)
}

/// A board in a picture.
struct Board<'a> {
    geometry: &'a Geometry,
    players: &'static [&'static str],
    flipped: bool,
}

impl Board<'_> {
    /// The classes of the whole board: the words of the first two players, and what its sites are like.
    fn class(&self) -> String {
        let [first, second] = [0, 1].map(|player| self.players[player]);
        let has = |word: &str| {
            self.geometry.sites.iter().any(|site| site.class.split(' ').any(|class| class == word))
        };
        let grooved = if has("groove") { " grooved" } else { "" };
        let celled = if has("cell") { " celled" } else { "" };
        format!("board first-{first} second-{second}{grooved}{celled}")
    }

    /// A point of the data in the picture.
    fn at(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        if self.flipped { [-x, y] } else { [x, -y] }.map(|length| rounded(length) + 0.0)
    }

    /// What the picture shows: the least x and y, the width and the height.
    fn bounds(&self) -> [f64; 4] {
        let [x, y, width, height] = self.geometry.bounds;
        let [[x1, y1], [x2, y2]] = [self.at([x, y]), self.at([x + width, y + height])];
        [x1.min(x2), y1.min(y2), width, height]
    }

    /// The site as it is drawn.
    fn drawn(&self, site: Site) -> Option<&DrawnSite> {
        self.geometry.sites.iter().find(|drawn| drawn.site == site)
    }

    /// Where a thing stands that is drawn about 0,0 in the axes of the data.
    fn placing(&self, site: &DrawnSite) -> String {
        let [x, y] = self.at(site.centre);
        let turn = if site.turn == 0 { String::new() } else { format!(" rotate({})", site.turn) };
        format!("translate({x} {y}) scale(1 -1){turn}")
    }

    fn line(&self, [x1, y1, x2, y2]: [f64; 4]) -> Element {
        let [[x1, y1], [x2, y2]] = [self.at([x1, y1]), self.at([x2, y2])];
        Line::new().set("x1", x1).set("y1", y1).set("x2", x2).set("y2", y2).into()
    }

    fn text(&self, text: &str, centre: [f64; 2]) -> Element {
        let [x, y] = self.at(centre);
        Text::new(text).set("x", x).set("y", y).set("dy", "0.35em").into()
    }

    /// The outline of a site, with these classes.
    fn site(&self, site: &DrawnSite, class: &str) -> Element {
        let shape = self.geometry.shapes.iter().find(|(name, _)| *name == site.shape);
        let path = shape.map_or("", |(_, path)| path);
        Path::new().set("class", class).set("d", path).set("transform", self.placing(site)).into()
    }

    /// The outline of a site, drawn once more with this class before its own.
    fn outline(&self, site: Site, class: &str) -> Option<Element> {
        let drawn = self.drawn(site)?;
        Some(self.site(drawn, &format!("{class} {}", drawn.class)))
    }

    /// A piece as if it stood on this site.
    fn piece(&self, &Piece { kind, player, .. }: &Piece, site: Site) -> Option<Element> {
        let (_, path) = self.geometry.kinds.iter().find(|(name, _)| *name == kind)?;
        let class = match player {
            None => format!("piece {kind} nobody"),
            Some(player) => format!("piece {kind} side-{player} {}", self.players[player]),
        };
        let body = Path::new().set("class", "body").set("d", path.as_str());
        let inner = Path::new()
            .set("class", "inner")
            .set("d", path.as_str())
            .set("transform", "scale(0.62)");
        Some(
            group(&class, [body.into(), inner.into()])
                .set("transform", self.placing(self.drawn(site)?))
                .into(),
        )
    }

    fn mark(&self, Mark { kind, site }: Mark) -> Option<Element> {
        let (_, path) = MARKS.iter().find(|(name, _)| *name == kind)?;
        let [x, y] = self.at(self.drawn(site)?.centre);
        let placing = format!("translate({x} {y}) scale(0.2)");
        Some(
            Path::new()
                .set("class", format!("mark {kind}"))
                .set("d", *path)
                .set("transform", placing)
                .into(),
        )
    }

    /// An arrow from one site to another, of this kind.
    fn arrow(&self, from: Site, to: Site, kind: &str) -> Option<Element> {
        let ([x1, y1], [x2, y2]) =
            (self.at(self.drawn(from)?.centre), self.at(self.drawn(to)?.centre));
        let (dx, dy) = (x2 - x1, y2 - y1);
        let (length, angle) = (dx.hypot(dy), rounded(dy.atan2(dx).to_degrees()));
        let path =
            |class: &str, path: String| Path::new().set("class", class).set("d", path).into();
        let parts = [
            path("shaft", format!("M0.1 0H{}", rounded(length - 0.25))),
            path("head", format!("M{} 0l-0.3 -0.16v0.32z", rounded(length - 0.05))),
            path(
                "bar",
                format!("M{} -0.13l0.26 0.26m0 -0.26l-0.26 0.26", rounded(length / 2.0 - 0.13)),
            ),
        ];
        let placing = format!("translate({x1} {y1}) rotate({angle})");
        Some(group(&format!("arrow {kind}"), parts).set("transform", placing).into())
    }

    /// What a move would do: pieces where they come to stand, and their ways.
    fn ghost(&self, pieces: &[Piece], details: &MoveEffect) -> Element {
        let gone = details.removed.iter().filter_map(|piece| self.outline(piece.site, "gone"));
        let moved = details.moved.iter().flat_map(|&[from, to]| {
            let piece = pieces.iter().find(|piece| piece.site == from);
            let way = match details.turn {
                Some(turn) => self.turning(turn, from),
                None => self.arrow(from, to, "way"),
            };
            [piece.and_then(|piece| self.piece(piece, to)), way]
        });
        let placed = details.placed.iter().map(|piece| self.piece(piece, piece.site));
        group("ghost", gone.chain(moved.chain(placed).flatten())).into()
    }

    /// The way of the middle of a wall that turns about a pivot, from this site.
    fn turning(
        &self,
        WallTurn { pivot, clockwise, degrees }: WallTurn,
        from: Site,
    ) -> Option<Element> {
        const STEPS: u16 = 12;
        let (centre, start) = (self.drawn(pivot)?.centre, self.drawn(from)?.centre);
        let [dx, dy] = [start[0] - centre[0], start[1] - centre[1]];
        let whole =
            f64::from(degrees).to_radians() * if clockwise == Some(false) { 1.0 } else { -1.0 };
        let point = |step: u16| {
            let (sin, cos) = (whole * f64::from(step) / f64::from(STEPS)).sin_cos();
            let [x, y] =
                self.at([centre[0] + dx * cos - dy * sin, centre[1] + dx * sin + dy * cos]);
            format!("{x} {y}")
        };
        let way = format!("M{}", (0..=STEPS).map(point).collect::<Vec<_>>().join("L"));
        let [x, y] = self.at(centre);
        let pivot = Circle::new().set("class", "pivot").set("cx", x).set("cy", y).set("r", 0.16);
        Some(
            group(
                "turning",
                [Path::new().set("class", "shaft").set("d", way).into(), pivot.into()],
            )
            .into(),
        )
    }
}
