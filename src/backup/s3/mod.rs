//! S3-compatible storage. Everything here blocks, and must not be called from an asynchronous task.

mod connector;
mod download;
mod upload;

pub(super) use upload::Upload;

use super::UNREACHED;
use crate::config::{S3Address, S3Config};
use crate::error::{Error, Result};
use crate::outbound::Client;
use crate::store::Stop;
use connector::Connector;
use object_store::aws::{AmazonS3, AmazonS3Builder};
use object_store::multipart::MultipartStore as _;
use object_store::path::Path as Key;
use object_store::{ObjectStore as _, ObjectStoreExt as _, RetryConfig};
use std::io::{self, Read};
use std::time::Duration;
use tokio::runtime::Handle;

/// How often, and for how long, requests are retried after transient faults.
const RETRIES: usize = 10;
const RETRYING: Duration = Duration::from_mins(1);
/// The longest cause that is shown, in characters.
const CAUSE_MAX: usize = 600;

/// A bucket.
#[derive(Clone)]
pub struct S3 {
    store: AmazonS3,
    runtime: Handle,
    bucket: String,
}

/// An object of a bucket.
pub(super) struct Object {
    /// The last part of its key.
    pub(super) name: String,
    pub(super) bytes: u64,
}

impl S3 {
    /// # Errors
    /// If the configuration cannot be used. Nothing is sent yet.
    pub fn new(config: &S3Config, bucket: &str, client: &Client, runtime: Handle) -> Result<Self> {
        let retry = RetryConfig { max_retries: RETRIES, retry_timeout: RETRYING, ..RetryConfig::default() };
        let mut builder = AmazonS3Builder::new()
            .with_http_connector(Connector(client.clone()))
            .with_retry(retry)
            .with_bucket_name(bucket)
            .with_region(&config.region)
            .with_access_key_id(&config.access_key_id)
            .with_secret_access_key(config.secret_access_key.as_str())
            .with_virtual_hosted_style_request(config.endpoint.is_none());
        if let Some(endpoint) = &config.endpoint {
            builder = builder.with_endpoint(endpoint);
        }
        let store = builder.build().map_err(Error::internal)?;
        Ok(Self { store, runtime, bucket: bucket.to_owned() })
    }

    /// The size of an object; `None` if there is none.
    ///
    /// # Errors
    /// If the request fails.
    pub(super) fn size(&self, key: &str) -> Result<Option<u64>> {
        match self.runtime.block_on(self.store.head(&Key::from(key))) {
            Ok(found) => Ok(Some(found.size)),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(self.fault(key, &error)),
        }
    }

    /// The objects directly below a key.
    ///
    /// # Errors
    /// If the request fails.
    pub(super) fn list(&self, below: &str) -> Result<Vec<Object>> {
        let below = Key::from(below);
        let listed = self.runtime.block_on(self.store.list_with_delimiter(Some(&below)));
        let listed = listed.map_err(|error| self.fault(below.as_ref(), &error))?;
        let object = |found: object_store::ObjectMeta| {
            Some(Object { name: found.location.filename()?.to_owned(), bytes: found.size })
        };
        Ok(listed.objects.into_iter().filter_map(object).collect())
    }

    /// # Errors
    /// If the storage refuses; not if the object is already gone.
    pub(super) fn delete(&self, key: &str) -> Result<()> {
        match self.runtime.block_on(self.store.delete(&Key::from(key))) {
            Err(error) if !matches!(error, object_store::Error::NotFound { .. }) => {
                Err(self.fault(key, &error))
            }
            _ => Ok(()),
        }
    }

    /// Reads an object from the beginning; resumes after a broken connection.
    ///
    /// # Errors
    /// If the object does not exist, or the request fails.
    pub(super) fn read(&self, key: &str) -> io::Result<impl Read + use<>> {
        let got = self.runtime.block_on(self.store.get(&Key::from(key)));
        let got = got.map_err(|error| match error {
            object_store::Error::NotFound { .. } => io::Error::from(io::ErrorKind::NotFound),
            error => unreached(&error),
        })?;
        Ok(download::Download::new(got.into_stream(), self.runtime.clone()))
    }

    /// Begins an upload. Nobody sees the object before [`Upload::complete`]. `most` is the most bytes that it may have.
    ///
    /// # Errors
    /// If the storage refuses.
    pub(super) fn upload(&self, key: &str, most: u64, stop: &Stop) -> Result<Upload> {
        Upload::begin(self.clone(), Key::from(key), most, stop.clone())
    }

    /// Aborts an upload of another process.
    ///
    /// # Errors
    /// If the storage no longer knows it, or refuses.
    pub(super) fn abort(&self, key: &str, upload_id: &str) -> Result<()> {
        let (at, upload) = (Key::from(key), upload_id.to_owned());
        let given_up = self.runtime.block_on(self.store.abort_multipart(&at, &upload));
        given_up.map_err(|error| self.fault(key, &error))
    }

    /// An error with the object that it is about.
    fn fault(&self, key: &str, error: &object_store::Error) -> Error {
        let address = S3Address { bucket: self.bucket.clone(), key: key.to_owned() };
        Error::internal(format!("{address}: {}", cause(error)))
    }
}

/// The error of a failed read, of a kind that a damaged file never causes.
fn unreached(error: &object_store::Error) -> io::Error {
    io::Error::new(UNREACHED, cause(error))
}

/// The cause of a failure, in the storage's words.
fn cause(error: &object_store::Error) -> String {
    let hint = match error {
        object_store::Error::PermissionDenied { .. } | object_store::Error::Unauthenticated { .. } => {
            "the storage refuses this access key: "
        }
        _ => "",
    };
    format!("{hint}{}", crate::text::shown(&error.to_string(), CAUSE_MAX))
}
