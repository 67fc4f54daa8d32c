use super::*;

/// An entry with only the required fields.
pub(crate) fn plain(message: &str) -> Entry<'_> {
    Entry {
        timestamp: 1_795_000_000_123_456,
        level: Level::Info,
        message: message.into(),
        template: message.into(),
        attributes: None,
        trace_id: None,
        span_id: None,
        user_id: None,
        user_email: None,
        account_id: None,
        account_name: None,
        logger_name: None,
        file_path: None,
        function_name: None,
        line_number: None,
    }
}

fn full() -> Entry<'static> {
    Entry {
        level: Level::Fatal,
        template: "Order {id} failed".into(),
        attributes: Some(r#"{"order":{"id":7},"tags":["a","b"]}"#.into()),
        trace_id: Some("4bf92f35".into()),
        span_id: Some("00f0".into()),
        user_id: Some("42".into()),
        user_email: Some("ann@example.org".into()),
        account_id: Some("7".into()),
        account_name: Some("Acme".into()),
        logger_name: Some("shop.orders".into()),
        file_path: Some("src/orders.rs".into()),
        function_name: Some("place".into()),
        line_number: Some(u32::MAX),
        ..plain("Order 7 failed: “é”")
    }
}

#[test]
fn entries_are_read_as_written_without_copying() {
    let batch = Batch {
        environment: "production".into(),
        release: Some("1.2.3".into()),
        entries: vec![full(), plain(""), Entry { timestamp: 253_402_300_799_999_999, ..full() }],
    };
    let stored = postcard::to_allocvec(&batch).unwrap();
    let read: Batch<'_> = postcard::from_bytes(&stored).unwrap();
    assert_eq!(read, batch);
    let entry = &read.entries[0];
    let texts = [&entry.attributes, &entry.trace_id, &entry.user_email, &entry.function_name, &read.release];
    assert!(texts.iter().all(|text| matches!(text, Some(Cow::Borrowed(_)))), "{texts:?}");
    assert!(matches!((&entry.message, &read.environment), (Cow::Borrowed(_), Cow::Borrowed(_))));
    assert!(postcard::from_bytes::<Batch<'_>>(&stored[..stored.len() - 1]).is_err());
}

#[test]
fn levels_are_parsed_in_any_case_and_ordered() {
    for (number, level) in Level::ALL.into_iter().enumerate() {
        assert_eq!(level as usize, number);
        assert_eq!(Level::parse(&level.as_str().to_uppercase()), Some(level));
        assert_eq!(serde_json::to_value(level).unwrap(), level.as_str());
    }
    assert_eq!(Level::parse("Warning"), Some(Level::Warn));
    for wrong in ["", "err", "warnings", "info ", "critical"] {
        assert_eq!(Level::parse(wrong), None, "{wrong}");
    }
    assert!(Level::Trace < Level::Fatal);
}
