//! Reads test reports in JUnit XML, which every test runner writes a little differently.
//!
//! The agent's code writes them, so nothing is expanded or fetched: a document type is refused, and only XML's own
//! five entities are known. Only names are read, no text.

use super::results::{End, NAME_MAX, Name, Results};
use crate::cli::runner::git::Check;
use crate::text::line;
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

/// The deepest nesting, and the most attributes of an element.
const DEPTH_MAX: usize = 100;
const ATTRIBUTES_MAX: usize = 100;
/// Parser events between two checks of whether to stop.
const LOOK: u64 = 4_096;
/// The values of `status` for tests that did not run (Google Test and others).
const NOT_RUN: [&str; 3] = ["notrun", "disabled", "skipped"];

/// Adds the tests of a report. `root` is the repository's path, which may be part of names and differs between
/// clones.
///
/// # Errors
/// Why it is not a report.
pub(super) fn read(text: &str, root: &str, results: &mut Results, check: Check<'_>) -> Result<(), String> {
    let mut reader = Reader::from_str(text.trim_start_matches('\u{feff}'));
    let mut reading = Reading { root, results, open: Vec::new(), case: None, has_begun: false };
    for count in 0_u64.. {
        if count % LOOK == 0 {
            check()?;
        }
        match reader.read_event().map_err(|error| format!("it is no XML: {error}"))? {
            Event::Start(start) => reading.begin(&start)?,
            Event::Empty(start) => {
                reading.begin(&start)?;
                reading.end()?;
            }
            Event::End(_) => reading.end()?,
            Event::DocType(_) => return Err("it has a document type, which no report has".to_owned()),
            Event::Eof => break,
            _ => {}
        }
    }
    match reading.open.is_empty() && reading.has_begun {
        true => Ok(()),
        false => Err("it ends in its middle".to_owned()),
    }
}

struct Reading<'a> {
    root: &'a str,
    results: &'a mut Results,
    open: Vec<Element>,
    case: Option<Case>,
    has_begun: bool,
}

/// An open element.
enum Element {
    Suite(Suite),
    Case,
    Other,
}

/// A suite, with the names of all enclosing ones.
#[derive(Clone)]
struct Suite {
    whole: blake3::Hash,
    name: String,
}

struct Case {
    name: Name,
    end: End,
}

impl Reading<'_> {
    fn begin(&mut self, start: &BytesStart<'_>) -> Result<(), String> {
        let local = start.local_name();
        let tag = local.as_ref();
        if self.open.is_empty() && (self.has_begun || !matches!(tag, b"testsuites" | b"testsuite")) {
            return Err("it is no JUnit XML: it has to be one <testsuites> or <testsuite>".to_owned());
        }
        if self.open.len() >= DEPTH_MAX {
            return Err(format!("it has more than {DEPTH_MAX} elements within each other"));
        }
        self.has_begun = true;
        let element = match (tag, self.open.last()) {
            (b"testsuites" | b"testsuite", _) if self.case.is_none() => Element::Suite(self.suite(start)?),
            (b"testcase", Some(Element::Suite(suite))) => {
                self.case = Some(self.test(start, suite)?);
                Element::Case
            }
            (_, Some(Element::Case)) => {
                self.note(tag);
                Element::Other
            }
            _ => Element::Other,
        };
        self.open.push(element);
        Ok(())
    }

    fn end(&mut self) -> Result<(), String> {
        if let Some(Element::Case) = self.open.pop()
            && let Some(case) = self.case.take()
        {
            self.results.add(case.name, case.end)?;
        }
        Ok(())
    }

    fn suite(&self, start: &BytesStart<'_>) -> Result<Suite, String> {
        let [name] = self.attributes(start, ["name"])?;
        let outer = self.open.iter().rev().find_map(|element| match element {
            Element::Suite(suite) => Some(suite.whole),
            _ => None,
        });
        let outer = outer.unwrap_or_else(|| blake3::hash(b""));
        // Its tests show it before their own names, which need room.
        Ok(Suite { whole: whole(outer, &[&name]), name: line(&name, NAME_MAX / 2) })
    }

    fn test(&self, start: &BytesStart<'_>, suite: &Suite) -> Result<Case, String> {
        let [name, class, status] = self.attributes(start, ["name", "classname", "status"])?;
        // Node's reporter gives this class to all tests.
        let group = if matches!(class.as_str(), "" | "test") { &suite.name } else { &class };
        let shown = if name.starts_with(group.as_str()) { name.clone() } else { format!("{group} > {name}") };
        let is_skipped = NOT_RUN.iter().any(|word| status.eq_ignore_ascii_case(word));
        let end = if is_skipped { End::Skipped } else { End::Passed };
        Ok(Case { name: Name::new(&shown, whole(suite.whole, &[&class, &name])), end })
    }

    /// Records a child element of a test. A test that failed and is also skipped was expected to fail.
    fn note(&mut self, tag: &[u8]) {
        let Some(case) = &mut self.case else { return };
        case.end = match (tag, case.end) {
            (b"skipped", _) => End::Skipped,
            (b"failure" | b"error", End::Passed) => End::Failed,
            (_, end) => end,
        };
    }

    /// Some attributes of an element; a missing one is empty.
    fn attributes<const N: usize>(
        &self,
        start: &BytesStart<'_>,
        names: [&str; N],
    ) -> Result<[String; N], String> {
        let mut found = [const { String::new() }; N];
        // The parser's check for duplicates compares every pair of names.
        for (index, attribute) in start.attributes().with_checks(false).enumerate() {
            let attribute = attribute.map_err(|error| format!("it is no XML: {error}"))?;
            if index >= ATTRIBUTES_MAX {
                return Err(format!("an element has more than {ATTRIBUTES_MAX} attributes"));
            }
            let key = attribute.key.local_name();
            if let Some(place) = names.iter().position(|name| name.as_bytes() == key.as_ref()) {
                let value = attribute.normalized_value(XmlVersion::Implicit1_0);
                found[place] =
                    value.map_err(|error| format!("it is no XML: {error}"))?.replace(self.root, "");
            }
        }
        Ok(found)
    }
}

/// A hash of nested names that is unambiguous about their boundaries.
fn whole(outer: blake3::Hash, names: &[&str]) -> blake3::Hash {
    let mut hasher = blake3::Hasher::new();
    hasher.update(outer.as_bytes());
    for name in names {
        hasher.update(&(name.len() as u64).to_le_bytes());
        hasher.update(name.as_bytes());
    }
    hasher.finalize()
}

#[cfg(test)]
mod tests;
