//! The secrets of an instance in a backup: in the clear, sealed with a passphrase, or left out.

use super::manifest::Kind;
use crate::config::Secrets;
use crate::crypto::passphrase::Sealed;
use crate::crypto::seal::Seal;
use crate::crypto::secret::Secret;
use crate::error::{Error, Result};
use crate::store::examine;
use std::fs;
use std::io;
use std::path::Path;

/// The file of the secrets, in a data directory and in a backup,
pub const SECRETS: &str = "secrets.env";
/// and the file of the sealed secrets.
pub const SEALED: &str = "secrets.sealed.json";

/// How to treat the secrets.
pub enum Treatment {
    Include,
    LeaveOut,
    /// With this passphrase.
    Seal(Secret),
}

/// The secrets stored in a directory, if any.
///
/// # Errors
/// If the file cannot be read.
pub fn kept(folder: &Path) -> Result<Option<Vec<u8>>> {
    let path = folder.join(SECRETS);
    match fs::read(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        read => read.map(Some).map_err(|error| super::fault(&path, &error)),
    }
}

/// The `CLOUD_SECRET_KEY` in the text of a `secrets.env`.
pub(super) fn key_of(text: &[u8]) -> Option<Secret> {
    Secrets::cloud_key_in(text)
}

/// A file of a backup: its name and content.
type NamedFile = (&'static str, Vec<u8>);

/// The file to put into a backup, if any, and the kind for the manifest.
///
/// # Errors
/// If the secrets cannot be sealed, or the copy's sealed value cannot be read.
pub(super) fn treated(
    treatment: &Treatment,
    kept: Option<&[u8]>,
    main: &Path,
    instance: &str,
) -> Result<(Option<NamedFile>, Kind)> {
    if matches!(treatment, Treatment::LeaveOut) {
        return Ok((None, Kind::LeftOut));
    }
    let Some(kept) = kept else { return Ok((None, Kind::Configured)) };
    let opens = match key_of(kept) {
        Some(key) => examine::opens(main, &Seal::new(&key))?,
        None => false,
    };
    let (file, kind) = match treatment {
        Treatment::Seal(passphrase) => ((SEALED, sealed(passphrase, instance, kept)?), Kind::Sealed),
        _ => ((SECRETS, kept.to_vec()), Kind::Included),
    };
    Ok((Some(file), if opens { kind } else { Kind::Configured }))
}

fn sealed(passphrase: &Secret, instance: &str, text: &[u8]) -> Result<Vec<u8>> {
    let sealed = Sealed::new(passphrase, &about(instance), text).map_err(Error::internal)?;
    let mut text = serde_json::to_vec_pretty(&sealed).map_err(Error::internal)?;
    text.push(b'\n');
    Ok(text)
}

/// Opens sealed secrets.
///
/// # Errors
/// If the passphrase is wrong, or the file is not one of ours.
pub(super) fn opened(file: &[u8], passphrase: &Secret, instance: &str) -> Result<Vec<u8>> {
    let sealed: Sealed = serde_json::from_slice(file)
        .map_err(|error| Error::internal(format!("{SEALED} is damaged ({error})")))?;
    sealed.open(passphrase, &about(instance)).map_err(Error::internal)
}

fn about(instance: &str) -> String {
    format!("mayday backup 1: secrets of {instance}")
}
