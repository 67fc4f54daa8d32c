//! Backups: an instance as a directory or one archive, with a manifest that says what it holds and the hash of every
//! file. `cli/backup.rs` and `cli/restore.rs` run what is here; the consistent copy itself is [`crate::store::snapshot`].
//!
//! A backup appears all at once: it is made in a directory beside its name ([`workplace`]) and renamed when it is
//! complete and on disk. A restore reads and checks everything before it touches what is there ([`verify`]).

mod archive;
mod input;
mod make;
mod manifest;
mod output;
mod restore;
mod secrets;
mod tree;
mod verify;
mod workplace;

pub use input::Input;
pub use make::{Contents, Made, complete};
pub use manifest::{Kind, Manifest};
pub use output::Target;
pub use restore::{Keys, stage};
pub use secrets::{SEALED, SECRETS, Treatment, kept as kept_secrets};
pub use verify::{check_known, verify};

use verify::check_databases;

use crate::error::Error;
use std::io;
use std::path::Path;

/// Tells how far a long step is: what is done, and bytes of bytes.
pub type Tell<'a> = &'a dyn Fn(&str, u64, u64);

/// An error of a file, with its name. A full disk is named as such.
fn fault(path: &Path, error: &io::Error) -> Error {
    if matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded) {
        return Error::internal(format!(
            "the disk is full: {} could not be written. Make room, or choose another place",
            path.display()
        ));
    }
    Error::internal(format!("{}: {error}", path.display()))
}
