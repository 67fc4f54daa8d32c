//! Whoever loses access gets no more data: each way to lose it × each answer that stays open.

mod expiry;
mod places;
mod streams;
mod ways;

use crate::report::{Outcome, Report, broken, ensure, kept, sabotage};
use crate::support::Value;
use crate::support::server::{RunToEnd as _, command};
use places::{Place, busy};
use std::collections::BTreeSet;
use streams::{Open, STREAMS};
use ways::{ONE_TOO_MANY, OTHERS, Prepared, Reader, WAYS, Way};

/// Each of these ways, in turn, in a busy project of one instance.
fn revoked<'a>(place: &Place, ways: impl IntoIterator<Item = &'a Way>) -> Outcome {
    place.export_is_whole()?;
    let (mut taken, mut closed) = (0, 0);
    for way in ways {
        // Not while the project is busy: a hundred sign-ins would take minutes.
        let prepared = (way.prepare)(place);
        closed += busy(place, || lose(place, way, prepared))
            .map_err(|violation| format!("{}: {violation}", way.what))?;
        taken += 1;
    }
    Ok(Report::default().with("ways", taken).with("streams that ended", closed))
}

/// Opens every stream as each of the readers, then revokes their access; returns how many streams ended.
fn lose(place: &Place, way: &Way, (readers, take_away): Prepared<'_>) -> Result<usize, String> {
    let mut open: Vec<(&str, &str, Open)> = Vec::new();
    for Reader { by, client } in &readers {
        for (stream, kind) in STREAMS.into_iter().filter(|(_, kind)| way.ends(by, *kind)) {
            open.push((by, stream, Open::new(place, client, kind)?));
        }
    }
    let mut kept = place.open_as_keeper()?;
    take_away();
    // The keeper gets what is sent from now on, and nobody else.
    let mark = place.mark();
    if let Some(mark) = &mark {
        kept.iter_mut().try_for_each(|stream| stream.until(mark))?;
    }
    let count = open.len();
    for (by, stream, open) in open {
        open.ends_without(mark.as_ref()).map_err(|violation| format!("{stream}, by {by}: {violation}"))?;
    }
    Ok(count)
}

/// Operations of the API document and commands that change something and are in neither table, streams that are not
/// tested, and table entries without an operation.
fn uncovered(document: &Value, help: &str) -> BTreeSet<String> {
    let (mut changes, mut streams) = (BTreeSet::new(), BTreeSet::new());
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let name = format!("{} {path}", method.to_uppercase());
            let content = operation["responses"]["200"]["content"].as_object();
            if content.is_some_and(|content| content.keys().any(|kind| is_streamed(kind))) {
                streams.insert(name.clone());
            }
            if method != "get" || path.ends_with("/callback") {
                changes.insert(name);
            }
        }
    }
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1).map_while(|line| {
        let name = line.strip_prefix("  ")?.split(' ').next()?;
        Some(format!("mayday user {name}"))
    });
    changes.extend(commands);
    let cases: BTreeSet<String> = WAYS.iter().map(|way| way.by).chain(OTHERS).map(str::to_owned).collect();
    let read: BTreeSet<String> = STREAMS.iter().map(|(stream, _)| (*stream).to_owned()).collect();
    let differ = changes.symmetric_difference(&cases).chain(streams.symmetric_difference(&read));
    differ.cloned().collect()
}

fn is_streamed(content_type: &str) -> bool {
    ["text/event-stream", "application/x-ndjson"].contains(&content_type)
}

fn covered(change: impl FnOnce(&mut Value)) -> Outcome {
    let server = crate::support::Server::start();
    let mut document = server.anonymous().get("/api/openapi.json").send().expect(200);
    change(&mut document);
    let help = String::from_utf8(command(["user", "--help"]).run().stdout).unwrap();
    let uncovered = uncovered(&document, &help);
    ensure(uncovered.is_empty(), || format!("not in the tables: {uncovered:?}"))?;
    Ok(Report::default().with("ways", WAYS.len()).with("streams", STREAMS.len()))
}

#[test]
fn every_operation_and_every_stream_has_its_case() {
    kept(covered(|_| ()));
}

#[test]
fn an_operation_or_a_stream_without_a_case_is_noticed() {
    let added = |path: &str, method: &str, answers: Value| {
        broken(covered(|document| document["paths"][path][method] = answers), path);
    };
    added("/api/v1/passkeys/{passkey_id}", "delete", Value::Null);
    let streamed = crate::support::json!({"responses": {"200": {"content": {"text/event-stream": {}}}}});
    added("/api/v1/projects/{project_id}/replays", "get", streamed);
}

/// The ways for one organization, without the one that takes a hundred sign-ins.
fn short_ways() -> impl Iterator<Item = &'static Way> {
    WAYS.iter().filter(|way| !way.of_many && way.by != ONE_TOO_MANY)
}

/// The first test takes so many, so that both tests take equally long.
const FIRST: usize = 6;

#[test]
fn whoever_loses_access_gets_no_more_data() {
    let place = Place::of_one_organization(&[]);
    kept(revoked(&place, short_ways().take(FIRST)));
}

#[test]
fn whoever_loses_access_in_the_other_ways_gets_no_more_data() {
    let place = Place::of_one_organization(&[]);
    kept(revoked(&place, short_ways().skip(FIRST)));
}

#[test]
fn the_oldest_of_too_many_sessions_gets_no_more_data() {
    let place = Place::of_one_organization(&[]);
    kept(revoked(&place, WAYS.iter().filter(|way| way.by == ONE_TOO_MANY)));
}

#[test]
fn whoever_loses_access_to_one_of_many_organizations_gets_no_more_of_its_data() {
    let place = Place::of_many_organizations(&[]);
    kept(revoked(&place, WAYS.iter().filter(|way| way.of_many)));
}

#[test]
fn streams_without_revocations_are_noticed() {
    let place = Place::of_one_organization(&sabotage("streams_are_not_told"));
    broken(revoked(&place, &WAYS[..1]), "was sent what came afterwards");
}

#[test]
fn access_that_never_ends_is_noticed() {
    let place = Place::of_one_organization(&sabotage("access_for_ever"));
    let (readers, take_away) = (WAYS[0].prepare)(&place);
    let export = Open::new(&place, &readers[0].client, streams::Kind::Export).unwrap();
    take_away();
    broken(export.ends_without(None).map(|()| Report::default()), "came to its end");
}
