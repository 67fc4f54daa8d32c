//! Recordings as they are stored: read event by event, and told as steps to those who cannot watch them.

use super::steer;
use mayday::replays::steps::{AFTER, BEFORE, Event, Events, STEPS_MAX, Step, StepKind, Walk};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use std::io::{self, Read};

/// The moment of most recordings here, in milliseconds since the epoch.
const MOMENT: i64 = 1_700_000_000_000;
/// Characters of a step.
const TEXT_MAX: usize = 300;
/// What is entered, and what stands in addresses where secrets do.
const SECRET: &str = "hush-7Zq";
/// The name of what is not known.
const UNKNOWN: &str = "something unknown";
/// Nodes of the page, of which a recording may have others, and texts, of which it has none.
const PAGE: i64 = 1;
const FIELD: i64 = 2;
const EDITOR: i64 = 3;
const TEXTS: i64 = 9_007_199_000_000;

/// The first byte says around which moment, and how much is read at once and may be read of an event.
pub(crate) fn target(data: &[u8]) {
    let ([how], recording) = steer(data);
    let (size, most) = (1 + usize::from(how % 16) * 37, 16_usize << (how / 16));
    let moment = match how {
        0 => i64::MIN,
        1 => i64::MAX,
        _ => MOMENT,
    };
    let events = read(recording, recording.len().max(1), usize::MAX);
    assert!(read(recording, size, usize::MAX) == events, "they do not depend on how much is read at once");
    let shorter: Vec<Event> = read(recording, size, most);
    assert_eq!(shorter.len(), events.len());
    assert!(shorter.iter().zip(&events).all(|(one, whole)| *one == limited(whole, most)), "{shorter:?}");
    of_array(recording, &events);
    undrawn(&events, moment);
    let has_secret = recording.windows(SECRET.len()).any(|bytes| bytes == SECRET.as_bytes());
    drawn(&events, moment, has_secret);
}

/// A recording of which so many bytes are read at once.
struct Pieces<'r> {
    rest: &'r [u8],
    size: usize,
}

impl Read for Pieces<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let most = self.size.min(into.len());
        self.rest.read(&mut into[..most])
    }
}

fn read(recording: &[u8], size: usize, most: usize) -> Vec<Event> {
    let mut events = Events::new(Pieces { rest: recording, size });
    let mut all = Vec::new();
    while let Some(event) = events.read(most).expect("it is in memory") {
        all.push(event);
    }
    assert_eq!(events.used(), recording.len() as u64);
    all
}

/// An event where it may have so many bytes.
fn limited(event: &Event, most: usize) -> Event {
    match event {
        Event::Whole(bytes) if bytes.len() <= most => Event::Whole(bytes.clone()),
        _ => Event::TooLong,
    }
}

/// The objects of an array, which is how recordings are sent, are its events.
fn of_array(recording: &[u8], events: &[Event]) {
    let Ok(items) = serde_json::from_slice::<Vec<&RawValue>>(recording) else { return };
    if items.iter().all(|item| item.get().starts_with('{')) {
        let expected = items.iter().map(|item| Event::Whole(item.get().as_bytes().to_vec()));
        assert!(expected.eq(events.iter().map(|event| limited(event, usize::MAX))), "{events:?}");
    }
}

fn go(walk: &mut Walk, events: &[Event]) {
    for event in events {
        if let Event::Whole(event) = event {
            walk.take(event.clone());
        }
    }
}

/// Where the page is not followed, nothing on it is told.
fn undrawn(events: &[Event], moment: i64) {
    let mut walk = Walk::new(moment);
    walk.set_drawn(false);
    go(&mut walk, events);
    let steps = walk.steps();
    bounded(&steps, moment);
    for step in &steps {
        match step.kind {
            StepKind::Seen => panic!("{step:?}"),
            StepKind::Click => assert_eq!(step.text, UNKNOWN),
            StepKind::Input => assert!(step.text.starts_with(UNKNOWN), "{step:?}"),
            _ => {}
        }
    }
}

/// Whatever the recording has made of the page, no secret is told; and nothing has a name after a part that is missing.
fn drawn(events: &[Event], moment: i64, has_secret: bool) {
    let mut walk = Walk::new(moment);
    go(&mut walk, events);
    for event in secrets() {
        walk.take(event.to_string().into_bytes());
    }
    walk.forget();
    walk.take(click(PAGE).to_string().into_bytes());
    let steps = walk.steps();
    bounded(&steps, moment);
    if moment == MOMENT {
        let last = steps.last().expect("the click");
        assert_eq!((last.kind, last.text.as_str()), (StepKind::Click, UNKNOWN));
        assert!(has_secret || steps.iter().all(|step| !step.text.contains(SECRET)), "{steps:?}");
    }
}

fn bounded(steps: &[Step], moment: i64) {
    assert!(steps.len() <= STEPS_MAX, "{} steps", steps.len());
    for step in steps {
        let length = step.text.chars().count();
        assert!(length <= TEXT_MAX && !step.text.contains(char::is_control), "{step:?}");
        if moment == MOMENT {
            assert!((MOMENT - BEFORE..=MOMENT + AFTER).contains(&step.at.millis()), "{step:?}");
        }
        // Of what was entered, only the length is told, unless that was cut or nothing was.
        if step.kind == StepKind::Input && !step.text.ends_with([':', '…']) {
            let entered = step.text.rsplit(": ").next().unwrap_or_default();
            assert!(entered.chars().all(|c| matches!(c, '*' | ' ')), "{step:?}");
        }
    }
}

fn event(kind: u8, data: &Value) -> Value {
    json!({"type": kind, "timestamp": MOMENT, "data": data})
}

fn click(id: i64) -> Value {
    event(3, &json!({"source": 2, "type": 2, "id": id}))
}

fn add(parent: i64, node: &Value) -> Value {
    event(3, &json!({"source": 0, "adds": [{"parentId": parent, "nextId": null, "node": node}]}))
}

/// Events that have the secret in all places where it must not be told.
fn secrets() -> Vec<Value> {
    let address = format!("https://ada:{SECRET}@shop.example/pay?code={SECRET}#{SECRET}");
    let text = |id: i64| json!({"type": 3, "id": id, "textContent": SECRET});
    let note = |tag: &str, payload: &Value| event(5, &json!({"tag": tag, "payload": payload}));
    let area = json!({"type": 2, "id": FIELD, "tagName": "textarea", "childNodes": [text(TEXTS)]});
    let editable = json!([{"id": EDITOR, "attributes": {"contenteditable": "true"}}]);
    vec![
        event(4, &json!({"href": address})),
        note("mayday.navigation", &json!({"to": address})),
        note("mayday.console", &json!({"level": "error", "message": format!("POST {address} failed")})),
        note("mayday.network", &json!({"method": "POST", "url": address, "status": 500})),
        add(PAGE, &area),
        event(3, &json!({"source": 5, "id": FIELD, "text": SECRET})),
        click(FIELD),
        add(PAGE, &json!({"type": 2, "id": EDITOR, "tagName": "div"})),
        event(3, &json!({"source": 0, "attributes": editable})),
        add(EDITOR, &text(TEXTS + 1)),
        click(EDITOR),
    ]
}
