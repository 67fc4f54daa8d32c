//! `mayday sourcemaps upload` to a disk that becomes full in the middle of it.

use crate::disk_full::{Ballast, free};
use crate::report::{Outcome, Report, ensure, kept, skipped};
use crate::support::disk::can_mount;
use crate::support::{Build, Project, Server, Value, World, json, maps};
use std::io::{BufRead, BufReader, Read as _};
use std::process::Stdio;
use std::sync::Arc;

/// MiB of the disk, of its floor, and of the free space when the upload begins.
const DISK: u32 = 192;
const FLOOR: [(&str, &str); 1] = [("SERVICE_DISK_FLOOR_MB", "16")];
const LEFT: u64 = 20;
/// Source maps, and the MiB of each, which no compression makes smaller.
const MAPS: u64 = 3;
const EACH: usize = 8;

/// A build whose bundle is larger than the free space.
fn build() -> Build {
    let build = Build::empty();
    let mut random = 0x9E37_79B9_7F4A_7C15_u64;
    for number in 0..MAPS {
        let mut next = || {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            char::from(b' ' + 1 + (random >> 33) as u8 % 94)
        };
        let text: String = (0..EACH << 20).map(|_| next()).collect();
        let mut map: Value = serde_json::from_str(&maps::cart()).unwrap();
        map["sources"].as_array_mut().unwrap().push(json!("noise.txt"));
        map["sourcesContent"].as_array_mut().unwrap().push(json!(text));
        let script = crate::support::build::script().replace("cart.min.js.map", &format!("{number}.js.map"));
        build.add(&format!("{number}.js"), script);
        build.add(&format!("{number}.js.map"), map.to_string());
    }
    build.add("app.css", "h1 { color: rgb(1, 2, 3) }");
    build
}

fn full_in_the_middle() -> Outcome {
    let world = Arc::new(World::new(Server::start_on_disk(DISK, &FLOOR)));
    let project = Project::in_world(world.clone(), "Shop");
    let build = build();
    let ballast = Ballast::leaving(&world.server, LEFT);
    let before = free(&world.server);
    let mut upload = build.command(&project, &["sourcemaps", "upload", "--release", "1.4.2"]);
    let mut child = upload.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut said = BufReader::new(child.stderr.take().unwrap());
    let mut lines = String::new();
    let refused = refused(&project, before, &mut said, &mut lines);
    ballast.remove();
    said.read_to_string(&mut lines).unwrap();
    let output = child.wait_with_output().unwrap();
    refused?;
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    ensure(output.status.success() && told.contains("3 new, 0 unchanged, finalized"), || {
        format!("once there was room: {} {told}{lines}", output.status)
    })?;
    let release = project.owner.get(&project.path("/releases/1.4.2")).send().expect(200);
    ensure(release["source_map_count"] == MAPS, || format!("not all is there: {release}"))?;
    let style = project.path("/stylesheets?release=1.4.2&url=https://cdn.example/app.css");
    let style = project.owner.get(&style).send();
    ensure(style.status() == 200, || format!("the style sheet is not there: {style:?}"))?;
    Ok(Report::default().with("tried again", lines.matches("trying again").count()))
}

/// Waits until the upload is refused, of which nothing may be stored: not even a temporary file.
fn refused(
    project: &Project,
    before: u64,
    said: &mut impl BufRead,
    lines: &mut String,
) -> Result<(), String> {
    while !lines.contains("trying again in") {
        let read = said.read_line(lines).unwrap();
        ensure(read > 0, || format!("it ended on a full disk: {lines}"))?;
    }
    ensure(lines.contains("503"), || format!("the server said: {lines}"))?;
    let list = project.owner.get(&project.path("/releases")).send().expect(200);
    let none = list["releases"].as_array().unwrap().iter().all(|release| release["source_map_count"] == 0);
    ensure(none, || format!("stored on a full disk: {list}"))?;
    let after = free(&project.world.server);
    ensure(after + (2 << 20) > before, || format!("{before} bytes were free, and then {after}"))
}

#[test]
fn an_upload_that_fills_the_disk_leaves_nothing_and_is_finished_when_there_is_room() {
    if can_mount() {
        kept(full_in_the_middle());
    } else {
        skipped("no file systems of its own for a process (unshare --map-root-user --mount)");
    }
}
