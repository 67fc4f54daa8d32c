//! Access to S3-compatible storage from the command line.

use crate::backup::S3;
use crate::config::{Config, S3Address};
use crate::error::{Error, Result};
use crate::outbound::Client;
use crate::store::Stop;
use std::path::Path;
use std::sync::OnceLock;
use tokio::runtime::{Builder, Runtime};
use tokio::signal::unix::{SignalKind, signal};

/// Parses an argument that is an address rather than a path.
///
/// # Errors
/// If it begins like an address but is invalid.
pub(super) fn address(argument: &Path) -> Result<Option<S3Address>> {
    let parsed = argument.to_str().and_then(S3Address::parse).transpose();
    parsed.map_err(|expected| Error::internal(format!("{}: expected {expected}", argument.display())))
}

/// Opens the bucket of an address.
///
/// # Errors
/// If access to the storage is not configured.
pub(super) fn open(config: &Config, address: &S3Address) -> Result<S3> {
    let s3 = config.backup.s3.as_ref().ok_or_else(|| {
        Error::internal(format!(
            "{address}: set SERVICE_BACKUP_S3_ACCESS_KEY_ID and SERVICE_BACKUP_S3_SECRET_ACCESS_KEY (and \
             SERVICE_BACKUP_S3_ENDPOINT, unless it is AWS)"
        ))
    })?;
    S3::new(s3, &address.bucket, &Client::new(), runtime()?.handle().clone())
}

/// On an interrupt, sets `stop` instead of ending the process, so that an upload is aborted and leaves nothing at the
/// storage.
///
/// # Errors
/// If signal handlers cannot be installed.
pub(super) fn stop_if_interrupted(stop: &Stop) -> Result<()> {
    let runtime = runtime()?;
    let _inside = runtime.enter();
    let mut interrupt = signal(SignalKind::interrupt()).map_err(Error::internal)?;
    let mut terminate = signal(SignalKind::terminate()).map_err(Error::internal)?;
    let stop = stop.clone();
    runtime.spawn(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
        stop.ask();
    });
    Ok(())
}

/// A runtime whose thread handles requests while the caller blocks.
fn runtime() -> Result<&'static Runtime> {
    static RUNTIME: OnceLock<Runtime> = OnceLock::new();
    if let Some(runtime) = RUNTIME.get() {
        return Ok(runtime);
    }
    let made = Builder::new_multi_thread().worker_threads(1).enable_all().build().map_err(Error::internal)?;
    Ok(RUNTIME.get_or_init(|| made))
}
