//! `SERVICE_RATE_LIMIT_SOURCEMAPS_PER_HOUR`.

use crate::support::project::SCRIPT_URL;
use crate::support::{Project, Server, World, maps};
use std::sync::Arc;

#[test]
fn uploads_over_the_hourly_limit_are_refused_and_other_projects_have_their_own() {
    let server = Server::start_with(&[("SERVICE_RATE_LIMIT_SOURCEMAPS_PER_HOUR", "2")]);
    let project = Project::in_world(Arc::new(World::new(server)), "Shop");
    project.upload("1.0.0", SCRIPT_URL, &maps::cart()).expect(201);
    project.upload("1.0.0", SCRIPT_URL, "no map").refuse(422, "sourcemap");
    let refused = project.upload("2.0.0", SCRIPT_URL, &maps::cart());
    refused.refuse(429, "SERVICE_RATE_LIMIT_SOURCEMAPS_PER_HOUR");
    let wait: u64 = refused.header("retry-after").unwrap_or_default().parse().unwrap();
    assert!((1..=1_800).contains(&wait), "{wait}");
    assert_eq!(refused.header("x-ratelimit-limit"), Some("2"));
    let releases = project.owner.get(&project.path("/releases")).send().expect(200);
    assert_eq!(releases["total"], 1, "{releases}");
    project.other().upload("1.0.0", SCRIPT_URL, &maps::cart()).expect(201);
}
