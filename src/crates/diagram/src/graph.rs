//! An amount over the moves of a game or the games of a match, as a picture.

use svg::Document;
use svg::node::element::{Circle, Element, Line, Path, Rectangle, Style, Text, Title};

use pentarch_core::view::layout::rounded;

use super::board::group;

/// An amount at one step of a graph.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Amount {
    /// The amount itself, which the line goes through.
    pub value: f64,
    /// The range that is shaded.
    pub shaded: [f64; 2],
}

/// A graph.
#[derive(Debug, Clone)]
pub struct Graph {
    /// What it shows, in words.
    pub title: String,
    /// What the steps are, and what the amounts are, in words: they stand along the axes.
    pub axes: [String; 2],
    /// The number of the first step.
    pub first: usize,
    /// The amounts, step by step. 0 to 1 is shown, in per cent.
    pub amounts: Vec<Amount>,
    /// Steps that are marked, each with a text. The texts stand above the graph where there is room for them; all of
    /// them are shown when the pointer rests on the dot.
    pub marked: Vec<(usize, String)>,
}

/// The amounts in per cent at which lines go across.
const LINES: [u32; 5] = [0, 25, 50, 75, 100];
/// The width and height of the area of the graph, in pixels.
const AREA: [f64; 2] = [640.0, 200.0];
/// The room for texts at the left and right of the area, and above and below it.
const MARGIN: [f64; 2] = [72.0, 60.0];
/// Where the title stands, from the top.
const TITLE: f64 = 16.0;
/// Where the texts of marked steps stand, from the top.
const ROWS: [f64; 2] = [36.0, 50.0];
/// How far the words along the axes stand from the edge of the picture.
const EDGE: f64 = 16.0;
/// About how wide a letter is.
const LETTER: f64 = 7.0;
/// At most so many numbers stand below the area.
const MOST_NUMBERS: usize = 12;

/// The looks: first those on light paper, and then what differs on a dark screen.
const STYLE: &str = "\
.paper { fill: #ffffff; }
text { fill: #23201b; font: 12px system-ui, sans-serif; }
.across { stroke: #c9c2b4; }
.shaded { fill: #14548c; fill-opacity: 0.15; }
.value { fill: none; stroke: #14548c; stroke-width: 2; stroke-linejoin: round; }
.marked { fill: #9c2414; }
.numbers, .axes { text-anchor: middle; }
.axes text:first-child { font-weight: bold; }
.amounts { text-anchor: end; }
@media (prefers-color-scheme: dark) {
.paper { fill: #1b1a18; }
text { fill: #ece7dd; }
.across { stroke: #4b463e; }
.shaded { fill: #8ec5f5; fill-opacity: 0.25; }
.value { stroke: #8ec5f5; }
.marked { fill: #ff9c8a; }
}
";

impl Graph {
    /// The graph as a picture that needs no other file.
    pub fn svg(&self) -> String {
        let [width, height] = [0, 1].map(|axis| AREA[axis] + 2.0 * MARGIN[axis]);
        let across = LINES.map(|percent| {
            let y = y(f64::from(percent) / 100.0);
            Line::new()
                .set("x1", MARGIN[0])
                .set("x2", MARGIN[0] + AREA[0])
                .set("y1", y)
                .set("y2", y)
                .into()
        });
        let amounts = LINES.map(|percent| {
            label(&format!("{percent} %"), MARGIN[0] - 6.0, y(f64::from(percent) / 100.0), "0.35em")
        });
        let below = MARGIN[1] + AREA[1] + 16.0;
        let numbers = self
            .numbers()
            .map(|step| label(&(self.first + step).to_string(), self.x(step), below, "0"));
        let [middle, side] = [MARGIN[0] + AREA[0] / 2.0, MARGIN[1] + AREA[1] / 2.0];
        let [steps, amount] = &self.axes;
        let turned = Text::new(amount.as_str())
            .set("transform", format!("translate({EDGE} {side}) rotate(-90)"));
        let words = [
            label(&self.title, middle, TITLE, "0"),
            label(steps, middle, height - EDGE, "0"),
            turned.into(),
        ];
        let document = paper(&self.title, [width, height])
            .add(group("across", across))
            .add(group("amounts", amounts))
            .add(group("numbers", numbers))
            .add(group("axes", words))
            .add(Path::new().set("class", "shaded").set("d", self.shaded()))
            .add(Path::new().set("class", "value").set("d", self.line(|amount| amount.value)))
            .add(group("numbers", self.marks()));
        format!("{document}\n")
    }

    /// Where a step lies, from the left.
    fn x(&self, step: usize) -> f64 {
        let last = self.amounts.len().saturating_sub(1).max(1);
        rounded(MARGIN[0] + AREA[0] * step as f64 / last as f64)
    }

    /// The steps whose numbers are written: those that a round number divides.
    fn numbers(&self) -> impl Iterator<Item = usize> {
        let steps = self.amounts.len();
        let rounds =
            (0..).flat_map(|power| [1, 2, 5].map(|first| first * 10_usize.saturating_pow(power)));
        let every = rounds.into_iter().find(|&round| steps / round < MOST_NUMBERS).unwrap_or(steps);
        let first = self.first;
        (0..steps).filter(move |step| (first + step).is_multiple_of(every))
    }

    /// A path along one amount of each step.
    fn line(&self, amount: impl Fn(&Amount) -> f64) -> String {
        let point = |(step, at): (usize, &Amount)| {
            format!("{}{} {}", if step == 0 { "M" } else { "L" }, self.x(step), y(amount(at)))
        };
        self.amounts.iter().enumerate().map(point).collect()
    }

    /// The outline of what is shaded.
    fn shaded(&self) -> String {
        let back = self.amounts.iter().enumerate().rev();
        let back: String =
            back.map(|(step, at)| format!("L{} {}", self.x(step), y(at.shaded[0]))).collect();
        format!(
            "{}{back}{}",
            self.line(|amount| amount.shaded[1]),
            if back.is_empty() { "" } else { "Z" }
        )
    }

    /// The dots of the marked steps, and those of their texts that do not run into each other.
    fn marks(&self) -> Vec<Element> {
        let mut marks = Vec::new();
        // Where the last text of each row ends.
        let mut ends = [f64::NEG_INFINITY; ROWS.len()];
        for (step, text) in &self.marked {
            let Some(amount) = self.amounts.get(*step) else { continue };
            let (x, y) = (self.x(*step), y(amount.value));
            let dot = Circle::new().set("class", "marked").set("cx", x).set("cy", y).set("r", 4);
            marks.push(dot.add(Title::new(text.as_str())).into());
            let half = text.chars().count() as f64 * LETTER / 2.0;
            if let Some(row) = (0..ROWS.len()).find(|&row| ends[row] <= x - half) {
                ends[row] = x + half;
                marks.push(label(text, x, ROWS[row], "0"));
            }
        }
        marks
    }
}

/// Where an amount lies, from the top. One that is out of range lies at the edge.
fn y(amount: f64) -> f64 {
    rounded(MARGIN[1] + AREA[1] * (1.0 - amount.clamp(0.0, 1.0)))
}

/// A picture of this size with nothing on it but its title, which is shown when the pointer rests on it.
pub(super) fn paper(title: &str, [width, height]: [f64; 2]) -> Document {
    Document::new()
        .set("viewBox", (0, 0, width, height))
        .set("width", width)
        .set("height", height)
        .set("role", "img")
        .add(Title::new(title))
        .add(Style::new(STYLE))
        .add(Rectangle::new().set("class", "paper").set("width", width).set("height", height))
}

/// A text at this place, and so much lower.
pub(super) fn label(text: &str, x: f64, y: f64, dy: &str) -> Element {
    Text::new(text).set("x", x).set("y", y).set("dy", dy).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(steps: usize) -> Graph {
        let amounts = (0..steps).map(|step| step as f64 / steps as f64);
        Graph {
            title: "a < b".into(),
            axes: ["move".into(), "chance & luck".into()],
            first: 1,
            amounts: amounts.map(|value| Amount { value, shaded: [0.0, value] }).collect(),
            marked: vec![(0, "e2 ?".into()), (steps, "nothing".into())],
        }
    }

    #[test]
    fn numbers_are_round_and_few() {
        let numbers = |steps| graph(steps).numbers().map(|step| step + 1).collect::<Vec<_>>();
        assert_eq!(numbers(3), [1, 2, 3]);
        assert_eq!(numbers(30), [5, 10, 15, 20, 25, 30]);
        assert_eq!(numbers(400), [50, 100, 150, 200, 250, 300, 350, 400]);
        assert!(numbers(0).is_empty());
    }

    #[test]
    fn a_graph_of_any_length_is_drawn() {
        for steps in [0, 1, 2, 500] {
            let svg = graph(steps).svg();
            assert_eq!(svg.matches("a &lt; b").count(), 2, "{svg}");
            assert!(svg.contains(">move<") || svg.contains("\nmove\n"), "{svg}");
            assert!(
                svg.contains("chance &amp; luck")
                    && !svg.contains("NaN")
                    && !svg.contains("nothing"),
                "{svg}"
            );
            assert_eq!(svg.matches("<circle").count(), steps.min(1));
            assert_eq!(svg.contains("d=\"\""), steps == 0);
        }
    }

    #[test]
    fn texts_of_neighbours_do_not_run_into_each_other() {
        let marked: Vec<(usize, String)> =
            (0..100).map(|step| (step, format!("{step}. e2e3??"))).collect();
        let marks = Graph { marked, ..graph(100) }.marks();
        let svg: String = marks.iter().map(ToString::to_string).collect();
        assert_eq!((svg.matches("<circle").count(), svg.matches("<title>").count()), (100, 100));
        let texts = svg.matches("<text").count();
        assert!((10..20).contains(&texts), "{texts}");
    }
}
