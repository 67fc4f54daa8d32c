//! Takes the JSON of a source map apart without copying: only the outer structure is parsed here, and long
//! values stay slices of the upload until they are needed.
//!
//! `serde_json` skips unused values without recursion, and refuses to descend more than 128 levels elsewhere,
//! so nesting cannot overflow the stack.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserializer, Error, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::budget::Budget;
use super::error::MapError;
use super::strings::check;

/// Uploads larger than this many bytes are refused outright, because offsets in the compact file have 32
/// bits.
const MAX_UPLOAD: usize = 1 << 30;

/// One regular map: the upload itself, or one of its sections.
pub(super) struct Part<'a> {
    /// How to name it in errors: `""` or ` of sections[3].map`.
    pub(super) path: String,
    /// Where its generated code starts: 0-based line, and column in that line.
    pub(super) offset: (u32, u32),
    pub(super) root: Cow<'a, str>,
    pub(super) sources: Vec<Option<&'a RawValue>>,
    pub(super) contents: Vec<Option<&'a RawValue>>,
    pub(super) names: Option<&'a RawValue>,
    pub(super) mappings: Cow<'a, str>,
}

#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase")]
struct RawMap<'a> {
    #[serde(borrow)]
    version: Option<&'a RawValue>,
    #[serde(borrow)]
    source_root: Option<&'a RawValue>,
    #[serde(borrow)]
    sources: Option<&'a RawValue>,
    #[serde(borrow)]
    sources_content: Option<&'a RawValue>,
    #[serde(borrow)]
    names: Option<&'a RawValue>,
    #[serde(borrow)]
    mappings: Option<&'a RawValue>,
    #[serde(borrow)]
    sections: Option<&'a RawValue>,
}

#[derive(serde::Deserialize)]
struct RawSection<'a> {
    offset: RawOffset,
    #[serde(borrow)]
    map: Option<&'a RawValue>,
}

#[derive(serde::Deserialize)]
struct RawOffset {
    line: u32,
    column: u32,
}

/// The regular maps of an upload, in their order there.
pub(super) fn parts<'a>(upload: &'a [u8], budget: &Budget) -> Result<Vec<Part<'a>>, MapError> {
    check("bytes in the upload", MAX_UPLOAD, upload.len())?;
    let text = std::str::from_utf8(upload)
        .map_err(|e| MapError::Json(format!("invalid UTF-8 at byte {}", e.valid_up_to())))?;
    let mut reader = Reader { budget, parts: Vec::new(), sources: 0, sections: 0 };
    reader.map(without_guard(text), (0, 0), "", 0)?;
    Ok(reader.parts)
}

/// Drops a byte order mark and the `)]}'` line that keeps JSON from running as a script. The line
/// end stays, so that line numbers in errors are those of the upload.
pub(super) fn without_guard(text: &str) -> &str {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    match text.starts_with(")]}") {
        true => text.find('\n').map_or("", |end| &text[end..]),
        false => text,
    }
}

struct Reader<'a, 'b> {
    budget: &'b Budget,
    parts: Vec<Part<'a>>,
    sources: usize,
    sections: usize,
}

impl<'a> Reader<'a, '_> {
    fn map(&mut self, text: &'a str, offset: (u32, u32), path: &str, depth: usize) -> Result<(), MapError> {
        let map = parse_map(text, path)?;
        check_version(map.version, path)?;
        match map.sections {
            Some(sections) => self.sections(sections, offset, path, depth),
            None => self.part(&map, offset, path),
        }
    }

    fn sections(
        &mut self,
        sections: &'a RawValue,
        offset: (u32, u32),
        path: &str,
        depth: usize,
    ) -> Result<(), MapError> {
        check("levels of sections", self.budget.section_depth, depth + 1)?;
        let (mut index, mut last) = (0, (0, 0));
        each(sections, &format!("{path}sections"), |section| {
            self.sections += 1;
            check("sections", self.budget.sections, self.sections)?;
            let path = format!("{path}sections[{index}]");
            index += 1;
            let raw: RawSection<'a> = serde_json::from_str(section.get())
                .map_err(|e| MapError::Shape(format!("{path}: {}", without_place(&e))))?;
            let begins = (raw.offset.line, raw.offset.column);
            if begins < last {
                return Err(MapError::Shape(format!(
                    "{path} begins at line {}, column {}, before the section in front of it (line {}, column {}): \
                     sections must be in order",
                    begins.0, begins.1, last.0, last.1
                )));
            }
            last = begins;
            let map = raw.map.ok_or_else(|| {
                MapError::Shape(format!("{path} has no \"map\" (links by \"url\" are not followed)"))
            })?;
            let column = match raw.offset.line {
                0 => offset.1.checked_add(raw.offset.column),
                _ => Some(raw.offset.column),
            };
            let start = offset.0.checked_add(raw.offset.line).zip(column).ok_or_else(|| {
                MapError::Shape(format!("{path}.offset is beyond {} lines or columns", u32::MAX))
            })?;
            self.map(map.get(), start, &format!("{path}.map."), depth + 1)
        })
    }

    fn part(&mut self, map: &RawMap<'a>, offset: (u32, u32), path: &str) -> Result<(), MapError> {
        let mappings = map.mappings.ok_or_else(|| MapError::Shape(format!("missing \"{path}mappings\"")))?;
        let mappings = required_text(mappings, &format!("{path}mappings"))?;
        let root = match map.source_root {
            Some(root) => required_text(root, &format!("{path}sourceRoot"))?,
            None => Cow::Borrowed(""),
        };
        let limit = self.budget.sources;
        let sources = self.list(map.sources, &format!("{path}sources"), usize::MAX)?;
        let contents = self.list(map.sources_content, &format!("{path}sourcesContent"), sources.len())?;
        self.sources += sources.len();
        check("sources", limit, self.sources)?;
        let path = match path.strip_suffix('.') {
            Some(path) => format!(" of {path}"),
            None => String::new(),
        };
        let names = map.names;
        self.parts.push(Part { path, offset, root, sources, contents, names, mappings });
        Ok(())
    }

    /// An array of strings and nulls, cut at `most` entries, and refused if over the budget of sources.
    fn list(
        &self,
        list: Option<&'a RawValue>,
        what: &str,
        most: usize,
    ) -> Result<Vec<Option<&'a RawValue>>, MapError> {
        let mut out = Vec::new();
        let Some(list) = list else { return Ok(out) };
        each(list, what, |entry| {
            match kind(entry) {
                "string" if out.len() < most => out.push(Some(entry)),
                "null" if out.len() < most => out.push(None),
                "string" | "null" => {}
                other => return Err(wrong(&format!("{what}[{}]", out.len()), "a string", other)),
            }
            check("sources", self.budget.sources, self.sources + out.len())
        })?;
        Ok(out)
    }
}

fn parse_map<'a>(text: &'a str, path: &str) -> Result<RawMap<'a>, MapError> {
    let first = text.trim_start().bytes().next();
    if first.is_some_and(|byte| byte != b'{') {
        // Whatever it is, report first if it is not even JSON.
        serde_json::from_str::<serde::de::IgnoredAny>(text).map_err(|e| MapError::Json(e.to_string()))?;
        let what = path.strip_suffix('.').unwrap_or("the upload");
        return Err(MapError::Shape(format!("{what} must be an object")));
    }
    serde_json::from_str(text).map_err(|e| match e.classify() {
        serde_json::error::Category::Data => MapError::Shape(format!("{path}{e}")),
        _ => MapError::Json(e.to_string()),
    })
}

fn check_version(version: Option<&RawValue>, path: &str) -> Result<(), MapError> {
    match version.map(RawValue::get) {
        // Some old tools write the version as a string.
        Some("3" | "\"3\"" | "3.0") => Ok(()),
        None => Err(MapError::Shape(format!("missing \"{path}version\" (it must be 3)"))),
        Some(got) => {
            let got: String = got.chars().take(40).collect();
            Err(MapError::Shape(format!("\"{path}version\" must be 3, got {got}")))
        }
    }
}

/// Calls `f` with each element of the array `list`; anything but an array is an error.
pub(super) fn each<'a>(
    list: &'a RawValue,
    what: &str,
    f: impl FnMut(&'a RawValue) -> Result<(), MapError>,
) -> Result<(), MapError> {
    if kind(list) != "array" {
        return Err(wrong(what, "an array", kind(list)));
    }
    let mut failure = None;
    let visitor = ArrayVisitor { f, failure: &mut failure };
    let result = serde_json::Deserializer::from_str(list.get()).deserialize_seq(visitor);
    match (failure, result) {
        (Some(error), _) => Err(error),
        (None, Err(error)) => Err(MapError::Shape(format!("\"{what}\": {error}"))),
        (None, Ok(())) => Ok(()),
    }
}

struct ArrayVisitor<'f, F> {
    f: F,
    failure: &'f mut Option<MapError>,
}

impl<'a, F: FnMut(&'a RawValue) -> Result<(), MapError>> Visitor<'a> for ArrayVisitor<'_, F> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'a>>(mut self, mut seq: A) -> Result<(), A::Error> {
        while let Some(element) = seq.next_element::<&'a RawValue>()? {
            if let Err(error) = (self.f)(element) {
                *self.failure = Some(error);
                return Err(A::Error::custom("stopped"));
            }
        }
        Ok(())
    }
}

/// The string that `raw` is; `None` for anything else. Half of a surrogate pair, which JSON can
/// write and UTF-8 cannot, becomes U+FFFD rather than making the whole map unusable.
pub(super) fn text(raw: &RawValue) -> Option<Cow<'_, str>> {
    let inner = raw.get().strip_prefix('"')?.strip_suffix('"')?;
    if !inner.as_bytes().contains(&b'\\') {
        return Some(Cow::Borrowed(inner));
    }
    let mut reader = serde_json::Deserializer::from_str(raw.get());
    reader.deserialize_bytes(Lossy).ok().map(Cow::Owned)
}

struct Lossy;

impl Visitor<'_> for Lossy {
    type Value = String;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a string")
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<String, E> {
        Ok(String::from_utf8_lossy(bytes).into_owned())
    }
}

fn required_text<'a>(raw: &'a RawValue, what: &str) -> Result<Cow<'a, str>, MapError> {
    text(raw).ok_or_else(|| wrong(what, "a string", kind(raw)))
}

fn wrong(what: &str, expected: &str, got: &str) -> MapError {
    MapError::Shape(format!("\"{what}\" must be {expected}, got {got}"))
}

/// The kind of a JSON value, as named in errors.
fn kind(raw: &RawValue) -> &'static str {
    match raw.get().as_bytes().first() {
        Some(b'{') => "object",
        Some(b'[') => "array",
        Some(b'"') => "string",
        Some(b't' | b'f') => "boolean",
        Some(b'n') => "null",
        _ => "number",
    }
}

/// serde_json's message without "at line 1 column 9": those are relative to the section.
fn without_place(error: &serde_json::Error) -> String {
    let message = error.to_string();
    match message.rfind(" at line ") {
        Some(end) => message[..end].to_owned(),
        None => message,
    }
}
