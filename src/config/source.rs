//! Where values come from, and what is said of those that cannot be read.

use std::collections::HashMap;
use std::path::Path;

/// One line for the operator.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ConfigError(String);

impl ConfigError {
    pub fn new(text: String) -> Self {
        Self(text)
    }

    /// `value` is shown: never for a secret.
    pub(super) fn unreadable(name: &str, value: &str, accepted: &str) -> Self {
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

    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }
}
