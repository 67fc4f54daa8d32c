//! Where values come from, and how invalid ones are reported.

use super::env_file;
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

    /// `value` is shown, so this is never called for a secret.
    pub(super) fn unreadable(name: &str, value: &str, accepted: &str) -> Self {
        Self(format!("{name}={value:?} is not accepted: expected {accepted}"))
    }
}

/// The variables that one source sets.
pub(super) type Layer = HashMap<String, String>;

/// The sources of values: flags, then the environment, then the file, then what is derived from these.
#[derive(Debug, Clone, Default)]
pub struct Source {
    /// The first layer that has a setting counts.
    layers: [Layer; 4],
}

impl Source {
    /// # Errors
    /// If the file cannot be read or has a line that is not an assignment.
    pub fn new(
        env_file: Option<&Path>,
        environment: impl IntoIterator<Item = (String, String)>,
        flags: impl IntoIterator<Item = (&'static str, Option<String>)>,
    ) -> Result<Self, ConfigError> {
        let file = match env_file {
            Some(path) => env_file::read(path)
                .map_err(|fault| ConfigError(format!("the environment file {}: {fault}", path.display())))?,
            None => Vec::new(),
        };
        let flags = flags.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
        let layers =
            [flags.collect(), environment.into_iter().collect(), file.into_iter().collect(), Layer::new()];
        Ok(Self { layers })
    }

    /// Whether a variable has a value.
    pub fn is_set(&self, name: &str) -> bool {
        !self.value(name).is_empty()
    }

    /// The value of a variable as it stands; empty without one.
    pub fn value(&self, name: &str) -> &str {
        self.layer(&[name]).map_or("", |layer| layer[name].trim())
    }

    /// Sets variables that have no value.
    pub fn derive(&mut self, values: impl IntoIterator<Item = (&'static str, String)>) {
        for (name, value) in values {
            if !self.is_set(name) {
                self.layers.iter_mut().for_each(|layer| drop(layer.remove(name)));
                self.layers[3].insert(name.to_owned(), value);
            }
        }
    }

    /// The layer that decides a setting with these names.
    pub(super) fn layer(&self, names: &[&str]) -> Option<&Layer> {
        self.layers.iter().find(|layer| names.iter().any(|name| layer.contains_key(*name)))
    }
}
