//! The limits that Mayday is held against, each a process of its own like Mayday: axum that parses
//! and answers, and axum that answers after a group commit of the body to SQLite.

use crate::Result;
use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::post;
use rusqlite::Connection;
use serde::Deserialize;
use std::borrow::Cow;
use std::hint::black_box;
use std::path::Path;
use tokio::net::TcpListener;
use tokio::sync::{mpsc, oneshot};

/// Bodies that share a commit at most.
const GROUP: usize = 512;
const QUEUE: usize = 4_096;

/// The two kinds, by the argument that this program is started with.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Parse,
    Commit,
}

impl Kind {
    pub(crate) const ALL: [Self; 2] = [Self::Parse, Self::Commit];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Parse => "axum + serde",
            Self::Commit => "axum + SQLite",
        }
    }

    pub(crate) fn argument(self) -> &'static str {
        match self {
            Self::Parse => "--bare-parse",
            Self::Commit => "--bare-commit",
        }
    }
}

/// Serves until it is ended.
pub(crate) fn serve(kind: Kind, folder: &Path) -> Result<()> {
    let router = match kind {
        Kind::Parse => Router::new().route(crate::events::PATH, post(parse)),
        Kind::Commit => Router::new().route(crate::events::PATH, post(store)).with_state(writer(folder)?),
    };
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        println!("http://{}", listener.local_addr()?);
        let listener = axum::serve::ListenerExt::tap_io(listener, |stream| drop(stream.set_nodelay(true)));
        Ok(axum::serve(listener, router).await?)
    })
}

type Text<'a> = Option<Cow<'a, str>>;

/// What every server of errors has to look at.
#[derive(Deserialize)]
#[expect(dead_code, reason = "parsed, never read")]
struct Event<'a> {
    #[serde(borrow)]
    api_key: Cow<'a, str>,
    #[serde(borrow)]
    event_id: Cow<'a, str>,
    timestamp: u64,
    #[serde(borrow)]
    environment: Text<'a>,
    #[serde(borrow)]
    release: Text<'a>,
    #[serde(borrow)]
    url: Text<'a>,
    #[serde(borrow)]
    breadcrumbs: Vec<Breadcrumb<'a>>,
    #[serde(borrow)]
    exception: Option<Exception<'a>>,
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "parsed, never read")]
struct Breadcrumb<'a> {
    timestamp: u64,
    #[serde(borrow)]
    category: Text<'a>,
    #[serde(borrow)]
    message: Text<'a>,
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "parsed, never read")]
struct Exception<'a> {
    #[serde(borrow, rename = "type")]
    kind: Text<'a>,
    #[serde(borrow)]
    message: Text<'a>,
    #[serde(borrow)]
    stack: Text<'a>,
}

async fn parse(body: Bytes) -> StatusCode {
    match serde_json::from_slice::<Event<'_>>(&body) {
        Ok(event) => {
            black_box(&event);
            StatusCode::ACCEPTED
        }
        Err(_) => StatusCode::BAD_REQUEST,
    }
}

struct Job {
    body: Bytes,
    stored: oneshot::Sender<()>,
}

async fn store(State(queue): State<mpsc::Sender<Job>>, body: Bytes) -> StatusCode {
    let (stored, wait) = oneshot::channel();
    if queue.send(Job { body, stored }).await.is_err() || wait.await.is_err() {
        return StatusCode::SERVICE_UNAVAILABLE;
    }
    StatusCode::ACCEPTED
}

/// One table without an index beside its key, one thread, one sync a group; set up as ours is.
fn writer(folder: &Path) -> Result<mpsc::Sender<Job>> {
    let connection = Connection::open(folder.join("bare.db"))?;
    connection.pragma_update(None, "journal_mode", "wal")?;
    connection.pragma_update(None, "synchronous", "full")?;
    connection.pragma_update(None, "wal_autocheckpoint", 10_000)?;
    connection.execute_batch("create table accepted (id integer primary key, body blob not null) strict")?;
    let (queue, mut jobs) = mpsc::channel::<Job>(QUEUE);
    std::thread::spawn(move || {
        let mut group = Vec::with_capacity(GROUP);
        while jobs.blocking_recv_many(&mut group, GROUP) > 0 {
            if let Err(error) = commit(&connection, &group) {
                eprintln!("{error}");
                return;
            }
            for job in group.drain(..) {
                // A client that is gone has its body stored all the same.
                let _ = job.stored.send(());
            }
        }
    });
    Ok(queue)
}

fn commit(connection: &Connection, group: &[Job]) -> rusqlite::Result<()> {
    let transaction = connection.unchecked_transaction()?;
    let mut insert = transaction.prepare_cached("insert into accepted (body) values (?1)")?;
    for job in group {
        insert.execute([&job.body[..]])?;
    }
    drop(insert);
    transaction.commit()
}
