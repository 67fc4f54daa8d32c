//! Ending mails by the link in one. With a token out of a mail: `tests/process/notifications.rs`.

use super::PATH;
use crate::support::Project;

#[test]
fn looking_at_the_link_changes_nothing_and_leads_to_the_preferences() {
    let project = Project::new();
    let anonymous = project.world.anonymous();
    for query in ["", "?token=1.error.00", "?token=%00"] {
        let answer = anonymous.get(&format!("{PATH}/unsubscribe{query}")).send();
        assert_eq!(answer.status(), 302, "{answer:?}");
        let page = answer.header("location").unwrap();
        assert!(page.starts_with("http") && page.ends_with("/account/notifications/preferences"), "{page}");
    }
}

#[test]
fn a_token_that_was_not_made_here_ends_nothing() {
    let project = Project::new();
    let anonymous = project.world.anonymous();
    let forged = format!("{}.error.{}", project.world.owner_id, "0".repeat(64));
    for token in [forged.as_str(), "", "x", "%00", "..", &"9".repeat(5_000)] {
        let path = format!("{PATH}/unsubscribe?token={token}");
        anonymous.post(&path).send().refuse(403, "not valid");
        let body = "List-Unsubscribe=One-Click";
        anonymous.post(&path).body("application/x-www-form-urlencoded", body).send().refuse(403, "not valid");
    }
    anonymous.post(&format!("{PATH}/unsubscribe")).send().refuse(422, "token");
    let preferences = project.owner.get(&format!("{PATH}/preferences")).send().expect(200);
    assert_eq!(preferences["preferences"][0]["email_enabled"], true);
}
