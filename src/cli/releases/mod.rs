//! `mayday releases`: what a pipeline does with releases.

mod check;
mod comparison;
mod deploy;
mod mend;

use super::ci::{Api, Failure, Result, Target, built_from, ended, release_name};
use super::say;
use crate::releases::URL_PREFIX_DEFAULT;
use clap::Subcommand;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};
use std::process::ExitCode;

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Creates a release; one that exists stays as it is
    New {
        #[command(flatten)]
        target: Target,
        /// What the scripts' addresses begin with; `~` stands for any scheme and host
        #[arg(long, value_name = "PREFIX", default_value = URL_PREFIX_DEFAULT)]
        url_prefix: String,
        /// The release's version, as the page sends it [default: the commit]
        version: Option<String>,
    },
    /// Declares a release complete: its source maps can no longer be replaced
    Finalize {
        #[command(flatten)]
        target: Target,
        /// [default: the commit]
        version: Option<String>,
    },
    /// Lists the releases, newest first
    List {
        #[command(flatten)]
        target: Target,
        /// Only those whose version contains this
        #[arg(long, value_name = "PART")]
        query: Option<String>,
        /// 1 to 100
        #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=100))]
        limit: u32,
        /// Prints JSON
        #[arg(long)]
        json: bool,
    },
    /// Deletes a release with its source maps. This cannot be undone
    Delete {
        #[command(flatten)]
        target: Target,
        version: String,
    },
    /// Records that a release was deployed
    Deploy(deploy::Arguments),
    /// Fails if a script of a build would not resolve with what the release has, or if the release does worse than another
    Check(check::Arguments),
}

pub(super) fn run(command: Command) -> ExitCode {
    ended(match command {
        Command::New { target, url_prefix, version } => create(&target, &url_prefix, version.as_deref()),
        Command::Finalize { target, version } => release_name(version.as_deref()).and_then(|version| {
            finalize(&target.api()?, &version)?;
            say(&format_args!("Release {version} is finalized."));
            Ok(())
        }),
        Command::List { target, query, limit, json } => list(&target, query.as_deref(), limit, json),
        Command::Delete { target, version } => delete(&target, &version),
        Command::Deploy(arguments) => deploy::run(&arguments),
        Command::Check(arguments) => check::run(&arguments),
    })
}

fn create(target: &Target, url_prefix: &str, version: Option<&str>) -> Result<()> {
    let version = release_name(version)?;
    let body = json!({"version": version, "url_prefix": url_prefix, "commit": built_from()});
    let reply = target.api()?.post("/api/v1/releases", &body)?;
    let is_new = reply.status.as_u16() == 201;
    let prefix = reply.done()?["url_prefix"].as_str().unwrap_or_default().to_owned();
    if !is_new && prefix != url_prefix {
        return Err(Failure::new(format!(
            "release `{version}` exists with the url prefix `{prefix}`, which cannot be changed. Delete it first, or use \
             --url-prefix '{prefix}'"
        )));
    }
    let what = if is_new { "created" } else { "there already" };
    say(&format_args!("Release {version} is {what}, with the url prefix {prefix}"));
    Ok(())
}

/// Finalizes a release.
pub(super) fn finalize(api: &Api, version: &str) -> Result<()> {
    let path = format!("/api/v1/releases/{}/finalize", segment(version));
    api.post(&path, &json!({}))?.done().map(drop)
}

fn list(target: &Target, query: Option<&str>, limit: u32, as_json: bool) -> Result<()> {
    let api = target.api()?;
    let query = query.map(|part| format!("&query={}", segment(part))).unwrap_or_default();
    let list =
        api.get(&format!("/api/v1/projects/{}/releases?limit={limit}{query}", api.project()?))?.done()?;
    if as_json {
        say(&list);
        return Ok(());
    }
    let releases = list["releases"].as_array().map(Vec::as_slice).unwrap_or_default();
    let text = |release: &Value, field: &str| release[field].as_str().unwrap_or("–").to_owned();
    let width =
        releases.iter().map(|release| text(release, "version").chars().count()).max().unwrap_or(0).max(7);
    if releases.is_empty() {
        say(&"No releases. Create one with `mayday sourcemaps upload`.");
        return Ok(());
    }
    say(&format_args!("{:width$}  {:>5}  {:>8}  {:9}  CREATED", "VERSION", "MAPS", "EVENTS", "STATE"));
    for release in releases {
        let state = match (&release["id"], &release["finalized_at"]) {
            (Value::Null, _) => "seen",
            (_, Value::Null) => "open",
            _ => "finalized",
        };
        say(&format_args!(
            "{:width$}  {:>5}  {:>8}  {state:9}  {}",
            text(release, "version"),
            release["source_map_count"].to_string(),
            release["event_count"].to_string(),
            text(release, "created_at")
        ));
    }
    if list["has_more"] == true {
        say(&format_args!("… of {}: --limit shows more, --query finds one", list["total"]));
    }
    Ok(())
}

fn delete(target: &Target, version: &str) -> Result<()> {
    let api = target.api()?;
    api.delete(&format!("/api/v1/projects/{}/releases/{}", api.project()?, segment(version)))?.done()?;
    say(&format_args!("Release {version} and its source maps are deleted."));
    Ok(())
}

/// A path segment in which special characters are escaped.
fn segment(text: &str) -> String {
    utf8_percent_encode(text, NON_ALPHANUMERIC).to_string()
}
