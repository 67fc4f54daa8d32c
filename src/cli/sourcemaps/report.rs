//! Prints a plan, with a line for each script.

use super::plan::{Item, Plan, State};
use super::styles::Style;
use crate::cli::say;
use crate::text::bytes;
use serde_json::{Value, json};

/// Prints which scripts resolve and which do not.
pub(in crate::cli) fn print(plan: &Plan) {
    for item in &plan.items {
        let path = &item.script.path;
        match &item.state {
            State::Good(pair) => {
                let sources = if pair.sources == 1 { "source" } else { "sources" };
                let size = bytes(pair.size as u64);
                say(&format_args!("  resolves  {path} → {} ({} {sources}, {size})", item.url, pair.sources));
                for warning in &pair.warnings {
                    say(&format_args!("            warning: {warning}"));
                }
            }
            State::Missing(why) => say(&format_args!("  no map    {path}: {why}")),
            State::Broken(why) => say(&format_args!("  broken    {path}: {why}")),
        }
    }
}

/// Prints how many style sheets there are, if any.
pub(super) fn print_styles(styles: &[Style]) {
    let size: u64 = styles.iter().map(|style| style.size).sum();
    match styles {
        [] => {}
        [style] => say(&format_args!("  replays   1 style sheet → {} ({})", style.url, bytes(size))),
        [first, ..] => {
            let (count, url) = (styles.len(), &first.url);
            say(&format_args!("  replays   {count} style sheets → {url}, … ({})", bytes(size)));
        }
    }
}

pub(in crate::cli) fn json_of(plan: &Plan) -> Value {
    let script = |item: &Item| {
        let (status, problem) = match &item.state {
            State::Good(_) => ("resolves", Value::Null),
            State::Missing(why) => ("no_map", json!(why)),
            State::Broken(why) => ("broken", json!(why)),
        };
        let pair = item.pair();
        json!({
            "path": item.script.path,
            "url": item.url,
            "status": status,
            "problem": problem,
            "warnings": pair.map(|pair| &pair.warnings).into_iter().flatten().collect::<Vec<_>>(),
            "content_hash": pair.map(|pair| &pair.content_hash),
            "size": pair.map(|pair| pair.size),
            "sources": pair.map(|pair| pair.sources),
            "debug_id": item.debug_id(),
        })
    };
    Value::Array(plan.items.iter().map(script).collect())
}
