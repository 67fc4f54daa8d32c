//! Backups: an instance as a directory or one archive, with a manifest that says what it holds and the hash of every
//! file. `cli/backup.rs` and `cli/restore.rs` run what is here; the consistent copy itself is [`crate::store::snapshot`].
//!
//! The server makes backups on a schedule, too ([`jobs`]), and keeps the newest of them ([`retention`]).
//!
//! A backup appears all at once: it is made in a directory beside its name ([`workplace`]) and renamed when it is
//! complete and on disk; in S3-compatible storage ([`s3`]) it is an upload in parts that is completed last. A restore reads and checks everything before it touches what is there ([`verify`]).

mod archive;
mod destination;
pub mod http;
mod input;
pub mod jobs;
mod make;
mod manifest;
mod output;
mod place;
mod restore;
pub mod retention;
pub mod runs;
mod s3;
pub mod schedule;
mod secrets;
pub mod service;
pub mod sql;
mod tree;
mod verify;
mod workplace;

pub use destination::{Destination, Remote};
pub use input::Input;
pub use make::{CompletedBackup, Contents, complete};
pub use manifest::{Kind, Manifest};
pub use output::Target;
pub use restore::{Keys, stage};
pub use s3::S3;
pub use secrets::{SEALED, SECRETS, Treatment, kept as kept_secrets};
pub use verify::{check_known, verify};

use verify::check_databases;

use crate::error::Error;
use std::io;
use std::path::Path;

/// The error kind for a storage that cannot be reached, which says nothing about the backup itself.
const UNREACHED: io::ErrorKind = io::ErrorKind::HostUnreachable;

/// Reports the progress of a long step: its name, the bytes done and the total.
pub type Tell<'a> = &'a dyn Fn(&str, u64, u64);

/// An error about a file, with its name. Recognizes a full disk.
fn fault(path: &Path, error: &io::Error) -> Error {
    if matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded) {
        return Error::internal(format!(
            "the disk is full: {} could not be written. Make room, or choose another place",
            path.display()
        ));
    }
    Error::internal(format!("{}: {error}", path.display()))
}
