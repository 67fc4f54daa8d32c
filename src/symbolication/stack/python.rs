//! Python: `File "x.py", line 3, in f`, the throw last.

use super::cause::Cause;
use super::line::{find, lines, name, number, rfind, source, source_frame, throw_first, url};
use super::{Frame, READ_FRAMES};

/// Heading of a traceback outside of any group.
const PLAIN: &str = "\nTraceback (most recent call last):";

/// Heading of an exception group; nested ones have no leading plus.
const GROUP: &str = "+ Exception Group Traceback (most recent call last):";

/// Whether a line belongs to a Python traceback only.
pub(super) fn is_marked(line: &str) -> bool {
    frame(line).is_some()
}

/// The frames of the last traceback, throw first. Earlier ones belong to causes, or to the exception being
/// handled. For an exception group they are the group's own, not those of its members.
pub(super) fn parse(text: &str) -> Vec<Frame<'_>> {
    let group = rfind(text, GROUP);
    let plain = rfind(text, PLAIN).map(|at| at + 1);
    let is_group = group > plain;
    let start =
        group.max(plain).or_else(|| barred(text)).or_else(|| rfind(text, PLAIN.trim_start())).unwrap_or(0);
    let mut frames = Vec::with_capacity(16);
    let mut previous = "";
    for line in lines(&text[start..]) {
        let frame = frame(line);
        let is_frame = frame.is_some();
        if let Some(frame) = frame {
            push(&mut frames, frame);
        } else if is_group && line.trim_start().starts_with("+-+--") {
            break;
        } else if let Some(last) = frames.last_mut() {
            let source = beneath(previous, line).or_else(|| pointed_at_by_rich(last, line));
            last.context_line = last.context_line.or(source);
        }
        // A message may quote one.
        previous = if is_frame { line } else { "" };
    }
    throw_first(frames)
}

/// The line of source right beneath a frame's line: behind the same bars, and deeper. Python leaves it out if it has no
/// source.
fn beneath<'a>(frame: &str, line: &'a str) -> Option<&'a str> {
    let indent = frame.find("File \"")?;
    let (bars, code) = line.split_at_checked(indent)?;
    let is_behind_bars = bars.bytes().all(|byte| matches!(byte, b' ' | b'\t' | b'|'));
    let is_deeper = code.starts_with([' ', '\t']);
    let is_marker = code.bytes().all(|byte| matches!(byte, b' ' | b'^' | b'~'));
    if is_behind_bars && is_deeper && !is_marker { source(code) } else { None }
}

/// `❱ 31     total()` in the box that Rich draws.
fn pointed_at_by_rich<'a>(frame: &Frame<'_>, line: &'a str) -> Option<&'a str> {
    let text = line.strip_prefix('│')?.trim_end_matches('│').trim_start().strip_prefix('❱')?.trim_start();
    let (at, code) = text.split_once(' ')?;
    if number(at) == frame.line { source(code) } else { None }
}

/// The last heading within a member of a group, behind bars.
fn barred(text: &str) -> Option<usize> {
    let heading = PLAIN.trim_start();
    memchr::memmem::rfind_iter(text.as_bytes(), heading).find(|at| {
        let before = text.as_bytes()[..*at].iter().rev().find(|byte| !matches!(byte, b' ' | b'|'));
        before.is_none_or(|byte| *byte == b'\n')
    })
}

/// Keeps the end of a long list, at constant amortized cost.
fn push<'a>(frames: &mut Vec<Frame<'a>>, frame: Frame<'a>) {
    if frames.len() == 2 * READ_FRAMES {
        frames.drain(..READ_FRAMES);
    }
    frames.push(frame);
}

/// `File "x.py", line 3, in f`; the bars of an exception group in front are skipped. At the top
/// level of a syntax error the function is missing.
fn frame(line: &str) -> Option<Frame<'_>> {
    // Loguru marks the line where it caught the exception.
    let text = line.trim_start_matches([' ', '\t', '|', '+', '>']);
    if let Some(boxed) = text.strip_prefix('│') {
        return of_rich(boxed.trim_end_matches('│').trim());
    }
    let text = text.strip_prefix("File \"")?;
    let end = rfind(text, "\", line ")?;
    let place = &text[end + "\", line ".len()..];
    let (line, function) = match place.split_once(", in ") {
        Some((line, function)) => (line, name(function)),
        None => (place, None),
    };
    Some(source_frame(function, url(&text[..end]), Some(number(line)?)))
}

/// `/srv/x.py:3 in f`, in the box that Rich draws.
fn of_rich(text: &str) -> Option<Frame<'_>> {
    let (place, function) = text.split_once(" in ")?;
    let (file, line) = place.rsplit_once(':')?;
    if !file.ends_with(".py") || function.contains(' ') {
        return None;
    }
    Some(source_frame(name(function), url(file), Some(number(line)?)))
}

/// Whether a text contains an exception group.
pub(super) fn is_group(text: &str) -> bool {
    find(text, GROUP).is_some() && find(text, "+-+--").is_some()
}

/// `+-+---------------- 1 ----------------`: the number of a member of a group.
fn opens_member(line: &str) -> bool {
    let dashes = line.trim().trim_start_matches("+-").trim_start_matches('+');
    let number = dashes.trim_matches('-').trim();
    dashes.starts_with("--") && (super::line::number(number).is_some() || number == "...")
}

fn closes_members(line: &str) -> bool {
    line.trim_start()
        .strip_prefix("+--")
        .is_some_and(|dashes| dashes.trim_end().bytes().all(|byte| byte == b'-'))
}

/// The members of a group, also those of groups in it.
fn members(text: &str) -> Vec<Cause<'_>> {
    let mut found = Vec::new();
    let (mut at, mut start) = (0, None);
    for line in text.split_inclusive('\n') {
        let (opens, closes) = (opens_member(line), closes_members(line));
        if opens || closes {
            found.extend(start.take().and_then(|start: usize| member(&text[start..at])));
        }
        at += line.len();
        if opens {
            start = Some(at);
        }
    }
    found.extend(start.and_then(|start| member(&text[start..])));
    found
}

/// The type and message stand after the frames, and for a member without frames alone.
fn member(section: &str) -> Option<Cause<'_>> {
    let mut header = None;
    let mut awaited = true;
    for line in section.lines() {
        let text = line.trim_start_matches(' ');
        let text = text.strip_prefix('|').map_or(text, |text| text.strip_prefix(' ').unwrap_or(text));
        if text.starts_with(' ') || text.contains("Traceback (most recent call last):") {
            awaited = true;
        } else if !text.trim().is_empty()
            && std::mem::take(&mut awaited)
            && !LINKS.iter().any(|link| link.trim() == text.trim())
        {
            header = Some(text);
        }
    }
    let header = header?.trim();
    let is_count = header.starts_with("and ") && header.ends_with(" more exceptions");
    // A group that was not raised itself only counts those that follow.
    let is_bare = header.ends_with("sub-exception)") || header.ends_with("sub-exceptions)");
    let has_frames = find(section, "File \"").is_some();
    (!is_count && (!is_bare || has_frames)).then(|| Cause::new(header, section.trim_end()))
}

/// The lines between a traceback and that of the exception it led to.
const LINKS: [&str; 2] = [
    "\nDuring handling of the above exception, another exception occurred:\n",
    "\nThe above exception was the direct cause of the following exception:\n",
];

/// Whether a text contains several tracebacks that led to one another.
pub(super) fn is_chained(text: &str) -> bool {
    LINKS.iter().any(|link| find(text, link).is_some())
}

/// The members of the last exception if it is a group, and the exceptions printed before it, from last to first.
pub(super) fn causes(text: &str) -> Vec<Cause<'_>> {
    let last = LINKS.iter().filter_map(|link| rfind(text, link)).max().unwrap_or(0);
    let mut causes = members(&text[last..]);
    causes.extend(chained(text));
    causes
}

fn chained(text: &str) -> Vec<Cause<'_>> {
    let mut links: Vec<(usize, usize)> = LINKS
        .iter()
        .flat_map(|link| {
            memchr::memmem::find_iter(text.as_bytes(), link).map(move |at| (at, at + link.len()))
        })
        .collect();
    links.sort_unstable();
    let mut start = 0;
    let mut sections = Vec::with_capacity(links.len());
    for (at, end) in links {
        sections.push(text[start..at.max(start)].trim_matches('\n'));
        start = end;
    }
    sections.into_iter().rev().map(cause).collect()
}

/// After the frames, which are indented, follows `Type: message`.
fn cause(section: &str) -> Cause<'_> {
    let mut at = 0;
    let header = section.split_inclusive('\n').find_map(|line| {
        let start = at;
        at += line.len();
        let is_header = !line.trim().is_empty() && !line.starts_with([' ', '\t']);
        (is_header && !line.starts_with(PLAIN.trim_start())).then_some(start)
    });
    Cause::new(&section[header.unwrap_or(section.len())..], section)
}
