//! The setup token: how the first person shows to be the one who runs the machine.
//!
//! The plaintext lies in a file (0600) that only the operator can read; the database holds its hash
//! and `claimed_at`, which alone decides. A lost or foreign file rotates the token.

use super::{sql, token};
use crate::config::{Config, Secrets};
use crate::error::{Error, Result};
use crate::store::Main;
use crate::time::Timestamp;
use std::fs;
use std::io::{Read as _, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

/// Bytes read of the token's file: a token has 39.
const FILE_MAX: u64 = 256;

/// Makes sure that an unclaimed instance has a setup token, in its file before the server listens.
/// `None` once claimed.
pub fn prepare(config: &Config, secrets: &Secrets, main: &Main) -> Result<Option<String>> {
    let path = config.setup_token_path();
    let found = read_file(&path)?;
    let offered = found.clone().unwrap_or_else(token::setup);
    let hash = token::keyed_hash(&secrets.jwt, &offered);
    let unclaimed = main.write_blocking(move |tx| sql::set_setup_token(tx, &hash, Timestamp::now()))?;
    if !unclaimed {
        remove_file(config);
        return Ok(None);
    }
    if found.is_none() {
        write_file(&path, &offered)?;
    }
    Ok(Some(offered))
}

/// Removes the file; one that is gone already is no error.
pub fn remove_file(config: &Config) {
    let path = config.setup_token_path();
    if let Err(error) = fs::remove_file(&path)
        && error.kind() != std::io::ErrorKind::NotFound
    {
        tracing::warn!(path = %path.display(), %error, "the setup token's file could not be removed");
    }
}

/// The token in the file, when it looks like one of ours.
pub fn read_file(path: &Path) -> Result<Option<String>> {
    let mut file = match open(fs::OpenOptions::new().read(true), path) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(fault(path, &error)),
    };
    let mut text = String::new();
    (&mut file).take(FILE_MAX).read_to_string(&mut text).map_err(|error| fault(path, &error))?;
    let token = text.trim();
    let good = token.len() == 39 && token.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f' | b'-'));
    Ok(good.then(|| token.to_owned()))
}

fn write_file(path: &Path, token: &str) -> Result<()> {
    let result = open(fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600), path)
        .and_then(|mut file| writeln!(file, "{token}").and_then(|()| file.sync_all()));
    result.map_err(|error| fault(path, &error))
}

/// Never follows a link: somebody else may own the folder.
fn open(options: &mut fs::OpenOptions, path: &Path) -> std::io::Result<fs::File> {
    #[expect(clippy::cast_possible_wrap, reason = "a flag of the operating system")]
    options.custom_flags(rustix::fs::OFlags::NOFOLLOW.bits() as i32).open(path)
}

fn fault(path: &Path, error: &std::io::Error) -> Error {
    Error::internal(format!("the setup token's file {} cannot be used: {error}", path.display()))
}
