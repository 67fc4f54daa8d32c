//! Shared by the commands for pipelines: the server's address, the key and the release.

mod api;
mod progress;
mod release;

pub(super) use api::{Api, Content};
pub(super) use progress::Progress;
pub(super) use release::{built_from, name as release_name};

use clap::Args;
use std::path::PathBuf;
use std::process::ExitCode;

/// Why a command fails, as one line.
#[derive(Debug)]
pub(super) enum Failure {
    /// Exit code 1.
    Failed(String),
    /// Exit code 2: an argument is missing or wrong.
    Usage(String),
    /// Exit code 1; the reason has been printed.
    Said,
}

pub(super) type Result<T, E = Failure> = std::result::Result<T, E>;

impl Failure {
    pub(super) fn new(text: impl Into<String>) -> Self {
        Self::Failed(text.into())
    }
}

/// Ends a command.
pub(super) fn ended(outcome: Result<()>) -> ExitCode {
    let (text, code) = match outcome {
        Ok(()) => return ExitCode::SUCCESS,
        Err(Failure::Said) => return ExitCode::FAILURE,
        Err(Failure::Failed(text)) => (text, 1),
        Err(Failure::Usage(text)) => (text, 2),
    };
    super::fail(&text);
    ExitCode::from(code)
}

/// Where the server is.
#[derive(Debug, Args)]
pub(super) struct Target {
    /// The server's address [env: MAYDAY_URL] [default: apiBaseUrl in ~/.service/config.json]
    #[arg(long, value_name = "URL")]
    url: Option<String>,
    /// A project key with the permission `releases` [env: MAYDAY_KEY]
    #[arg(long, value_name = "KEY")]
    key: Option<String>,
}

impl Target {
    pub(super) fn api(&self) -> Result<Api> {
        let url = match self.url.clone().or_else(|| variable("MAYDAY_URL")) {
            Some(url) => url,
            None => configured()?.ok_or_else(|| {
                Failure::Usage(
                    "which server? Give --url, set MAYDAY_URL, or put apiBaseUrl into ~/.service/config.json"
                        .into(),
                )
            })?,
        };
        let key = self.key.clone().or_else(|| variable("MAYDAY_KEY"));
        let key = key.ok_or_else(|| {
            Failure::Usage(
                "no key: set MAYDAY_KEY to a project key with the permission `releases` (Project → Keys → CI key)".into(),
            )
        })?;
        Api::new(&url, &key)
    }
}

/// An environment variable that is set and not empty.
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().map(|value| value.trim().to_owned()).filter(|value| !value.is_empty())
}

/// The address in the configuration file that the other command-line tools share.
fn configured() -> Result<Option<String>> {
    let Some(home) = std::env::var_os("HOME") else { return Ok(None) };
    let path = PathBuf::from(home).join(".service/config.json");
    let Ok(text) = std::fs::read_to_string(&path) else { return Ok(None) };
    let json: serde_json::Value = serde_json::from_str(&text)
        .map_err(|error| Failure::Usage(format!("{} is not JSON: {error}", path.display())))?;
    Ok(json["apiBaseUrl"].as_str().map(str::to_owned))
}
