use super::*;
use crate::scrubbing::Scrubbing;

fn gzip(plain: &str) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(plain.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

fn written(body: &str) -> Result<(String, Summary, u32)> {
    let mut out = Vec::new();
    let scrubber = Scrubbing::default().compile();
    let (summary, scrubbed) = write_events(Encoding::Gzip, &gzip(body), &scrubber, &mut out)?;
    Ok((String::from_utf8(out).unwrap(), summary, scrubbed))
}

fn refused(body: &str) -> String {
    match head(Encoding::Gzip, &gzip(body)).and_then(|_| written(body)) {
        Err(error) => error.to_string(),
        Ok(done) => panic!("{done:?}"),
    }
}

const EVENTS: &str = r#"[
    {"type":4,"timestamp":1000,"data":{"href":"https://shop.example/cart","width":800}},
    {"type":2,"timestamp":1001,"data":{"node":{"attributes":{"type":"password","value":"hunter2"}}}},
    {"type":3,"timestamp":1500.5,"data":{"source":2,"type":2,"id":4}},
    {"type":3,"timestamp":1400,"data":{"source":0,"type":2}}]"#;

#[test]
fn the_fields_are_read_wherever_they_are() {
    for body in [
        format!(r#"{{"api_key":"k","events":{EVENTS},"window_id":"w\u0041"}}"#),
        format!(r#"{{"events":{EVENTS},"api_key":"k","window_id":"w\u0041"}}"#),
    ] {
        assert_eq!(head(Encoding::Gzip, &gzip(&body)).unwrap(), r#"{"api_key":"k","window_id":"w\u0041"}"#);
    }
}

#[test]
fn events_are_counted_scrubbed_and_written_in_order() {
    let (text, summary, scrubbed) = written(&format!(r#"{{"events":{EVENTS}}}"#)).unwrap();
    let events: Vec<serde_json::Value> = serde_json::from_str(&format!("[{text}]")).unwrap();
    assert_eq!(events.len(), 4);
    assert_eq!(events[1]["data"]["node"]["attributes"]["value"], "[Filtered]");
    assert_eq!(scrubbed, 1);
    let expected = Summary {
        events: 4,
        clicks: 1,
        urls: vec!["https://shop.example/cart".into()],
        has_full_snapshot: true,
        snapshot: Some(1001),
        first: Some(1000),
        last: Some(1500),
        stored_bytes: 0,
        plain_bytes: text.len() as i64 - 3,
    };
    assert_eq!(summary, expected);
}

#[test]
fn pages_are_those_that_were_loaded_and_those_that_the_client_went_to_without_loading() {
    let page = |kind: u8, data: &str| format!(r#"{{"type":{kind},"timestamp":1000,"data":{data}}}"#);
    let went =
        |to: &str| page(5, &format!(r#"{{"tag":"mayday.navigation","payload":{{"from":"/","to":{to}}}}}"#));
    let events = [
        page(4, r#"{"href":"https://shop.example/cart"}"#),
        went(r#""https:\/\/shop.example/pay""#),
        page(4, r#"{"href":"https://shop.example/pay"}"#),
        page(5, r#"{"tag":"mayday.console","payload":{"to":"https://shop.example/console"}}"#),
        page(5, r#"{"tag":"mayday.navigation"}"#),
        went("7"),
        went(r#""""#),
        page(4, r#"{"href":""}"#),
        page(5, "null"),
        went(r#""https://shop.example/thanks""#),
    ];
    let urls = written(&format!(r#"{{"events":[{}]}}"#, events.join(","))).unwrap().1.urls;
    let expected = ["cart", "pay", "thanks"].map(|path| format!("https://shop.example/{path}"));
    assert_eq!(urls, expected);
}

#[test]
fn events_that_are_not_rrwebs_are_named() {
    let events = |events: &str| format!(r#"{{"events":{events}}}"#);
    let deep = format!("{}1{}", "[".repeat(300), "]".repeat(300));
    for (body, part) in [
        (events(r#"[{"type":4,"timestamp":1}, 5]"#), "events[1]: expected an event of rrweb"),
        (events(r#"[{"type":7,"timestamp":1}]"#), "events[0]"),
        (events(r#"[{"type":3,"timestamp":"now"}]"#), "events[0]"),
        (events(r#"[{"type":3,"timestamp":1e300}]"#), "events[0]"),
        (events(r#"[{"timestamp":1}]"#), "events[0]"),
        (events(r#"[{"type":3,"timestamp":1},{"type":3,"timestamp":3700000}]"#), "at most 60 minutes"),
        (events(&format!(r#"[{{"type":3,"timestamp":1,"data":{deep}}}]"#)), "deeper than 256 levels"),
        (events("{}"), "an array of rrweb events"),
        ("[]".to_owned(), "expected an object"),
        ("{}".to_owned(), "events: missing"),
        (r#"{"events":[],"events":[]}"#.to_owned(), "given twice"),
        (r#"{"events":[{"type":3,"timestamp":1}"#.to_owned(), "not JSON"),
        (format!(r#"{{"x":"{}","events":[]}}"#, "y".repeat(300 << 10)), "more than 256 KiB"),
    ] {
        let text = refused(&body);
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn a_body_is_never_unpacked_whole() {
    let event = format!(r#"{{"type":3,"timestamp":1,"data":"{}"}}"#, " ".repeat(1 << 20));
    let body = format!(r#"{{"events":[{}]}}"#, vec![event; 101].join(","));
    assert!(matches!(head(Encoding::Gzip, &gzip(&body)), Err(Error::TooLarge(_))));
    let large = format!(r#"{{"events":[{{"type":3,"timestamp":1,"data":"{}"}}]}}"#, " ".repeat(17 << 20));
    assert!(refused(&large).contains("16 MiB"));
}

#[test]
fn bodies_that_cannot_be_decompressed_are_malformed() {
    assert!(matches!(head(Encoding::Gzip, b"\x1f\x8bnonsense"), Err(Error::Malformed(_))));
    assert!(matches!(head(Encoding::Identity, b"\xff{}"), Err(Error::Malformed(_))));
}
