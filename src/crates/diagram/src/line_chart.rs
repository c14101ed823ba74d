//! A graph as an image. The graph shows a value for each move of a game, or for each game of a
//! match.

use svg::Document;
use svg::node::element::{Circle, Element, Line, Path, Rectangle, Style, Text, Title};

use pentarch_core::view::layout::round_drawing_length;

use super::board::svg_group;

/// The value of a graph at one step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ChartPoint {
    /// The value. The line runs through this value.
    pub value: f64,
    /// The shaded range.
    pub shaded: [f64; 2],
}

/// A graph.
#[derive(Debug, Clone)]
pub struct LineChart {
    /// The title of the graph.
    pub title: String,
    /// The names of the horizontal axis (the steps) and of the vertical axis (the values).
    pub axes: [String; 2],
    /// The number of the first step.
    pub first: usize,
    /// The values, one for each step. The graph shows values from 0 to 1, as 0 to 100 per cent.
    pub points: Vec<ChartPoint>,
    /// The marked steps, each with a label. A label is drawn above the graph if there is space for
    /// it. The label is also the tooltip of the step's dot.
    pub marked: Vec<(usize, String)>,
}

/// The values, in per cent, at which a horizontal line is drawn.
const HORIZONTAL_GRID_LINE_VALUES: [u32; 5] = [0, 25, 50, 75, 100];
/// The width and height of the plot area, in pixels.
const PLOT_AREA_SIZE: [f64; 2] = [640.0, 200.0];
/// The margins of the plot area, in pixels: first the margin on its left and right, then the margin
/// above and below it. The margins contain the titles and labels.
const PLOT_MARGIN: [f64; 2] = [72.0, 60.0];
const GRAPH_TITLE_Y: f64 = 16.0;
/// The vertical positions of the two rows for labels of marked steps, in pixels from the top of the
/// image.
const MARK_LABEL_ROW_YS: [f64; 2] = [36.0, 50.0];
/// The distance between the name of an axis and the edge of the image, in pixels.
const AXIS_TITLE_INSET: f64 = 16.0;
const APPROXIMATE_LETTER_WIDTH: f64 = 7.0;
/// The maximum number of steps with numbers below the plot area.
const MAX_X_AXIS_LABELS: usize = 12;

/// The stylesheet of a graph: first the rules for light paper, then the rules that differ on a dark
/// screen.
const GRAPH_CSS: &str = "\
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

impl LineChart {
    /// Returns the graph as an SVG document. The document needs no other file.
    pub fn to_svg_document(&self) -> String {
        let [width, height] = [0, 1].map(|axis| PLOT_AREA_SIZE[axis] + 2.0 * PLOT_MARGIN[axis]);
        let right = PLOT_MARGIN[0] + PLOT_AREA_SIZE[0];
        let across = HORIZONTAL_GRID_LINE_VALUES.map(|percent| {
            let y = y_of_value(f64::from(percent) / 100.0);
            Line::new().set("x1", PLOT_MARGIN[0]).set("x2", right).set("y1", y).set("y2", y).into()
        });
        let amounts = HORIZONTAL_GRID_LINE_VALUES.map(|percent| {
            let y = y_of_value(f64::from(percent) / 100.0);
            svg_text_element(&format!("{percent} %"), PLOT_MARGIN[0] - 6.0, y, "0.35em")
        });
        let below = PLOT_MARGIN[1] + PLOT_AREA_SIZE[1] + 16.0;
        let numbers = self.labelled_steps().map(|step| {
            svg_text_element(&(self.first + step).to_string(), self.x_of_step(step), below, "0")
        });
        let [middle_x, middle_y] =
            [0, 1].map(|axis| PLOT_MARGIN[axis] + PLOT_AREA_SIZE[axis] / 2.0);
        let [steps_name, values_name] = &self.axes;
        let rotated = Text::new(values_name.as_str())
            .set("transform", format!("translate({AXIS_TITLE_INSET} {middle_y}) rotate(-90)"));
        let words = [
            svg_text_element(&self.title, middle_x, GRAPH_TITLE_Y, "0"),
            svg_text_element(steps_name, middle_x, height - AXIS_TITLE_INSET, "0"),
            rotated.into(),
        ];
        let line = self.value_line_path(|point| point.value);
        let document = svg_document_with_title(&self.title, [width, height])
            .add(svg_group("across", across))
            .add(svg_group("amounts", amounts))
            .add(svg_group("numbers", numbers))
            .add(svg_group("axes", words))
            .add(Path::new().set("class", "shaded").set("d", self.shaded_area_path()))
            .add(Path::new().set("class", "value").set("d", line))
            .add(svg_group("numbers", self.step_mark_elements()));
        format!("{document}\n")
    }

    fn x_of_step(&self, step: usize) -> f64 {
        let last = self.points.len().saturating_sub(1).max(1);
        round_drawing_length(PLOT_MARGIN[0] + PLOT_AREA_SIZE[0] * step as f64 / last as f64)
    }

    /// Returns the steps with numbers below the plot area: the multiples of a round number.
    fn labelled_steps(&self) -> impl Iterator<Item = usize> {
        let steps = self.points.len();
        let round_numbers =
            (0..).flat_map(|power| [1, 2, 5].map(|first| first * 10_usize.saturating_pow(power)));
        let every = round_numbers
            .into_iter()
            .find(|&round| steps / round < MAX_X_AXIS_LABELS)
            .unwrap_or(steps);
        let first = self.first;
        (0..steps).filter(move |step| (first + step).is_multiple_of(every))
    }

    /// Returns an SVG path through the points of the graph, from the first step to the last.
    /// `value` selects the value that is drawn at each point.
    fn value_line_path(&self, value: impl Fn(&ChartPoint) -> f64) -> String {
        let mut path = String::new();
        for (step, point) in self.points.iter().enumerate() {
            let command = if step == 0 { "M" } else { "L" };
            path += &format!("{command}{} {}", self.x_of_step(step), y_of_value(value(point)));
        }
        path
    }

    /// Returns the outline of the shaded area.
    fn shaded_area_path(&self) -> String {
        let mut outline = self.value_line_path(|point| point.shaded[1]);
        for (step, point) in self.points.iter().enumerate().rev() {
            outline += &format!("L{} {}", self.x_of_step(step), y_of_value(point.shaded[0]));
        }
        if !outline.is_empty() {
            outline += "Z";
        }
        outline
    }

    /// Draws the dots of the marked steps, and the labels that do not overlap an earlier label.
    fn step_mark_elements(&self) -> Vec<Element> {
        let mut marks = Vec::new();
        // The horizontal position at which the last label of each row ends.
        let mut ends = [f64::NEG_INFINITY; MARK_LABEL_ROW_YS.len()];
        for (step, text) in &self.marked {
            let Some(point) = self.points.get(*step) else { continue };
            let x = self.x_of_step(*step);
            let y = y_of_value(point.value);
            let dot = Circle::new().set("class", "marked").set("cx", x).set("cy", y).set("r", 4);
            marks.push(dot.add(Title::new(text.as_str())).into());
            let half_width = text.chars().count() as f64 * APPROXIMATE_LETTER_WIDTH / 2.0;
            if let Some(row) = (0..MARK_LABEL_ROW_YS.len()).find(|&row| ends[row] <= x - half_width)
            {
                ends[row] = x + half_width;
                marks.push(svg_text_element(text, x, MARK_LABEL_ROW_YS[row], "0"));
            }
        }
        marks
    }
}

/// Returns the vertical position of a value in the image. A value below 0 or above 1 is drawn at
/// the edge of the plot area.
fn y_of_value(value: f64) -> f64 {
    round_drawing_length(PLOT_MARGIN[1] + PLOT_AREA_SIZE[1] * (1.0 - value.clamp(0.0, 1.0)))
}

/// Returns an image of this size. The image contains only a background and a title, which is shown
/// as a tooltip.
pub(super) fn svg_document_with_title(title: &str, [width, height]: [f64; 2]) -> Document {
    Document::new()
        .set("viewBox", (0, 0, width, height))
        .set("width", width)
        .set("height", height)
        .set("role", "img")
        .add(Title::new(title))
        .add(Style::new(GRAPH_CSS))
        .add(Rectangle::new().set("class", "paper").set("width", width).set("height", height))
}

/// Returns a text element at the position `x`, `y`, shifted down by `dy`.
pub(super) fn svg_text_element(text: &str, x: f64, y: f64, dy: &str) -> Element {
    Text::new(text).set("x", x).set("y", y).set("dy", dy).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(steps: usize) -> LineChart {
        let values = (0..steps).map(|step| step as f64 / steps as f64);
        LineChart {
            title: "a < b".into(),
            axes: ["move".into(), "chance & luck".into()],
            first: 1,
            points: values.map(|value| ChartPoint { value, shaded: [0.0, value] }).collect(),
            marked: vec![(0, "e2 ?".into()), (steps, "nothing".into())],
        }
    }

    #[test]
    fn numbered_steps_are_round_and_few() {
        let numbers =
            |steps| graph(steps).labelled_steps().map(|step| step + 1).collect::<Vec<_>>();
        assert_eq!(numbers(3), [1, 2, 3]);
        assert_eq!(numbers(30), [5, 10, 15, 20, 25, 30]);
        assert_eq!(numbers(400), [50, 100, 150, 200, 250, 300, 350, 400]);
        assert!(numbers(0).is_empty());
    }

    #[test]
    fn draws_graphs_of_any_length() {
        for steps in [0, 1, 2, 500] {
            let svg = graph(steps).to_svg_document();
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
    fn labels_do_not_overlap() {
        let marked: Vec<(usize, String)> =
            (0..100).map(|step| (step, format!("{step}. e2e3??"))).collect();
        let marks = LineChart { marked, ..graph(100) }.step_mark_elements();
        let svg: String = marks.iter().map(ToString::to_string).collect();
        assert_eq!((svg.matches("<circle").count(), svg.matches("<title>").count()), (100, 100));
        let texts = svg.matches("<text").count();
        assert!((10..20).contains(&texts), "{texts}");
    }
}
