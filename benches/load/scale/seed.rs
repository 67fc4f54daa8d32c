//! Makes the data: through intake and digest like any other event, in batches at full speed.

use super::Size;
use crate::Result;
use crate::api::{Api, Project, now};
use crate::client::{Connection, Request};
use crate::events::{BATCH_PATH, Moment, Pool, RELEASE, release};
use crate::instance::Instance;
use crate::mapgen;
use crate::server::Server;
use serde_json::{Value, json};
use std::cell::{Cell, RefCell};
use std::fs;
use std::path::Path;
use std::rc::Rc;
use std::time::Instant;
use tokio::task::LocalSet;

const BATCH: u64 = 50;
const CONNECTIONS: usize = 8;
/// The time that the events are spread over, in milliseconds: four weeks.
const SPAN: u64 = 28 * 24 * 3_600_000;
/// Releases, and those of them that get the source map.
const RELEASES: usize = 100;
const MAPPED: usize = 10;
/// Bytes of the source map.
const MAP: usize = 1_000_000;
/// Issues that one request changes.
const CHANGED: usize = 1_000;

/// The data of a size in `data`, made when it is not there yet; also the project that has it, and events of
/// 500 more issues for it.
pub(crate) async fn open(data: &Path, size: Size) -> Result<(Instance, i64, Pool)> {
    let note = data.with_extension("json");
    let made = match fs::read(&note) {
        Ok(text) => serde_json::from_slice(&text)?,
        Err(_) => {
            let made = make(data, size).await?;
            fs::write(&note, made.to_string())?;
            made
        }
    };
    let key = made["key"].as_str().ok_or("no key")?;
    let id = made["project"].as_i64().ok_or("no project")?;
    let (server, _) = Server::mayday(data).await?;
    let mut api = Api::sign_in(&server).await?;
    let bundle = mapgen::bundle(MAP, 1);
    let pool = Pool::of_many(key, size.issues, &bundle, now(), now());
    // Of their own at each start: their events are counted.
    let mut project = async |name: &str| api.project(&format!("{name} {}", now())).await;
    let (aside, probes) = (project("Aside").await?, project("Probes").await?);
    api.upload(key, RELEASE, &bundle).await?;
    // What was sent before would not be counted again.
    let usual = Pool::new(&[key.to_owned()], &bundle, now(), now() + 1);
    Ok((Instance::with(server, api, (Vec::new(), aside, probes), pool), id, usual))
}

async fn make(data: &Path, size: Size) -> Result<Value> {
    drop(fs::remove_dir_all(data));
    fs::create_dir_all(data.parent().unwrap_or(data))?;
    let (mut server, _) = Server::mayday(data).await?;
    let mut api = Api::claim(&mut server).await?;
    let project = api.project("Large").await?;
    let bundle = mapgen::bundle(MAP, 1);
    for number in 0..RELEASES {
        // The newest have source maps.
        if number + MAPPED >= RELEASES {
            api.upload(&project.key, &release(number), &bundle).await?;
        } else {
            create_release(&server, &project, &release(number)).await?;
        }
    }
    let pool = Rc::new(RefCell::new(Pool::of_many(&project.key, size.issues, &bundle, now(), 3)));
    let started = Instant::now();
    send(&server, &pool, size).await?;
    let sent = started.elapsed().as_secs_f64();
    let probes = api.project("Probes").await?;
    let parts = (Vec::new(), api.project("Aside").await?, probes);
    let pool = Pool::of_many(&project.key, size.issues, &bundle, now(), 4);
    let mut instance = Instance::with(server, api, parts, pool);
    instance.readable().await?;
    let all = started.elapsed().as_secs_f64();
    let events = size.events as f64;
    println!(
        "\n{}: {} events sent in batches of {BATCH} in {sent:.0} s ({:.0}/s), readable after {all:.0} s ({:.0}/s)",
        size.name,
        size.events,
        events / sent,
        events / all
    );
    change_some(&mut instance.api, project.id, size).await?;
    instance.server.stop()?;
    Ok(json!({"project": project.id, "key": project.key}))
}

async fn create_release(server: &Server, project: &Project, version: &str) -> Result<()> {
    let body = json!({"version": version}).to_string();
    let (bearer, content_type) = (Some(&*project.key), "application/json");
    let path = "/api/v1/releases";
    let request = Request { method: "POST", path, bearer, content_type, body: body.as_bytes() };
    Connection::open(server.address).await?.json(&request).await.map(drop)
}

/// Sends the events, the oldest first. Each issue has one at least: they begin one after the other.
async fn send(server: &Server, pool: &Rc<RefCell<Pool>>, size: Size) -> Result<()> {
    let (next, failed) = (Rc::new(Cell::new(0_u64)), Rc::new(RefCell::new(None)));
    let start = now() - SPAN;
    let tasks = LocalSet::new();
    for _ in 0..CONNECTIONS {
        let (next, failed, pool) = (next.clone(), failed.clone(), pool.clone());
        let address = server.address;
        tasks.spawn_local(async move {
            let work = async {
                let mut connection = Connection::open(address).await?;
                while next.get() < size.events {
                    let first = next.replace(next.get() + BATCH);
                    let request = batch(&mut pool.borrow_mut(), first, start, size);
                    loop {
                        match connection.send(&request).await? {
                            202 => break,
                            // The digest has to come after.
                            503 => tokio::time::sleep(std::time::Duration::from_millis(200)).await,
                            status => return Err(format!("a batch was answered {status}").into()),
                        }
                    }
                }
                Ok::<_, Box<dyn std::error::Error>>(())
            };
            if let Err(error) = work.await {
                failed.replace(Some(error));
            }
        });
    }
    tasks.await;
    failed.take().map_or(Ok(()), Err)
}

fn batch(pool: &mut Pool, first: u64, start: u64, size: Size) -> Vec<u8> {
    let mut body = Vec::with_capacity(300 << 10);
    for number in first..(first + BATCH).min(size.events) {
        body.push(if body.is_empty() { b'[' } else { b',' });
        let each = size.events / size.issues as u64;
        let begun = (number / each) as usize;
        let issue = if number % each == 0 { begun } else { pool.any_issue(begun + 1) };
        let timestamp = start + SPAN / 1_000 * (number * 1_000 / size.events);
        let release = (number * RELEASES as u64 / size.events) as usize;
        pool.add(&Moment { issue, timestamp, release }, &mut body);
    }
    body.push(b']');
    let content_type = "application/json";
    Request { method: "POST", path: BATCH_PATH, bearer: None, content_type, body: &body }.bytes()
}

/// Resolves every fifth issue, ignores every tenth, and gives every twentieth to somebody.
async fn change_some(api: &mut Api, project: i64, size: Size) -> Result<()> {
    let me = api.get("/api/v1/me").await?;
    let path = format!("/api/v1/projects/{project}/issues");
    let ids: Vec<usize> = (1..=size.issues).collect();
    for (every, change) in [
        (5, json!({"status": "resolved"})),
        (10, json!({"status": "ignored"})),
        (20, json!({"assignee": me["id"].as_i64().or(me["user"]["id"].as_i64())})),
    ] {
        let chosen: Vec<usize> = ids.iter().copied().filter(|id| id % every == 3 % every).collect();
        for ids in chosen.chunks(CHANGED) {
            let mut body = change.clone();
            body["ids"] = json!(ids);
            api.patch(&path, &body).await?;
        }
    }
    Ok(())
}
