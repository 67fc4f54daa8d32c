//! `mayday sourcemaps explain`.

use crate::cli::ci::{Failure, Result, Target, release_name};
use crate::cli::{note, say};
use crate::intake::decode::limits::STACK;
use clap::Args;
use serde_json::{Value, json};
use std::io::Read as _;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(in crate::cli) struct Arguments {
    #[command(flatten)]
    target: Target,
    /// The release that the error names [default: the commit]
    #[arg(long, value_name = "VERSION")]
    release: Option<String>,
    /// A file with the stack's text, as the browser printed it; `-` reads standard input
    #[arg(long, value_name = "FILE")]
    stack: PathBuf,
    /// Prints JSON
    #[arg(long)]
    json: bool,
}

/// The most bytes read of a stack: one character more than the server accepts, at four bytes each.
const READ_MAX: u64 = 4 * (STACK as u64 + 1);

pub(super) fn run(arguments: &Arguments) -> Result<()> {
    let release = release_name(arguments.release.as_deref())?;
    let api = arguments.target.api()?;
    let answer = api
        .post("/api/v1/sourcemaps/explain", &json!({"release": release, "stack": read(arguments)?}))?
        .done()?;
    if arguments.json {
        say(&answer);
        return Ok(());
    }
    let frames = answer["frames"].as_array().map(Vec::as_slice).unwrap_or_default();
    if frames.is_empty() {
        return Err(Failure::new("no frames were found in the stack: give it as the browser printed it"));
    }
    for (frame, number) in frames.iter().zip(1..) {
        print(number, frame);
    }
    let open = frames.iter().filter(|frame| !frame["unresolved"].is_null()).count();
    let resolved = frames.iter().filter(|frame| !frame["resolved"].is_null()).count();
    say(&format_args!("{resolved} of {} frames resolve, {open} should and do not.", frames.len()));
    Ok(())
}

fn read(arguments: &Arguments) -> Result<String> {
    let mut bytes = Vec::new();
    let fault = |error: std::io::Error| Failure::new(format!("{}: {error}", arguments.stack.display()));
    match arguments.stack.to_str() {
        Some("-") => std::io::stdin().take(READ_MAX).read_to_end(&mut bytes).map_err(fault)?,
        _ => std::fs::File::open(&arguments.stack)
            .and_then(|file| file.take(READ_MAX).read_to_end(&mut bytes))
            .map_err(fault)?,
    };
    let text = String::from_utf8_lossy(&bytes);
    let Some((end, _)) = text.char_indices().nth(STACK) else { return Ok(text.into_owned()) };
    note(&format_args!(
        "warning: a stack has at most {STACK} characters, and {} has more: only its beginning is explained",
        arguments.stack.display()
    ));
    Ok(text[..end].to_owned())
}

fn print(number: usize, frame: &Value) {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let function = |value: &Value| value.as_str().unwrap_or("(anonymous)").to_owned();
    let place = format!("{}:{}:{}", text(&frame["url"]), frame["line"], frame["column"]);
    let (resolved, unresolved) = (&frame["resolved"], &frame["unresolved"]);
    if !resolved.is_null() {
        let by = match (resolved["matched_by_debug_id"] == true, resolved["matched_without_query"] == true) {
            (true, _) => ", by its debug id",
            (_, true) => ", without the address's query",
            _ => "",
        };
        let file = text(&resolved["file"]);
        say(&format_args!(
            "{number:3}  resolves  {} {file}:{}:{}  ({place}{by})",
            function(&resolved["function"]),
            resolved["line"],
            resolved["column"]
        ));
        return;
    }
    if unresolved.is_null() {
        say(&format_args!(
            "{number:3}  –         {} ({place}): no source map applies",
            function(&frame["function"])
        ));
        return;
    }
    say(&format_args!("{number:3}  fails     {} ({place})", function(&frame["function"])));
    print_unresolved(unresolved);
}

/// Prints which rule failed, what was looked for, what comes closest, and how to fix it.
pub(in crate::cli) fn print_unresolved(unresolved: &Value) {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let rule = match unresolved["rule"].as_str() {
        Some("release") => "rule 1, the release",
        Some("prefix") => "rule 2, the url prefix",
        Some("url") => "rule 3, the url",
        _ => "the position",
    };
    say(&format_args!("     {rule}: {}", text(&unresolved["detail"])));
    if let Some(wanted) = unresolved["looked_for"].as_str() {
        say(&format_args!("     looked for: {wanted}"));
    }
    for near in unresolved["nearest"].as_array().into_iter().flatten() {
        say(&format_args!(
            "     nearest: {} in {} – {}",
            text(&near["url"]),
            text(&near["release"]),
            text(&near["why"])
        ));
    }
    if let Some(command) = unresolved["command"].as_str() {
        say(&format_args!("     to mend it: {command}"));
    }
}
