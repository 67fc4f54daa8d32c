//! Agents that use too many resources of the machine.

use super::Shop;
use super::sandbox::{has_rooms, runs};
use crate::support::world::text;
use crate::support::{eventually, json};

/// Changes a file, and then has four processes of 60 MiB each.
const GROWS: &str = r#"echo mended >> src/cart.mjs
for number in 1 2 3 4; do
  perl -e '$all = "x" x (60 << 20); sleep 98765' 98765.1234 &
done
wait
"#;
const FORKS: &str = r#"echo mended >> src/cart.mjs
for number in $(seq 150); do sleep 98765.1234 & done
wait
"#;

/// Runs an agent that is ended for its usage, in each isolation that this machine has.
fn is_ended(script: &str, arguments: &[&str], why: &str) {
    let rooms = if has_rooms() { &["none", "sandbox"][..] } else { &["none"] };
    for isolation in rooms {
        let shop = Shop::new();
        let session = shop.session(&json!({}));
        let arguments = [&["--isolation", isolation], arguments].concat();
        let machine = shop.machine(script, &arguments);
        let told = shop.ended(&session);
        assert_eq!(told["outcome"], "failed", "{told} {}", machine.said());
        assert!(text(&told["reason"]).contains(why), "{told}");
        assert!(text(&told["patch"]).contains("+mended"), "what it did is kept: {told}");
        assert_eq!(shop.branches(), Vec::<String>::new(), "and not pushed");
        eventually("the end of all", || (!runs("98765.1234")).then_some(()));
    }
}

#[test]
fn an_agent_whose_processes_use_too_much_memory_is_ended_with_all_of_them() {
    is_ended(GROWS, &["--max-memory-mb", "150"], "more than 150.0 MiB of memory");
}

#[test]
fn an_agent_with_too_many_processes_is_ended_with_all_of_them() {
    is_ended(FORKS, &["--max-processes", "60"], "more than 60 processes");
}
