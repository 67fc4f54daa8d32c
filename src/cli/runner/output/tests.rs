use super::*;
use std::sync::Arc;

fn all(outbox: &Outbox) -> Vec<Entry> {
    outbox.close();
    let mut entries = Vec::new();
    while let Some(batch) = outbox.next(Duration::from_secs(1)) {
        outbox.sent(batch.len());
        entries.extend(batch);
    }
    entries
}

/// Returns its bytes in pieces of a given size.
struct Slow<'a>(&'a [u8], usize);
impl Read for Slow<'_> {
    fn read(&mut self, to: &mut [u8]) -> std::io::Result<usize> {
        let count = self.1.min(self.0.len()).min(to.len());
        to[..count].copy_from_slice(&self.0[..count]);
        self.0 = &self.0[count..];
        Ok(count)
    }
}

fn pumped(bytes: &[u8], secrets: &[&str], piece: usize) -> String {
    let (outbox, masker) = (Outbox::default(), Masker::new(secrets.iter().map(|one| (*one).to_owned())));
    pump(Slow(bytes, piece), Stream::Stdout, &masker, &outbox, |_| None);
    let entries = all(&outbox);
    assert!(entries.iter().all(|entry| entry.content.len() <= ENTRY_MAX), "a long entry");
    entries.into_iter().map(|entry| entry.content).collect()
}

#[test]
fn output_arrives_unchanged_whatever_its_pieces() {
    let text = "eins\nzwei äöü €\n\nlast without an end".repeat(50);
    for piece in [1, 2, 3, 7, 100, 100_000] {
        assert_eq!(pumped(text.as_bytes(), &[], piece), text, "{piece}");
    }
    let long = "x€".repeat(200_000);
    assert_eq!(pumped(long.as_bytes(), &[], 4_096), long);
}

#[test]
fn hidden_output_is_counted_as_well() {
    let (outbox, masker) = (Outbox::default(), Masker::new([]));
    pump(&b"thinking\nhello\n"[..], Stream::Stdout, &masker, &outbox, |line| {
        line.starts_with("thinking").then(Vec::new)
    });
    outbox.say("Of the runner's own");
    assert_eq!(outbox.written().load(Ordering::Relaxed), 15);
}

#[test]
fn secrets_are_masked_across_pieces_and_in_unfinished_lines() {
    let secret = "sk-very-secret-0123456789";
    for piece in [1, 5, 13, 1_000] {
        let masked = pumped(format!("key={secret}\nand {secret}{secret} end").as_bytes(), &[secret], piece);
        assert_eq!(masked, "key=[masked]\nand [masked][masked] end", "{piece}");
    }
    let endless = format!("{}{secret}", "y".repeat(997)).repeat(100);
    let masked = pumped(endless.as_bytes(), &[secret], 777);
    assert_eq!(masked.matches(MASK).count(), 100);
    assert!(!masked.contains("secret"), "a part of it");
    // A secret within another, one with two lines, and one that is too short.
    assert_eq!(pumped(b"abcdef-ghijkl x", &["abcdef", "abcdef-ghijkl", "x"], 100), "[masked] x");
    assert_eq!(pumped(b"first1 second2", &["first1\nsecond2"], 100), "[masked] [masked]");
}

#[test]
fn invalid_utf8_is_replaced() {
    assert_eq!(pumped(b"a\xff\xfeb\n", &[], 100), "a\u{fffd}\u{fffd}b\n");
}

#[test]
fn the_beginning_and_end_of_endless_output_are_kept() {
    let outbox = Arc::new(Outbox::default());
    let sender = outbox.clone();
    let sending = std::thread::spawn(move || {
        let (mut bytes, mut last, mut notes) = (0, String::new(), 0);
        while let Some(batch) = sender.next(Duration::from_secs(5)) {
            sender.sent(batch.len());
            notes += batch.iter().filter(|entry| entry.role == Role::System).count();
            bytes += batch.iter().map(|entry| entry.content.len()).sum::<usize>();
            last = batch.last().map(|entry| entry.content.clone()).unwrap_or(last);
        }
        (bytes, last, notes)
    });
    let line = "z".repeat(1_000);
    for number in 0..20_000 {
        let content = format!("{number} {line}");
        outbox.push(Entry::said(Role::Agent, Some(Stream::Stdout), content));
    }
    outbox.close();
    let (bytes, last, notes) = sending.join().unwrap();
    assert!(bytes > SENT_MAX && bytes < SENT_MAX + (1 << 20), "{bytes}");
    assert!(last.starts_with("19999 "), "{last}");
    assert_eq!(notes, 1, "it is said that something is left out");
}

#[test]
fn a_writer_blocks_while_nothing_is_sent_and_continues_when_the_session_is_lost() {
    let outbox = Arc::new(Outbox::default());
    let writer = outbox.clone();
    let writing = std::thread::spawn(move || {
        for _ in 0..3_000 {
            writer.say("w".repeat(1_000));
        }
    });
    while outbox.state().bytes < QUEUE_MAX {
        std::thread::yield_now();
    }
    assert!(!writing.is_finished());
    assert!(outbox.state().bytes <= QUEUE_MAX + 1_000);
    outbox.lose();
    writing.join().unwrap();
    assert_eq!(outbox.next(Duration::ZERO), None);
}

#[test]
fn a_dialect_decides_what_a_line_becomes() {
    let outbox = Outbox::default();
    let dialect = |line: &str| {
        let content = line.strip_prefix("tool ")?.to_owned();
        Some(vec![Entry::said(Role::Tool, None, content)])
    };
    pump(&b"plain\ntool ls\nmore\ntool end"[..], Stream::Stdout, &Masker::default(), &outbox, dialect);
    let entries: Vec<(Role, String)> = all(&outbox).into_iter().map(|e| (e.role, e.content)).collect();
    let agent = |text: &str| (Role::Agent, text.to_owned());
    let tool = |text: &str| (Role::Tool, text.to_owned());
    assert_eq!(entries, [agent("plain\n"), tool("ls"), agent("more\n"), tool("end")]);
}

#[test]
fn a_long_line_goes_to_the_dialect_and_an_overlong_one_is_shown() {
    let read = |text: &str, piece: usize| {
        let (outbox, mut heard) = (Outbox::default(), super::super::dialect::TurnOutput::default());
        let shown = std::thread::scope(|threads| {
            let sender = threads.spawn(|| {
                let mut shown = String::new();
                while let Some(batch) = outbox.next(Duration::from_secs(1)) {
                    outbox.sent(batch.len());
                    shown.extend(batch.into_iter().map(|entry| entry.content));
                }
                shown
            });
            pump(Slow(text.as_bytes(), piece), Stream::Stdout, &Masker::default(), &outbox, |line| {
                heard.line(line)
            });
            outbox.close();
            sender.join().unwrap()
        });
        (heard, shown)
    };
    let result = |length: usize| {
        format!("{{\"type\":\"result\",\"total_cost_usd\":0.5,\"result\":\"{}\"}}\n", "w".repeat(length))
    };
    for piece in [4_096, 65_536, 1 << 20] {
        let (heard, shown) = read(&format!("before\n{}after\n", result(300_000)), piece);
        assert_eq!(
            (heard.cost_usd, heard.summary.map(|text| text.len())),
            (Some(0.5), Some(300_000)),
            "{piece}"
        );
        assert_eq!(shown, "before\nafter\n");
        let (heard, shown) = read(&format!("{}{}", result(3 << 20), result(1)), piece);
        assert_eq!(heard.summary.as_deref(), Some("w"), "the rest of a line is no line");
        assert_eq!(shown, result(3 << 20));
    }
}
