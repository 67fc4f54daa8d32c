//! `SERVICE_LOG`: how much of requests and their effects is logged.

use crate::support::{Project, Server, World, eventually, json};
use std::sync::Arc;

fn project(level: &str) -> Project {
    Project::in_world(Arc::new(World::new(Server::start_with(&[("SERVICE_LOG", level)]))), "Logged")
}

#[test]
fn debug_logs_requests_without_their_queries_and_batches() {
    let project = project("debug");
    project.world.anonymous().get("/api/v1/me?token=canary").send().refuse(401, "");
    project.digest(&json!({"message": "one"}));
    let server = &project.world.server;
    let told = |words: &str| eventually(words, || server.output().contains(words).then_some(()));
    told(r#""answered","method":"GET","path":"/api/v1/me","status":401,"ms":"#);
    told(r#""answered","method":"POST","path":"/api/v1/errors","status":202,"ms":"#);
    told(r#""digested a batch","events":1,"#);
    assert!(!server.output().contains("canary"));
    assert!(!server.output().contains("wrote a group"), "that is for trace");
}

#[test]
fn trace_logs_writes_and_info_neither() {
    let (traced, usual) = (project("trace"), project("info"));
    for project in [&traced, &usual] {
        project.digest(&json!({"message": "one"}));
    }
    let server = &traced.world.server;
    for words in [r#""wrote a group to the journal","records":1,"#, r#""committed","database":"main","#] {
        eventually(words, || server.output().contains(words).then_some(()));
    }
    let usual = usual.world.server.output();
    assert!(!usual.contains("answered") && !usual.contains("digested"), "{usual}");
}
