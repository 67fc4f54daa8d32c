//! Deleting a replay, and a project with its replays.

use super::{chunk, files, replay, send, send_chunk, whole};
use crate::support::{Project, eventually};

#[test]
fn a_deleted_replay_stays_deleted() {
    let project = Project::alone();
    let id = send_chunk(&project, &chunk("gone", 0, None));
    send_chunk(&project, &chunk("gone", 1, None));
    replay(&project, &id, 2);
    assert_eq!(files(&project), 2);
    let path = format!("/api/v1/replays/{id}");
    project.ci().delete(&path).send().refuse(403, "");
    project.owner.delete(&path).send().expect(204);
    assert_eq!(files(&project), 0);
    project.owner.delete(&path).send().refuse(404, "");
    // A late part is accepted and dropped.
    send_chunk(&project, &chunk("gone", 2, Some(3)));
    let other = send(&project, &whole("stays"));
    replay(&project, &other, 1);
    project.owner.get(&path).send().refuse(404, "");
    assert_eq!(project.owner.get(&project.path("/replays")).send().expect(200)["total"], 1);
}

#[test]
fn a_deleted_project_leaves_no_files() {
    let project = Project::alone();
    let id = send(&project, &whole("one"));
    replay(&project, &id, 1);
    project.owner.delete(&project.path("")).send().expect(204);
    eventually("the files are gone", || (files(&project) == 0).then_some(()));
}
