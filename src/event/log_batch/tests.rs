use super::*;
use crate::event::log_entry::Level;
use crate::event::log_entry::tests::plain;

fn entries(count: usize) -> Vec<Entry<'static>> {
    let entry = |number: usize| Entry {
        level: Level::ALL[number % 6],
        message: format!("Number {number}: {}", "é".repeat(number % 50)).into(),
        attributes: number.is_multiple_of(3).then(|| format!(r#"{{"n":{number}}}"#).into()),
        line_number: number.is_multiple_of(2).then_some(number as u32),
        ..plain("x")
    };
    (0..count).map(entry).collect()
}

fn packed(entries: &[Entry<'_>]) -> Vec<u8> {
    Plain::new("production", Some("1.0"), entries).unwrap().pack(&Packer::default()).unwrap()
}

/// What [`pick`] returns, with its places.
fn picked(packed: &[u8], places: &[usize]) -> Result<Vec<(usize, String)>> {
    let mut found = Vec::new();
    pick(packed, places, |at, entry| found.push((at, entry.message.into_owned())))?;
    Ok(found)
}

#[test]
fn packed_entries_are_returned_unchanged() {
    for count in [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK, ENTRIES_MAX] {
        let entries = entries(count);
        let plain = Plain::new("test", Some("1.0"), &entries).unwrap();
        let packed = plain.pack(&Packer::default()).unwrap();
        let unpacked = Plain::unpack("test", Some("1.0"), count, &packed).unwrap();
        assert_eq!((unpacked.count, unpacked.size()), (count, plain.size()));
        let back: Vec<Entry<'_>> = unpacked.entries().map(Result::unwrap).collect();
        assert_eq!(back, entries, "{count}");
        // Packing what was unpacked gives the same bytes.
        assert_eq!(unpacked.pack(&Packer::default()).unwrap(), packed, "{count}");
    }
}

#[test]
fn a_batch_of_the_longest_entries_fits() {
    let long =
        Entry { message: "m".repeat(64 << 10).into(), template: "t".repeat(8_192 * 4).into(), ..plain("") };
    let entries = vec![long; ENTRIES_MAX];
    let packed = packed(&entries);
    let unpacked = Plain::unpack("production", None, ENTRIES_MAX, &packed).unwrap();
    assert!(unpacked.entries().all(|entry| entry.unwrap() == entries[0]));
    assert_eq!(picked(&packed, &[99]).unwrap().len(), 1);
}

#[test]
fn entries_can_be_picked_alone_or_together() {
    let entries = entries(ENTRIES_MAX);
    let packed = packed(&entries);
    let of = |place: usize| (place, entries[place].message.clone().into_owned());
    for place in 0..ENTRIES_MAX {
        assert_eq!(picked(&packed, &[place]).unwrap(), [of(place)]);
    }
    for places in [vec![], vec![0, 99], vec![31, 32], vec![0, 1, 31, 64, 65, 99], (0..100).collect()] {
        let expected: Vec<_> = places.iter().copied().map(of).collect();
        assert_eq!(picked(&packed, &places).unwrap(), expected, "{places:?}");
    }
}

#[test]
fn a_missing_entry_is_an_error() {
    let packed = packed(&entries(40));
    for places in [&[40][..], &[0, 40], &[39, 63], &[100], &[usize::MAX - 40]] {
        let told = picked(&packed, places).unwrap_err();
        assert!(
            matches!(&told, Error::Internal(cause) if cause.to_string().contains("has no entry")),
            "{told:?}"
        );
    }
}

/// With any byte changed or the data cut anywhere, the result is an error or another entry, but never a
/// panic, and never an allocation of a forged length.
#[test]
fn damage_is_an_error_and_never_a_panic() {
    let entries = entries(40);
    let whole = packed(&entries);
    let all: Vec<usize> = (0..40).collect();
    let read = |bytes: &[u8]| {
        let unpacked = Plain::unpack("production", None, 40, bytes);
        let read = unpacked.is_ok_and(|plain| plain.entries().flatten().count() == 40);
        let picked = picked(bytes, &all).is_ok();
        (read, picked)
    };
    assert_eq!(read(&whole), (true, true));
    for cut in 0..whole.len() {
        assert_eq!(read(&whole[..cut]), (false, false), "cut to {cut}");
    }
    for at in 0..whole.len() {
        for flip in [0x01, 0x80, 0xff] {
            let mut damaged = whole.clone();
            damaged[at] ^= flip;
            read(&damaged);
        }
    }
    for version in [0, VERSION + 1, 0xff] {
        let mut other = whole.clone();
        other[0] = version;
        let told = picked(&other, &[0]).unwrap_err();
        assert!(
            matches!(&told, Error::Internal(cause) if cause.to_string().contains("has the form")),
            "{told:?}"
        );
    }
    assert_eq!(read(&[VERSION, 0xff, 0xff, 0xff, 0xff]), (false, false));
}
