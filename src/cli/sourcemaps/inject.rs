//! `mayday sourcemaps inject`: gives each script and its source map the same debug id. The script registers the id
//! when it runs, and errors carry it, so they find their source map whatever their release and addresses.

use super::build::{self, Filter, MapSource, Script};
use super::integrity::Hashes;
use super::script::{Comments, inline};
use crate::cli::ci::{Failure, Result};
use crate::cli::say;
use crate::event::DebugId;
use crate::symbolication::map;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use clap::Args;
use serde_json::{Map, Value, json};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

#[derive(Debug, Args)]
pub(in crate::cli) struct Arguments {
    /// Leaves out scripts that fit a pattern such as `vendor/**`; may be repeated
    #[arg(long, value_name = "PATTERN")]
    ignore: Vec<String>,
    /// Changes no file
    #[arg(long)]
    dry_run: bool,
    /// Prints JSON
    #[arg(long)]
    json: bool,
    /// The directory with the build, before it is deployed
    #[arg(value_name = "DIR")]
    dir: PathBuf,
}

pub(super) fn run(arguments: &Arguments) -> Result<()> {
    let filter = Filter { ignore: arguments.ignore.clone(), ..Filter::default() };
    let (mut done, mut failed) = (Vec::new(), Vec::new());
    let scripts = build::scripts(&arguments.dir, &filter)?;
    check_unbound(&arguments.dir, &scripts)?;
    for script in &scripts {
        if let MapSource::Missing(why) = &script.map {
            failed.push(format!("{}: {why}", script.path));
            continue;
        }
        match inject(script, arguments.dry_run) {
            Ok((id, is_new)) => done.push((script, id, is_new)),
            Err(Failure::Failed(why) | Failure::Usage(why)) => failed.push(format!("{}: {why}", script.path)),
            Err(Failure::Said) => return Err(Failure::Said),
        }
    }
    let stale = done.iter().filter(|(_, _, is_new)| *is_new).flat_map(|(script, ..)| stale(script));
    let warnings: Vec<String> = stale.collect();
    if arguments.json {
        let scripts = done
            .iter()
            .map(|(script, id, is_new)| json!({"path": script.path, "debug_id": id, "is_new": is_new}));
        say(
            &json!({"scripts": scripts.collect::<Vec<_>>(), "without": failed, "warnings": warnings, "dry_run": arguments.dry_run}),
        );
    } else {
        for (script, id, is_new) in &done {
            let what = if *is_new { "injected" } else { "has one " };
            say(&format_args!("  {what}  {}: {id}", script.path));
        }
        warnings.iter().for_each(|text| say(&format_args!("  warning   {text}")));
        failed.iter().for_each(|text| say(&format_args!("  left out  {text}")));
    }
    if done.is_empty() {
        return Err(Failure::new("no script with a source map was found"));
    }
    Ok(())
}

/// Refuses to change scripts whose hashes are in the build, because browsers would then block them.
fn check_unbound(dir: &Path, scripts: &[Script]) -> Result<()> {
    let hashes = Hashes::of(dir)?;
    for script in scripts.iter().filter(|script| !matches!(script.map, MapSource::Missing(_))) {
        let bytes = build::read(&script.file)?;
        if Comments::of(&String::from_utf8_lossy(&bytes)).debug_id.is_some() {
            continue;
        }
        if let Some(holder) = hashes.holder(&bytes) {
            return Err(Failure::new(format!(
                "{} has an integrity hash of {}, which it would no longer fit, so nothing was changed: inject before the hashes are made, or leave the script out (--ignore)",
                holder.display(),
                script.path
            )));
        }
    }
    Ok(())
}

/// Its compressed copies, which are now outdated.
fn stale(script: &Script) -> impl Iterator<Item = String> {
    [".gz", ".br", ".zst"].into_iter().filter_map(|ending| {
        let mut copy = script.file.clone().into_os_string();
        copy.push(ending);
        let text =
            format!("{}{ending} is the script as it was before: compress it after this step", script.path);
        Path::new(&copy).exists().then_some(text)
    })
}

/// Gives a script and its map a debug id, unless they have one; returns whether it is new.
fn inject(script: &Script, dry_run: bool) -> Result<(DebugId, bool)> {
    let text = String::from_utf8(build::read(&script.file)?)
        .map_err(|_| Failure::new("the script is not UTF-8, so that it cannot be changed without damage"))?;
    let bytes = script.read_map()?;
    let (own, of_map) = (Comments::of(&text).debug_id, map::debug_id(&bytes));
    if let Some(own) = own.filter(|own| Some(*own) == of_map) {
        return Ok((own, false));
    }
    let id = own.or(of_map).unwrap_or_else(|| DebugId::of(&[text.as_bytes(), &bytes]));
    let shape = |what: &str| Failure::new(format!("its source map {what}"));
    let json = std::str::from_utf8(&bytes).map_err(|_| shape("is not UTF-8"))?;
    let mut json: Value =
        serde_json::from_str(unguarded(json)).map_err(|error| shape(&format!("is not JSON: {error}")))?;
    let map = json.as_object_mut().ok_or_else(|| shape("is no object"))?;
    // A script with an id already has the line that registers it, from its bundler or an earlier run.
    let at = own.is_none().then(|| line_for_snippet(&text));
    if let Some(at) = at {
        shift(map, at)?;
    }
    for name in ["debugId", "debug_id"] {
        map.insert(name.to_owned(), json!(id));
    }
    let changed = match at {
        Some(_) => with_snippet(&text, id),
        None => text,
    };
    if !dry_run {
        write(script, changed, &json.to_string())?;
    }
    Ok((id, true))
}

/// Writes the map first: a script without an id works as before, but an id without a map would find nothing.
fn write(script: &Script, changed: String, json: &str) -> Result<()> {
    match &script.map {
        MapSource::File(path) => {
            replace(path, json.as_bytes())?;
            replace(&script.file, changed.as_bytes())
        }
        _ => {
            let url = Comments::of(&changed).url.unwrap_or_default().to_owned();
            debug_assert!(inline(&url).is_some());
            let encoded = format!("data:application/json;charset=utf-8;base64,{}", STANDARD.encode(json));
            replace(&script.file, changed.replacen(&url, &encoded, 1).as_bytes())
        }
    }
}

/// Replaces the file atomically, so that an interrupted run leaves no partial file.
fn replace(path: &Path, bytes: &[u8]) -> Result<()> {
    let fault = |error: std::io::Error| Failure::new(format!("{}: {error}", path.display()));
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut file = NamedTempFile::new_in(folder).map_err(fault)?;
    file.write_all(bytes).map_err(fault)?;
    let permissions = fs::metadata(path).map_err(fault)?.permissions();
    file.as_file().set_permissions(permissions).map_err(fault)?;
    file.persist(path).map_err(|error| fault(error.error))?;
    Ok(())
}

fn unguarded(text: &str) -> &str {
    let text = text.trim_start_matches('\u{feff}');
    if text.starts_with(")]}") { text.split_once('\n').map_or("", |(_, rest)| rest) } else { text }
}

/// The index of the line before which to insert the snippet: the first, or the second after a `#!`.
fn line_for_snippet(script: &str) -> usize {
    usize::from(script.starts_with("#!"))
}

/// The script with a line that registers the id, and the comment that names it.
fn with_snippet(script: &str, id: DebugId) -> String {
    let head =
        if script.starts_with("#!") { script.find('\n').map_or(script.len(), |end| end + 1) } else { 0 };
    let (before, rest) = script.split_at(head);
    // A directive counts only at the beginning, so the inserted line repeats it.
    let directives: String = directives(rest).into_iter().map(|directive| format!("{directive};")).collect();
    let register = "!function(){try{var e=\"undefined\"!=typeof globalThis?globalThis:\"undefined\"!=typeof self?self:window,\
                    n=(new e.Error).stack;n&&((e._debugIds=e._debugIds||{})[n]=\"";
    let snippet = format!("{directives}{register}{id}\")}}catch(e){{}}}}();\n");
    let ends = if rest.ends_with('\n') || rest.is_empty() { "" } else { "\n" };
    let comment = format!("//# debugId={id}\n");
    // Before the comment that names the map, which tools expect at the end.
    match rest.rfind("//# sourceMappingURL=").filter(|at| *at == 0 || rest[..*at].ends_with('\n')) {
        Some(at) => format!("{before}{snippet}{}{comment}{}", &rest[..at], &rest[at..]),
        None => format!("{before}{snippet}{rest}{ends}{comment}"),
    }
}

/// The leading directives, such as `"use strict"`.
fn directives(script: &str) -> Vec<&str> {
    let (mut rest, mut found) = (script.trim_start(), Vec::new());
    while let Some(quote) = rest.chars().next().filter(|c| matches!(c, '"' | '\'')) {
        let Some(end) = rest[1..].find(quote) else { break };
        let (directive, after) = rest.split_at(end + 2);
        let next = after.trim_start_matches([' ', '\t']);
        if !directive[1..].starts_with("use ")
            || !(next.starts_with([';', '\n', '\r', '}']) || next.is_empty())
        {
            break;
        }
        found.push(directive);
        rest = next.trim_start_matches(';').trim_start();
    }
    found
}

/// Moves all mappings from a generated line (0-based) on down by one line.
fn shift(map: &mut Map<String, Value>, line: usize) -> Result<()> {
    if let Some(sections) = map.get_mut("sections").and_then(Value::as_array_mut) {
        for section in sections {
            let at = section["offset"]["line"].as_u64().unwrap_or_default();
            if at >= line as u64 {
                section["offset"]["line"] = json!(at + 1);
            } else if let Some(inner) = section["map"].as_object_mut() {
                shift(inner, line - usize::try_from(at).unwrap_or(line))?;
            }
        }
        return Ok(());
    }
    let mappings = map.get("mappings").and_then(Value::as_str);
    let mappings = mappings.ok_or_else(|| Failure::new("its source map has no mappings"))?;
    let at = match line {
        0 => 0,
        _ => mappings.match_indices(';').nth(line - 1).map_or(mappings.len(), |(at, _)| at + 1),
    };
    let shifted = format!("{};{}", &mappings[..at], &mappings[at..]);
    map.insert("mappings".to_owned(), Value::String(shifted));
    Ok(())
}

#[cfg(test)]
mod tests;
