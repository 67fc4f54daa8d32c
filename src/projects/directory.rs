//! Keeps the in-memory directory of keys fresh. Intake never asks `main.db`.

use super::{Directory, sql};
use crate::error::Result;
use crate::store::Main;
use crate::time::Timestamp;

/// Loads every valid key and its project's settings. Called at start and after each change of
/// either; calls are run one after another, so that the newest state is what stays.
pub async fn refresh(main: &Main, directory: &Directory) -> Result<()> {
    let _one_at_a_time = directory.refreshing.lock().await;
    directory.replace(main.read(sql::directory).await?);
    Ok(())
}

/// Writes the last uses that changed since the last call.
pub async fn flush_last_used(main: &Main, directory: &Directory) -> Result<()> {
    let used = directory.take_last_used();
    if used.is_empty() {
        return Ok(());
    }
    main.write(move |tx| {
        used.iter().try_for_each(|(key, millis)| sql::touch_key(tx, *key, Timestamp::from_millis(*millis)))
    })
    .await
}
