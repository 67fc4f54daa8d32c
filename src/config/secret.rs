//! Secrets: a type that does not print its value, and the file that keeps generated secrets.

use super::{Config, ConfigError, env_file, private_file};
use crate::crypto::secret::Secret;
use std::fmt;
use std::iter;
use std::path::Path;

/// A file that the operator creates in the data directory to continue with a new `CLOUD_SECRET_KEY`, without
/// what the old one sealed.
pub const ACCEPT_NEW_KEY: &str = "accept-new-key";

/// The instance's own secrets, configured or generated.
#[derive(Debug, Clone)]
pub struct Secrets {
    /// The HMAC key of session, state and link tokens; changing it signs everyone out.
    pub jwt: Secret,
    /// Seals stored credentials.
    pub cloud: Secret,
}

impl Secrets {
    /// Takes the configured secrets. Missing ones come from `secrets.env` in the data directory (0600), which
    /// is created with generated ones (256 bits) at the first start.
    ///
    /// # Errors
    /// If the file cannot be read or written, if others can read it and that cannot be changed, or if the key
    /// that sealed `main.db` is missing.
    pub fn load(config: &Config) -> Result<Self, ConfigError> {
        let path = config.data_dir.join("secrets.env");
        let fault = |error: &dyn fmt::Display| ConfigError::new(format!("{}: {error}", path.display()));
        private_file::narrow(&path, 0o600).map_err(|error| fault(&error))?;
        let mut kept = read(&path).map_err(|error| fault(&error))?;
        let mut take = |name: &'static str, given: &Option<Secret>| {
            given
                .clone()
                .or_else(|| kept.iter().rfind(|(n, _)| n == name).map(|(_, v)| Secret::new(v)))
                .map_or_else(
                    || {
                        let made = crate::crypto::token::random_hex(32);
                        kept.push((name.to_owned(), made.clone()));
                        (Secret::new(made), true)
                    },
                    |secret| (secret, false),
                )
        };
        let (jwt, made_jwt) = take("JWT_SECRET", &config.jwt_secret);
        let (cloud, made_cloud) = take("CLOUD_SECRET_KEY", &config.cloud_secret_key);
        if made_cloud && !may_be_new(&config.data_dir) {
            return Err(fault(&format_args!(
                "has no CLOUD_SECRET_KEY, which main.db beside it was sealed with. Bring the file back from the backup of \
                 main.db, or set the variable as it was; when it is lost for good, `touch {}` and start again: mail \
                 that was not sent yet goes with it",
                config.data_dir.join(ACCEPT_NEW_KEY).display()
            )));
        }
        if made_jwt || made_cloud {
            write(&path, &kept).map_err(|error| fault(&error))?;
        }
        Ok(Self { jwt, cloud })
    }

    /// The `CLOUD_SECRET_KEY` in the text of a `secrets.env`, such as a backup has.
    pub fn cloud_key_in(text: &[u8]) -> Option<Secret> {
        let pairs = env_file::parse(text).ok()?;
        pairs.iter().rfind(|(name, _)| name == "CLOUD_SECRET_KEY").map(|(_, value)| Secret::new(value))
    }
}

/// Whether a new key may be generated: nothing was sealed with another one, or the operator gave that up.
fn may_be_new(data_dir: &Path) -> bool {
    let is_used = std::fs::metadata(data_dir.join("main.db")).is_ok_and(|main| main.len() > 0);
    !is_used || data_dir.join(ACCEPT_NEW_KEY).exists() || crate::sabotage::on("any_key")
}

fn read(path: &Path) -> Result<Vec<(String, String)>, env_file::Fault> {
    match env_file::read(path) {
        Err(env_file::Fault::Io(error)) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        read => read,
    }
}

fn write(path: &Path, pairs: &[(String, String)]) -> std::io::Result<()> {
    let head = "# Made by Mayday at its first start. Belongs to main.db beside it: back both up together.\n";
    let lines = pairs.iter().map(|(name, value)| format!("{name}={value}\n"));
    private_file::replace(path, &iter::once(head.to_owned()).chain(lines).collect::<String>())
}
