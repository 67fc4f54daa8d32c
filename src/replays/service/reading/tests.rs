use super::*;
use serde_json::{Value, json};
use std::io::Write as _;
use tempfile::TempDir;

const MOMENT: i64 = 1_700_000_000_000;
const LARGE: &str = "0 recording: The recording is too large to be read whole: \
    steps may be missing, and not all that was clicked is named.";

/// A recording of which each part is a chunk. Times are milliseconds after the moment.
struct Recording {
    files: Files,
    parts: Vec<Part>,
    _directory: TempDir,
}

impl Recording {
    fn of(chunks: &[&[Value]]) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let files = Files::open(directory.path()).unwrap();
        let part = |(place, events): (usize, &&[Value])| part(&files, place as i64, events);
        let parts = chunks.iter().enumerate().map(part).collect();
        Self { files, parts, _directory: directory }
    }

    fn told(&self, limits: Limits) -> Vec<String> {
        let steps = steps_around(&self.files, &self.parts, MOMENT, limits).unwrap().steps;
        let told =
            |step: &Step| format!("{} {}: {}", step.at.millis() - MOMENT, step.kind.as_str(), step.text);
        steps.iter().map(told).collect()
    }
}

fn part(files: &Files, place: i64, events: &[Value]) -> Part {
    let mut file = files.create().unwrap();
    let texts: Vec<String> = events.iter().map(Value::to_string).collect();
    file.write_all(texts.join(",").as_bytes()).unwrap();
    let at = |event: &Value| event["timestamp"].as_i64();
    Part {
        place,
        piece: 0,
        pieces: 1,
        file: Some(files.keep(file.finish().unwrap()).unwrap()),
        first_at: events.first().and_then(at),
        last_at: events.last().and_then(at),
        snapshot_at: events.iter().find(|event| event["type"] == 2).and_then(at),
        received_at: MOMENT,
        is_damaged: false,
    }
}

fn event(at: i64, kind: u8, data: Value) -> Value {
    json!({"type": kind, "timestamp": MOMENT + at, "data": data})
}

/// A page with a button.
fn picture(at: i64, button: &str) -> Value {
    let text = json!({"type": 3, "id": 3, "textContent": button});
    let button = json!({"type": 2, "id": 2, "tagName": "button", "childNodes": [text]});
    event(at, 2, json!({"node": {"type": 0, "id": 1, "childNodes": [button]}}))
}

fn click(at: i64) -> Value {
    event(at, 3, json!({"source": 2, "type": 2, "id": 2}))
}

/// A change of so many bytes.
fn change(at: i64, bytes: usize) -> Value {
    let text = json!({"type": 3, "id": 9, "textContent": "a".repeat(bytes)});
    event(at, 3, json!({"source": 0, "adds": [{"parentId": 1, "nextId": null, "node": text}]}))
}

fn page(at: i64, path: &str) -> Value {
    event(at, 4, json!({"href": format!("https://shop.example{path}")}))
}

#[test]
fn a_large_recording_is_told_up_to_the_error_without_names() {
    let recording = Recording::of(&[
        &[picture(-90_000, "Pay"), change(-85_000, 2_000), click(-84_000)],
        &[click(-50_000), change(-40_000, 8_000), click(-39_000)],
        &[page(-20_000, "/cart"), change(-5_000, 8_000), click(-1_000)],
        &[click(3_000)],
    ]);
    let some = Limits { drawn: 6_000, ..LIMITS };
    let expected = [
        "-50000 click: button \"Pay\"",
        "-39000 click: something unknown",
        "-20000 page: https://shop.example/cart",
        "-1000 click: something unknown",
        LARGE,
    ];
    assert_eq!(recording.told(some), expected);
    let told = recording.told(LIMITS);
    let named = told.iter().filter(|step| step.ends_with("click: button \"Pay\"")).count();
    assert_eq!((told.len(), named), (5, 3), "with a text that was seen: {told:?}");
    let told = recording.told(Limits { all: 12_000, ..some });
    assert_eq!((told.len(), told.last().unwrap().as_str()), (4, LARGE), "{told:?}");
}

#[test]
fn the_first_event_that_is_not_drawn_any_more_is_told() {
    let picture = picture(-90_000, "Pay");
    let drawn = picture.to_string().len() + 20;
    let recording = Recording::of(&[&[picture, click(-50_000), page(-40_000, "/cart")], &[click(3_000)]]);
    let expected = ["-50000 click: something unknown", "-40000 page: https://shop.example/cart", LARGE];
    assert_eq!(recording.told(Limits { drawn, ..LIMITS }), expected);
}

#[test]
fn the_last_picture_before_the_error_gives_the_last_steps_their_names() {
    let recording = Recording::of(&[
        &[picture(-90_000, "Pay"), change(-70_000, 8_000)],
        &[click(-50_000)],
        &[picture(-30_000, "Pay again"), click(-20_000)],
        &[click(3_000)],
    ]);
    let expected = ["-50000 click: something unknown", "-20000 click: button \"Pay again\"", LARGE];
    assert_eq!(recording.told(Limits { drawn: 6_000, ..LIMITS }), expected);
    let whole = ["-50000 click: button \"Pay\"", "-20000 click: button \"Pay again\""];
    assert_eq!(recording.told(LIMITS), whole);
}

#[test]
fn of_too_many_files_the_last_ones_are_read() {
    let recording = Recording::of(&[
        &[picture(-90_000, "Pay")],
        &[click(-50_000)],
        &[click(-40_000)],
        &[click(-30_000)],
        &[click(3_000)],
    ]);
    let told = recording.told(Limits { files: 2, ..LIMITS });
    assert_eq!(told, ["-40000 click: something unknown", "-30000 click: something unknown", LARGE]);
    let told = recording.told(Limits { files: 4, ..LIMITS });
    assert!(told.len() == 3 && told.iter().all(|step| step.ends_with("\"Pay\"")), "{told:?}");
}

#[test]
fn a_part_whose_file_is_missing_or_damaged_is_left_out_and_the_rest_is_told() {
    let unread = format!("0 recording: {UNREAD}");
    let first = "-50000 click: button \"Pay\"";
    let spoilt: [fn(&std::path::Path); 3] = [
        |path| std::fs::remove_file(path).unwrap(),
        |path| std::fs::write(path, "").unwrap(),
        |path| {
            // Of the checksum, which comes last: all events are there before it is compared.
            let mut bytes = std::fs::read(path).unwrap();
            *bytes.last_mut().unwrap() ^= 1;
            std::fs::write(path, bytes).unwrap();
        },
    ];
    for spoil in spoilt {
        let recording = Recording::of(&[
            &[picture(-90_000, "Pay"), click(-50_000)],
            &[click(-40_000)],
            &[page(-30_000, "/cart"), click(3_000)],
        ]);
        spoil(&recording.files.blobs.path(&recording.parts[1].file.unwrap(), "json.zst"));
        assert_eq!(
            recording.told(LIMITS),
            [first, "-30000 page: https://shop.example/cart", unread.as_str()]
        );
    }
}

/// A page on which a text appears in the third chunk, and that is drawn anew in the fourth.
fn redrawn() -> Recording {
    Recording::of(&[
        &[picture(-90_000, "Pay"), click(-50_000)],
        &[event(
            -40_000,
            3,
            json!({"source": 0, "attributes": [{"id": 1, "attributes": {"role": "textbox"}}]}),
        )],
        &[change(-9_000, 3), click(-8_000)],
        &[picture(-7_000, "Pay again"), change(-6_000, 3), click(-5_000)],
        &[click(3_000)],
    ])
}

const REDRAWN: [&str; 3] =
    ["-50000 click: button \"Pay\"", "-6000 seen: aaa", "-5000 click: button \"Pay again\""];

#[test]
fn what_is_on_the_page_is_not_known_after_a_part_that_is_missing_until_the_next_picture() {
    let [before, seen, after] = REDRAWN;
    let unread = format!("0 recording: {UNREAD}");
    let expected = [before, "-8000 click: something unknown", seen, after, unread.as_str()];
    let mut recording = redrawn();
    std::fs::remove_file(recording.files.blobs.path(&recording.parts[1].file.unwrap(), "json.zst")).unwrap();
    assert_eq!(recording.told(LIMITS), expected, "its file is missing");
    recording.parts.remove(1);
    assert_eq!(recording.told(LIMITS), expected, "it never arrived");
    // The first of three pieces, and the last.
    (recording.parts[1].piece, recording.parts[1].pieces) = (2, 3);
    recording.parts[1].place = 0;
    recording.parts[0].pieces = 3;
    recording.parts.iter_mut().skip(2).for_each(|part| part.place -= 2);
    assert_eq!(recording.told(LIMITS), expected, "a piece never arrived");
}

#[test]
fn a_part_without_events_is_not_missing() {
    let [before, seen, after] = REDRAWN;
    let mut recording = redrawn();
    assert_eq!(recording.told(LIMITS), [before, "-8000 click: button", seen, after], "all of it is a field");
    empty(&mut recording.parts[1]);
    let known = [before, "-9000 seen: aaa", "-8000 click: button \"Pay\"", seen, after];
    assert_eq!(recording.told(LIMITS), known);
    // Before those that are read, and after them.
    let mut recording = Recording::of(&[
        &[click(-96_000)],
        &[click(-95_000)],
        &[picture(-90_000, "Pay")],
        &[click(-50_000)],
        &[click(3_000)],
        &[click(4_000)],
    ]);
    for at in [0, 5] {
        empty(&mut recording.parts[at]);
    }
    for files in [LIMITS.files, 1] {
        let told = recording.told(Limits { files, ..LIMITS });
        assert!(
            told[0].starts_with("-50000 click") && !told.iter().any(|step| step.contains(UNREAD)),
            "{told:?}"
        );
    }
}

#[test]
fn files_that_are_found_damaged_are_named_unless_that_is_known() {
    let mut recording = Recording::of(&[&[picture(-90_000, "Pay")], &[click(-40_000)], &[click(-30_000)]]);
    let damaged: Vec<FileName> = recording.parts[1..].iter().map(|part| part.file.unwrap()).collect();
    for file in &damaged {
        std::fs::write(recording.files.blobs.path(file, "json.zst"), "damaged").unwrap();
    }
    recording.parts[2].is_damaged = true;
    let around = steps_around(&recording.files, &recording.parts, MOMENT, LIMITS).unwrap();
    assert_eq!(around.damaged, damaged[..1]);
}

/// Makes it one without events.
fn empty(part: &mut Part) {
    (part.file, part.first_at, part.last_at) = (None, None, None);
}

#[test]
fn nothing_is_told_if_a_file_cannot_be_read_just_then() {
    let recording = Recording::of(&[&[picture(-90_000, "Pay")], &[click(-40_000)]]);
    let path = recording.files.blobs.path(&recording.parts[1].file.unwrap(), "json.zst");
    std::fs::remove_file(&path).unwrap();
    std::fs::create_dir(&path).unwrap();
    assert!(steps_around(&recording.files, &recording.parts, MOMENT, LIMITS).is_err());
}

#[test]
fn a_recording_that_ends_before_the_error_says_so() {
    for (end, expected) in [
        (-70_000, Some("0 recording: The recording that has arrived ends 70 s before the error.")),
        (-4_200, Some("0 recording: The recording that has arrived ends 4 s before the error.")),
        (-300, Some("0 recording: The recording that has arrived ends at the error.")),
        (900, Some("0 recording: The recording that has arrived ends at the error.")),
        (AFTER, None),
    ] {
        let recording = Recording::of(&[&[picture(-90_000, "Pay"), event(end, 9, json!({}))]]);
        assert_eq!(recording.told(LIMITS), expected.into_iter().collect::<Vec<_>>(), "{end}");
    }
    assert!(Recording::of(&[]).told(LIMITS).is_empty());
}
