//! Files that only their owner can read: the secrets and the setup token.

use crate::sabotage;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

/// Replaces whatever has this name with a new file (0600), atomically and durably: a crash leaves the old
/// file or the new one. A symbolic link is replaced, never followed; so is somebody else's file.
pub fn replace(path: &Path, text: &str) -> io::Result<()> {
    let temporary = beside(path);
    match fs::remove_file(&temporary) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut file = options().write(true).create_new(true).mode(0o600).open(&temporary)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    fs::rename(&temporary, path)?;
    File::open(folder_of(path))?.sync_all()
}

/// Removes permissions beyond `mode` from a file or directory; it is not an error if it does not exist.
///
/// # Errors
/// If there are such permissions and they cannot be changed.
pub fn narrow(path: &Path, mode: u32) -> io::Result<()> {
    let found = match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        found => found?.permissions().mode() & 0o7777,
    };
    if found & !mode & 0o077 == 0 || sabotage::on("wide_rights") {
        return Ok(());
    }
    tracing::warn!(
        path = %path.display(),
        found = format!("{found:o}"),
        now = format!("{mode:o}"),
        "other users had access to the server's private files: their permissions are removed"
    );
    set_mode(path, found, mode)
}

/// The same for a file that is known to have the mode `found`, without logging it.
///
/// # Errors
/// If they cannot be changed.
pub fn set_mode(path: &Path, found: u32, mode: u32) -> io::Result<()> {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).map_err(|error| {
        let text = format!(
            "other users have access to it (mode {found:o}), and their permissions cannot be removed: {error}"
        );
        io::Error::new(error.kind(), text)
    })
}

/// Options that do not follow symbolic links and do not block on a pipe.
pub fn options() -> fs::OpenOptions {
    let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
    let mut options = fs::OpenOptions::new();
    #[expect(clippy::cast_possible_wrap, reason = "flags of the operating system")]
    options.custom_flags(flags.bits() as i32);
    options
}

fn beside(path: &Path) -> PathBuf {
    let mut name = path.file_name().map_or_else(OsString::new, ToOwned::to_owned);
    name.push(".new");
    path.with_file_name(name)
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
