//! What code hosts answer, what that does to sessions, and when they are asked again.

mod claims;
mod comments;
mod host;

use super::*;
use crate::connections::{Credentials, Kind, Settings};
use crate::crypto::seal::Seal;
use crate::crypto::secret::Secret;
use crate::deliveries::Deliveries;
use crate::ids::{ConnectionId, OrganizationId, RepositoryId, SessionId, UserId};
use crate::organizations;
use crate::outbound::{Client, Policy};
use crate::repositories::sql::NewRepository;
use crate::sessions::Session;
use crate::sessions::service::start;
use crate::sessions::sql::samples::new_session;
use crate::sessions::sql::{self, NewSession};
use crate::store::{Fatal, Main};
use host::{Host, HostAnswer};
use std::time::Duration;

const MERGE_REQUEST: &str = "https://gitlab.example/acme/shop/-/merge_requests/7";
const MERGED: &str = r#"{"state": "merged"}"#;
const OPENED: &str = r#"{"state": "opened"}"#;
/// Minutes.
const A_DAY: i64 = 24 * 60;

/// An organization with a repository that is connected to a code host.
struct World {
    states: PullStates,
    host: Host,
    organization: OrganizationId,
    repository: RepositoryId,
    /// When everything was made.
    began: Timestamp,
    _data: tempfile::TempDir,
}

fn connect(
    tx: &Transaction<'_>,
    seal: &Seal,
    (organization, kind, url): (OrganizationId, Kind, String),
    now: Timestamp,
) -> Result<ConnectionId> {
    let settings = Settings { url: Some(url), ..Settings::default() };
    let credentials = Credentials { token: "canary".to_owned() };
    let new = connections::New {
        organization,
        kind,
        display_name: "The host",
        account: "acme",
        external_id: None,
        credentials: Some(&credentials),
        settings: &settings,
        by: UserId(1),
    };
    Ok(connections::create(tx, seal, &new, now)?.connection.id)
}

fn repository(organization: OrganizationId, connection: ConnectionId) -> NewRepository {
    NewRepository {
        organization,
        host_repo_id: "1".to_owned(),
        host_repo_name: "acme/shop".to_owned(),
        host_url: "https://git.example/acme/shop.git".to_owned(),
        default_branch: "main".to_owned(),
        source: "x".to_owned(),
        is_private: true,
        allowed_hosts: Vec::new(),
        connection: Some(connection),
        created_by: None,
    }
}

impl World {
    async fn new(kind: Kind) -> Self {
        Self::asking(kind, Client::new()).await
    }

    async fn asking(kind: Kind, client: Client) -> Self {
        let data = tempfile::tempdir().unwrap();
        let main = Main::open(data.path(), &Fatal::new().0).unwrap();
        let (seal, host, began) = (Seal::new(&Secret::new("key")), Host::start(), Timestamp::now());
        let (url, own_seal) = (host.url.clone(), seal.clone());
        let write = main.write(move |tx| {
            let user = "insert into users (email, name, created_at, updated_at) values ('a@b.c', 'A', 0, 0)";
            tx.execute(user, ())?;
            let organization = organizations::sql::create(tx, "Acme", began)?;
            let connection = connect(tx, &own_seal, (organization, kind, url), began)?;
            let new = repository(organization, connection);
            Ok((organization, repositories::sql::create(tx, &new, began)?.0.id))
        });
        let (organization, repository) = write.await.unwrap();
        let deliveries = Arc::new(Deliveries::new(Vec::new(), seal.clone()));
        let sessions = SessionService::new(&main, &Arc::default(), &deliveries, Duration::from_secs(60));
        let connector = Connector { main, seal, client, policy: Policy::Open, github: None };
        let states = PullStates::new(&Arc::new(connector), &sessions);
        Self { states, host, organization, repository, began, _data: data }
    }

    /// A session whose pull request has this address.
    async fn session(&self, url: &str) -> SessionId {
        self.session_in(Some(self.repository), url).await
    }

    async fn session_in(&self, repository: Option<RepositoryId>, url: &str) -> SessionId {
        self.session_at(self.began, repository, url).await
    }

    /// The same, created at another time.
    async fn session_at(&self, at: Timestamp, repository: Option<RepositoryId>, url: &str) -> SessionId {
        let new = NewSession { repository, ..new_session(self.organization) };
        let url = url.to_owned();
        let write = move |tx: &Transaction<'_>| {
            let id = start(tx, &new, at)?;
            pulls::set_pull_request(tx, id, &url, at)?;
            Ok(id)
        };
        self.states.sessions.main.write(write).await.unwrap()
    }

    fn at(&self, minutes: i64) -> Timestamp {
        self.began.plus(minutes * MINUTE)
    }

    /// So many minutes after everything was made.
    async fn look(&self, minutes: i64) {
        self.states.look(self.at(minutes)).await.unwrap();
    }

    async fn get(&self, id: SessionId) -> Session {
        let organization = self.organization;
        let read = self.states.sessions.main.read(move |c| sql::get(c, organization, id));
        read.await.unwrap().unwrap()
    }

    /// At which minute it is asked for next, and how often in a row that failed.
    async fn next(&self, id: SessionId) -> (Option<i64>, u32) {
        let read = move |c: &Connection| {
            let row = "select pull_check_at, pull_failures from sessions where id = ?1";
            Ok(c.query_row(row, [id], |row| Ok((row.get::<_, Option<i64>>(0)?, row.get(1)?)))?)
        };
        let (at, failures) = self.states.sessions.main.read(read).await.unwrap();
        (at.map(|at| (at - self.began.millis()) / MINUTE), failures)
    }
}

#[tokio::test]
async fn a_merge_request_is_asked_for_until_it_is_merged() {
    let world = World::new(Kind::Gitlab).await;
    let id = world.session(MERGE_REQUEST).await;
    world.host.answers(200, OPENED);
    world.look(4).await;
    assert_eq!(world.host.asked(), Vec::<String>::new());
    world.look(5).await;
    let asked = "GET /api/v4/projects/acme%2Fshop/merge_requests/7 Bearer canary";
    assert_eq!(world.host.asked(), [asked]);
    assert_eq!(world.next(id).await, (Some(10), 0));
    // Later, once an hour.
    world.look(2 * A_DAY).await;
    assert_eq!(world.next(id).await, (Some(2 * A_DAY + 60), 0));
    world.host.answers(200, MERGED);
    world.look(3 * A_DAY).await;
    assert_eq!(world.get(id).await.merged_at, Some(world.at(3 * A_DAY)));
    assert_eq!(world.next(id).await, (None, 0));
    world.look(4 * A_DAY).await;
    assert_eq!(world.host.asked().len(), 3);
}

#[tokio::test]
async fn a_pull_request_that_is_closed_may_be_opened_again() {
    let world = World::new(Kind::Gitea).await;
    let id = world.session("https://gitea.example/acme/shop/pulls/3").await;
    world.host.answers(200, r#"{"state": "closed", "merged": false}"#);
    world.look(5).await;
    let asked = ["pulls/3", "issues/3/comments"];
    let asked = asked.map(|path| format!("GET /api/v1/repos/acme/shop/{path} Bearer canary"));
    assert_eq!(world.host.asked(), asked);
    let session = world.get(id).await;
    assert_eq!((session.closed_at, session.closed_by), (Some(world.at(5)), None));
    assert_eq!(world.next(id).await, (Some(5 + 6 * 60), 0));
    world.host.answers(200, r#"{"state": "open", "merged": false}"#);
    world.look(365).await;
    assert_eq!(world.get(id).await.closed_at, None);
    world.host.answers(200, r#"{"state": "closed", "merged": true}"#);
    world.look(370).await;
    let session = world.get(id).await;
    assert_eq!((session.merged_at, session.closed_at), (Some(world.at(370)), None));
}

#[tokio::test]
async fn whoever_closed_a_merge_request_is_named() {
    let world = World::new(Kind::Gitlab).await;
    let id = world.session(MERGE_REQUEST).await;
    world.host.answers(200, r#"{"state": "closed", "closed_by": {"id": 7, "username": "ada"}}"#);
    world.look(5).await;
    assert_eq!(world.get(id).await.closed_by.as_deref(), Some("ada"));
}

/// Asks for the first of two, gets this answer, and looks at what becomes of both.
async fn fails(answer: HostAnswer, client: Client, stops_both: bool) {
    let shown = format!("{answer:?}");
    let world = World::asking(Kind::Gitlab, client).await;
    let (first, second) = (world.session(MERGE_REQUEST).await, world.session(MERGE_REQUEST).await);
    world.host.answers_with(answer);
    world.look(5).await;
    assert_eq!(world.host.asked().len(), 1, "{shown}");
    assert_eq!(world.next(first).await, (Some(15), 1), "{shown}");
    let expected = if stops_both { (Some(15), 1) } else { (Some(5), 0) };
    assert_eq!(world.next(second).await, expected, "{shown}");
    let session = world.get(first).await;
    assert_eq!((session.merged_at, session.closed_at), (None, None), "{shown}");
    // It is over by then.
    world.host.answers(200, OPENED);
    world.look(16).await;
    world.look(16).await;
    for id in [first, second] {
        assert_eq!(world.next(id).await, (Some(21), 0), "{shown}");
    }
}

#[tokio::test]
async fn a_host_that_cannot_be_asked_is_left_alone_with_all_of_its_connection() {
    for (status, body) in
        [(500, "{}"), (503, MERGED), (429, ""), (401, r#"{"message": "401 Unauthorized"}"#), (408, "")]
    {
        fails(Some((status, body.to_owned())), Client::new(), true).await;
    }
    fails(None, Client::new().stalling(Duration::from_secs(2)), true).await;
}

#[tokio::test]
async fn an_answer_of_no_use_puts_off_one_pull_request_alone() {
    let large = format!(r#"{{"state": "merged", "description": "{}"}}"#, "x".repeat(2 << 20));
    for (status, body) in [
        (404, r#"{"message": "404 Not found"}"#),
        (403, ""),
        (302, ""),
        (200, ""),
        (200, "<html>merged</html>"),
        (200, r#"{"state": "merged""#),
        (200, r#"{"state": "gone"}"#),
        (200, "[]"),
        (200, large.as_str()),
    ] {
        fails(Some((status, body.to_owned())), Client::new(), false).await;
    }
}

#[tokio::test]
async fn the_pause_doubles_up_to_an_hour() {
    let world = World::new(Kind::Gitlab).await;
    let id = world.session(MERGE_REQUEST).await;
    world.host.answers(500, "");
    let mut at = 5;
    for (failures, expected) in [(1, 10), (2, 20), (3, 40), (4, 60), (5, 60)] {
        world.look(at + 1).await;
        at += 1 + expected;
        assert_eq!(world.next(id).await, (Some(at), failures));
    }
    assert_eq!(world.host.asked().len(), 5);
    assert_eq!((pause(6, DAY), pause(u32::MAX, DAY)), (320 * MINUTE, DAY));
}

#[tokio::test]
async fn one_that_its_host_always_fails_at_keeps_no_others_waiting() {
    let world = World::new(Kind::Gitlab).await;
    let (broken, fine) = (world.session(MERGE_REQUEST).await, world.session(MERGE_REQUEST).await);
    let mut at = 5;
    for (failures, pause) in [(1, 10), (2, 20), (3, 40), (4, 60), (5, 60)] {
        world.host.answers(500, "");
        world.look(at).await;
        assert_eq!(world.next(broken).await, (Some(at + pause), failures));
        let expected = if failures == 1 { (Some(15), 1) } else { (Some(at + 4), 0) };
        assert_eq!(world.next(fine).await, expected);
        at += pause + 1;
        world.host.answers(200, OPENED);
        world.look(at - 1).await;
        assert_eq!(world.next(fine).await, (Some(at + 4), 0));
    }
    assert_eq!(world.host.asked().len(), 10);
}

#[tokio::test]
async fn a_run_asks_once_and_passes_over_what_nobody_can_be_asked_for() {
    let world = World::new(Kind::Gitlab).await;
    let nobody = world.session("https://gitlab.example/acme/shop/-/issues/7").await;
    let (first, second) = (world.session(MERGE_REQUEST).await, world.session(MERGE_REQUEST).await);
    world.host.answers(200, OPENED);
    world.look(6).await;
    assert_eq!(world.host.asked().len(), 1);
    assert_eq!(world.next(nobody).await, (Some(6 + A_DAY), 0));
    assert_eq!((world.next(first).await.0, world.next(second).await.0), (Some(11), Some(5)));
    world.look(6).await;
    assert_eq!((world.host.asked().len(), world.next(second).await.0), (2, Some(11)));
    // Nobody waits for them any more.
    world.look(91 * A_DAY).await;
    assert_eq!(world.host.asked().len(), 2);
    for id in [nobody, first, second] {
        assert_eq!(world.next(id).await.0, None);
    }
}

#[tokio::test]
async fn a_session_without_a_repository_is_found_by_the_address() {
    let world = World::new(Kind::Gitea).await;
    let own = world.session_in(None, "https://git.example/acme/shop/pulls/3").await;
    let other = world.session_in(None, "https://git.example/acme/other/pulls/4").await;
    world.host.answers(200, r#"{"state": "closed", "merged": true}"#);
    world.look(5).await;
    world.look(5).await;
    assert_eq!(world.host.asked(), ["GET /api/v1/repos/acme/shop/pulls/3 Bearer canary"]);
    assert!(world.get(own).await.merged_at.is_some() && world.get(other).await.merged_at.is_none());
}
