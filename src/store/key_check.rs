//! Detects a wrong `CLOUD_SECRET_KEY` at start.

use super::Main;
use crate::config::ACCEPT_NEW_KEY;
use crate::crypto::seal::{Seal, SealContext};
use crate::error::{Error, Result};
use crate::sabotage;

/// The known value, sealed with the first key of a database.
const KNOWN: &[u8] = b"mayday";

/// Detects a wrong `CLOUD_SECRET_KEY` at start, by means of a known value that was sealed at the first start.
///
/// # Errors
/// If it is a different key, unless the operator gives up what was sealed with the old one.
pub fn check_key(main: &Main, seal: &Seal) -> Result<()> {
    let instance = main.instance.clone();
    let place = SealContext { table: "origin", column: "sealed", row: &instance };
    let sealed: Option<Vec<u8>> = main.readers.read_blocking(|c| {
        Ok(c.query_row("select sealed from origin where id = 1", (), |row| row.get(0))?)
    })?;
    let accept = main.path.with_file_name(ACCEPT_NEW_KEY);
    if sealed.as_ref().is_some_and(|sealed| opens(seal, &instance, sealed)) || sabotage::on("any_key") {
        // The file was not needed, and must not hide a wrong key later.
        drop(std::fs::remove_file(accept));
        return Ok(());
    }
    if sealed.is_some() && !accept.exists() {
        return Err(Error::internal(format!(
            "CLOUD_SECRET_KEY is not the one that {} was sealed with. Bring secrets.env back from the same backup, or \
             set the variable as it was; when it is lost for good, `touch {}` and start again: mail that was not sent \
             yet goes with it",
            main.path.display(),
            accept.display()
        )));
    }
    let known = seal.seal(&place, KNOWN)?;
    main.write_blocking(move |tx| {
        Ok(tx.execute("update origin set sealed = ?1 where id = 1", [known]).map(drop)?)
    })?;
    match std::fs::remove_file(accept) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(Error::storage(error)),
        _ => Ok(()),
    }
}

/// Whether a key opens the known value of an instance.
pub(super) fn opens(seal: &Seal, instance: &str, sealed: &[u8]) -> bool {
    let place = SealContext { table: "origin", column: "sealed", row: instance };
    seal.open(&place, sealed).is_ok_and(|plain| plain == KNOWN)
}
