//! What is wrong with the mappings of a source map of which the rest is usable.

use super::error::MapError;
use super::mappings::Problem;
use serde::{Deserialize, Serialize};
use std::fmt;
use utoipa::ToSchema;

/// The most flaws that are listed.
const TOLD_MAX: usize = 10;

/// A segment of `mappings` that is wrong and left out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Flaw {
    /// The generated line, from 1.
    pub line: u64,
    /// The segment of that line, from 1.
    pub segment: u64,
    /// What is wrong with it.
    pub what: String,
    /// In an indexed map, the map that it is in: `sections[3].map`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub section: Option<String>,
}

/// The wrong segments of a source map.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Flaws {
    /// Its mappings that are wrong and left out: the first ten.
    pub warnings: Vec<Flaw>,
    /// How many there are.
    pub warning_count: u64,
}

impl Flaws {
    /// Counts a wrong segment of the map at `path`, which is `""` or ` of sections[3].map`.
    pub(super) fn add(&mut self, path: &str, problem: &Problem) {
        self.warning_count += 1;
        if self.warnings.len() == TOLD_MAX {
            return;
        }
        let rest = if problem.ends { "; what follows is not mapped" } else { "" };
        self.warnings.push(Flaw {
            line: problem.line,
            segment: problem.segment,
            what: format!("{}{rest}", problem.text),
            section: path.strip_prefix(" of ").map(str::to_owned),
        });
    }

    pub fn is_empty(&self) -> bool {
        self.warning_count == 0
    }
}

/// One line: the first of them, and how many there are.
impl fmt::Display for Flaws {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(Flaw { line, segment, what, section }) = self.warnings.first() else { return Ok(()) };
        let section = section.as_ref().map_or_else(String::new, |section| format!(" of {section}"));
        let first = MapError::Mapping { section, line: *line, segment: *segment, problem: what.clone() };
        match self.warning_count {
            1 => write!(f, "{first}"),
            count => write!(f, "{first}, and {} more", count - 1),
        }
    }
}
