//! `mayday releases deploy`.

use super::segment;
use crate::cli::ci::{Failure, Result, Target, release_name};
use crate::cli::say;
use crate::time::Timestamp;
use clap::Args;
use serde_json::json;

#[derive(Debug, Args)]
pub(in crate::cli) struct Arguments {
    #[command(flatten)]
    target: Target,
    /// Where to, as events name it
    #[arg(long, value_name = "ENVIRONMENT", default_value = "production")]
    environment: String,
    /// What to call the deploy
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// A page that shows it, such as the pipeline's
    #[arg(long, value_name = "URL")]
    link: Option<String>,
    /// When it began, as 2026-11-21T10:00:00Z
    #[arg(long, value_name = "TIME")]
    started_at: Option<String>,
    /// When it was over [default: now]
    #[arg(long, value_name = "TIME")]
    finished_at: Option<String>,
    /// [default: the commit]
    version: Option<String>,
}

pub(super) fn run(arguments: &Arguments) -> Result<()> {
    let version = release_name(arguments.version.as_deref())?;
    let time = |flag: &str, given: &Option<String>| {
        let read = |text: &String| {
            Timestamp::parse(text).ok_or_else(|| {
                Failure::Usage(format!("{flag}: expected a time such as 2026-11-21T10:00:00Z, got `{text}`"))
            })
        };
        given.as_ref().map(read).transpose()
    };
    let started_at = time("--started-at", &arguments.started_at)?;
    // Sent even if it is the present time, so that a retry does not record a second deploy.
    let finished_at = time("--finished-at", &arguments.finished_at)?.unwrap_or_else(Timestamp::now);
    let api = arguments.target.api()?;
    let path = format!("/api/v1/projects/{}/releases/{}/deploys", api.project()?, segment(&version));
    let body = json!({
        "environment": arguments.environment,
        "name": arguments.name,
        "url": arguments.link,
        "started_at": started_at,
        "finished_at": finished_at,
    });
    api.post(&path, &body)?.done()?;
    say(&format_args!("Release {version} is recorded as deployed to {}.", arguments.environment));
    Ok(())
}
