use super::*;
use crate::event::log_entry::Level;
use crate::scrubbing::{Scrubbing, table};
use serde_json::{Value, json};

fn scrubber() -> Scrubber {
    Scrubbing::default().compile()
}

/// Decodes a body and passes on the result.
fn read<T>(body: &[u8], with: impl FnOnce(&Decoded<'_>) -> T) -> Result<T> {
    open(body)?.decode(&scrubber(), None).map(|decoded| with(&decoded))
}

fn body(entries: &[Value]) -> Vec<u8> {
    json!({"api_key": "pk_1", "logs": entries}).to_string().into_bytes()
}

fn good() -> Value {
    json!({"timestamp": 1_795_000_000.123, "level": "info", "message": "Order 7 placed"})
}

fn with(name: &str, value: Value) -> Value {
    let mut entry = good();
    entry[name] = value;
    entry
}

/// How many entries of a body are accepted and dropped.
fn counts(entries: &[Value]) -> (usize, usize) {
    read(&body(entries), |decoded| (decoded.batch.entries.len(), decoded.dropped)).unwrap()
}

/// The value of a field of a single entry.
fn one<T>(entry: &Value, get: impl FnOnce(&Entry<'_>) -> T) -> T {
    read(&body(std::slice::from_ref(entry)), |decoded| get(&decoded.batch.entries[0])).unwrap()
}

fn refused(body: &str) -> String {
    read(body.as_bytes(), |_| ()).unwrap_err().to_string()
}

#[test]
fn a_batch_may_have_a_hundred_entries() {
    for count in [0, 1, 100] {
        assert_eq!(counts(&vec![good(); count]), (count, 0));
    }
    let sent = body(&vec![good(); 101]);
    assert_eq!(open(&sent).unwrap().key.as_deref(), Some("pk_1"), "the key comes first");
    let message = read(&sent, |_| ()).unwrap_err().to_string();
    assert_eq!(message, "logs: expected at most 100 entries, got 101; nothing was stored");
}

#[test]
fn the_key_is_found_before_anything_is_refused() {
    for (body, key) in [
        (r#"{"logs": 5, "api_key": "a"}"#, Some("a")),
        (r#"{"api_key": "a", "api_key": "\u0062"}"#, Some("b")),
        (r#"{"api_key": 5, "logs": []}"#, None),
        (r#"{"api_key": ["a"]}"#, None),
        ("[]", None),
        ("5", None),
    ] {
        assert_eq!(open(body.as_bytes()).unwrap().key.as_deref(), key, "{body}");
    }
}

#[test]
fn errors_of_the_whole_batch_are_named() {
    assert_eq!(refused("{}"), "logs: missing; expected an array of entries");
    assert_eq!(refused(r#"{"logs": null}"#), "logs: missing; expected an array of entries");
    assert_eq!(refused(r#"{"logs": {"a": 1}}"#), "logs: expected an array of entries, got an object");
    assert_eq!(refused(r#"{"logs": "x"}"#), "logs: expected an array of entries, got the text `x`");
    assert_eq!(refused(r#"{"logs": -5}"#), "logs: expected an array of entries, got the number -5");
    assert_eq!(refused(r#"{"logs": [], "environment": {}}"#), "environment: expected a text, got an object");
    assert_eq!(refused(r#"{"logs": [], "release": 5}"#), "release: expected a text, got the number 5");
    assert!(
        refused(r#"{"logs": [], "release": 1e400}"#).starts_with("release: expected a text, got the number")
    );
}

#[test]
fn bodies_that_are_not_json_in_utf8_are_refused() {
    let bad = [
        &b"{\"logs\": [}"[..],
        b"",
        b"{\"logs\": [NaN]}",
        b"{\"logs\": [{\"timestamp\": NaN}]}",
        b"{} {}",
        b"nul",
    ];
    let cut = br#"{"logs": [{"message": "x"#;
    let not_utf8 = b"{\"logs\": [{\"message\": \"\xff\"}]}";
    let hidden = b"{\"x\": \"\xc3\x28\", \"logs\": []}";
    for body in bad.into_iter().chain([&cut[..], not_utf8, hidden]) {
        let error = open(body).unwrap_err();
        assert!(matches!(error, Error::Malformed(_)), "{error}");
        assert!(error.to_string().starts_with("The body is not JSON: "), "{error}");
    }
}

#[test]
fn only_unusable_entries_are_dropped() {
    let without = |name: &str| {
        let mut entry = good();
        entry.as_object_mut().unwrap().remove(name);
        entry
    };
    let mut unusable = vec![json!(5), json!(null), json!([good()]), json!({}), json!("x")];
    unusable.extend(["timestamp", "level", "message"].map(without));
    for time in [
        json!(null),
        json!(-1),
        json!(-1e300),
        json!(1e300),
        json!("soon"),
        json!(""),
        json!(true),
        json!([1]),
    ] {
        unusable.push(with("timestamp", time));
    }
    unusable.extend(["", "critical", "err"].map(|level| with("level", json!(level))));
    unusable.extend([json!(3), json!(null)].map(|level| with("level", level)));
    unusable.extend([json!(null), json!([]), json!({"a": 1})].map(|message| with("message", message)));
    for entry in &unusable {
        assert_eq!(counts(&[good(), entry.clone(), good()]), (2, 1), "{entry}");
    }
    assert_eq!(counts(&unusable), (0, unusable.len()));
}

#[test]
fn a_number_out_of_range_drops_only_its_entry() {
    for field in ["\"timestamp\": 1e400", "\"attributes\": {\"a\": -1e999}", "\"user\": {\"id\": 1e400}"] {
        let body = format!(
            r#"{{"logs": [{0}, {{"level": "info", "message": "x", "timestamp": 1, {field}}}, {0}]}}"#,
            good()
        );
        assert_eq!(
            read(body.as_bytes(), |decoded| (decoded.batch.entries.len(), decoded.dropped)).unwrap(),
            (2, 1)
        );
    }
}

#[test]
fn times_are_accepted_in_seconds_milliseconds_and_iso() {
    let time = |value: Value| one(&with("timestamp", value), |entry| entry.timestamp);
    assert_eq!(time(json!(1_795_000_000)), 1_795_000_000_000_000);
    for millis in 0..1000 {
        for second in [1, 1_795_000_000] {
            let seconds: f64 = format!("{second}.{millis:03}").parse().unwrap();
            assert_eq!(time(json!(seconds)), (second * 1000 + millis) * 1000, "none is lost");
        }
    }
    for micros in 0..1000 {
        let seconds: f64 = format!("1795000000.123{micros:03}").parse().unwrap();
        assert_eq!(time(json!(seconds)), 1_795_000_000_123_000 + micros);
        let millis: f64 = format!("1795000000123.{micros:03}").parse().unwrap();
        assert_eq!(time(json!(millis)), 1_795_000_000_123_000 + micros);
    }
    assert_eq!(time(json!(1_795_000_000_123_u64)), 1_795_000_000_123_000);
    assert_eq!(time(json!(0)), 0);
    assert_eq!(time(json!("2026-11-21T10:00:00.5Z")), 1_795_255_200_500_000);
    assert_eq!(time(json!("2026-11-21T10:00:00.123456Z")), 1_795_255_200_123_456);
    assert_eq!(time(json!("9999-12-31T23:59:59.999Z")), 253_402_300_799_999_000);
    assert_eq!(time(json!(253_402_300_799_i64)), 253_402_300_799_000_000);
    assert_eq!(counts(&[with("timestamp", json!("10000-01-01T00:00:00Z"))]), (0, 1));
    assert_eq!(counts(&[with("timestamp", json!(253_402_300_800_000_i64))]), (0, 1), "the year 10000");
}

#[test]
fn nesting_and_size_are_limited() {
    let nested = |levels: usize| {
        serde_json::from_str(&format!("{}1{}", "[".repeat(levels), "]".repeat(levels))).unwrap()
    };
    assert_eq!(counts(&[with("attributes", nested(62))]), (1, 0));
    for (name, levels) in [("attributes", 64), ("unknown", 64), ("user", 64), ("attributes", 100)] {
        assert_eq!(counts(&[good(), with(name, nested(levels))]), (1, 1), "{name} {levels}");
    }
    let deep = format!(
        r#"{{"logs": [{}, {{"attributes": {}1{}}}]}}"#,
        good(),
        "{\"a\":".repeat(200),
        "}".repeat(200)
    );
    assert_eq!(read(deep.as_bytes(), |decoded| decoded.dropped).unwrap(), 1);
    let brackets = with("message", json!("[".repeat(500)));
    assert_eq!(counts(&[brackets]), (1, 0), "those of a text do not count");
    let room = limits::ENTRY_BYTES - with("message", json!("")).to_string().len();
    assert_eq!(counts(&[with("message", json!("x".repeat(room)))]), (1, 0));
    assert_eq!(counts(&[with("message", json!("x".repeat(room + 1)))]), (0, 1));
    let wide: serde_json::Map<String, Value> = (0..10_000).map(|key| (key.to_string(), json!(1))).collect();
    assert_eq!(counts(&[good(), with("attributes", Value::Object(wide))]), (1, 1), "over 64 KiB");
    let wide: serde_json::Map<String, Value> = (0..5_000).map(|key| (key.to_string(), json!(1))).collect();
    assert_eq!(counts(&[with("attributes", Value::Object(wide))]), (1, 0));
}

#[test]
fn all_fields_are_read() {
    let entry = json!({"timestamp": 1, "level": "WARNING", "message": "x", "template": "x {y}", "attributes": {"b": 1, "a": [2.0]},
        "trace_id": "t", "span_id": "s", "user": {"id": "u", "email": "e@x.org"}, "account": {"id": 7, "name": "n"},
        "logger_name": "l", "file_path": "f", "line_number": 5, "function_name": "g", "more": [{}]});
    one(&entry, |entry| {
        let texts = [
            &entry.trace_id,
            &entry.span_id,
            &entry.user_id,
            &entry.user_email,
            &entry.account_id,
            &entry.account_name,
            &entry.logger_name,
            &entry.file_path,
            &entry.function_name,
        ];
        assert_eq!(
            texts.map(|text| text.as_deref().unwrap()),
            ["t", "s", "u", "e@x.org", "7", "n", "l", "f", "g"]
        );
        assert_eq!((entry.level, entry.line_number, &*entry.template), (Level::Warn, Some(5), "x {y}"));
        let attributes = entry.attributes.as_ref().unwrap();
        assert!(matches!(attributes, Cow::Borrowed(_)), "as sent");
        assert_eq!(serde_json::from_str::<Value>(attributes).unwrap(), json!({"b": 1, "a": [2.0]}));
    });
    one(&good(), |entry| {
        assert_eq!((entry.timestamp, entry.attributes.is_none()), (1_795_000_000_123_000, true));
        assert_eq!((&*entry.message, &*entry.template), ("Order 7 placed", "Order {number} placed"));
    });
    let shared = |fields: Value| {
        let mut sent = json!({"logs": []});
        sent.as_object_mut().unwrap().append(&mut fields.as_object().unwrap().clone());
        read(sent.to_string().as_bytes(), |decoded| {
            format!("{:?}", (&decoded.batch.environment, &decoded.batch.release))
        })
        .unwrap()
    };
    assert_eq!(shared(json!({"environment": "", "release": ""})), r#"("production", None)"#);
    assert_eq!(shared(json!({"environment": "test", "release": "1"})), r#"("test", Some("1"))"#);
}

#[test]
fn optional_fields_of_the_wrong_type_count_as_missing() {
    let mut entry = good();
    for name in [
        "template",
        "logger_name",
        "file_path",
        "function_name",
        "line_number",
        "user",
        "account",
        "trace_id",
        "span_id",
    ] {
        entry[name] = json!([1]);
    }
    one(&entry, |entry| {
        assert_eq!((entry.line_number, &*entry.template), (None, "Order {number} placed"));
        assert!(entry.logger_name.is_none() && entry.user_id.is_none() && entry.trace_id.is_none());
    });
    for line in [json!(0), json!(-1), json!(1.5), json!(4_294_967_296_u64), json!("5")] {
        assert_eq!(one(&with("line_number", line), |entry| entry.line_number), None);
    }
    for (sent, message) in [(json!(5), "5"), (json!(1.5), "1.5"), (json!(true), "true"), (json!(""), "")] {
        assert_eq!(one(&with("message", sent), |entry| entry.message.to_string()), message);
    }
    assert_eq!(one(&with("trace_id", json!(42)), |entry| entry.trace_id.clone().unwrap().to_string()), "42");
}

#[test]
fn attributes_that_are_not_an_object_are_kept_under_value() {
    let attributes =
        |sent: Value| one(&with("attributes", sent), |entry| entry.attributes.clone().map(Cow::into_owned));
    for (sent, kept) in [
        (json!([1, "a"]), Some(r#"{"value":[1,"a"]}"#)),
        (json!("x"), Some(r#"{"value":"x"}"#)),
        (json!(5), Some(r#"{"value":5}"#)),
        (json!({}), None),
        (json!(null), None),
    ] {
        assert_eq!(attributes(sent).as_deref(), kept);
    }
}

#[test]
fn long_texts_are_cut() {
    let mut entry = good();
    for name in ["template", "logger_name", "file_path", "function_name", "trace_id", "span_id"] {
        entry[name] = json!("é".repeat(10_000));
    }
    entry["user"] = json!({"id": "x".repeat(300), "email": "x".repeat(300)});
    entry["account"] = json!({"id": "x".repeat(300), "name": "x".repeat(300)});
    for field in ["template", "logger_name"] {
        // Together they would exceed the limit of an entry.
        let name = entry[field].clone();
        assert!(name.as_str().unwrap().len() == 20_000);
    }
    entry["file_path"] = json!("é".repeat(300));
    entry["function_name"] = json!("é".repeat(300));
    entry["span_id"] = json!("é".repeat(300));
    entry["trace_id"] = json!("é".repeat(300));
    one(&entry, |entry| {
        let length = |text: &Option<Cow<'_, str>>| text.as_ref().unwrap().chars().count();
        let names = [&entry.logger_name, &entry.file_path, &entry.function_name].map(length);
        let ids = [&entry.trace_id, &entry.span_id, &entry.user_id, &entry.account_id].map(length);
        let identities = [&entry.user_email, &entry.account_name].map(length);
        assert_eq!((names, ids, identities), ([256; 3], [128; 4], [256; 2]));
        assert_eq!(entry.template.chars().count(), 8_192);
    });
}

#[test]
fn secrets_are_removed_everywhere() {
    let mut entry = with("message", json!("paid with 4111 1111 1111 1111 by Bearer abcdefghijklmnop"));
    entry["attributes"] = json!({"password": "hunter2", "card": "4111111111111111", "deep": [{"Api-Key": 5, "ip_address": "10.0.0.1"}], "ok": 1});
    entry["logger_name"] = json!("x 4111 1111 1111 1111");
    entry["user"] = json!({"id": "4111 1111 1111 1111", "email": "4111 1111 1111 1111"});
    let mut sent = entry.clone();
    sent["template"] = json!("paid with 4111 1111 1111 1111 by {x}");
    let all = read(&body(&[entry, sent]), |decoded| {
        assert!(decoded.scrubbed >= 16, "{}", decoded.scrubbed);
        format!("{decoded:?}")
    });
    let all = all.unwrap();
    for secret in ["4111", "hunter2", "abcdefgh", "10.0.0.1", ": 5"] {
        assert!(!all.contains(secret), "{secret} in {all}");
    }
    assert!(all.contains("paid with [Filtered] by {x}") && all.contains(r#"\"ok\":1"#), "{all}");
    assert!(all.contains(r#"template: "paid with [Filtered]"#), "{all}");
}

#[test]
fn ids_of_traces_that_look_like_secrets_stay_as_they_were_sent() {
    for id in ["ghp_0123456789abcdefghijABCDEFGHIJ012345", "Bearer abcdefghijklmnop", "4111111111111111"] {
        let mut entry = with("trace_id", json!(id));
        entry["span_id"] = json!(id);
        read(&body(&[entry]), |decoded| {
            let entry = &decoded.batch.entries[0];
            assert_eq!((entry.trace_id.as_deref(), entry.span_id.as_deref()), (Some(id), Some(id)));
            assert_eq!(decoded.scrubbed, 0);
        })
        .unwrap();
    }
}

/// The table of the events' scrubbing.
#[test]
fn logs_are_scrubbed_like_events() {
    for (sent, left) in table::cases() {
        let mut entry = with("message", json!(sent));
        entry["template"] = json!(sent);
        entry["attributes"] = json!({"a": sent, "deep": [{"b": sent}]});
        entry["user"] = json!({"id": "1", "email": sent});
        one(&entry, |entry| {
            assert_eq!((&*entry.message, &*entry.template), (left, left), "{sent}");
            assert_eq!(entry.user_email.as_deref(), Some(left), "{sent}");
            let attributes: Value = serde_json::from_str(entry.attributes.as_deref().unwrap()).unwrap();
            assert_eq!(attributes, json!({"a": left, "deep": [{"b": left}]}), "{sent}");
        });
    }
}

#[test]
fn attribute_names_are_scrubbed_and_shared_fields_are_not() {
    let token = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
    let mut entry = good();
    entry["attributes"] =
        json!({token: 1, "headers": [["Cookie", "a=b"]], "har": {"name": "X-Api-Key", "value": "x"}});
    let sent =
        json!({"environment": format!("{token}"), "release": "Bearer abcdefghijklmnop", "logs": [entry]})
            .to_string();
    read(sent.as_bytes(), |decoded| {
        let Batch { environment, release, entries } = &decoded.batch;
        assert_eq!((&**environment, release.as_deref()), (token, Some("Bearer abcdefghijklmnop")));
        let attributes: Value = serde_json::from_str(entries[0].attributes.as_deref().unwrap()).unwrap();
        let left = json!({"[Filtered]": 1, "headers": [["Cookie", "[Filtered]"]], "har": {"name": "X-Api-Key", "value": "[Filtered]"}});
        assert_eq!((attributes, decoded.scrubbed), (left, 3));
    })
    .unwrap();
}
