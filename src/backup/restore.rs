//! Prepares the content of a backup to replace that of a data directory.

use super::input::Input;
use super::manifest::FileRecord;
use super::secrets::{SEALED, SECRETS, key_of, opened};
use super::tree::{self, transfer};
use super::{Tell, check_databases, fault};
use crate::crypto::Seal;
use crate::crypto::secret::Secret;
use crate::error::{Error, Result};
use crate::store::examine;
use std::io::Read;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

/// The instance's secrets, and the key that must open its database.
pub struct Keys {
    /// The text of `secrets.env`, if there will be one.
    file: Option<Vec<u8>>,
    key: Secret,
    /// Where the key comes from, for messages.
    origin: &'static str,
}

impl Keys {
    /// The backup's secrets, or else the data directory's. A configured `CLOUD_SECRET_KEY` overrides both, as it does
    /// when the server starts.
    ///
    /// # Errors
    /// If there is no key, or the passphrase is missing or wrong.
    pub fn find(
        input: &Input,
        passphrase: Option<&Secret>,
        configured: Option<&Secret>,
        present: Option<Vec<u8>>,
    ) -> Result<Self> {
        let manifest = &input.manifest;
        let (file, origin) = if manifest.file(SECRETS).is_some() {
            (Some(input.small(SECRETS)?), "in the backup")
        } else if manifest.file(SEALED).is_some() {
            let passphrase = passphrase.ok_or_else(|| {
                Error::internal(
                    "the secrets of this backup are sealed: give their passphrase with --passphrase-file, or in \
                     SERVICE_BACKUP_PASSPHRASE",
                )
            })?;
            (Some(opened(&input.small(SEALED)?, passphrase, &manifest.instance)?), "in the backup")
        } else {
            (present, "in secrets.env of the data directory")
        };
        let key = match (configured, file.as_deref().and_then(key_of)) {
            (Some(configured), _) => Some((configured.clone(), "that is configured")),
            (None, kept) => kept.map(|key| (key, origin)),
        };
        let Some((key, origin)) = key else {
            return Err(Error::internal(
                "the backup has no CLOUD_SECRET_KEY, without which its database is of no use: set the variable to the key \
                 that its server was configured with, or put its secrets.env into the data directory",
            ));
        };
        Ok(Self { file, key, origin })
    }

    fn check(&self, main: &Path) -> Result<()> {
        if examine::opens(main, &Seal::new(&self.key))? {
            return Ok(());
        }
        let cure = match self.origin {
            "that is configured" => {
                "Unset it to use the one of the backup, or set it to the one of that instance"
            }
            _ => "Set the variable to the key of that instance",
        };
        Err(Error::internal(format!(
            "the CLOUD_SECRET_KEY {} is not the one that the backup's main.db was sealed with. {cure}",
            self.origin
        )))
    }
}

/// Writes the data directory of a backup to `new`, an empty directory: checked, complete and on disk when this returns.
/// If this process is root's, the files belong to the owner of the directory that `new` is in.
///
/// # Errors
/// What is wrong with the backup, or what cannot be written. The caller removes `new`.
pub fn stage(input: &Input, keys: &Keys, new: &Path, tell: Tell<'_>) -> Result<()> {
    let (mut done, all) = (0, input.manifest.size());
    let mut telling = |bytes| {
        done += bytes;
        tell("copying and checking", done, all);
    };
    input.read(&|_, _, _| {}, &mut |record: &FileRecord, from: &mut dyn Read| {
        if [SECRETS, SEALED].contains(&record.path.as_str()) {
            return Ok(());
        }
        let mut write = || {
            let mut file = tree::create(new, &record.path)?;
            transfer(from, &mut file, &mut telling)?;
            file.sync_all()
        };
        write().map_err(|error| fault(&new.join(&record.path), &error))
    })?;
    check_databases(input, new, tell)?;
    keys.check(&new.join("main.db"))?;
    let finish = || {
        if let Some(text) = &keys.file {
            tree::write(new, SECRETS, text)?;
        }
        give_to_owner(new)?;
        tree::sync_folders(new)
    };
    finish().map_err(|error| fault(new, &error))
}

/// Gives everything below a directory to the owner of its parent. Only root can do this, and only root has to.
fn give_to_owner(new: &Path) -> std::io::Result<()> {
    if !rustix::process::geteuid().is_root() {
        return Ok(());
    }
    let owner = std::fs::metadata(new.parent().unwrap_or(new))?;
    let mut open = vec![new.to_owned()];
    while let Some(path) = open.pop() {
        std::os::unix::fs::lchown(&path, Some(owner.uid()), Some(owner.gid()))?;
        if path.is_dir() {
            for entry in std::fs::read_dir(&path)? {
                open.push(entry?.path());
            }
        }
    }
    Ok(())
}
