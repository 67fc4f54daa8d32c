use super::Rooms;
use crate::cli::runner::descendants::Burden;
use crate::cli::runner::workspace::Places;
use std::collections::BTreeMap;
use std::path::Path;

/// What a room's first process is started with.
fn door(cpu_seconds: Option<u64>) -> Vec<String> {
    let here = Path::new("/r");
    let rooms = Rooms {
        bwrap: "/usr/bin/bwrap".into(),
        program: "/mayday".into(),
        tools: Vec::new(),
        path: "/usr/bin".to_owned(),
        work_dir: here.to_owned(),
        own: "/r/room".into(),
        most: Burden { processes: 64, bytes: 1 << 30 },
    };
    let places = Places {
        run: here,
        given: here,
        repo: here,
        instructions: here,
        context: here,
        result: here,
        lent: None,
    };
    let words = rooms.command("work", &mut BTreeMap::new(), &places, (Path::new("/r/proxy"), cpu_seconds));
    let start = words.iter().position(|word| word == super::DOOR).unwrap();
    words[start + 1..].to_vec()
}

#[test]
fn processor_time_is_limited_where_a_limit_is_given() {
    let command = ["--", "/bin/sh", "-c", "work"];
    assert_eq!(door(None), [&["--processes", "64"], &command[..]].concat());
    assert_eq!(door(Some(900)), [&["--processes", "64", "--cpu-seconds", "900"], &command[..]].concat());
}
