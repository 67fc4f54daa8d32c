//! `mayday sourcemaps upload`.

use super::bundle::{self, Batch};
use super::plan::{BuildArguments, Plan, State};
use super::report;
use crate::cli::ci::{Api, Content, Failure, Progress, Result, Target, built_from, release_name};
use crate::cli::{note, releases, say};
use crate::releases::bundle::FILES_MAX;
use clap::Args;
use hyper::Method;
use serde_json::{Value, json};
use std::collections::HashSet;

#[derive(Debug, Args)]
pub(in crate::cli) struct Arguments {
    #[command(flatten)]
    target: Target,
    /// The release's version, as the page sends it [default: the commit]
    #[arg(long, value_name = "VERSION")]
    release: Option<String>,
    #[command(flatten)]
    build: BuildArguments,
    /// Uploads the others where some scripts have no source map
    #[arg(long)]
    allow_missing: bool,
    /// Leaves the release open, so that its source maps can still be replaced
    #[arg(long)]
    no_finalize: bool,
    /// Checks everything and sends nothing
    #[arg(long)]
    dry_run: bool,
    /// Prints JSON
    #[arg(long)]
    json: bool,
}

/// The result of an upload.
#[derive(Default)]
struct Outcome {
    stored: u64,
    unchanged: u64,
    /// Bytes of the source maps that were sent.
    bytes: u64,
    finalized: bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<()> {
    let release = release_name(arguments.release.as_deref())?;
    // First, so that a missing key is noticed at once.
    let api = if arguments.dry_run { None } else { Some(arguments.target.api()?) };
    let plan = Plan::new(&arguments.build)?;
    let mut warnings: Vec<String> = plan.contradicted_by().into_iter().collect();
    if !plan.mentions(&release) {
        warnings.push(format!("no script contains `{release}`: the page has to send it as its release"));
    }
    if !arguments.json {
        let count = plan.items.len();
        say(&format_args!("Release {release}: {count} script{} in {}", plural(count), plan.dir.display()));
        report::print(&plan);
        warnings.iter().for_each(|warning| note(&format_args!("warning: {warning}")));
    }
    let refused = refusal(&plan, arguments.allow_missing);
    let outcome = match (&api, &refused) {
        (Some(api), None) => send(api, &plan, &release, arguments)?,
        _ => Outcome::default(),
    };
    if arguments.json {
        say(&json!({
            "release": release,
            "url_prefix": plan.prefix,
            "scripts": report::json_of(&plan),
            "warnings": warnings,
            "dry_run": arguments.dry_run,
            "stored": outcome.stored,
            "unchanged": outcome.unchanged,
            "bytes_sent": outcome.bytes,
            "finalized": outcome.finalized,
        }));
    }
    match refused {
        Some(_) if arguments.json => Err(Failure::Said),
        Some(text) => Err(Failure::new(text)),
        None => {
            if !arguments.json {
                summarize(&release, arguments, &outcome);
            }
            Ok(())
        }
    }
}

fn summarize(release: &str, arguments: &Arguments, outcome: &Outcome) {
    if arguments.dry_run {
        say(&"Nothing was sent (--dry-run).");
        return;
    }
    let Outcome { stored, unchanged, .. } = outcome;
    let state = if outcome.finalized { "finalized" } else { "still open (mayday releases finalize)" };
    say(&format_args!("Release {release}: {stored} new, {unchanged} unchanged, {state}."));
}

/// Why the plan cannot be uploaded, if so.
fn refusal(plan: &Plan, allow_missing: bool) -> Option<String> {
    let count = |is: fn(&State) -> bool| plan.items.iter().filter(|item| is(&item.state)).count();
    let broken = count(|state| matches!(state, State::Broken(_)));
    let missing = count(|state| matches!(state, State::Missing(_)));
    if broken > 0 {
        return Some(format!("{broken} script{} would not resolve: nothing was uploaded", plural(broken)));
    }
    if missing > 0 && !allow_missing {
        return Some(format!(
            "{missing} script{} would not resolve: nothing was uploaded. To upload the others, add --allow-missing",
            plural(missing)
        ));
    }
    (missing == plan.items.len()).then(|| "no script has a source map: nothing was uploaded".to_owned())
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}

fn send(api: &Api, plan: &Plan, release: &str, arguments: &Arguments) -> Result<Outcome> {
    let body = json!({"version": release, "url_prefix": plan.prefix, "commit": built_from()});
    let made = api.post("/api/v1/releases", &body)?.done()?;
    check_prefix(plan, release, made["url_prefix"].as_str().unwrap_or_default())?;
    let all: HashSet<String> = plan.good().map(|(_, pair)| pair.content_hash.clone()).collect();
    let missing = missing(api, &all)?;
    let mut outcome = Outcome::default();
    let mut sent = HashSet::new();
    for batch in bundle::batches(plan, &missing) {
        let answer = send_batch(api, &batch, plan, release, &missing, &all, arguments.json)?;
        outcome.stored += answer["stored"].as_u64().unwrap_or_default();
        outcome.unchanged += answer["unchanged"].as_u64().unwrap_or_default();
    }
    let news = plan
        .good()
        .filter(|(_, pair)| missing.contains(&pair.content_hash) && sent.insert(&pair.content_hash));
    outcome.bytes = news.map(|(_, pair)| pair.size as u64).sum();
    if !arguments.no_finalize {
        releases::finalize(api, release)?;
        outcome.finalized = true;
    }
    Ok(outcome)
}

/// Fails if the release has another prefix, which cannot be changed.
fn check_prefix(plan: &Plan, release: &str, prefix: &str) -> Result<()> {
    match plan.good().find(|(item, _)| !item.url.starts_with(prefix)) {
        Some((item, _)) => Err(Failure::new(format!(
            "release `{release}` was created with the url prefix `{prefix}`, and `{}` does not start with it. Use \
             --url-prefix '{prefix}', another release, or delete it first (mayday releases delete)",
            item.url
        ))),
        None => Ok(()),
    }
}

/// The contents that the server does not have yet.
fn missing(api: &Api, all: &HashSet<String>) -> Result<HashSet<String>> {
    let all: Vec<&String> = all.iter().collect();
    let mut missing = HashSet::new();
    for some in all.chunks(FILES_MAX) {
        let answer = api.post("/api/v1/sourcemaps/missing", &json!({"content_hashes": some}))?.done()?;
        let found = answer["missing"].as_array().into_iter().flatten();
        missing.extend(found.filter_map(Value::as_str).map(str::to_owned));
    }
    Ok(missing)
}

fn send_batch(
    api: &Api,
    batch: &Batch<'_>,
    plan: &Plan,
    release: &str,
    missing: &HashSet<String>,
    all: &HashSet<String>,
    is_quiet: bool,
) -> Result<Value> {
    let post = |missing: &HashSet<String>| {
        let file = batch.pack(release, &plan.prefix, missing)?;
        let size = file.metadata().map_or(0, |about| about.len());
        let what = format!("Uploading {} source map{}", batch.len(), plural(batch.len()));
        let progress = Progress::new(&what, size, is_quiet);
        let reply =
            api.send(&Method::POST, "/api/v1/sourcemaps/bundle", &Content::File(&file, progress.clone()));
        progress.end();
        reply
    };
    let reply = post(missing)?;
    // Something that the server had was deleted in the meantime: send everything.
    if reply.status.as_u16() == 422 && reply.refusal().contains("content_hash") && missing.len() < all.len() {
        return post(all)?.done();
    }
    reply.done()
}
