//! `mayday releases check`: has the server resolve one position in each script, by the rules it uses for errors.

use super::comparison::{self, Limits, Verdict};
use super::mend::{self, Mend};
use super::segment;
use crate::cli::ci::{Api, Failure, Result, Target, release_name};
use crate::cli::sourcemaps::explain::print_unresolved;
use crate::cli::sourcemaps::plan::{BuildOptions, Item, Plan};
use crate::cli::sourcemaps::report;
use crate::cli::{note, say};
use clap::Args;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
pub(in crate::cli) struct Arguments {
    #[command(flatten)]
    target: Target,
    /// The release that the page sends [default: the commit]
    #[arg(long, value_name = "VERSION")]
    release: Option<String>,
    /// The public address of DIR, as stacks will show it [default: how a page in DIR loads the scripts, else the prefix]
    #[arg(long, value_name = "URL")]
    served_from: Option<String>,
    /// Passes over scripts without a source map
    #[arg(long)]
    allow_missing: bool,
    #[command(flatten)]
    build: BuildOptions,
    #[command(flatten)]
    worse: Limits,
    /// Prints JSON
    #[arg(long)]
    json: bool,
    /// The directory with the build, or one script; may be left out with --worse-than
    #[arg(value_name = "DIR", required_unless_present = "worse_than")]
    dir: Option<PathBuf>,
}

/// Scripts in one request: a stack has at most 250 frames.
const AT_ONCE: usize = 200;
/// The most source maps of a release that are read, and the most on a page.
const MAPS_MAX: usize = 20_000;
const PAGE: usize = 1_000;
/// The host if no address was given.
const ANY_HOST: &str = "https://any-host.invalid";

pub(super) fn run(arguments: &Arguments) -> Result<()> {
    let release = release_name(arguments.release.as_deref())?;
    let api = arguments.target.api()?;
    let scripts =
        arguments.dir.as_deref().map(|dir| Scripts::check(&api, &release, dir, arguments)).transpose()?;
    let with = arguments.worse.worse_than.as_deref();
    let verdict = with.map(|with| comparison::ask(&api, &release, with, &arguments.worse)).transpose()?;
    if arguments.json {
        let scripts = scripts.as_ref();
        say(&json!({
            "release": release,
            "scripts": scripts.map(|scripts| report::json_of(&scripts.plan)),
            "failures": scripts.map(|scripts| scripts.failures.iter().map(Failed::json).collect::<Vec<_>>()),
            "worse": verdict.as_ref().map(Verdict::json),
        }));
    } else {
        scripts.iter().for_each(|scripts| scripts.failures.iter().for_each(Failed::print));
        verdict.iter().flat_map(|verdict| verdict.lines(&release)).for_each(|line| say(&line));
    }
    let refused = scripts.as_ref().and_then(|scripts| scripts.refusal(&release));
    let worse = verdict.filter(|verdict| !verdict.reasons.is_empty());
    let worse = worse
        .map(|verdict| format!("release {release} does worse than {}", verdict.base.unwrap_or_default()));
    match (refused, worse) {
        (None, None) => {}
        (Some(one), Some(other)) => return Err(Failure::new(format!("{one}, and {other}"))),
        (Some(text), None) | (None, Some(text)) => return Err(Failure::new(text)),
    }
    if let Some(Scripts { plan, .. }) = scripts.filter(|_| !arguments.json) {
        let all = plan.items.len();
        say(&format_args!("{all} of {all} scripts resolve in release {release}."));
    }
    Ok(())
}

/// The scripts of a build, and which of them would not resolve.
struct Scripts {
    plan: Plan,
    failures: Vec<Failed>,
}

impl Scripts {
    fn check(api: &Api, release: &str, dir: &Path, arguments: &Arguments) -> Result<Self> {
        let plan = Plan::of(&arguments.build, dir)?;
        let mut failures = local(&plan, arguments.allow_missing);
        let base = match &arguments.served_from {
            Some(base) => format!("{}/", base.trim_end_matches('/')),
            None => base_of(&plan),
        };
        let stored = stored(api, release)?;
        let scripts: Vec<(&Item, (u32, u32))> =
            plan.good().filter_map(|(item, pair)| Some((item, pair.position?))).collect();
        for some in scripts.chunks(AT_ONCE) {
            failures.extend(remote(api, release, &base, some, &stored)?);
        }
        let Arguments { build, allow_missing, served_from, .. } = arguments;
        let mend = Mend::of(&plan, release, build, *allow_missing, served_from.as_deref());
        for failed in &mut failures {
            failed.unresolved = failed.unresolved.take().map(|unresolved| mend.explained(unresolved));
        }
        if !plan.mentions(release) {
            note(&format_args!(
                "warning: no script contains `{release}`: the page has to send it as its release"
            ));
        }
        Ok(Self { plan, failures })
    }

    fn refusal(&self, release: &str) -> Option<String> {
        let (count, all) = (self.failures.len(), self.plan.items.len());
        (count > 0).then(|| format!("{count} of {all} scripts would not resolve in release {release}"))
    }
}

/// A script that would not resolve.
struct Failed {
    path: String,
    why: String,
    /// The server's explanation.
    unresolved: Option<Value>,
}

impl Failed {
    fn json(&self) -> Value {
        json!({"path": self.path, "problem": self.why, "unresolved": self.unresolved})
    }

    fn print(&self) {
        say(&format_args!("  fails  {}: {}", self.path, self.why));
        self.unresolved.iter().for_each(print_unresolved);
    }
}

/// The scripts that cannot resolve wherever they are uploaded.
fn local(plan: &Plan, allow_missing: bool) -> Vec<Failed> {
    use crate::cli::sourcemaps::plan::State;
    let failed = plan.items.iter().filter_map(|item| {
        let why = match &item.state {
            State::Good(_) => return None,
            State::Missing(_) if allow_missing => return None,
            State::Missing(why) | State::Broken(why) => why,
        };
        Some(Failed { path: item.script.path.clone(), why: why.clone(), unresolved: None })
    });
    failed.collect()
}

/// The address of the build's directory as stacks show it.
fn base_of(plan: &Plan) -> String {
    let prefix = mend::served(plan);
    match prefix.strip_prefix('~') {
        Some(path) => format!("{ANY_HOST}{path}"),
        None => prefix,
    }
}

/// The hash of the stored source map for each url; empty if there is no such release.
fn stored(api: &Api, release: &str) -> Result<HashMap<String, String>> {
    let path = format!("/api/v1/projects/{}/releases/{}/sourcemaps", api.project()?, segment(release));
    let mut stored = HashMap::new();
    for offset in (0..MAPS_MAX).step_by(PAGE) {
        let reply = api.get(&format!("{path}?limit={PAGE}&offset={offset}"))?;
        if reply.status.as_u16() == 404 {
            break;
        }
        let list = reply.done()?;
        for map in list["source_maps"].as_array().into_iter().flatten() {
            if let (Some(url), Some(hash)) = (map["url"].as_str(), map["content_hash"].as_str()) {
                stored.insert(url.to_owned(), hash.to_owned());
            }
        }
        if list["has_more"] != true {
            break;
        }
    }
    Ok(stored)
}

/// Has the server resolve one position in each script.
fn remote(
    api: &Api,
    release: &str,
    base: &str,
    scripts: &[(&Item, (u32, u32))],
    stored: &HashMap<String, String>,
) -> Result<Vec<Failed>> {
    let mut stack = String::from("Error: a check");
    let mut images = Vec::new();
    for (item, (line, column)) in scripts {
        let address = format!("{base}{}", item.url_path());
        stack += &format!("\n    at check ({address}:{line}:{column})");
        if let Some(id) = item.debug_id() {
            images.push(json!({"type": "sourcemap", "code_file": address, "debug_id": id}));
        }
    }
    let body = json!({"release": release, "stack": stack, "debug_meta": {"images": images}});
    let answer = api.post("/api/v1/sourcemaps/explain", &body)?.done()?;
    let frames = answer["frames"].as_array().map(Vec::as_slice).unwrap_or_default();
    if frames.len() != scripts.len() {
        return Err(Failure::new(format!("the server found {} of {} frames", frames.len(), scripts.len())));
    }
    let failed = scripts.iter().zip(frames).filter_map(|((item, _), frame)| failure(item, frame, stored));
    Ok(failed.collect())
}

fn failure(item: &Item, frame: &Value, stored: &HashMap<String, String>) -> Option<Failed> {
    let failed = |why: String, unresolved: Option<Value>| {
        Some(Failed { path: item.script.path.clone(), why, unresolved })
    };
    if frame["resolved"].is_null() {
        let address = frame["url"].as_str().unwrap_or_default();
        return failed(format!("{address} would not resolve"), Some(frame["unresolved"].clone()));
    }
    let hash = item.pair().map(|pair| pair.content_hash.as_str());
    match stored.get(&item.url) {
        Some(other) if Some(other.as_str()) != hash && frame["resolved"]["matched_by_debug_id"] != true => {
            failed(
                format!("the release has the source map of another build for {}: upload this one", item.url),
                None,
            )
        }
        _ => None,
    }
}
