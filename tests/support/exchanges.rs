//! Records of requests to fake services and their answers, which tests/outside compares with the services'
//! documentation.

use super::Value;
use std::io::Write as _;
use std::sync::{Mutex, PoisonError};

/// Writes an exchange down, a line of JSON, in the folder that `MAYDAY_EXCHANGES` names.
pub(crate) fn keep(exchange: &Value) {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let Some(folder) = std::env::var_os("MAYDAY_EXCHANGES") else { return };
    let _guard = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let path = std::path::Path::new(&folder).join(format!("{}.jsonl", std::process::id()));
    let file = std::fs::OpenOptions::new().create(true).append(true).open(path);
    writeln!(file.expect("the folder of exchanges"), "{exchange}").expect("an exchange is written");
}
