//! Where scheduled backups are kept.

use super::destination::{Destination, Remote};
use super::output::Target;
use super::retention::{self, KeptBackup};
use super::s3::S3;
use crate::config::{BackupConfig, BackupTarget, S3Address};
use crate::error::{Error, Result};
use crate::outbound::Client;
use std::fs;
use std::path::{Path, PathBuf};
use tokio::runtime::Handle;

/// A directory, or a part of a bucket. Everything here blocks.
pub enum BackupPlace {
    Folder(PathBuf),
    S3(S3, S3Address),
}

impl BackupPlace {
    /// # Errors
    /// If the storage's configuration cannot be used. Sends no requests.
    pub fn open(
        config: &BackupConfig,
        target: &BackupTarget,
        client: &Client,
        runtime: Handle,
    ) -> Result<Self> {
        match target {
            BackupTarget::Folder(path) => Ok(Self::Folder(path.clone())),
            BackupTarget::S3(address) => {
                // The configuration was refused without it.
                let s3 = config.s3.as_ref().ok_or_else(|| Error::internal("no access to S3 storage"))?;
                Ok(Self::S3(S3::new(s3, &address.bucket, client, runtime)?, address.clone()))
            }
        }
    }

    /// The destination of a backup with this name. `begun` receives the storage's upload id.
    ///
    /// # Errors
    /// If the place cannot be used.
    pub fn destination(
        &self,
        name: &str,
        data_dir: &Path,
        floor: u64,
        begun: impl Fn(&str) -> Result<()> + Send + 'static,
    ) -> Result<Destination> {
        match self {
            Self::Folder(folder) => {
                fs::read_dir(folder).map_err(|error| {
                    let place = folder.display();
                    Error::internal(format!(
                        "{place}: {error}. Create or mount the directory, for the user of the server"
                    ))
                })?;
                Target::new(&folder.join(name), data_dir, floor).map(Destination::Local)
            }
            Self::S3(s3, address) => Remote::new(s3.clone(), address.join(name))
                .map(|remote| Destination::Remote(remote.noting(begun))),
        }
    }

    /// The scheduled backups of an instance, the newest first.
    ///
    /// # Errors
    /// If they cannot be listed.
    pub fn list(&self, instance: &str) -> Result<Vec<KeptBackup>> {
        let found = match self {
            Self::Folder(folder) => files(folder).map_err(|error| super::fault(folder, &error))?,
            Self::S3(s3, address) => {
                s3.list(&address.key)?.into_iter().map(|object| (object.name, object.bytes)).collect()
            }
        };
        let kept = |(name, size_bytes): (String, u64)| {
            let created_at = retention::created_at(instance, &name)?;
            Some(KeptBackup { name, size_bytes, created_at })
        };
        let mut kept: Vec<KeptBackup> = found.into_iter().filter_map(kept).collect();
        kept.sort_by_key(|one| std::cmp::Reverse(one.created_at));
        Ok(kept)
    }

    /// Removes a scheduled backup.
    ///
    /// # Errors
    /// If that fails.
    pub fn remove(&self, name: &str) -> Result<()> {
        match self {
            Self::Folder(folder) => {
                let path = folder.join(name);
                fs::remove_file(&path).map_err(|error| super::fault(&path, &error))
            }
            Self::S3(s3, address) => s3.delete(&address.join(name).key),
        }
    }

    /// Aborts an upload that nobody will complete; does nothing if it no longer exists.
    pub fn give_up(&self, name: &str, upload_id: &str) {
        if let Self::S3(s3, address) = self
            && let Err(error) = s3.abort(&address.join(name).key, upload_id)
        {
            tracing::debug!(?error, name, "an upload could not be given up, or is gone already");
        }
    }
}

/// The files in a directory, with their sizes.
fn files(folder: &Path) -> std::io::Result<Vec<(String, u64)>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let about = entry.metadata()?;
        if let Ok(name) = entry.file_name().into_string()
            && about.is_file()
        {
            found.push((name, about.len()));
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Timestamp;

    #[test]
    fn only_our_own_files_are_listed() {
        let folder = tempfile::tempdir().unwrap();
        let instance = "0123456789abcdef0123456789abcdef";
        let names: Vec<String> =
            (1..4).map(|day| retention::name(instance, Timestamp::from_millis(day * 86_400_000))).collect();
        fs::write(folder.path().join(&names[0]), "x").unwrap();
        fs::write(folder.path().join(&names[1]), "xyz").unwrap();
        fs::create_dir(folder.path().join(&names[2])).unwrap();
        let link = retention::name(instance, Timestamp::from_millis(9 * 86_400_000));
        std::os::unix::fs::symlink("/etc/hostname", folder.path().join(link)).unwrap();
        fs::write(folder.path().join("mayday-of-somebody.tar.zst"), "x").unwrap();
        let place = BackupPlace::Folder(folder.path().to_owned());
        let found = place.list(instance).unwrap();
        let found: Vec<(&str, u64)> = found.iter().map(|one| (&*one.name, one.size_bytes)).collect();
        assert_eq!(found, [(&*names[1], 3), (&*names[0], 1)]);
        assert!(place.list("f123456789abcdef0123456789abcdef").unwrap().is_empty());
        place.remove(&names[1]).unwrap();
        assert_eq!(place.list(instance).unwrap().len(), 1);
        assert!(place.remove(&names[1]).is_err());
    }
}
