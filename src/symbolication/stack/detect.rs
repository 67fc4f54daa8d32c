//! Detects the notation of a text and reads the text in it.

use super::line::{find, lines, trim_start};
use super::{Flavor, Frame, Parsed, READ_FRAMES};
use super::{
    causes, dart, dotnet, elixir, go, hermes, java, javascriptcore, lua, native, node, perl, php, python,
    ruby, rust, swift, v8,
};

/// The indentation of a V8 frame line.
const INDENTED_AT: &str = "\n    at ";

/// Parses a text without its message.
pub(super) fn parse(text: &str) -> Parsed<'_> {
    let text = java::thrown(text);
    let is_native = find(text, "kfun:").is_some();
    if !is_native && (find(text, INDENTED_AT).is_some() || text.starts_with(&INDENTED_AT[1..])) {
        let parsed = at_lines(text, true);
        if !parsed.frames.is_empty() {
            return parsed;
        }
    }
    by_first_line(text)
}

/// Reads the text in the notation of the first line that is recognized. Should that give no frames, later lines may name
/// another notation; each is tried once, so the work stays linear. Notations whose lines resemble what people write come last.
fn by_first_line(text: &str) -> Parsed<'_> {
    let mut tried = Vec::new();
    for mark in [marked, loosely_marked] {
        let mut previous = "";
        for line in lines(text) {
            if let Some(flavor) = mark(previous, line).filter(|flavor| !tried.contains(flavor)) {
                let parsed = parse_as(flavor, text);
                if !parsed.frames.is_empty() {
                    return parsed;
                }
                tried.push(flavor);
            }
            previous = line;
        }
    }
    Parsed::new(Flavor::Unknown, Vec::new())
}

fn parse_as(flavor: Flavor, text: &str) -> Parsed<'_> {
    let frames = match flavor {
        Flavor::Python => python::parse(text),
        Flavor::Ruby => ruby::parse(text),
        Flavor::Go => go::parse(text),
        Flavor::Rust => rust::parse(text),
        Flavor::Php => php::parse(text),
        Flavor::DotNet => dotnet::parse(text),
        Flavor::Swift => swift::parse(text),
        Flavor::Dart => dart::parse(text),
        Flavor::Elixir => elixir::parse(text),
        Flavor::Native => native::parse(text),
        Flavor::Perl => perl::parse(text),
        Flavor::Lua => lua::parse(text),
        Flavor::V8 => return at_lines(text, false),
        _ => return at_signs(text),
    };
    Parsed::new(flavor, frames)
}

/// The family a line belongs to, V8 and SpiderMonkey standing for their relatives.
fn marked(previous: &str, line: &str) -> Option<Flavor> {
    let text = trim_start(line);
    match text.bytes().next()? {
        b'a' if text.starts_with("at ") && rust::is_pair(previous, line) => Some(Flavor::Rust),
        b'a' if text.starts_with("at ") && native::is_marked(line) => Some(Flavor::Native),
        b'a' if text.starts_with("at ") && dotnet::is_marked(line) => Some(Flavor::DotNet),
        b'a' if text.starts_with("at ") => {
            (v8::frame(line).is_some() || java::frame(line).is_some()).then_some(Flavor::V8)
        }
        b'g' if go::is_marked(line) => Some(Flavor::Go),
        b'F' | b'|' | b'+' | b'>' | 0xe2 if python::is_marked(line) => Some(Flavor::Python),
        b'#' if dart::is_marked(line) => Some(Flavor::Dart),
        _ if rust::is_marked(line) => Some(Flavor::Rust),
        b'0'..=b'9' if swift::is_marked(line) => Some(Flavor::Swift),
        _ if ruby::is_marked(line) => Some(Flavor::Ruby),
        _ if php::is_marked(line) => Some(Flavor::Php),
        _ if swift::failure(line).is_some() => Some(Flavor::Swift),
        _ => {
            // `http://localhost:4000` is not a frame.
            let frame = javascriptcore::frame(line)?;
            (frame.function.is_some() || frame.column.is_some()).then_some(Flavor::SpiderMonkey)
        }
    }
}

/// The same for the other notations.
fn loosely_marked(previous: &str, line: &str) -> Option<Flavor> {
    trim_start(line).bytes().next()?;
    match line {
        _ if go::is_of_error(previous, line) => Some(Flavor::Go),
        _ if native::is_marked(line) => Some(Flavor::Native),
        _ if elixir::is_marked(line) => Some(Flavor::Elixir),
        _ if dart::is_marked(line) => Some(Flavor::Dart),
        _ if lua::is_marked(line) => Some(Flavor::Lua),
        _ if perl::is_marked(line) => Some(Flavor::Perl),
        _ if dotnet::is_marked(line) => Some(Flavor::DotNet),
        _ => javascriptcore::frame(line).map(|_| Flavor::SpiderMonkey),
    }
}

/// V8, Hermes and Java, up to the first cause. Where frames are indented as V8 does, lines that are not belong to the
/// message.
fn at_lines(text: &str, indented: bool) -> Parsed<'_> {
    let mut frames = Vec::with_capacity(16);
    let mut platform = Flavor::Unknown;
    let mut common = 0;
    for line in lines(text) {
        if indented && !line.starts_with(' ') {
            continue;
        }
        if let Some(frame) = at_line(line, &mut platform) {
            frames.push(frame);
            if frames.len() == READ_FRAMES {
                break;
            }
        } else if causes::has_members(line) || (is_cause(line) && !frames.is_empty()) {
            break;
        } else if platform == Flavor::Java {
            common = java::common(line).unwrap_or(common);
        }
    }
    if platform == Flavor::V8 {
        node::add_source(text, &mut frames);
    }
    Parsed { common, ..Parsed::new(platform, frames) }
}

/// One line. The first frame settles whether the text is Java, any marked one that it is Hermes.
fn at_line<'a>(line: &'a str, platform: &mut Flavor) -> Option<Frame<'a>> {
    if *platform == Flavor::Java {
        return java::frame(line);
    }
    let Some(frame) = v8::frame(line) else {
        if *platform == Flavor::Unknown {
            let frame = java::frame(line)?;
            *platform = Flavor::Java;
            return Some(frame);
        }
        return None;
    };
    if hermes::is_marked(line, &frame) {
        *platform = Flavor::Hermes;
    } else if *platform == Flavor::Unknown {
        *platform = Flavor::V8;
    }
    Some(hermes::adapt(frame))
}

/// Whether the rest of the text is about another exception.
fn is_cause(line: &str) -> bool {
    let text = trim_start(line);
    ["Caused by: ", "caused by: ", "Suppressed: ", "[cause]: "].iter().any(|start| text.starts_with(start))
}

/// SpiderMonkey and JavaScriptCore.
fn at_signs(text: &str) -> Parsed<'_> {
    let mut frames = Vec::with_capacity(16);
    let mut platform = None;
    for line in lines(text) {
        let Some(frame) = javascriptcore::among(line) else {
            continue;
        };
        platform = platform.or_else(|| javascriptcore::engine(line));
        frames.push(frame);
        if frames.len() == READ_FRAMES {
            break;
        }
    }
    // Nothing else distinguishes them: Firefox ends the last line with a line break, Safari does not.
    let by_end = if text.ends_with('\n') { Flavor::SpiderMonkey } else { Flavor::JavaScriptCore };
    Parsed::new(platform.unwrap_or(by_end), frames)
}
