//! Events: from a body through every step to what its page reads.

use super::blowup;
use bytes::Bytes;
use mayday::config::RateLimits;
use mayday::crypto::token::key_hash;
use mayday::digest::apply::{Outcome, Reach, apply};
use mayday::digest::prepare::PreparedEvent;
use mayday::digest::resolve::Resolver;
use mayday::error::Error;
use mayday::event::accepted::{Accepted, Exception};
use mayday::event::record::ERROR;
use mayday::ids::{KeyId, OrganizationId, ProjectId};
use mayday::intake::decode::{self, limits};
use mayday::intake::directory::Directory;
use mayday::intake::store::Pending;
use mayday::issues::texts::Texts;
use mayday::projects::key::{Scope, ValidKey};
use mayday::releases::service::Maps;
use mayday::scrubbing::{Scrubber, Scrubbing};
use mayday::store::{Fatal, Main, Page};
use mayday::time::Timestamp;
use mayday::wire::json::Json;
use mayday::{events, fuzzing, organizations, projects};
use serde_json::{Value, json};
use std::sync::{Arc, LazyLock, mpsc};

/// The key that seeds carry.
const KEY: &str = "pk_fuzz";
const PROJECT: ProjectId = ProjectId(1);
/// 2026-11-18T10:13:20Z.
const NOW: i64 = 1_795_000_000_000;

struct Bench {
    main: Main,
    maps: Arc<Maps>,
    directory: Directory,
    scrubber: Arc<Scrubber>,
    _folder: tempfile::TempDir,
}

static BENCH: LazyLock<Bench> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let main = Main::open(folder.path(), &Fatal::new().0).unwrap();
    let maps = Arc::new(Maps::open(&folder.path().join("sourcemaps"), &main, 50 << 20).unwrap());
    let made = main.write_blocking(|tx| {
        let now = Timestamp::from_millis(NOW);
        let organization = organizations::sql::create(tx, "O", now)?;
        let settings = projects::Settings::default();
        let new = projects::sql::NewProject { organization, name: "P".into(), platform: None, settings };
        projects::sql::create(tx, &new, now)
    });
    assert_eq!(made.unwrap().id, PROJECT);
    let scrubber = Arc::new(Scrubbing::default().compile());
    let scopes = vec![Scope::Ingest];
    let key = ValidKey {
        id: KeyId(1),
        project: PROJECT,
        organization: OrganizationId(1),
        scopes,
        environment: None,
        scrubber: scrubber.clone(),
    };
    let directory = Directory::new(RateLimits::default());
    directory.replace(vec![(key_hash(KEY), key)]);
    Bench { main, maps, directory, scrubber, _folder: folder }
});

pub(crate) fn target(data: &[u8]) {
    let body = fuzzing::mend(Bytes::copy_from_slice(data));
    mended(data, &body);
    let skimmed = decode::find_key(&body);
    match decode::parse(&body) {
        Ok(tree) => {
            let key = decode::take_key(&mut tree.clone());
            assert_eq!(skimmed.expect("what is a tree can be skimmed"), key, "both see the same key");
            one(tree);
        }
        Err(error) => refused(&error),
    }
    doors(&body);
    if data.len().is_multiple_of(61) {
        quick(data);
    }
}

/// What is done to a text grows with its length and no faster.
fn quick(data: &[u8]) {
    let piece = String::from_utf8_lossy(&data[..data.len().min(200)]);
    blowup::check(&piece, |text| {
        let event = json!({"exception": {"message": text, "stack": text}, "extra": {"text": text},
            "url": text, "tags": {"text": text}, "breadcrumbs": [{"data": {"text": text}}]});
        let body = fuzzing::mend(event.to_string().into());
        let mut event =
            decode::event(decode::parse(&body).unwrap(), None, Timestamp::from_millis(NOW)).unwrap();
        BENCH.scrubber.scrub(&mut event);
    });
}

/// Mending changes halves of characters and nothing else.
fn mended(data: &[u8], body: &Bytes) {
    assert_eq!(body.len(), data.len());
    assert_eq!(&fuzzing::mend(body.clone()), body, "once is enough");
    if let Ok(before) = serde_json::from_slice::<Value>(data) {
        assert_eq!(serde_json::from_slice::<Value>(body).unwrap(), before, "what was whole stays");
    }
}

/// The two routes take the same events.
fn doors(body: &[u8]) {
    let (directory, packer) = (&BENCH.directory, &BENCH.main.packer);
    let one = fuzzing::accept(directory, packer, body);
    if let Err(error) = &one {
        refused(error);
    }
    let batch = [b"[", body, b"]"].concat();
    let is_one = decode::parse(body).is_ok_and(|tree| matches!(tree, Json::Object(_)));
    if is_one {
        let taken = fuzzing::accept_batch(directory, packer, &batch).map_or(0, |(taken, _)| taken);
        assert_eq!(taken, usize::from(one.is_ok()), "{:?}", one.err());
    }
    match fuzzing::accept_batch(directory, packer, body) {
        Ok((usable, total)) => assert!(usable <= total && total <= decode::BATCH_EVENTS_MAX),
        Err(error) => refused(&error),
    }
    if let Ok(Some(found)) = decode::batch(body) {
        assert!(found.items.len() <= decode::BATCH_EVENTS_MAX);
        for item in found.items.iter().take(3) {
            if let Ok(tree) = decode::parse(item.get().as_bytes()) {
                self::one(tree);
            }
        }
    }
}

/// Whatever a body is, it is no fault of ours.
fn refused(error: &Error) {
    let is_the_clients = matches!(
        error,
        Error::Malformed(_) | Error::Invalid(_) | Error::Unauthenticated(_) | Error::TooLarge(_)
    );
    assert!(is_the_clients && !error.to_string().is_empty(), "{error:?}");
}

fn one(tree: Json<'_>) {
    let mut event = match decode::event(tree, None, Timestamp::from_millis(NOW)) {
        Ok(event) => event,
        Err(error) => return refused(&error),
    };
    within_limits(&event);
    BENCH.scrubber.scrub(&mut event);
    let json = serde_json::to_vec(&event).unwrap();
    if json.len() > mayday::event::STORED_MAX {
        return;
    }
    let again: Accepted<'_> = serde_json::from_slice(&json).expect("what was accepted can be read");
    same(&serde_json::to_vec(&again).unwrap(), &json, "it is read as it was written");
    let mut twice = again;
    BENCH.scrubber.scrub(&mut twice);
    twice.scrubbed = event.scrubbed;
    same(&serde_json::to_vec(&twice).unwrap(), &json, "scrubbing once is enough");
    digested(&event, &json);
}

/// `serde_json` reads a number of 17 digits to within the last of them; all else is the same.
#[track_caller]
fn same(left: &[u8], right: &[u8], what: &str) {
    if left != right {
        let [left, right] = [left, right].map(|json| serde_json::from_slice::<Value>(json).unwrap());
        assert!(alike(&left, &right), "{what}:\n{left}\n{right}");
    }
}

fn alike(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| alike(left, right))
        }
        (Value::Object(left), Value::Object(right)) => {
            left.len() == right.len()
                && left.iter().all(|(name, value)| right.get(name).is_some_and(|other| alike(value, other)))
        }
        (Value::Number(left), Value::Number(right)) if left.is_f64() && right.is_f64() => {
            let [left, right] = [left, right].map(|number| number.as_f64().unwrap_or_default());
            (left - right).abs() <= 4.0 * f64::EPSILON * left.abs()
        }
        _ => left == right,
    }
}

fn within_limits(event: &Accepted<'_>) {
    let at_most = |text: Option<&str>, most: usize| {
        let length = text.map_or(0, |text| text.chars().count());
        assert!(length <= most, "{length} characters of at most {most}");
    };
    at_most(Some(&event.event_id), limits::EVENT_ID);
    at_most(event.message.as_deref(), limits::MESSAGE);
    at_most(event.release.as_deref(), limits::RELEASE);
    at_most(Some(&event.environment), limits::ENVIRONMENT);
    at_most(event.url.as_deref(), limits::URL);
    at_most(event.user_agent.as_deref(), limits::USER_AGENT);
    at_most(event.trace_id.as_deref(), limits::ID);
    assert!(event.fingerprint.len() <= limits::FINGERPRINT && event.breadcrumbs.len() <= limits::BREADCRUMBS);
    if let Json::Object(tags) = &event.tags {
        assert!(tags.len() <= limits::TAGS, "{} tags", tags.len());
    }
    let free: usize =
        [&event.extra, &event.contexts].iter().map(|part| serde_json::to_vec(part).unwrap().len()).sum();
    // What is left of each is an object: its braces, and `null` for one that is missing.
    assert!(free <= limits::FREE_BYTES + 16, "{free} bytes of free fields");
    let (mut causes, mut next) = (0, event.exception.as_ref());
    while let Some(Exception { stack, frames, message, cause, .. }) = next {
        at_most(stack.as_deref(), limits::STACK);
        at_most(message.as_deref(), limits::MESSAGE);
        assert!(frames.len() <= limits::FRAMES);
        (causes, next) = (causes + 1, cause.as_deref());
    }
    assert!(causes <= limits::CAUSES + 1, "{causes} exceptions");
}

/// What is accepted can be digested, and then be read.
fn digested(event: &Accepted<'_>, json: &[u8]) {
    let payload = BENCH.main.packer.pack(json).unwrap();
    let event_id = event.event_id.clone().into_owned();
    let received_at = event.received_at;
    let (position, form, project) = (1, ERROR, PROJECT);
    let pending = Pending { position, form, project, event_id: event_id.clone(), received_at, payload };
    let (told, read) = mpsc::channel();
    let maps = BENCH.maps.clone();
    let prepare = BENCH.main.readers.read_blocking({
        let (maps, packer, pending) = (maps.clone(), BENCH.main.packer.clone(), pending.clone());
        move |c| {
            let first = PreparedEvent::new(c, &packer, &mut Resolver::new(maps.clone()), &pending)?;
            let second = PreparedEvent::new(c, &packer, &mut Resolver::new(maps), &pending)?;
            assert_eq!(first.fingerprint, second.fingerprint, "an event belongs to one issue");
            Ok(first)
        }
    });
    let prepared = prepare.expect("what was accepted can be digested");
    assert!(!prepared.names().title.is_empty());
    let outcome = Outcome::Prepared(Arc::new((prepared, pending)));
    let written: Result<(), Error> = BENCH.main.write_blocking(move |tx| {
        apply(tx, &Texts::default(), &[outcome], &Reach::UpTo(1))?;
        let event = fuzzing::read_event(tx, maps, PROJECT, &event_id)?;
        let listed = events::sql::list(tx, event.issue_id, None, Page { limit: 1, offset: 0 })?;
        drop(told.send((serde_json::to_value(&event), listed.events.len())));
        // Undone, so that the next one finds an empty project.
        Err(Error::conflict("undone"))
    });
    let (shown, listed) = read.recv().unwrap_or_else(|_| panic!("it cannot be written or read: {written:?}"));
    let shown = shown.expect("an event is JSON");
    assert_eq!(shown["event_id"], *event.event_id);
    assert_eq!(listed, 1);
}
