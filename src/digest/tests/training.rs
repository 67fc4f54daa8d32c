//! The dictionary of payloads, from the first events on.

use super::*;
use crate::events;
use crate::store::{dictionaries, train};

fn event(number: usize) -> Value {
    let id = blake3::hash(&number.to_le_bytes()).to_hex();
    json!({
        "event_id": &id[..32], "url": format!("https://shop.example.com/basket/{number}"), "release": "shop@4.12.0",
        "tags": {"browser": "Firefox 133", "region": "eu-central", "plan": "team"},
        "exception": {"type": "TypeError", "message": "undefined is not a function"},
    })
}

impl Bench {
    fn take_in(&self, numbers: std::ops::Range<usize>) {
        let mut worker = self.worker();
        for number in numbers {
            self.add(&event(number));
        }
        while worker.step().unwrap() {}
    }

    fn payload_bytes(&self) -> i64 {
        self.count("select length(payload) from events order by id desc limit 1")
    }
}

#[test]
fn it_is_trained_on_events_and_old_and_new_payloads_stay_readable() {
    let bench = bench();
    bench.take_in(0..300);
    let before = bench.payload_bytes();
    train(&bench.main, &dictionaries::EVENTS, 300).unwrap();
    bench.take_in(300..310);
    let after = bench.payload_bytes();
    assert!(after * 3 < before * 2, "{after} of {before} bytes");
    // As after a start: what is stored is sufficient.
    let again = Main::open(bench.dir.path(), &Fatal::new().0).unwrap();
    assert_eq!(again.packer.current().unwrap().id(), bench.main.packer.current().unwrap().id());
    for number in [0, 299, 300, 309] {
        let id = event(number)["event_id"].as_str().unwrap().to_owned();
        let stored = again.readers.read_blocking(|c| events::sql::get(c, PROJECT, &id)).unwrap().unwrap();
        let payload: Value = serde_json::from_slice(&stored.payload).unwrap();
        assert_eq!(payload["url"], event(number)["url"]);
    }
}

#[test]
fn a_dictionary_that_saves_nothing_is_discarded() {
    let bench = bench();
    bench.take_in(0..300);
    train(&bench.main, &dictionaries::EVENTS, 300).unwrap();
    let first = bench.main.packer.current().unwrap().id();
    train(&bench.main, &dictionaries::EVENTS, 300).unwrap();
    assert_eq!(bench.main.packer.current().unwrap().id(), first);
    assert_eq!(bench.count("select count(*) from dictionaries"), 1);
}

#[test]
fn training_is_due_after_some_events_and_again_after_eight_times_as_many() {
    let bench = bench();
    let trainer = Arc::new(Trainer::new(&dictionaries::EVENTS));
    bench.take_in(0..499);
    assert_eq!(trainer.train_if_due(&bench.main).unwrap(), 1);
    bench.take_in(499..500);
    assert_eq!(trainer.train_if_due(&bench.main).unwrap(), 3_500);
    assert_eq!(trainer.train_if_due(&bench.main).unwrap(), 3_500);
    let trained = bench.main.readers.read_blocking(dictionaries::trained).unwrap();
    assert_eq!((trained.dictionaries, trained.at_row), (1, 500));
}
