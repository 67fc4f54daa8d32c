//! What an error of the index means.

use crate::error::Error;
use rustix::io::Errno;
use tantivy::TantivyError;
use tantivy::directory::error::OpenReadError;

/// An error of the system may be temporary; any other concerns the index itself. tantivy reports files that
/// are too short as I/O errors, too.
pub(crate) fn fault(error: TantivyError) -> Error {
    let io = match &error {
        TantivyError::IoError(io)
        | TantivyError::OpenReadError(OpenReadError::IoError { io_error: io, .. }) => io,
        TantivyError::LockFailure(..) => return Error::storage(error),
        _ => return Error::internal(error),
    };
    let passing =
        [Errno::MFILE, Errno::NFILE, Errno::NOSPC, Errno::DQUOT, Errno::NOMEM, Errno::ACCESS, Errno::PERM];
    match Errno::from_io_error(io) {
        Some(refusal) if passing.contains(&refusal) => Error::storage(error),
        _ => Error::internal(error),
    }
}
