//! What agents say of pull requests, and what of it is believed.

use super::*;

#[tokio::test]
async fn what_ended_before_the_session_is_not_its_own() {
    let world = World::new(Kind::Gitlab).await;
    let merged = |minutes| format!(r#"{{"state": "merged", "merged_at": "{}"}}"#, world.at(minutes));
    let other = world.session(MERGE_REQUEST).await;
    world.host.answers(200, &merged(-10));
    world.look(5).await;
    assert_eq!((world.get(other).await.merged_at, world.next(other).await.0), (None, None));
    // The host's clock is a little behind.
    let own = world.session("https://gitlab.example/acme/shop/-/merge_requests/8").await;
    world.host.answers(200, &merged(-2));
    world.look(5).await;
    assert_eq!(world.get(own).await.merged_at, Some(world.at(5)));
}

#[tokio::test]
async fn one_that_the_agent_opened_is_asked_for_as_well() {
    let world = World::new(Kind::Gitlab).await;
    let (id, now) = (world.session("").await, world.began);
    let write = move |tx: &Transaction<'_>| {
        tx.execute("update sessions set pull_request_url = null, pull_check_at = null", ())?;
        let url = Some(MERGE_REQUEST.to_owned());
        let report = sql::leases::Report { pull_request_url: url, ..Default::default() };
        sql::leases::report(tx, id, &report, now)?;
        sql::leases::report(tx, id, &report, now.plus(DAY))
    };
    world.states.sessions.main.write(write).await.unwrap();
    assert_eq!(world.next(id).await, (Some(5), 0));
}

#[tokio::test]
async fn a_session_that_names_the_pull_request_of_another_takes_nothing_from_it() {
    let world = World::new(Kind::Gitlab).await;
    let own = world.session(MERGE_REQUEST).await;
    let later = world.session_at(world.at(60), Some(world.repository), MERGE_REQUEST).await;
    world.host.answers(200, &format!(r#"{{"state": "merged", "merged_at": "{}"}}"#, world.at(30)));
    world.look(65).await;
    world.look(65).await;
    assert_eq!(world.host.asked().len(), 2);
    assert_eq!(world.get(own).await.merged_at, Some(world.at(65)));
    assert_eq!((world.get(later).await.merged_at, world.next(later).await.0), (None, None));
}

#[tokio::test]
async fn one_that_is_named_later_is_asked_for_instead() {
    let world = World::new(Kind::Gitlab).await;
    let (id, now) = (world.session(MERGE_REQUEST).await, world.at(60));
    world.host.answers(200, &format!(r#"{{"state": "merged", "merged_at": "{}"}}"#, world.at(-60)));
    world.look(5).await;
    assert_eq!(world.next(id).await.0, None);
    let url = Some("https://gitlab.example/acme/shop/-/merge_requests/8".to_owned());
    let report = sql::leases::Report { pull_request_url: url, ..Default::default() };
    let write = move |tx: &Transaction<'_>| sql::leases::report(tx, id, &report, now);
    world.states.sessions.main.write(write).await.unwrap();
    assert_eq!(world.next(id).await.0, Some(65));
    world.host.answers(200, MERGED);
    world.look(65).await;
    assert!(world.host.asked()[1].contains("/merge_requests/8 "), "{:?}", world.host.asked());
    assert_eq!(world.get(id).await.merged_at, Some(world.at(65)));
}

#[tokio::test]
async fn an_answer_for_what_has_changed_meanwhile_does_nothing() {
    let world = World::new(Kind::Gitlab).await;
    let (deleted, changed) = (world.session(MERGE_REQUEST).await, world.session(MERGE_REQUEST).await);
    let now = world.at(5);
    let write = move |tx: &Transaction<'_>| {
        let due = pulls::due(tx, now, 2)?;
        tx.execute("delete from sessions where id = ?1", [deleted])?;
        tx.execute("update sessions set pull_request_url = 'https://x.example/8'", ())?;
        let before = now.plus(-DAY);
        for at in [before, now] {
            for due in &due {
                let place = PullRequestAddress::of(tx, due)?.unwrap();
                let state = PullRequestState::Merged { at: Some(at) };
                let merged = Ok(HostReport { state, comment: None });
                assert_eq!(settle(tx, (due, &place), &merged, now)?, None);
            }
        }
        Ok(())
    };
    world.states.sessions.main.write(write).await.unwrap();
    assert_eq!((world.get(changed).await.merged_at, world.next(changed).await.0), (None, Some(5)));
}
