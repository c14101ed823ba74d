//! A position as an image. The image shows the board, the pieces, the marks, the last move, and
//! proposed moves as arrows.
//!
//! Like the page, the image shows the data of [`BoardLayout`], with the same CSS classes. In this
//! data, `y` grows upwards. In SVG, `y` grows downwards.

use svg::Document;
use svg::node::element::{Circle, Element, Group, Line, Path, Rectangle, Style, Text, Title};

use pentarch_core::notation::parsing::capitalise;
use pentarch_core::view::layout::{
    Arrow, BoardGeometry, BoardLayout, DrawnSite, MoveEffect, Piece, PieceCount, Scene, Site,
    SiteMark, WallRotation, round_drawing_length,
};
use pentarch_core::{GameHistory, HasPlayers};

use super::stylesheet::{self, ColourScheme};

/// The options of an image of a board.
#[derive(Debug, Clone, Copy)]
pub struct ImageOptions {
    /// Whether the second side is at the bottom.
    pub flipped: bool,
    /// The colours of the image.
    pub colours: ColourScheme,
}

/// The SVG path of each kind of mark. A path is drawn around 0,0 and extends at most 1 from there.
/// The `y` of a path grows downwards.
pub const MARK_SVG_PATHS: [(&str, &str); 3] = [
    ("blocked", "M-0.35 0V-0.35A0.35 0.35 0 0 1 0.35 -0.35V0M-0.55 0H0.55V0.8H-0.55z"),
    ("huff", "M-0.7 -0.7L0.7 0.7M-0.7 0.7L0.7 -0.7"),
    ("spent", "M-0.6 -0.6H0.6V0.6H-0.6z"),
];
/// The default width of an image in pixels.
const DEFAULT_IMAGE_WIDTH: f64 = 480.0;
/// The number of straight segments in the arc of a turning wall.
const WALL_ARC_SEGMENT_COUNT: u16 = 12;

/// Returns the current position of a game as an image. Captions name the side to move and the
/// pieces in the players' hands. `shown` are legal moves that the image shows as proposals.
pub fn draw_svg<G: BoardLayout>(
    history: &GameHistory<G>,
    shown: &[G::Move],
    options: ImageOptions,
) -> String {
    let rules = history.rules().as_ref();
    let position = history.position();
    let geometry = rules.board_geometry();
    let board =
        SvgBoard { geometry: &geometry, players: G::PLAYER_NAMES, is_flipped: options.flipped };
    let [x, y, width, height] = board.image_bounds();
    let font_size = 0.08 + 0.016 * width;
    let scene = history.scene();
    let last = history
        .sites_of_last_move()
        .into_iter()
        .filter_map(|site| board.site_outline_element(site, "was"));
    let ghosts = shown
        .iter()
        .map(|&mv| board.move_preview_element(&scene.pieces, &rules.move_effect(position, mv)));
    let texts = [history.status_sentence(), pieces_in_hand_text::<G>(&scene.hands)];
    let mut bottom = y + height;
    let mut captions = Vec::new();
    for text in texts.into_iter().filter(|text| !text.is_empty()) {
        bottom += font_size * 1.6;
        captions.push(caption_element(text, x + width / 2.0, bottom - font_size * 0.4));
    }
    let image_width = round_drawing_length(width);
    let image_height = round_drawing_length(bottom + font_size * 0.6 - y);
    let ground = Rectangle::new()
        .set("class", "ground")
        .set("x", round_drawing_length(x))
        .set("y", round_drawing_length(y))
        .set("width", image_width)
        .set("height", image_height);
    let body = Group::new()
        .set("class", board.board_css_classes())
        .add(ground)
        .add(svg_group("lines", geometry.lines.iter().map(|&line| board.line_element(line))))
        .add(board.sites_group())
        .add(svg_group("last", last))
        .add(board.board_labels_group().set("font-size", round_drawing_length(font_size)))
        .add(board.pieces_group(&scene))
        .add(board.marks_and_arrows_group(&scene))
        .add(svg_group("ghosts", ghosts))
        .add(svg_group("caption", captions).set("font-size", round_drawing_length(font_size)));
    let title = format!("{}: {}", G::GAME_NAME, rules.position_text(position));
    let document = Document::new()
        .set(
            "viewBox",
            (round_drawing_length(x), round_drawing_length(y), image_width, image_height),
        )
        .set("width", DEFAULT_IMAGE_WIDTH)
        .set("height", (DEFAULT_IMAGE_WIDTH * image_height / image_width).round())
        .set("role", "img")
        .add(Title::new(title))
        .add(Style::new(stylesheet::image_stylesheet(options.colours)))
        .add(body);
    format!("{document}\n")
}

/// Returns a line of text below the board, centred at `middle`.
fn caption_element(text: String, middle: f64, baseline: f64) -> Element {
    let text = Text::new(text).set("x", round_drawing_length(middle));
    text.set("y", round_drawing_length(baseline)).into()
}

/// Returns the pieces in the players' hands in words: `White: 9 walls, Black: 10 walls`.
fn pieces_in_hand_text<G: HasPlayers>(hands: &[PieceCount]) -> String {
    let mut texts = Vec::new();
    for PieceCount { player, kind, count } in hands {
        let player = capitalise(G::PLAYER_NAMES[*player]);
        let plural = if *count == 1 { "" } else { "s" };
        texts.push(format!("{player}: {count} {kind}{plural}"));
    }
    texts.join(", ")
}

pub(super) fn svg_group(class: &str, elements: impl IntoIterator<Item = Element>) -> Group {
    elements.into_iter().fold(Group::new().set("class", class), Group::add)
}

/// Creates the elements of a board.
struct SvgBoard<'a> {
    geometry: &'a BoardGeometry,
    players: &'static [&'static str],
    is_flipped: bool,
}

impl SvgBoard<'_> {
    /// Returns the CSS classes of the whole board. The classes contain the names of the first two
    /// players, and show whether the board has grooves or cells.
    fn board_css_classes(&self) -> String {
        let [first, second] = [0, 1].map(|player| self.players[player]);
        let mut class = format!("board first-{first} second-{second}");
        for (site_class, board_class) in [("groove", " grooved"), ("cell", " celled")] {
            let mut sites = self.geometry.sites.iter();
            if sites.any(|site| site.class.split(' ').any(|word| word == site_class)) {
                class += board_class;
            }
        }
        class
    }

    /// Converts a point from the coordinates of the layout to the coordinates of the image.
    fn to_image_point(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        if self.is_flipped { [-x, y] } else { [x, -y] }
            .map(|length| round_drawing_length(length) + 0.0)
    }

    /// Returns the bounds of the board in the image: the least x, the least y, the width and the
    /// height.
    fn image_bounds(&self) -> [f64; 4] {
        let [x, y, width, height] = self.geometry.bounds;
        let [x1, y1] = self.to_image_point([x, y]);
        let [x2, y2] = self.to_image_point([x + width, y + height]);
        [x1.min(x2), y1.min(y2), width, height]
    }

    /// Returns the drawing data of a site.
    fn site_drawing(&self, site: Site) -> Option<&DrawnSite> {
        self.geometry.sites.iter().find(|drawn| drawn.site == site)
    }

    /// Returns the centre of a site in the coordinates of the image.
    fn site_centre(&self, site: Site) -> Option<[f64; 2]> {
        Some(self.to_image_point(self.site_drawing(site)?.centre))
    }

    /// Returns the SVG transformation that moves a shape to a site. The shape is drawn around 0,0
    /// in the coordinates of the layout.
    fn site_transform(&self, site: &DrawnSite) -> String {
        let [x, y] = self.to_image_point(site.centre);
        let turn = if site.turn == 0 { String::new() } else { format!(" rotate({})", site.turn) };
        format!("translate({x} {y}) scale(1 -1){turn}")
    }

    fn line_element(&self, [x1, y1, x2, y2]: [f64; 4]) -> Element {
        let [x1, y1] = self.to_image_point([x1, y1]);
        let [x2, y2] = self.to_image_point([x2, y2]);
        Line::new().set("x1", x1).set("y1", y1).set("x2", x2).set("y2", y2).into()
    }

    fn board_labels_group(&self) -> Group {
        let mut labels: Vec<Element> = Vec::new();
        for (text, centre) in &self.geometry.labels {
            let [x, y] = self.to_image_point(*centre);
            let label = Text::new(text.as_str()).set("x", x).set("y", y).set("dy", "0.35em");
            labels.push(label.into());
        }
        svg_group("labels", labels)
    }

    fn sites_group(&self) -> Group {
        let sites = self.geometry.sites.iter();
        svg_group(
            "sites",
            sites.map(|site| self.site_element(site, &format!("site {}", site.class))),
        )
    }

    /// Returns the outline of a site as an element with the CSS classes `class`.
    fn site_element(&self, site: &DrawnSite, class: &str) -> Element {
        let shape = self.geometry.shapes.iter().find(|(name, _)| *name == site.shape);
        let path = shape.map_or("", |(_, path)| path);
        Path::new()
            .set("class", class)
            .set("d", path)
            .set("transform", self.site_transform(site))
            .into()
    }

    /// Returns an additional outline of a site, for example to mark the last move. Its CSS classes
    /// are `class` and the classes of the site.
    fn site_outline_element(&self, site: Site, class: &str) -> Option<Element> {
        let drawn = self.site_drawing(site)?;
        Some(self.site_element(drawn, &format!("{class} {}", drawn.class)))
    }

    fn pieces_group(&self, scene: &Scene) -> Group {
        svg_group(
            "pieces",
            scene.pieces.iter().filter_map(|piece| self.piece_element(piece, piece.site)),
        )
    }

    fn piece_element(&self, &Piece { kind, player, .. }: &Piece, site: Site) -> Option<Element> {
        let (_, path) = self.geometry.kinds.iter().find(|(name, _)| *name == kind)?;
        let class = match player {
            None => format!("piece {kind} nobody"),
            Some(player) => format!("piece {kind} side-{player} {}", self.players[player]),
        };
        let body = Path::new().set("class", "body").set("d", path.as_str());
        let emblem = self.geometry.emblems.iter().find(|(name, _)| *name == kind);
        let emblem =
            emblem.map(|(_, path)| Path::new().set("class", "emblem").set("d", path.as_str()));
        let parts = [Some(body), emblem].into_iter().flatten().map(Element::from);
        let piece = svg_group(&class, parts);
        Some(piece.set("transform", self.site_transform(self.site_drawing(site)?)).into())
    }

    fn marks_and_arrows_group(&self, scene: &Scene) -> Group {
        let marks = scene.marks.iter().filter_map(|mark| self.mark_element(mark));
        let arrows = scene
            .arrows
            .iter()
            .filter_map(|&Arrow { kind, from, to }| self.arrow_element(from, to, kind));
        svg_group("marks", marks.chain(arrows))
    }

    fn mark_element(&self, &SiteMark { kind, site }: &SiteMark) -> Option<Element> {
        let (_, path) = MARK_SVG_PATHS.iter().find(|(name, _)| *name == kind)?;
        let [x, y] = self.site_centre(site)?;
        let mark = Path::new()
            .set("class", format!("mark {kind}"))
            .set("d", *path)
            .set("transform", format!("translate({x} {y}) scale(0.2)"));
        Some(mark.into())
    }

    /// Returns an arrow from one site to another. `kind` is the kind of arrow, which becomes a CSS
    /// class.
    fn arrow_element(&self, from: Site, to: Site, kind: &str) -> Option<Element> {
        let [x1, y1] = self.site_centre(from)?;
        let [x2, y2] = self.site_centre(to)?;
        let [dx, dy] = [x2 - x1, y2 - y1];
        let length = dx.hypot(dy);
        let angle = round_drawing_length(dy.atan2(dx).to_degrees());
        let bar_start = round_drawing_length(length / 2.0 - 0.13);
        let parts = [
            ("shaft", format!("M0.1 0H{}", round_drawing_length(length - 0.25))),
            ("head", format!("M{} 0l-0.3 -0.16v0.32z", round_drawing_length(length - 0.05))),
            ("bar", format!("M{bar_start} -0.13l0.26 0.26m0 -0.26l-0.26 0.26")),
        ]
        .map(|(class, path)| Path::new().set("class", class).set("d", path).into());
        let transform = format!("translate({x1} {y1}) rotate({angle})");
        Some(svg_group(&format!("arrow {kind}"), parts).set("transform", transform).into())
    }

    /// Draws the effect of a proposed move: the outlines of removed pieces, the moved and placed
    /// pieces on their new sites, and the paths of the moved pieces.
    fn move_preview_element(&self, pieces: &[Piece], details: &MoveEffect) -> Element {
        let mut elements: Vec<Element> = Vec::new();
        for piece in &details.removed {
            elements.extend(self.site_outline_element(piece.site, "gone"));
        }
        for &[from, to] in &details.moved {
            let piece = pieces.iter().find(|piece| piece.site == from);
            elements.extend(piece.and_then(|piece| self.piece_element(piece, to)));
            elements.extend(match details.turn {
                Some(turn) => self.wall_turn_arc_element(turn, from),
                None => self.arrow_element(from, to, "way"),
            });
        }
        for piece in &details.placed {
            elements.extend(self.piece_element(piece, piece.site));
        }
        svg_group("ghost", elements).into()
    }

    /// Draws the rotation of a wall: the arc along which the centre of the wall moves, and the
    /// pivot. `from` is the site of the wall before the rotation.
    fn wall_turn_arc_element(&self, turn: WallRotation, from: Site) -> Option<Element> {
        let WallRotation { pivot, clockwise, degrees } = turn;
        let centre = self.site_drawing(pivot)?.centre;
        let start = self.site_drawing(from)?.centre;
        let [dx, dy] = [start[0] - centre[0], start[1] - centre[1]];
        let sign = if clockwise == Some(false) { 1.0 } else { -1.0 };
        let angle = f64::from(degrees).to_radians() * sign;
        let mut points = Vec::new();
        for segment in 0..=WALL_ARC_SEGMENT_COUNT {
            let segment_angle = angle * f64::from(segment) / f64::from(WALL_ARC_SEGMENT_COUNT);
            let (sin, cos) = segment_angle.sin_cos();
            let point = [centre[0] + dx * cos - dy * sin, centre[1] + dx * sin + dy * cos];
            let [x, y] = self.to_image_point(point);
            points.push(format!("{x} {y}"));
        }
        let path = format!("M{}", points.join("L"));
        let shaft = Path::new().set("class", "shaft").set("d", path);
        let [x, y] = self.to_image_point(centre);
        let pivot = Circle::new().set("class", "pivot").set("cx", x).set("cy", y).set("r", 0.16);
        Some(svg_group("turning", [shaft.into(), pivot.into()]).into())
    }
}
