//! The setup token, with which the first person proves that they run the machine.
//!
//! The plaintext is in a file (0600) that only the operator can read. The database holds its keyed hash, and
//! `claimed_at`, which alone decides whether the instance is claimed. A token survives restarts as long as
//! the file is ours and matches the hash. If the file is lost, or somebody else created it or may have read
//! it, a new token is made.

use crate::accounts::sql;
use crate::config::{Config, Secrets, private_file};
use crate::crypto::secret::Secret;
use crate::crypto::token;
use crate::error::{Error, Result};
use crate::store::Main;
use crate::time::Timestamp;
use std::fs::{self, File};
use std::io::Read as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

/// Bytes read of the token's file; a token has 39.
const FILE_MAX: u64 = 256;

/// Makes sure that an unclaimed instance has a setup token, and that its file exists before the server
/// listens. `None` once claimed.
pub fn prepare(config: &Config, secrets: &Secrets, main: &Main) -> Result<Option<String>> {
    let state = |c: &_| Ok((sql::is_claimed(c)?, sql::setup_token_hash(c)?));
    let (claimed, stored) = main.readers.read_blocking(state)?;
    if claimed {
        remove_file(config);
        return Ok(None);
    }
    let path = config.setup_token_path();
    if let Some(kept) = stored.and_then(|hash| kept(&path, &secrets.jwt, &hash)) {
        return Ok(Some(kept));
    }
    let made = token::setup();
    // The file is written first. After a crash in between it does not match the hash, and the next start
    // makes a new token. So no hash is ever stored of a token that nobody can read.
    private_file::replace(&path, &format!("{made}\n")).map_err(|error| fault(&path, &error))?;
    let hash = token::keyed_hash(&secrets.jwt, &made);
    main.write_blocking(move |tx| sql::set_setup_token(tx, &hash, Timestamp::now()))?;
    Ok(Some(made))
}

/// Whether the instance has only one organization. The claim fixes this: if the variable later says
/// otherwise, it is ignored and a warning is logged.
pub fn mode(config: &Config, main: &Main) -> Result<bool> {
    let wanted = config.sign_in.single_org;
    match main.readers.read_blocking(sql::single_org)? {
        Some(fixed) => {
            if fixed != wanted {
                tracing::warn!(
                    "SINGLE_ORG_MODE={wanted} is ignored: this instance was claimed with {fixed}, which cannot be changed"
                );
            }
            Ok(fixed)
        }
        None if wanted && main.readers.read_blocking(sql::has_organizations)? => {
            tracing::warn!("SINGLE_ORG_MODE=true is ignored: organizations exist already");
            Ok(false)
        }
        None => Ok(wanted),
    }
}

/// Removes the file; it is not an error if the file does not exist.
pub fn remove_file(config: &Config) {
    let path = config.setup_token_path();
    if let Err(error) = fs::remove_file(&path)
        && error.kind() != std::io::ErrorKind::NotFound
    {
        tracing::warn!(path = %path.display(), %error, "the setup token's file could not be removed");
    }
}

/// The token in the file, if it has the form of a setup token.
pub fn read_file(path: &Path) -> Result<Option<String>> {
    match private_file::options().read(true).open(path) {
        Ok(file) => read(file).map_err(|error| fault(path, &error)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(fault(path, &error)),
    }
}

/// The token in the file, if it matches the stored hash and nobody else could have read it. A file that
/// cannot be read counts as lost.
fn kept(path: &Path, secret: &Secret, hash: &[u8; 32]) -> Option<String> {
    let file = private_file::options().read(true).open(path).ok()?;
    let about = file.metadata().ok()?;
    let ours = about.uid() == rustix::process::geteuid().as_raw() && about.mode() & 0o7777 == 0o600;
    let token = read(file).ok().flatten().filter(|_| ours)?;
    (token::keyed_hash(secret, &token) == *hash).then_some(token)
}

fn read(file: File) -> std::io::Result<Option<String>> {
    if !file.metadata()?.is_file() {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    file.take(FILE_MAX).read_to_end(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes);
    let token = text.trim();
    let good = token.len() == 39 && token.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f' | b'-'));
    Ok(good.then(|| token.to_owned()))
}

fn fault(path: &Path, error: &std::io::Error) -> Error {
    Error::internal(format!("the setup token's file {} cannot be used: {error}", path.display()))
}
