//! `mayday sourcemaps upload`.

use super::bundle::{self, Batch};
use super::plan::{BuildArguments, Plan, State};
use super::report;
use super::styles::{self, Style};
use crate::cli::ci::{Api, Content, Failure, Progress, Result, Target, built_from, release_name};
use crate::cli::{note, releases, say};
use crate::releases::bundle::FILES_MAX;
use clap::Args;
use hyper::Method;
use serde_json::{Value, json};
use std::collections::{HashMap, HashSet};

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
    /// Style sheets that are new.
    styles: u64,
    /// Bytes of the files that were sent.
    bytes: u64,
    finalized: bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<()> {
    let release = release_name(arguments.release.as_deref())?;
    // First, so that a missing key is noticed at once.
    let api = if arguments.dry_run { None } else { Some(arguments.target.api()?) };
    let plan = Plan::new(&arguments.build)?;
    let (styles, left_out) = styles::find(&plan.dir, &arguments.build.filter(), &plan.prefix)?;
    let mut warnings: Vec<String> = plan.contradicted_by().into_iter().chain(left_out).collect();
    if !plan.mentions(&release) {
        warnings.push(format!("no script contains `{release}`: the page has to send it as its release"));
    }
    if !arguments.json {
        let count = plan.items.len();
        say(&format_args!("Release {release}: {count} script{} in {}", plural(count), plan.dir.display()));
        report::print(&plan);
        report::print_styles(&styles);
        warnings.iter().for_each(|warning| note(&format_args!("warning: {warning}")));
    }
    let refused = refusal(&plan, arguments.allow_missing);
    let outcome = match (&api, &refused) {
        (Some(api), None) => send(api, (&plan, &styles), &release, arguments)?,
        _ => Outcome::default(),
    };
    if arguments.json {
        say(&json!({
            "release": release,
            "url_prefix": plan.prefix,
            "scripts": report::json_of(&plan),
            "style_sheets": styles.iter().map(|style| &style.url).collect::<Vec<_>>(),
            "style_sheets_stored": outcome.styles,
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
    let Outcome { stored, unchanged, styles, .. } = outcome;
    let state = if outcome.finalized { "finalized" } else { "still open (mayday releases finalize)" };
    let styles = if *styles > 0 { format!(" New style sheets: {styles}.") } else { String::new() };
    say(&format_args!("Release {release}: {stored} new, {unchanged} unchanged, {state}.{styles}"));
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

fn send(
    api: &Api,
    (plan, styles): (&Plan, &[Style]),
    release: &str,
    arguments: &Arguments,
) -> Result<Outcome> {
    let body = json!({"version": release, "url_prefix": plan.prefix, "commit": built_from()});
    let made = api.post("/api/v1/releases", &body)?.done()?;
    let prefix = made["url_prefix"].as_str().unwrap_or_default();
    check_prefix(plan, release, prefix)?;
    let styles = below(prefix, styles);
    let sizes: HashMap<&String, u64> = plan
        .good()
        .map(|(_, pair)| (&pair.content_hash, pair.size as u64))
        .chain(styles.iter().map(|style| (&style.content_hash, style.size)))
        .collect();
    let all: HashSet<String> = sizes.keys().map(|hash| (*hash).clone()).collect();
    let missing = missing(api, &all)?;
    let (mut outcome, mut is_older) = (Outcome::default(), false);
    for batch in bundle::batches(plan, &styles, &missing) {
        // A server that knows no style sheets passes them over beside source maps, and would refuse them alone.
        if is_older && !batch.has_source_maps() {
            continue;
        }
        let answer = send_batch(api, &batch, plan, release, &missing, &all, arguments.json)?;
        is_older = answer["styles"].is_null();
        outcome.stored += answer["stored"].as_u64().unwrap_or_default();
        outcome.unchanged += answer["unchanged"].as_u64().unwrap_or_default();
        outcome.styles += answer["styles"]["stored"].as_u64().unwrap_or_default();
    }
    outcome.bytes = sizes.iter().filter(|(hash, _)| missing.contains(**hash)).map(|(_, size)| size).sum();
    if !arguments.no_finalize {
        releases::finalize(api, release)?;
        outcome.finalized = true;
    }
    Ok(outcome)
}

/// The style sheets that a release with this prefix takes. The others are no reason not to upload the rest.
fn below<'a>(prefix: &str, styles: &'a [Style]) -> Vec<&'a Style> {
    let (below, others): (Vec<_>, Vec<_>) = styles.iter().partition(|style| style.url.starts_with(prefix));
    if let Some(other) = others.first() {
        note(&format_args!(
            "warning: {} style sheet{} not uploaded, such as `{}`: the release was created with the url prefix `{prefix}`",
            others.len(),
            if others.len() == 1 { " is" } else { "s are" },
            other.url
        ));
    }
    below
}

/// A release keeps the prefix that it was created with.
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
        let progress = Progress::new(&format!("Uploading {}", batch.words()), size, is_quiet);
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
