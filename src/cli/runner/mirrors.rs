//! Mirrors of repositories that the organization no longer has are removed when a runner starts: no run borrows from one
//! then.

use super::protocol::MirrorAnswer;
use super::server::{Refusal, Server};
use super::work_dir::WorkDir;
use serde_json::json;

/// Removes those that the server says it does not want. Of one about which it says nothing, nothing is decided.
pub(super) fn remove_unwanted(work_dir: &WorkDir, server: &Server) {
    for entry in std::fs::read_dir(work_dir.mirrors()).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let Some(id) = name.to_str().and_then(|name| name.strip_suffix(".git")) else { continue };
        match server.post::<MirrorAnswer>("mirrors", &json!({ "repository_id": id, "commit": null })) {
            Ok(Some(MirrorAnswer { is_wanted: false })) => drop(std::fs::remove_dir_all(entry.path())),
            Ok(_) | Err(Refusal::Final(_)) => {}
            // It is asked again at the next start.
            Err(_) => return,
        }
    }
}
