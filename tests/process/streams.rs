//! Somebody opens all the live streams that they can get, and others want one.

use crate::instance::Instance;
use crate::report::{Outcome, Report, broken, ensure, kept, sabotage};
use crate::support::world::text;
use crate::support::{Client, Stream, json};

/// Streams that an instance has.
const ALL: usize = 256;
/// Keys that together could take all of them.
const KEYS: usize = 8;

fn ask(client: &Client, path: &str) -> Option<Stream> {
    let stream = Stream::ask(client, path, &[]);
    (stream.status == 200).then_some(stream)
}

/// As many streams as there are for a client.
fn open_all(client: &Client, path: &str) -> Vec<Stream> {
    (0..ALL).map_while(|_| ask(client, path)).collect()
}

fn streams(environment: &[(&str, &str)]) -> Outcome {
    let instance = Instance::start_with(environment);
    let world = &instance.world;
    let project = format!("/api/v1/projects/{}", instance.targets[0].id);
    let (tail, stream) = (format!("{project}/logs/tail"), format!("{project}/stream"));
    let (member, other) = (world.member(), world.member());
    let of_member = open_all(&member.client, &tail);
    let served = |behind: &str| {
        for (who, client) in [("the owner", &world.owner), ("another member", &other.client)] {
            for path in [&tail, &stream] {
                ensure(ask(client, path).is_some(), || format!("{who} gets no {path} behind {behind}"))?;
            }
        }
        Ok::<(), String>(())
    };
    served("one member")?;
    let key = |number: usize| {
        let key = json!({"name": format!("reads {number}"), "scopes": ["read"]});
        let key = world.owner.post(&format!("{project}/api-keys")).json(&key).send().expect(201);
        world.bearer(&text(&key["key"]))
    };
    let open: Vec<Vec<Stream>> = (0..KEYS).map(|number| open_all(&key(number), &tail)).collect();
    served("one member and all keys")?;
    // What is left is not the member's, who has the most that anybody gets.
    ensure(ask(&member.client, &tail).is_none(), || "a member has more than their share".to_owned())?;
    let of_keys: usize = open.iter().map(Vec::len).sum();
    Ok(Report::default().with("of one member", of_member.len()).with("of keys", of_keys))
}

#[test]
fn neither_a_member_nor_keys_take_the_live_streams_of_others() {
    kept(streams(&[]));
}

#[test]
fn streams_for_whoever_comes_first_are_noticed() {
    broken(streams(&sabotage("streams_for_the_first")), "behind one member");
}
