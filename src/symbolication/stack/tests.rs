//! Stacks as engines print them. Those of Node, Python, Java, Rust, JavaScriptCore and Hermes were recorded; the others follow the
//! engines' own sources and documentation.

mod causes;
mod firefox_safari;
mod hostile;
mod languages;
mod more_languages;
mod others;
mod own_code;
mod php;
mod recorded;
mod servers;
mod source_lines;
mod v8_hermes;

use super::*;

/// A frame in short notation: `function|url|line|column`, `-` for none, then `~` if async and `*` if in-app.
fn short(frame: &Frame<'_>) -> String {
    let number = |value: Option<u32>| value.map_or("-".to_owned(), |value| value.to_string());
    format!(
        "{}|{}|{}|{}{}{}",
        frame.function.unwrap_or("-"),
        frame.url.unwrap_or("-"),
        number(frame.line),
        number(frame.column),
        if frame.is_async { "~" } else { "" },
        if frame.in_app { "*" } else { "" },
    )
}

fn shorts(parsed: &Parsed<'_>) -> Vec<String> {
    parsed.frames.iter().map(short).collect()
}

#[track_caller]
fn assert_parsed(text: &str, platform: Flavor, frames: &[&str]) {
    let parsed = parse(text);
    assert_eq!(shorts(&parsed), frames);
    assert_eq!(parsed.platform, platform);
}

/// One line as the only frame of a V8 stack.
#[track_caller]
fn assert_v8(line: &str, frame: &str) {
    assert_parsed(&format!("Error: x\n    at {line}"), Flavor::V8, &[frame]);
}

#[track_caller]
fn assert_with_message(text: &str, message: &str, platform: Flavor, frames: &[&str]) {
    let parsed = parse_with_message(text, Some(message));
    assert_eq!(shorts(&parsed), frames);
    assert_eq!(parsed.platform, platform);
}
