//! What is printed, and kept as JSON.

use crate::Result;
use serde_json::{Map, Value, json};
use std::path::Path;

/// A figure held against its goal.
struct Goal {
    what: &'static str,
    got: f64,
    must: f64,
    stretch: f64,
    unit: &'static str,
    /// More is better.
    rising: bool,
}

impl Goal {
    fn reaches(&self, bound: f64) -> bool {
        if self.rising { self.got >= bound } else { self.got <= bound }
    }
}

#[derive(Default)]
pub(crate) struct Report {
    figures: Map<String, Value>,
    goals: Vec<Goal>,
}

impl Report {
    /// Keeps a figure for the JSON, to four significant digits.
    pub(crate) fn keep(&mut self, name: String, value: f64) {
        let digits = if value == 0.0 { 0 } else { (3 - value.abs().log10().floor() as i32).clamp(0, 9) };
        let scale = 10f64.powi(digits);
        self.figures.insert(name, json!((value * scale).round() / scale));
    }

    /// A goal that a figure should reach.
    pub(crate) fn at_least(
        &mut self,
        what: &'static str,
        got: f64,
        must: f64,
        stretch: f64,
        unit: &'static str,
    ) {
        self.goals.push(Goal { what, got, must, stretch, unit, rising: true });
    }

    /// A goal that a figure should stay within.
    pub(crate) fn at_most(
        &mut self,
        what: &'static str,
        got: f64,
        must: f64,
        stretch: f64,
        unit: &'static str,
    ) {
        self.goals.push(Goal { what, got, must, stretch, unit, rising: false });
    }

    /// Whether a figure is beyond what it must be.
    pub(crate) fn has_missed(&self) -> bool {
        self.goals.iter().any(|goal| !goal.reaches(goal.must))
    }

    pub(crate) fn print_goals(&self) {
        let rows = self.goals.iter().map(|goal| {
            let sign = if goal.rising { "≥" } else { "≤" };
            let verdict = match (goal.reaches(goal.stretch), goal.reaches(goal.must)) {
                (true, _) => "stretch",
                (false, true) => "met",
                (false, false) => "MISSED",
            };
            let bound = |value: f64| format!("{sign} {value} {}", goal.unit);
            let got = format!("{:.2} {}", goal.got, goal.unit);
            [goal.what.to_owned(), got, bound(goal.must), bound(goal.stretch), verdict.to_owned()]
        });
        table("Goals", &["", "here", "must", "stretch", ""], &rows.collect::<Vec<_>>());
    }

    pub(crate) fn write(&self, path: &Path) -> Result<()> {
        let goals = self.goals.iter().map(|goal| {
            json!({"what": goal.what, "got": goal.got, "must": goal.must, "stretch": goal.stretch,
                "unit": goal.unit, "direction": if goal.rising { "at least" } else { "at most" }})
        });
        let goals: Vec<Value> = goals.collect();
        let report = json!({"bench": "load", "cores": cores(), "figures": self.figures, "goals": goals});
        std::fs::write(path, serde_json::to_string_pretty(&report)? + "\n")?;
        Ok(())
    }
}

pub(crate) fn cores() -> usize {
    std::thread::available_parallelism().map_or(0, usize::from)
}

/// The middle one; 0 when there is none.
pub(crate) fn median(mut samples: Vec<f64>) -> f64 {
    samples.sort_by(f64::total_cmp);
    let middle = samples.len() / 2;
    match samples.len() {
        0 => 0.0,
        length if length % 2 == 1 => samples[middle],
        _ => f64::midpoint(samples[middle - 1], samples[middle]),
    }
}

/// Prints rows under their headings, as wide as they need.
pub(crate) fn table<const N: usize>(title: &str, head: &[&str; N], rows: &[[String; N]]) {
    println!("\n{title}\n");
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.chain([head[column].chars().count()]).max().unwrap_or(0)
    };
    let widths: [usize; N] = std::array::from_fn(width);
    let print = |cells: [&str; N]| {
        let cells = cells.iter().zip(widths).enumerate().map(|(column, (cell, width))| match column {
            0 => format!("{cell:<width$}"),
            _ => format!("{cell:>width$}"),
        });
        println!("  {}", cells.collect::<Vec<_>>().join("  ").trim_end());
    };
    print(*head);
    rows.iter().for_each(|row| print(std::array::from_fn(|column| row[column].as_str())));
}
