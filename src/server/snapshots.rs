//! Snapshots of the running server.

use crate::control::Snapshots;
use crate::error::{Error, Result};
use crate::state::App;
use crate::store::snapshot::{self, Sources};
use crate::store::{SNAPSHOT, Stop};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Makes them.
pub(super) struct Copies(pub(super) Arc<App>);

impl Copies {
    fn data_dir(&self) -> &Path {
        &self.0.people.config.data_dir
    }
}

impl Snapshots for Copies {
    fn place(&self) -> PathBuf {
        self.data_dir().join(SNAPSHOT)
    }

    fn check_room(&self, into: &Path) -> Result<u64> {
        let expected = snapshot::expected(self.data_dir(), into).map_err(Error::storage)?;
        snapshot::check_room(self.data_dir(), into, expected, self.0.people.config.disk_floor_bytes)?;
        Ok(expected)
    }

    fn copied(&self, into: &Path) -> u64 {
        snapshot::copied(into)
    }

    fn copy_to(&self, into: &Path, stop: &Stop) -> Result<i64> {
        tracing::info!(into = %into.display(), "making a snapshot for a backup");
        let App { main, logs, intake, maps, replays, .. } = &*self.0;
        let sources = Sources {
            instance: &main.instance,
            main: &main.readers,
            logs: &logs.db.readers,
            journal: intake.store.journal(),
            maps: &maps.blobs,
            replays: &replays.files.blobs,
        };
        let copied = sources.copy_to(into, stop);
        if let Err(error) = &copied {
            tracing::warn!(?error, "the snapshot for a backup was not finished");
        }
        copied.map(|snapshot| snapshot.last)
    }
}
