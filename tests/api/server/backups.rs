//! `/api/v1/instance/backups`, without a schedule. `tests/process` has the backups.

use crate::support::{json, world};

#[test]
fn administrators_see_that_no_backups_are_scheduled() {
    let world = world();
    let nothing =
        json!({"schedule": null, "last_success": null, "runs": [], "kept": null, "kept_error": null});
    for person in [world.owner.clone(), world.admin().client] {
        assert_eq!(person.get("/api/v1/instance/backups").send().expect(200), nothing);
    }
    world.member().client.get("/api/v1/instance/backups").send().refuse(403, "role admin");
}
