//! Writes an object in parts while its content is made.

use super::S3;
use crate::error::{Error, Result};
use crate::store::Stop;
use bytes::Bytes;
use object_store::PutPayload;
use object_store::multipart::{MultipartStore as _, PartId};
use object_store::path::Path as Key;
use std::io::{self, Write};
use std::time::Duration;
use tokio::task::JoinSet;

/// Bytes of a part. All parts of an object have the same size, which some storages require, and there may be at most
/// 10,000.
const PART: u64 = 8 << 20;
const PARTS_MAX: u64 = 9_000;
/// Parts sent concurrently, besides the one that is being filled.
const AT_ONCE: usize = 2;
/// How often an upload checks whether it should stop.
const LOOK: Duration = Duration::from_millis(200);
/// The time limit for aborting an upload. The parts of one that is not aborted cost money until the bucket's rules
/// remove them.
const ABORT: Duration = Duration::from_secs(8);

/// An object that is being written. Dropping it before it is complete aborts the upload, and there is no object.
pub(crate) struct Upload {
    s3: S3,
    key: Key,
    id: String,
    part_size: usize,
    part: Vec<u8>,
    parts: Vec<Option<PartId>>,
    on_their_way: JoinSet<object_store::Result<(usize, PartId)>>,
    stop: Stop,
    bytes: u64,
    is_complete: bool,
}

impl Upload {
    pub(super) fn begin(s3: S3, key: Key, most: u64, stop: Stop) -> Result<Self> {
        let id = s3.runtime.block_on(s3.store.create_multipart(&key));
        let id = id.map_err(|error| s3.fault(key.as_ref(), &error))?;
        Ok(Self {
            s3,
            key,
            id,
            part_size: usize::try_from(part_size(most)).map_err(Error::internal)?,
            part: Vec::new(),
            parts: Vec::new(),
            on_their_way: JoinSet::new(),
            stop,
            bytes: 0,
            is_complete: false,
        })
    }

    /// The storage's id of this upload.
    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    /// Sends the rest and completes the object. Returns its size.
    ///
    /// # Errors
    /// If a part failed; there is no object then.
    pub(crate) fn complete(mut self) -> Result<u64> {
        self.finish()
            .map_err(|cause| Error::internal(format!("s3://{}/{}: {cause}", self.s3.bucket, self.key)))?;
        self.is_complete = true;
        Ok(self.bytes)
    }

    fn finish(&mut self) -> io::Result<()> {
        // The storage refuses an object without parts.
        if !self.part.is_empty() || self.parts.is_empty() {
            self.send()?;
        }
        while !self.on_their_way.is_empty() {
            self.arrive()?;
        }
        let parts = self.parts.drain(..).collect::<Option<Vec<_>>>();
        let parts = parts.ok_or_else(|| io::Error::other("a part did not arrive"))?;
        let completed = self.s3.store.complete_multipart(&self.key, &self.id, parts);
        let Err(error) = self.s3.runtime.block_on(completed) else { return Ok(()) };
        // The answer may have been lost, and the retry refused because the upload was already complete.
        match self.s3.size(self.key.as_ref()) {
            Ok(Some(size)) if size == self.bytes => Ok(()),
            _ => Err(io::Error::other(super::cause(&error))),
        }
    }

    /// Sends the current part once a slot is free.
    fn send(&mut self) -> io::Result<()> {
        while self.on_their_way.len() >= AT_ONCE {
            self.arrive()?;
        }
        let payload = PutPayload::from(Bytes::from(std::mem::take(&mut self.part)));
        let (store, key, id) = (self.s3.store.clone(), self.key.clone(), self.id.clone());
        let index = self.parts.len();
        self.parts.push(None);
        let put = async move { Ok((index, store.put_part(&key, &id, index, payload).await?)) };
        self.on_their_way.spawn_on(put, &self.s3.runtime);
        Ok(())
    }

    /// Waits for one part to be acknowledged.
    fn arrive(&mut self) -> io::Result<()> {
        loop {
            if self.stop.is_asked() {
                return Err(io::Error::other("the upload was ended early"));
            }
            // The time-out must be created inside the runtime.
            let next = async { tokio::time::timeout(LOOK, self.on_their_way.join_next()).await };
            let Ok(arrived) = self.s3.runtime.block_on(next) else { continue };
            let Some(arrived) = arrived else { return Ok(()) };
            let (index, part) =
                arrived.map_err(io::Error::other)?.map_err(|error| io::Error::other(super::cause(&error)))?;
            self.parts[index] = Some(part);
            return Ok(());
        }
    }
}

impl Write for Upload {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.stop.is_asked() {
            return Err(io::Error::other("the upload was ended early"));
        }
        if self.part.capacity() == 0 {
            self.part.reserve_exact(self.part_size);
        }
        let taken = bytes.len().min(self.part_size - self.part.len());
        self.part.extend_from_slice(&bytes[..taken]);
        self.bytes += taken as u64;
        if self.part.len() == self.part_size {
            self.send()?;
        }
        Ok(taken)
    }

    /// Nothing to do: full parts are sent by themselves.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for Upload {
    fn drop(&mut self) {
        if self.is_complete {
            return;
        }
        self.on_their_way.abort_all();
        let abort = async {
            // A part that arrived after the abort would stay.
            while self.on_their_way.join_next().await.is_some() {}
            tokio::time::timeout(ABORT, self.s3.store.abort_multipart(&self.key, &self.id)).await
        };
        let given_up = self.s3.runtime.block_on(abort);
        if !matches!(given_up, Ok(Ok(()))) {
            tracing::warn!(key = %self.key, "an upload to S3 storage could not be given up: the next backup tries again");
        }
    }
}

/// The part size for an object of at most `most` bytes.
fn part_size(most: u64) -> u64 {
    most.div_ceil(PARTS_MAX).max(PART).next_multiple_of(1 << 20)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_part_size_grows_with_the_object() {
        assert_eq!(part_size(0), PART);
        assert_eq!(part_size(PART * PARTS_MAX), PART);
        let most = 1 << 40;
        assert!(part_size(most) > PART && most.div_ceil(part_size(most)) <= PARTS_MAX);
    }
}
