//! A chart of values with their intervals, such as ratings. Each value is in its own row.

use svg::node::element::{Circle, Element, Line, Text, Title};

use pentarch_core::view::layout::round_drawing_length;

use super::board::svg_group;
use super::line_chart::{svg_document_with_title, svg_text_element};

/// A row of the chart: a value with its interval.
#[derive(Debug, Clone, PartialEq)]
pub struct IntervalRow {
    /// The name of the row.
    pub name: String,
    /// The value, which is drawn as a dot.
    pub value: f64,
    /// The lower and the upper end of the interval. The interval need not contain the value.
    pub range: [f64; 2],
}

/// A chart of values with their intervals.
#[derive(Debug, Clone)]
pub struct IntervalChart {
    /// The title of the chart.
    pub title: String,
    /// The names of the axes. The first is above the names of the rows, such as `engine`. The
    /// second is below the numbers, such as `Elo`.
    pub axes: [String; 2],
    /// The rows, from top to bottom.
    pub rows: Vec<IntervalRow>,
}

/// The width of the column with the names of the rows, left of the plot area, in pixels.
const NAME_COLUMN_WIDTH: f64 = 140.0;
const PLOT_AREA_WIDTH: f64 = 560.0;
/// The width of the margin on the right of the plot area, in pixels.
const PLOT_RIGHT_MARGIN: f64 = 40.0;
/// The margin above the plot area, in pixels.
const PLOT_TOP_MARGIN: f64 = 48.0;
/// The margin below the plot area, in pixels.
const PLOT_BOTTOM_MARGIN: f64 = 56.0;
const CHART_ROW_HEIGHT: f64 = 24.0;
/// The maximum number of gaps between the vertical grid lines.
const MAX_GRID_LINE_INTERVALS: f64 = 10.0;

/// The scale of the horizontal axis: the values at the left and right edges of the plot area, and
/// the grid lines.
#[derive(Debug, Clone, Copy, PartialEq)]
struct HorizontalScale {
    low: f64,
    high: f64,
    /// The difference between the values of two neighbouring grid lines: a round number.
    step: f64,
}

impl HorizontalScale {
    fn x_of_value(self, value: f64) -> f64 {
        round_drawing_length(
            NAME_COLUMN_WIDTH + PLOT_AREA_WIDTH * (value - self.low) / (self.high - self.low),
        )
    }
}

impl IntervalChart {
    /// Returns the chart as an SVG document. The document needs no other file.
    pub fn to_svg_document(&self) -> String {
        let scale = self.horizontal_scale();
        let bottom = PLOT_TOP_MARGIN + CHART_ROW_HEIGHT * self.rows.len() as f64;
        let grid_line_count = ((scale.high - scale.low) / scale.step).round() as usize + 1;
        let mut grid_line_elements: Vec<Element> = Vec::new();
        let mut numbers: Vec<Element> = Vec::new();
        for index in 0..grid_line_count {
            let value = scale.low + scale.step * index as f64;
            let x = scale.x_of_value(value);
            grid_line_elements.push(svg_line([x, PLOT_TOP_MARGIN], [x, bottom]).into());
            numbers.push(svg_text_element(&format!("{value}"), x, bottom + 16.0, "0"));
        }
        let mut names: Vec<Element> = Vec::new();
        let mut ranges: Vec<Element> = Vec::new();
        let mut dots: Vec<Element> = Vec::new();
        for (index, row) in self.rows.iter().enumerate() {
            let y = PLOT_TOP_MARGIN + CHART_ROW_HEIGHT * (index as f64 + 0.5);
            names.push(svg_text_element(&row.name, NAME_COLUMN_WIDTH - 10.0, y, "0.35em"));
            let [from, to] = row.range.map(|end| scale.x_of_value(end));
            ranges.push(svg_line([from, y], [to, y]).set("class", "value").into());
            dots.push(row.dot_element(scale.x_of_value(row.value), y));
        }
        let height = bottom + PLOT_BOTTOM_MARGIN;
        let document = svg_document_with_title(
            &self.title,
            [NAME_COLUMN_WIDTH + PLOT_AREA_WIDTH + PLOT_RIGHT_MARGIN, height],
        )
        .add(svg_group("across", grid_line_elements))
        .add(svg_group("amounts", names))
        .add(svg_group("numbers", numbers))
        .add(svg_group("axes", self.titles(height)))
        .add(svg_group("ranges", ranges))
        .add(svg_group("dots", dots));
        format!("{document}\n")
    }

    /// Returns the title of the chart and the names of its two axes. `height` is the height of the
    /// image.
    fn titles(&self, height: f64) -> [Element; 3] {
        let middle = NAME_COLUMN_WIDTH + PLOT_AREA_WIDTH / 2.0;
        let [row_kind, value_kind] = &self.axes;
        [
            svg_text_element(&self.title, middle, 16.0, "0"),
            svg_text_element(value_kind, middle, height - 16.0, "0"),
            Text::new(row_kind.as_str())
                .set("x", NAME_COLUMN_WIDTH - 10.0)
                .set("y", PLOT_TOP_MARGIN - 10.0)
                .set("style", "text-anchor: end")
                .into(),
        ]
    }

    /// Returns a scale whose range contains all values and intervals.
    fn horizontal_scale(&self) -> HorizontalScale {
        let mut low = f64::INFINITY;
        let mut high = f64::NEG_INFINITY;
        for row in &self.rows {
            for value in [row.value, row.range[0], row.range[1]] {
                low = low.min(value);
                high = high.max(value);
            }
        }
        if low <= high {
            high = high.max(low + 1.0);
        } else {
            low = 0.0;
            high = 1.0;
        }
        let round_numbers =
            (0..9).flat_map(|power| [1.0, 2.0, 5.0].map(|first| first * 10f64.powi(power)));
        let step = round_numbers
            .into_iter()
            .find(|step| (high - low) / step < MAX_GRID_LINE_INTERVALS)
            .unwrap_or(high - low);
        HorizontalScale {
            low: (low / step).floor() * step,
            high: (high / step).ceil() * step,
            step,
        }
    }
}

impl IntervalRow {
    /// Draws the dot of a value. Its tooltip states the value and the interval.
    fn dot_element(&self, x: f64, y: f64) -> Element {
        let IntervalRow { name, value, range: [low, high] } = self;
        let text = format!("{name}: {value:+.1}, from {low:+.1} to {high:+.1}");
        let dot = Circle::new().set("class", "marked").set("cx", x).set("cy", y).set("r", 4);
        dot.add(Title::new(text)).into()
    }
}

/// Returns the line between two points.
fn svg_line(from: [f64; 2], to: [f64; 2]) -> Line {
    Line::new().set("x1", from[0]).set("y1", from[1]).set("x2", to[0]).set("y2", to[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(rows: &[(&str, [f64; 3])]) -> IntervalChart {
        let row = |(name, [low, value, high]): &(&str, [f64; 3])| IntervalRow {
            name: (*name).into(),
            value: *value,
            range: [*low, *high],
        };
        IntervalChart {
            title: "a < b".into(),
            axes: ["engine".into(), "Elo & more".into()],
            rows: rows.iter().map(row).collect(),
        }
    }

    #[test]
    fn the_scale_has_round_numbers_and_contains_all_intervals() {
        let scale = |rows: &[(&str, [f64; 3])]| {
            let HorizontalScale { low, high, step } = chart(rows).horizontal_scale();
            [low, high, step]
        };
        assert_eq!(
            scale(&[("a", [-42.0, 10.0, 60.0]), ("b", [-10.0, 0.0, 3.0])]),
            [-60.0, 60.0, 20.0]
        );
        assert_eq!(scale(&[("a", [1500.0; 3])]), [1500.0, 1501.0, 1.0]);
        assert_eq!(scale(&[]), [0.0, 1.0, 1.0]);
        assert_eq!(scale(&[("a", [-3000.0, 0.0, 3000.0])]), [-3000.0, 3000.0, 1000.0]);
    }

    #[test]
    fn each_row_has_a_name_an_interval_and_a_dot() {
        let svg =
            chart(&[("<one>", [-20.0, 0.0, 40.0]), ("two", [0.0, 10.0, 20.0])]).to_svg_document();
        assert_eq!(svg.matches("<circle").count(), 2, "{svg}");
        assert_eq!(svg.matches("class=\"value\"").count(), 2, "{svg}");
        assert!(svg.contains("&lt;one&gt;: +0.0, from -20.0 to +40.0"), "{svg}");
        assert!(svg.contains("a &lt; b") && svg.contains("Elo &amp; more"), "{svg}");
        assert!(!svg.contains("NaN"), "{svg}");
        assert!(!chart(&[]).to_svg_document().contains("NaN"));
    }
}
