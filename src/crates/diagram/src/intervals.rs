//! Values with their intervals, one below the other, as a picture.

use svg::node::element::{Circle, Element, Line, Text, Title};

use pentarch_core::view::layout::rounded;

use super::board::group;
use super::graph::{label, paper};

/// A value with its interval.
#[derive(Debug, Clone, PartialEq)]
pub struct Interval {
    /// What it is the value of.
    pub name: String,
    /// The value.
    pub value: f64,
    /// The interval. It need not hold the value.
    pub range: [f64; 2],
}

/// Values with their intervals.
#[derive(Debug, Clone)]
pub struct Intervals {
    /// What is shown, in words.
    pub title: String,
    /// What has the values, and what they are, in words: they stand above the names, and below the numbers.
    pub axes: [String; 2],
    /// The values, from top to bottom.
    pub rows: Vec<Interval>,
}

/// The room for names at the left of the area.
const NAMES: f64 = 140.0;
/// The width of the area.
const WIDTH: f64 = 560.0;
/// The room at the right of the area.
const RIGHT: f64 = 40.0;
/// The room above the area.
const ABOVE: f64 = 48.0;
/// The room below the area.
const BELOW: f64 = 56.0;
/// The height of a row.
const ROW: f64 = 24.0;
/// At most so many lines go down.
const MOST_LINES: f64 = 10.0;

impl Intervals {
    /// The picture, which needs no other file.
    pub fn svg(&self) -> String {
        let height = ROW * self.rows.len() as f64;
        let [low, high, step] = self.scale();
        let x = |value: f64| rounded(NAMES + WIDTH * (value - low) / (high - low));
        let y = |row: usize| ABOVE + ROW * (row as f64 + 0.5);
        let line = |from: [f64; 2], to: [f64; 2]| {
            Line::new().set("x1", from[0]).set("y1", from[1]).set("x2", to[0]).set("y2", to[1])
        };
        let lines = ((high - low) / step).round() as usize + 1;
        let steps: Vec<f64> = (0..lines).map(|number| low + step * number as f64).collect();
        let down =
            steps.iter().map(|&value| line([x(value), ABOVE], [x(value), ABOVE + height]).into());
        let numbers = steps
            .iter()
            .map(|&value| label(&format!("{value}"), x(value), ABOVE + height + 16.0, "0"));
        let names = self
            .rows
            .iter()
            .enumerate()
            .map(|(row, at)| label(&at.name, NAMES - 10.0, y(row), "0.35em"));
        let ranges = self.rows.iter().enumerate().map(|(row, at)| {
            let [from, to] = at.range;
            line([x(from), y(row)], [x(to), y(row)]).set("class", "value").into()
        });
        let dots = self.rows.iter().enumerate().map(|(row, at)| -> Element {
            let text = format!(
                "{}: {:+.1}, from {:+.1} to {:+.1}",
                at.name, at.value, at.range[0], at.range[1]
            );
            let dot = Circle::new()
                .set("class", "marked")
                .set("cx", x(at.value))
                .set("cy", y(row))
                .set("r", 4);
            dot.add(Title::new(text)).into()
        });
        let [rows, values] = &self.axes;
        let words: [Element; 3] = [
            label(&self.title, NAMES + WIDTH / 2.0, 16.0, "0"),
            label(values, NAMES + WIDTH / 2.0, ABOVE + height + BELOW - 16.0, "0"),
            Text::new(rows.as_str())
                .set("x", NAMES - 10.0)
                .set("y", ABOVE - 10.0)
                .set("style", "text-anchor: end")
                .into(),
        ];
        let document = paper(&self.title, [NAMES + WIDTH + RIGHT, ABOVE + height + BELOW])
            .add(group("across", down))
            .add(group("amounts", names))
            .add(group("numbers", numbers))
            .add(group("axes", words))
            .add(group("ranges", ranges))
            .add(group("dots", dots));
        format!("{document}\n")
    }

    /// The ends of the scale, which holds all values and intervals, and the round number by which its lines go down.
    fn scale(&self) -> [f64; 3] {
        let all = || self.rows.iter().flat_map(|row| [row.value, row.range[0], row.range[1]]);
        let (low, high) =
            (all().fold(f64::INFINITY, f64::min), all().fold(f64::NEG_INFINITY, f64::max));
        let (low, high) = if low <= high { (low, high.max(low + 1.0)) } else { (0.0, 1.0) };
        let rounds =
            (0..9).flat_map(|power| [1.0, 2.0, 5.0].map(|first| first * 10f64.powi(power)));
        let step =
            rounds.into_iter().find(|step| (high - low) / step < MOST_LINES).unwrap_or(high - low);
        [(low / step).floor() * step, (high / step).ceil() * step, step]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn intervals(rows: &[(&str, [f64; 3])]) -> Intervals {
        let row = |(name, [low, value, high]): &(&str, [f64; 3])| Interval {
            name: (*name).into(),
            value: *value,
            range: [*low, *high],
        };
        Intervals {
            title: "a < b".into(),
            axes: ["engine".into(), "Elo & more".into()],
            rows: rows.iter().map(row).collect(),
        }
    }

    #[test]
    fn the_scale_holds_all_intervals_by_round_numbers() {
        assert_eq!(
            intervals(&[("a", [-42.0, 10.0, 60.0]), ("b", [-10.0, 0.0, 3.0])]).scale(),
            [-60.0, 60.0, 20.0]
        );
        assert_eq!(intervals(&[("a", [1500.0; 3])]).scale(), [1500.0, 1501.0, 1.0]);
        assert_eq!(intervals(&[]).scale(), [0.0, 1.0, 1.0]);
        assert_eq!(intervals(&[("a", [-3000.0, 0.0, 3000.0])]).scale(), [-3000.0, 3000.0, 1000.0]);
    }

    #[test]
    fn each_row_has_its_name_its_interval_and_its_dot() {
        let svg = intervals(&[("<one>", [-20.0, 0.0, 40.0]), ("two", [0.0, 10.0, 20.0])]).svg();
        assert_eq!(
            (svg.matches("<circle").count(), svg.matches("class=\"value\"").count()),
            (2, 2),
            "{svg}"
        );
        assert!(svg.contains("&lt;one&gt;: +0.0, from -20.0 to +40.0"), "{svg}");
        assert!(
            svg.contains("a &lt; b") && svg.contains("Elo &amp; more") && !svg.contains("NaN"),
            "{svg}"
        );
        assert!(!intervals(&[]).svg().contains("NaN"));
    }
}
