//! Why pull requests were closed: the last comment of somebody with a say in the repository.

use super::*;
use serde_json::{Value, json};

const PROJECT: &str = "/api/v4/projects/acme%2Fshop";

/// A note of GitLab.
fn note((id, name): (u32, &str), body: &str, at: Timestamp) -> Value {
    json!({"body": body, "system": false, "author": {"id": id, "username": name}, "created_at": at.to_string()})
}

/// A session whose merge request is closed, and has these notes; the newest come first. Developers have ids below ten.
async fn closed(notes: &[Value]) -> (World, SessionId) {
    let world = World::new(Kind::Gitlab).await;
    let id = world.session(MERGE_REQUEST).await;
    world.host.answers(404, r#"{"message": "404 Not found"}"#);
    let merge_request = format!("{PROJECT}/merge_requests/7");
    world.host.answers_at(&merge_request, &json!({"state": "closed"}));
    world.host.answers_at(&format!("{merge_request}/notes"), &json!(notes));
    for id in 1..10 {
        world.host.answers_at(&format!("{PROJECT}/members/all/{id}"), &json!({"access_level": 30}));
    }
    world.host.answers_at(&format!("{PROJECT}/members/all/20"), &json!({"access_level": 20}));
    (world, id)
}

impl World {
    /// Whose comment a session has last, and its text.
    async fn last(&self, id: SessionId) -> Option<(String, String)> {
        self.get(id).await.last_comment.map(|comment| (comment.by, comment.text))
    }
}

fn said(by: &str, text: &str) -> (String, String) {
    (by.to_owned(), text.to_owned())
}

#[tokio::test]
async fn a_closed_merge_request_has_the_last_note_of_a_developer() {
    let at = Timestamp::now();
    let mut system = note((1, "ada"), "closed", at);
    system["system"] = json!(true);
    let notes = [
        system,
        note((30, "mallory"), "Buy pills", at),
        note((20, "reporter"), "Why?", at),
        note((30, "mallory"), "More pills", at),
        note((1, "ada"), "The basket is\nnot the cause.", at),
        note((2, "bob"), "Looks fine.", at),
    ];
    let (world, id) = closed(&notes).await;
    world.look(5).await;
    assert!(world.get(id).await.closed_at.is_some());
    assert_eq!(world.last(id).await, Some(said("ada", "The basket is not the cause.")));
    let query = "?sort=desc&order_by=created_at&per_page=100";
    let notes = format!("merge_requests/7/notes{query}");
    let paths = ["merge_requests/7", &notes, "members/all/30", "members/all/20", "members/all/1"];
    assert_eq!(world.host.asked(), paths.map(|path| format!("GET {PROJECT}/{path} Bearer canary")));
}

#[tokio::test]
async fn few_authors_are_looked_up() {
    let notes: Vec<Value> = [40, 41, 42, 43, 1].map(|id| note((id, "x"), "Hm", Timestamp::now())).into();
    let (world, id) = closed(&notes).await;
    world.look(5).await;
    assert_eq!((world.last(id).await, world.host.asked().len()), (None, 5));
}

#[tokio::test]
async fn a_comment_that_cannot_be_asked_for_is_asked_for_again() {
    let (world, id) = closed(&[]).await;
    let notes = format!("{PROJECT}/merge_requests/7/notes");
    world.host.answers_at(&notes, &json!({"message": "no list"}));
    world.look(5).await;
    assert!(world.get(id).await.closed_at.is_some());
    assert_eq!((world.last(id).await, world.next(id).await), (None, (Some(5 + 6 * 60), 0)));
    world.host.answers_at(&notes, &json!([note((1, "ada"), "Not needed.", world.at(4))]));
    world.look(365).await;
    assert_eq!(world.last(id).await, Some(said("ada", "Not needed.")));
    // An older one, or none, does not replace it.
    for (minutes, all) in [(725, json!([note((2, "bob"), "First!", world.at(1))])), (1_085, json!([]))] {
        world.host.answers_at(&notes, &all);
        world.look(minutes).await;
        assert_eq!(world.last(id).await, Some(said("ada", "Not needed.")));
    }
    // A time in the future is none.
    world.host.answers_at(&notes, &json!([note((2, "bob"), "Later", world.at(9 * A_DAY))]));
    world.look(1_445).await;
    let comment = world.get(id).await.last_comment.unwrap();
    assert_eq!((comment.text.as_str(), comment.at), ("Later", world.at(1_445)));
}

#[tokio::test]
async fn a_closed_pull_request_has_the_last_comment_of_somebody_who_may_write() {
    let world = World::new(Kind::Gitea).await;
    let id = world.session("https://gitea.example/acme/shop/pulls/3").await;
    let comment = |by: &str, text: &str, minutes| json!({"body": text, "user": {"login": by}, "created_at": world.at(minutes).to_string()});
    let repository = "/api/v1/repos/acme/shop";
    world.host.answers_at(&format!("{repository}/pulls/3"), &json!({"state": "closed", "merged": false}));
    world.host.answers_at(&format!("{repository}/assignees"), &json!([{"login": "ada"}, {"login": "bob"}]));
    let comments = [
        comment("bob", "Looks fine.", 1),
        comment("ada", "See\nSHOP-9.", 3),
        comment("ada", "Hm.", 2),
        comment("mallory", "Buy pills", 4),
    ];
    world.host.answers_at(&format!("{repository}/issues/3/comments"), &json!(comments));
    world.look(5).await;
    assert_eq!(world.last(id).await, Some(said("ada", "See SHOP-9.")));
    let paths = ["pulls/3", "issues/3/comments", "assignees"];
    assert_eq!(world.host.asked(), paths.map(|path| format!("GET {repository}/{path} Bearer canary")));
}

/// Has this answer for the comments of a closed merge request, which puts off nothing.
async fn fails(answer: HostAnswer) {
    let shown = format!("{answer:?}");
    let (mut world, first) = closed(&[]).await;
    world.states.patience = Duration::from_secs(2);
    let second = world.session(MERGE_REQUEST).await;
    world.host.answers_at_with(&format!("{PROJECT}/merge_requests/7/notes"), answer);
    world.look(5).await;
    assert!(world.get(first).await.closed_at.is_some(), "{shown}");
    assert_eq!(world.next(first).await, (Some(5 + 6 * 60), 0), "{shown}");
    assert_eq!(world.next(second).await, (Some(5), 0), "{shown}");
}

#[tokio::test]
async fn comments_that_a_host_fails_at_put_off_no_other_pull_request() {
    for status in [500, 401, 403, 404, 410, 429] {
        fails(Some((status, String::new()))).await;
    }
    // Nothing comes.
    fails(None).await;
}

#[tokio::test]
async fn a_host_that_takes_no_requests_at_all_is_left_alone_after_the_next_one() {
    let (world, first) = closed(&[]).await;
    let (second, third) = (world.session(MERGE_REQUEST).await, world.session(MERGE_REQUEST).await);
    let merge_request = format!("{PROJECT}/merge_requests/7");
    world.host.answers_at_with(&format!("{merge_request}/notes"), Some((429, String::new())));
    world.look(5).await;
    world.host.answers_at_with(&merge_request, Some((429, String::new())));
    world.look(5).await;
    // The first one's own next look is later than that.
    assert_eq!(world.next(first).await.0, Some(5 + 6 * 60));
    for id in [second, third] {
        assert_eq!(world.next(id).await, (Some(15), 1));
    }
}

#[tokio::test]
async fn several_whose_comments_their_host_always_fails_at_keep_no_others_waiting() {
    for status in [500, 401, 410, 429] {
        keeps_no_others_waiting(status).await;
    }
}

async fn keeps_no_others_waiting(status: u16) {
    let (world, first) = closed(&[]).await;
    let address = |number: u32| format!("https://gitlab.example/acme/shop/-/merge_requests/{number}");
    let path = |number: u32| format!("{PROJECT}/merge_requests/{number}");
    let (second, open) = (world.session(&address(8)).await, world.session(&address(9)).await);
    world.host.answers_at(&path(8), &json!({"state": "closed"}));
    world.host.answers_at(&path(9), &json!({"state": "opened"}));
    for number in [7, 8] {
        world.host.answers_at_with(&format!("{}/notes", path(number)), Some((status, String::new())));
    }
    for (rounds, at) in [(1, 5), (2, 365), (3, 725)] {
        for _ in [first, second, open] {
            world.look(at).await;
        }
        for id in [first, second] {
            assert_eq!(world.next(id).await, (Some(at + 6 * 60), 0), "{status}");
        }
        assert_eq!(world.next(open).await, (Some(at + 5), 0), "{status}");
        let asked = format!("GET {} Bearer canary", path(9));
        assert_eq!(world.host.asked().iter().filter(|one| **one == asked).count(), rounds);
    }
}

/// More than is read of comments.
fn large() -> String {
    "x".repeat(9 << 20)
}

#[tokio::test]
async fn of_notes_that_are_too_large_the_newest_are_looked_through() {
    let at = Timestamp::now();
    let (world, id) = closed(&[note((30, "mallory"), &large(), at)]).await;
    let notes = format!("{PROJECT}/merge_requests/7/notes?sort=desc&order_by=created_at&per_page=5");
    world.host.answers_at(&notes, &json!([note((1, "ada"), "Not the cause.", at)]));
    world.look(5).await;
    assert_eq!(world.last(id).await, Some(said("ada", "Not the cause.")));
}

#[tokio::test]
async fn of_comments_that_are_too_large_those_around_the_end_are_looked_through() {
    let world = World::new(Kind::Gitea).await;
    let id = world.session("https://gitea.example/acme/shop/pulls/3").await;
    let repository = "/api/v1/repos/acme/shop";
    let closed = json!({"state": "closed", "merged": false, "closed_at": "2999-01-03T00:00:00Z"});
    world.host.answers_at(&format!("{repository}/pulls/3"), &closed);
    world.host.answers_at(&format!("{repository}/assignees"), &json!([{"login": "ada"}]));
    let comment = |by: &str, text: &str| json!([{"body": text, "user": {"login": by}}]);
    let comments = format!("{repository}/issues/3/comments");
    world.host.answers_at(&comments, &comment("mallory", &large()));
    let since = format!("{comments}?since=2999%2D01%2D01T00%3A00%3A00%2E000Z");
    world.host.answers_at(&since, &comment("ada", "See SHOP-9."));
    world.look(5).await;
    assert_eq!(world.last(id).await, Some(said("ada", "See SHOP-9.")), "{:?}", world.host.asked());
}
