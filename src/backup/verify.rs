//! Checks whether a backup is complete, and whether this Mayday can restore it.

use super::input::Input;
use super::manifest::{FileRecord, Manifest};
use super::tree::{self, transfer};
use super::{Tell, fault};
use crate::error::{Error, Result};
use crate::store::{Disk, examine, logs_schema, main_schema};
use crate::text::bytes;
use crate::version::version;
use semver::Version;
use std::io::Read;
use std::path::Path;

const DATABASES: [&str; 2] = ["main.db", "logs.db"];

/// Checks everything that can be checked without restoring: every file and its hash, that there are no other files,
/// every page of both databases, and the versions. The databases of an archive are unpacked to a temporary directory.
///
/// # Errors
/// The first fault.
pub fn verify(input: &Input, tell: Tell<'_>) -> Result<()> {
    check_known(input)?;
    if let Some(directory) = input.directory() {
        input.read(tell, &mut |_, _| Ok(()))?;
        return check_databases(input, directory, tell);
    }
    let sizes = DATABASES.into_iter().filter_map(|name| input.manifest.file(name)).map(|record| record.size);
    check_room(sizes.fold(0, u64::saturating_add), &std::env::temp_dir())?;
    let unpacked = tempfile::Builder::new().prefix("mayday-verify-").tempdir();
    let unpacked = unpacked.map_err(|error| fault(&std::env::temp_dir(), &error))?;
    input.read(tell, &mut |record: &FileRecord, from: &mut dyn Read| {
        if !DATABASES.contains(&record.path.as_str()) {
            return Ok(());
        }
        let mut unpack = || transfer(from, &mut tree::create(unpacked.path(), &record.path)?, &mut |_| {});
        unpack().map_err(|error| fault(unpacked.path(), &error))
    })?;
    check_databases(input, unpacked.path(), tell)
}

/// Checks that a directory has room for the databases.
///
/// # Errors
/// Says how much is free.
fn check_room(needed: u64, folder: &Path) -> Result<()> {
    let free = Disk::new(folder, 0).free();
    if needed <= free {
        return Ok(());
    }
    Err(Error::internal(format!(
        "to check the databases, {} are needed in {}, and {} are free: name another folder in TMPDIR",
        bytes(needed),
        folder.display(),
        bytes(free)
    )))
}

/// Whether this Mayday is new enough.
///
/// # Errors
/// Says which version is needed.
pub fn check_known(input: &Input) -> Result<()> {
    let Manifest { mayday, schema_main, schema_logs, .. } = &input.manifest;
    let (ours, main, logs) = (version(), main_schema(), logs_schema());
    let is_newer = match (Version::parse(mayday), Version::parse(ours)) {
        (Ok(theirs), Ok(ours)) => theirs > ours,
        _ => true,
    };
    if is_newer || *schema_main > main.version || *schema_logs > logs.version {
        return Err(Error::internal(format!(
            "the backup {} was made by Mayday {} (schema versions {schema_main} and {schema_logs}), and this is {ours} \
             ({} and {}): use that version, or a newer one",
            input.name(),
            crate::text::shown(mayday, 40),
            main.version,
            logs.version
        )));
    }
    Ok(())
}

/// Checks both databases of a backup in `directory`.
///
/// # Errors
/// The first fault.
pub(super) fn check_databases(input: &Input, directory: &Path, tell: Tell<'_>) -> Result<()> {
    let manifest = &input.manifest;
    for (name, schema) in [("main.db", manifest.schema_main), ("logs.db", manifest.schema_logs)] {
        tell("checking the databases", 0, 0);
        let path = directory.join(name);
        let checked = examine::check(&path).and_then(|()| examine::facts(&path));
        let facts = checked.map_err(|error| match error {
            Error::Internal(cause) => input.fault(&cause.to_string()),
            error => error,
        })?;
        if facts.instance != manifest.instance {
            return Err(input.fault(&format!("{name} belongs to another instance than its manifest says")));
        }
        if facts.schema != schema {
            return Err(input.fault(&format!("{name} has schema version {}, and not {schema}", facts.schema)));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn databases_are_not_unpacked_without_room() {
        let folder = std::env::temp_dir();
        check_room(1, &folder).unwrap();
        let refused = check_room(1 << 60, &folder).unwrap_err().for_operator();
        assert!(refused.contains("1048576.0 TiB are needed in") && refused.contains("TMPDIR"), "{refused}");
    }
}
