//! Reads variables one by one and gathers what is wrong with them.

use super::{BaseUrl, Config, Secret, TelemetryMode, WebApp};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// One line for the operator.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ConfigError(String);

impl ConfigError {
    pub fn new(text: String) -> Self {
        Self(text)
    }

    fn unreadable(name: &str, value: &str, accepted: &str) -> Self {
        Self(format!("{name}={value:?} is not accepted: expected {accepted}"))
    }
}

/// Where values come from: flags over environment over file.
#[derive(Debug, Clone, Default)]
pub struct Source(HashMap<String, String>);

impl Source {
    /// # Errors
    /// When the file cannot be read or has a line that is no assignment.
    pub fn new(
        env_file: Option<&Path>,
        environment: impl IntoIterator<Item = (String, String)>,
        flags: impl IntoIterator<Item = (&'static str, Option<String>)>,
    ) -> Result<Self, ConfigError> {
        let mut values = HashMap::new();
        if let Some(path) = env_file {
            let fault =
                |error: dotenvy::Error| ConfigError(format!("--env-file {}: {error}", path.display()));
            for pair in dotenvy::from_path_iter(path).map_err(fault)? {
                let (name, value) = pair.map_err(fault)?;
                values.insert(name, value);
            }
        }
        values.extend(environment);
        values.extend(flags.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))));
        Ok(Self(values))
    }

    fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }
}

pub(super) struct Reader<'a> {
    source: &'a Source,
    errors: Vec<ConfigError>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(source: &'a Source) -> Self {
        Self { source, errors: Vec::new() }
    }

    pub(super) fn finish(self, config: Config) -> Result<Config, Vec<ConfigError>> {
        if self.errors.is_empty() { Ok(config) } else { Err(self.errors) }
    }

    /// A value that is set and not blank.
    fn text(&self, name: &str) -> Option<&'a str> {
        self.source.get(name).map(str::trim).filter(|value| !value.is_empty())
    }

    /// A value that may also be named with the prefix `SERVICE_`. Both set and unlike: refused.
    pub(super) fn identity(&mut self, name: &str) -> Option<String> {
        let prefixed = format!("SERVICE_{name}");
        match (self.text(name), self.text(&prefixed)) {
            (Some(plain), Some(other)) if plain != other => {
                self.errors.push(ConfigError(format!(
                    "{name}={plain:?} and {prefixed}={other:?} differ: they name the same setting, keep one"
                )));
                None
            }
            (plain, other) => plain.or(other).map(str::to_owned),
        }
    }

    pub(super) fn path(&mut self, name: &str) -> Option<PathBuf> {
        self.text(name).map(PathBuf::from)
    }

    pub(super) fn parsed<T: FromStr>(&mut self, name: &str, accepted: &str) -> Option<T> {
        let value = self.text(name)?;
        let parsed = value.parse().ok();
        if parsed.is_none() {
            self.errors.push(ConfigError::unreadable(name, value, accepted));
        }
        parsed
    }

    pub(super) fn bounded(&mut self, name: &str, default: u64, min: u64, max: u64) -> u64 {
        let accepted = format!("a whole number from {min} to {max}");
        let value = self.parsed(name, &accepted).unwrap_or(default);
        if !(min..=max).contains(&value) {
            self.errors.push(ConfigError::unreadable(name, &value.to_string(), &accepted));
        }
        value
    }

    pub(super) fn base_url(&mut self, name: &str) -> Option<BaseUrl> {
        let value = self.text(name)?;
        BaseUrl::parse(value)
            .map_err(|accepted| self.errors.push(ConfigError::unreadable(name, value, accepted)))
            .ok()
    }

    pub(super) fn https_url(&mut self, name: &str) -> Option<String> {
        let value = self.identity(name)?;
        if !value.starts_with("https://") {
            self.errors.push(ConfigError::unreadable(name, &value, "an absolute https address"));
            return None;
        }
        Some(value)
    }

    pub(super) fn origins(&mut self, name: &str) -> Vec<BaseUrl> {
        let value = self.text(name).unwrap_or_default();
        let mut origins = Vec::new();
        for origin in value.split(',').map(str::trim).filter(|origin| !origin.is_empty()) {
            match BaseUrl::parse(origin) {
                Ok(origin) => origins.push(origin),
                Err(_) => self.errors.push(ConfigError::unreadable(
                    name,
                    origin,
                    "comma-separated origins such as https://app.example; `*` is not possible with cookies",
                )),
            }
        }
        origins
    }

    pub(super) fn web_app(&mut self, name: &str) -> WebApp {
        let Some(value) = self.source.get(name).map(str::trim) else { return WebApp::Baked };
        if value.is_empty() {
            return WebApp::None;
        }
        let folder = PathBuf::from(value);
        if !folder.join("index.html").is_file() {
            self.errors.push(ConfigError::unreadable(name, value, "a folder that holds an index.html"));
        }
        WebApp::Folder(folder)
    }

    pub(super) fn telemetry_mode(&mut self, name: &str) -> TelemetryMode {
        match self.text(name) {
            Some("local_dev") => TelemetryMode::LocalDev,
            None | Some("self_managed") => TelemetryMode::SelfManaged,
            Some("hosted_product") => TelemetryMode::HostedProduct,
            Some(other) => {
                let accepted = "local_dev, self_managed or hosted_product";
                self.errors.push(ConfigError::unreadable(name, other, accepted));
                TelemetryMode::SelfManaged
            }
        }
    }

    pub(super) fn log_filter(&mut self, name: &str) -> String {
        let value = self.text(name).unwrap_or("info");
        if tracing_subscriber::EnvFilter::try_new(value).is_err() {
            let accepted = "error, warn, info, debug, trace, or `mayday::digest=debug,info`";
            self.errors.push(ConfigError::unreadable(name, value, accepted));
        }
        value.to_owned()
    }

    pub(super) fn secret(&mut self, name: &str, min: usize) -> Option<Secret> {
        let value = self.text(name)?;
        if value.len() < min {
            self.errors.push(ConfigError(format!(
                "{name} is too short: expected at least {min} bytes, got {}. Leave it out to have one made.",
                value.len()
            )));
        }
        Some(Secret::new(value))
    }

    /// `DATABASE_URL` names `main.db` only, and its folder must be the data directory.
    pub(super) fn check_database_url(&mut self, data_dir: &Path) {
        let Some(value) = self.text("DATABASE_URL") else { return };
        let named =
            value.strip_prefix("sqlite:").map(|rest| Path::new(rest.strip_prefix("//").unwrap_or(rest)));
        match named {
            Some(path) if path == data_dir.join("main.db") => {}
            Some(_) => self.errors.push(ConfigError(format!(
                "DATABASE_URL={value:?} is not accepted: expected sqlite:{} (the folder is SERVICE_DATA_DIR)",
                data_dir.join("main.db").display()
            ))),
            // The value may hold a password: only its scheme is shown.
            None => self.errors.push(ConfigError(format!(
                "DATABASE_URL with the scheme {:?} is not accepted: SQLite is embedded, leave it out or use sqlite:{}",
                value.split(':').next().unwrap_or_default(),
                data_dir.join("main.db").display()
            ))),
        }
    }
}
