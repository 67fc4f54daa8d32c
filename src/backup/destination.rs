//! Where a backup goes: a place on this machine, or an object in S3-compatible storage.

use super::output::{ARCHIVE, Target};
use super::s3::{S3, Upload};
use crate::config::S3Address;
use crate::error::{Error, Result};
use crate::store::Stop;
use std::path::Path;

pub enum Destination {
    Local(Target),
    Remote(Remote),
}

/// A new object, which is an archive.
pub struct Remote {
    s3: S3,
    pub(super) address: S3Address,
    begun: OnUploadId,
}

/// Receives the storage's id of an upload that has begun.
type OnUploadId = Box<dyn Fn(&str) -> Result<()> + Send>;

impl Remote {
    /// Blocks.
    ///
    /// # Errors
    /// If the object exists, the name is not an archive's, or the storage refuses.
    pub fn new(s3: S3, address: S3Address) -> Result<Self> {
        if !address.key.ends_with(ARCHIVE) {
            return Err(Error::internal(format!(
                "{address}: expected s3://bucket/name{ARCHIVE}: a backup in S3 storage is an archive"
            )));
        }
        let remote = Self { s3, address, begun: Box::new(|_| Ok(())) };
        remote.check_free()?;
        Ok(remote)
    }

    /// Sets a function that receives the storage's upload id before anything is sent, so that an abandoned upload can
    /// be aborted later.
    #[must_use]
    pub fn noting(self, begun: impl Fn(&str) -> Result<()> + Send + 'static) -> Self {
        Self { begun: Box::new(begun), ..self }
    }

    pub(super) fn begin(&self, most: u64, stop: &Stop) -> Result<Upload> {
        self.check_free()?;
        let upload = self.s3.upload(&self.address.key, most, stop)?;
        (self.begun)(upload.id())?;
        Ok(upload)
    }

    fn check_free(&self) -> Result<()> {
        match self.s3.size(&self.address.key)? {
            None => Ok(()),
            Some(_) => {
                Err(Error::internal(format!("{}: it exists already: choose another name", self.address)))
            }
        }
    }
}

impl Destination {
    /// The name for messages.
    pub fn name(&self) -> String {
        match self {
            Self::Local(target) => target.path().display().to_string(),
            Self::Remote(remote) => remote.address.to_string(),
        }
    }

    /// The directory to copy into first, if the destination has one; otherwise there is one in the data directory.
    pub fn workplace(&self) -> Option<&Path> {
        match self {
            Self::Local(target) => Some(target.workplace.path()),
            Self::Remote(_) => None,
        }
    }
}
