//! Who may not read any more is sent no more, however busy the project is.

use super::{entry, post, store, with};
use crate::support::person::Person;
use crate::support::stream::Stream;
use crate::support::world::text;
use crate::support::{Client, PASSWORD, Project, World, json};
use std::io::Read as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{Scope, ScopedJoinHandle};
use std::time::Duration;

/// Messages that may be on their way when access is lost. A tail sends four a second, and looks by itself after
/// fifteen seconds.
const ON_THEIR_WAY: usize = 20;

/// Somebody who reads, and how they lose access.
type Reader = (Client, Box<dyn Fn()>);

fn signs_out(world: &World, _: &Project) -> Reader {
    let Person { client, .. } = world.member();
    let lose = client.clone();
    (client, Box::new(move || drop(lose.post("/auth/logout").send().expect(204))))
}

fn session_is_ended(world: &World, _: &Project) -> Reader {
    let person = world.member();
    let (id, other) = (person.session_id(), person.again());
    let end = move || drop(other.client.delete(&format!("/api/v1/me/sessions/{id}")).send().expect(204));
    (person.client, Box::new(end))
}

fn password_is_changed(world: &World, _: &Project) -> Reader {
    let person = world.member();
    let other = person.again();
    let body = json!({"current_password": PASSWORD, "new_password": "another passphrase"});
    let change = move || drop(other.client.post("/auth/password/change").json(&body).send().expect(200));
    (person.client, Box::new(change))
}

fn member_is_removed(world: &World, _: &Project) -> Reader {
    let person = world.member();
    let (owner, path) = (world.owner.clone(), world.member_path(person.id));
    (person.client, Box::new(move || drop(owner.delete(&path).send().expect(204))))
}

fn token_is_revoked(world: &World, _: &Project) -> Reader {
    let person = world.member();
    let token = person.make_token(&["read"]);
    let path = format!("/api/v1/me/tokens/{}", token["id"]);
    let reader = world.bearer(&text(&token["token"]));
    (reader, Box::new(move || drop(person.client.delete(&path).send().expect(204))))
}

fn key_is_revoked(world: &World, project: &Project) -> Reader {
    let key = project.make_key(&json!({"name": "reader", "scopes": ["read"]}));
    let (owner, path) = (project.owner.clone(), project.path(&format!("/api-keys/{}", key["id"])));
    (world.bearer(&text(&key["key"])), Box::new(move || drop(owner.delete(&path).send().expect(204))))
}

fn organization_key_is_revoked(world: &World, _: &Project) -> Reader {
    let keys = format!("{}/api-keys", world.organization_path());
    let made =
        world.owner.post(&keys).json(&json!({"name": "reader", "scopes": ["read"]})).send().expect(201);
    let (owner, path) = (world.owner.clone(), format!("{keys}/{}", made["id"]));
    (world.bearer(&text(&made["key"])), Box::new(move || drop(owner.delete(&path).send().expect(204))))
}

type Way = fn(&World, &Project) -> Reader;

const WAYS: [(&str, Way); 7] = [
    ("signing out", signs_out),
    ("a session that is ended", session_is_ended),
    ("a changed password", password_is_changed),
    ("removal", member_is_removed),
    ("a revoked token", token_is_revoked),
    ("a revoked key", key_is_revoked),
    ("a revoked key of the organization", organization_key_is_revoked),
];

/// Reads a stream to its end, and counts its messages, comments aside.
struct Reading<'scope> {
    count: Arc<AtomicUsize>,
    thread: ScopedJoinHandle<'scope, ()>,
}

impl<'scope> Reading<'scope> {
    fn new<'env>(scope: &'scope Scope<'scope, 'env>, mut stream: Stream) -> Self {
        let count = Arc::new(AtomicUsize::new(0));
        let counting = count.clone();
        let read = move || {
            while let Some(block) = stream.block() {
                counting.fetch_add(usize::from(block.starts_with("event:")), Ordering::Relaxed);
            }
        };
        Self { count, thread: scope.spawn(read) }
    }

    fn count(&self) -> usize {
        self.count.load(Ordering::Relaxed)
    }

    /// Messages that come from now to the end.
    fn rest(self, before: usize) -> usize {
        self.thread.join().unwrap();
        self.count.load(Ordering::Relaxed) - before
    }
}

#[test]
fn streams_of_a_busy_project_end_with_the_right_to_read_them() {
    let (project, stop) = (Project::new(), AtomicBool::new(false));
    std::thread::scope(|scope| {
        // However this ends.
        let _stopping = Stopping(&stop);
        scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                post(&project, &json!([entry(0, "busy")])).expect(202);
                std::thread::sleep(Duration::from_millis(5));
            }
        });
        for (way, reader) in WAYS {
            let (client, lose) = reader(&project.world, &project);
            let tail = Stream::ask(&client, &project.path("/logs/tail"), &[]);
            let changes = Stream::ask(&client, &project.path("/stream"), &[]);
            assert_eq!((tail.status, changes.status), (200, 200), "{way}");
            let (tail, changes) = (Reading::new(scope, tail), Reading::new(scope, changes));
            lose();
            let before = (tail.count(), changes.count());
            let (of_tail, of_changes) = (tail.rest(before.0), changes.rest(before.1));
            assert!(of_tail <= ON_THEIR_WAY, "{way}: {of_tail} messages of the tail");
            assert!(of_changes <= ON_THEIR_WAY, "{way}: {of_changes} messages of changes");
        }
    });
}

struct Stopping<'a>(&'a AtomicBool);

impl Drop for Stopping<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[test]
fn an_export_is_cut_off_with_the_right_to_read_it() {
    const ENTRIES: usize = 1_000;
    let project = Project::new();
    let long = "long ".repeat(6_000);
    let entries: Vec<_> =
        (0..ENTRIES as i64).map(|number| with(entry(number, ""), &json!({"message": long}))).collect();
    entries.chunks(100).for_each(|part| store(&project, part));
    let (client, lose) = member_is_removed(&project.world, &project);
    let path = project.path("/logs/export");
    let mut stream = client.get(&path).open().unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    let mut beginning = [0; 1_000];
    stream.read_exact(&mut beginning).unwrap();
    assert!(beginning.starts_with(b"HTTP/1.1 200"));
    lose();
    let mut rest = Vec::new();
    // Cut off, it may be reset.
    let _ = stream.read_to_end(&mut rest);
    assert!(!rest.ends_with(b"0\r\n\r\n"), "it came to its end");
    assert!(rest.len() < ENTRIES * long.len(), "{} bytes", rest.len());
}
