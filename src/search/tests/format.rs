//! The format number covers everything by which entries are found.

use crate::event::log_batch::Plain;
use crate::event::log_entry::Entry;
use crate::event::log_entry::tests::plain;
use crate::ids::ProjectId;
use crate::search::document::{Document, SharedDocument, Value};
use crate::search::facts::facts;
use crate::search::fields::{EntryId, FORMAT, Fields};
use crate::search::terms::write_fact;
use crate::search::words::indexed;
use std::sync::Arc;
use tantivy::Document as _;
use tantivy::schema::Field;

/// The format, and the hash of what it makes of the entry and the texts below.
const KNOWN: (u32, &str) = (8, "44b939722b5dec99");

const TEXTS: [&str; 14] = [
    "User_created: id=42, HTTP/2 'ok' ann@example.org a-b 1.5e3",
    "HTTPSConnectionPool readTimeout iOS",
    "\"->\" != *** () 1 -- 2",
    "🔥 ⚠️ 5 € № 1️⃣ Acme™",
    "Straße ΣΊΣΥΦΟΣ İ ﬁx ＡＢＣ ſ",
    "cafe\u{301} café É9 Ошибка ёлка",
    "\u{1b}[31mpay\u{1b}[0mment \u{1b}]8;;https://x.example\u{1b}\\log\u{1b}]8;;\u{1b}\\",
    "결제가 실패했습니다 \u{1100}\u{1161}\u{11a8}",
    "東京abc都 データ失敗 ﾃﾞｰﾀ が",
    "กำลัง ခ ភាសា ລາວ",
    "שָׁלוֹם مُحَمَّدٌ أحمد",
    "की क्षेत्र தமிழ்",
    "so\u{ad}ft zero\u{200d}width",
    "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz",
];

#[test]
fn a_changed_analysis_needs_a_new_format_number() {
    let mut hash = blake3::Hasher::new();
    for text in TEXTS {
        indexed(text, |word, place| {
            hash.update(format!("{word} {place}\n").as_bytes());
        });
    }
    let entry = Entry {
        trace_id: Some("4BF92F35-77b3-4da6-a3ce-929d0e0e4736".into()),
        span_id: Some("00f067aa0ba902b7".into()),
        user_id: Some("Ünal".into()),
        logger_name: Some("Shop.DB".into()),
        attributes: Some(
            r#"{"order":{"id":7,"Paid":true},"tags":["A","é"],"none":null,"n":[2.0,1e21]}"#.into(),
        ),
        ..plain("Order 7")
    };
    facts("Production", Some("V1"), &entry, |field, value| {
        let mut term = Vec::new();
        write_fact(&mut term, field, value);
        hash.update(&term).update(b"\n");
    });
    let hash = &hash.finalize().to_hex()[..16];
    assert_eq!((FORMAT, hash), KNOWN, "other words or facts are another format: raise FORMAT, then this");
}

/// Indexes without these names would be opened as if no entry had the field.
#[test]
fn the_fields_of_an_entry_are_one_term_without_those_of_every_entry() {
    let (_, fields) = Fields::schema();
    let entry = Entry {
        user_id: Some("1".into()),
        user_email: Some("ann@example.org".into()),
        attributes: Some(r#"{"b":[{"c":true,"d":1},{"c":2}],"a":[1,2]}"#.into()),
        ..plain("x")
    };
    let batch = Plain::new("production", None, std::slice::from_ref(&entry)).unwrap();
    let mut document = Document::new(fields, Arc::default());
    document.fill(ProjectId(1), EntryId::new(1, 0), &batch, &entry);
    let document = SharedDocument(Arc::new(document));
    let names = |(field, value): (Field, Value<'_>)| match value {
        Value::Bytes([0, names @ ..]) if field == fields.facts => {
            Some(String::from_utf8_lossy(names).into_owned())
        }
        _ => None,
    };
    let sets: Vec<_> = document.iter_fields_and_values().filter_map(names).collect();
    assert_eq!(sets, ["attributes.a\0attributes.b.c\0attributes.b.d\0environment\0user"]);
}
