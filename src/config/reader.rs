//! Reads variables one by one and collects what is wrong with them.

use super::source::Layer;
use super::values::{self, Expected};
use crate::config::{BaseUrl, Config, ConfigError, Source, TelemetryMode, VARIABLES, WebApp};
use crate::crypto::secret::Secret;
use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// Prefixes of the variables that may also be named with `SERVICE_` in front.
const ALIASED: [&str; 2] = ["SSO_", "INSTANCE_"];

/// What `SERVICE_LOG` may be without naming a target.
const LEVELS: [&str; 6] = ["error", "warn", "info", "debug", "trace", "off"];

/// A setting's value, and its other name.
struct Setting<'a> {
    layer: Option<&'a Layer>,
    prefixed: Option<String>,
}

pub(super) struct Reader<'a> {
    source: &'a Source,
    errors: Vec<ConfigError>,
}

impl<'a> Reader<'a> {
    /// Checks all variables for characters that no value may contain.
    pub(super) fn new(source: &'a Source) -> Self {
        let mut reader = Self { source, errors: Vec::new() };
        for name in VARIABLES {
            let Setting { layer, prefixed } = reader.setting(name);
            for name in std::iter::once(*name).chain(prefixed.as_deref()) {
                reader.check_line(layer, name);
            }
            if let Some(prefixed) = prefixed {
                reader.check_alias(layer, name, &prefixed);
            }
        }
        reader
    }

    pub(super) fn finish(self, config: Config) -> Result<Config, Vec<ConfigError>> {
        if self.errors.is_empty() { Ok(config) } else { Err(self.errors) }
    }

    pub(super) fn fault(&mut self, text: impl Into<String>) {
        self.errors.push(ConfigError::new(text.into()));
    }

    /// A value has to be one line. It is not shown, because it may be secret.
    fn check_line(&mut self, layer: Option<&Layer>, name: &str) {
        let value = layer.and_then(|layer| layer.get(name));
        if value.is_some_and(|value| value.trim().contains(char::is_control)) {
            self.fault(format!(
                "{name} contains a control character, such as a line break: expected one line of text"
            ));
        }
    }

    /// Refuses two names with different values in one source. The values are not shown, because they may be
    /// secret.
    fn check_alias(&mut self, layer: Option<&Layer>, name: &str, prefixed: &str) {
        if let (Some(plain), Some(other)) = (own(layer, name), own(layer, prefixed))
            && plain != other
        {
            self.fault(format!("{name} and {prefixed} differ: they name the same setting, keep one"));
        }
    }

    fn setting(&self, name: &str) -> Setting<'a> {
        let prefixed = is_aliased(name).then(|| format!("SERVICE_{name}"));
        let names = [name, prefixed.as_deref().unwrap_or(name)];
        Setting { layer: self.source.layer(&names), prefixed }
    }

    /// The value of a setting under either of its names.
    pub(super) fn text(&self, name: &str) -> Option<&'a str> {
        let Setting { layer, prefixed } = self.setting(name);
        own(layer, name).or_else(|| own(layer, &prefixed?))
    }

    /// The value parsed by `read`; an invalid value is refused and shown.
    pub(super) fn value<T>(
        &mut self,
        name: &str,
        read: impl FnOnce(&str) -> Result<T, Expected>,
    ) -> Option<T> {
        let value = self.text(name)?;
        let fault = |expected: Expected| self.errors.push(ConfigError::unreadable(name, value, &expected));
        read(value).map_err(fault).ok()
    }

    /// A comma-separated list without its empty items; an invalid item is reported on its own.
    pub(super) fn list<T: PartialEq>(
        &mut self,
        name: &str,
        read: impl Fn(&str) -> Result<T, Expected>,
    ) -> Vec<T> {
        let mut list = Vec::new();
        let value = self.text(name).unwrap_or_default();
        for piece in value.split(',').map(str::trim).filter(|piece| !piece.is_empty()) {
            match read(piece) {
                Ok(item) if list.contains(&item) => {}
                Ok(item) => list.push(item),
                Err(expected) => self.errors.push(ConfigError::unreadable(name, piece, &expected)),
            }
        }
        list
    }

    /// One of several words; the first is the default.
    pub(super) fn choice<T: Copy>(&mut self, name: &str, choices: &[(&str, T)]) -> Option<T> {
        self.value(name, |value| {
            let found = choices.iter().find(|(word, _)| *word == value);
            let words = || choices.iter().map(|(word, _)| *word).collect::<Vec<_>>().join(", ");
            found.map(|(_, choice)| *choice).ok_or_else(|| Cow::Owned(format!("one of {}", words())))
        })
    }

    /// A switch, true or false.
    pub(super) fn switch(&mut self, name: &str, default: bool) -> bool {
        self.value(name, values::boolean).unwrap_or(default)
    }

    pub(super) fn path(&mut self, name: &str) -> Option<PathBuf> {
        self.text(name).map(PathBuf::from)
    }

    pub(super) fn bounded(&mut self, name: &str, default: u64, min: u64, max: u64) -> u64 {
        let read = |value: &str| match value.parse() {
            Ok(number) if (min..=max).contains(&number) => Ok(number),
            _ => Err(format!("a whole number from {min} to {max}").into()),
        };
        self.value(name, read).unwrap_or(default)
    }

    pub(super) fn base_url(&mut self, name: &str) -> Option<BaseUrl> {
        self.value(name, |value| BaseUrl::parse(value).map_err(Cow::Borrowed))
    }

    pub(super) fn origins(&mut self, name: &str) -> Vec<BaseUrl> {
        let expected =
            "comma-separated origins such as https://app.example; `*` is not possible with cookies";
        self.list(name, |origin| BaseUrl::parse(origin).map_err(|_| expected.into()))
    }

    pub(super) fn web_app(&mut self, name: &str) -> WebApp {
        match (self.setting(name).layer, self.text(name)) {
            (None, _) => WebApp::Embedded,
            (Some(_), None) => WebApp::None,
            (_, Some(value)) => {
                let folder = PathBuf::from(value);
                if !folder.join("index.html").is_file() {
                    let expected = "a folder that holds an index.html";
                    self.errors.push(ConfigError::unreadable(name, value, expected));
                }
                WebApp::Folder(folder)
            }
        }
    }

    pub(super) fn telemetry_mode(&mut self, name: &str) -> TelemetryMode {
        let modes = [TelemetryMode::LocalDev, TelemetryMode::SelfManaged, TelemetryMode::HostedProduct];
        self.choice(name, &modes.map(|mode| (mode.as_str(), mode))).unwrap_or(TelemetryMode::SelfManaged)
    }

    pub(super) fn log_filter(&mut self, name: &str) -> String {
        // To tracing, a word that is not a level is the name of a target.
        let is_clear =
            |part: &str| part.contains('=') || LEVELS.contains(&part.trim().to_ascii_lowercase().as_str());
        let read = |value: &str| match tracing_subscriber::EnvFilter::try_new(value) {
            Ok(_) if value.split(',').all(is_clear) => Ok(value.to_owned()),
            _ => Err("error, warn, info, debug, trace, off, or `mayday::digest=debug,info`".into()),
        };
        self.value(name, read).unwrap_or_else(|| "info".to_owned())
    }

    /// A secret for signing or sealing, of at least `min` bytes; it is never shown.
    pub(super) fn secret(&mut self, name: &str, min: usize) -> Option<Secret> {
        let value = self.text(name)?;
        if value.len() < min {
            self.fault(format!(
                "{name} is too short: expected at least {min} bytes, got {}. Leave it out to have one generated.",
                value.len()
            ));
        }
        Some(Secret::new(value))
    }

    /// A secret issued by somebody else. It is sent in headers, so it has to be visible ASCII; it is never
    /// shown.
    pub(super) fn token(&mut self, name: &str) -> Option<Secret> {
        let value = self.text(name)?;
        if !value.chars().all(|c| c.is_ascii_graphic() || c == ' ') {
            self.fault(format!("{name} is not accepted: expected ASCII characters (the value is secret)"));
            return None;
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
            Some(_) => self.fault(format!(
                "DATABASE_URL={value:?} is not accepted: expected sqlite:{} (the folder is SERVICE_DATA_DIR)",
                data_dir.join("main.db").display()
            )),
            // The value may contain a password: only its scheme is shown.
            None => self.fault(format!(
                "DATABASE_URL with the scheme {:?} is not accepted: SQLite is embedded, leave it out or use sqlite:{}",
                value.split(':').next().unwrap_or_default(),
                data_dir.join("main.db").display()
            )),
        }
    }
}

/// The value under exactly this name, if it is set, not blank, and one line.
fn own<'a>(layer: Option<&'a Layer>, name: &str) -> Option<&'a str> {
    let value = layer?.get(name).map(|value| value.trim()).filter(|value| !value.is_empty())?;
    (!value.contains(char::is_control)).then_some(value)
}

fn is_aliased(name: &str) -> bool {
    ALIASED.iter().any(|start| name.starts_with(start))
}
