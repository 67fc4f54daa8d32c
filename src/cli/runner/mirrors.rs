//! When a runner starts, it removes the mirrors of repositories that the organization has deleted: no run borrows
//! objects from them at that time.

use super::protocol::MirrorAnswer;
use super::server::{Refusal, Server};
use super::work_dir::WorkDir;
use serde_json::json;

/// Removes the mirrors that the server no longer wants. Keeps those about which it does not answer.
pub(super) fn remove_unwanted(work_dir: &WorkDir, server: &Server) {
    for entry in std::fs::read_dir(work_dir.mirrors()).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let Some(id) = name.to_str().and_then(|name| name.strip_suffix(".git")) else { continue };
        match server.post::<MirrorAnswer>("mirrors", &json!({ "repository_id": id, "commit": null })) {
            Ok(Some(MirrorAnswer { is_wanted: false })) => drop(std::fs::remove_dir_all(entry.path())),
            Ok(_) | Err(Refusal::Final(_)) => {}
            // Tried again at the next start.
            Err(_) => return,
        }
    }
}
