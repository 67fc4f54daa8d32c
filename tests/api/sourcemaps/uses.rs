//! How often source maps were used.

use crate::support::project::SCRIPT_URL;
use crate::support::{Project, Value, json, maps};

fn list(project: &Project, query: &str) -> Value {
    project.owner.get(&project.path(&format!("/releases/1.0.0/sourcemaps{query}"))).send().expect(200)
}

fn urls(list: &Value) -> Vec<&str> {
    list["source_maps"].as_array().unwrap().iter().map(|map| map["url"].as_str().unwrap()).collect()
}

#[test]
fn a_source_map_shows_how_many_events_it_resolved() {
    let project = Project::new();
    project.upload("1.0.0", SCRIPT_URL, &maps::cart()).expect(201);
    project.upload("1.0.0", "~/assets/other.js", &maps::cart()).expect(201);
    let of = |list: &Value, index: usize| {
        let map = &list["source_maps"][index];
        (map["use_count"].clone(), map["last_used_at"].clone())
    };
    assert_eq!(of(&list(&project, ""), 0), (json!(0), Value::Null));
    project.digest(&Project::throw(Some("1.0.0")));
    let event = project.digest(&Project::throw(Some("1.0.0")));
    project.digest(&Project::throw(Some("2.0.0")));
    project.digest(&Project::throw(None));
    let all = list(&project, "");
    assert_eq!(of(&all, 0), (json!(2), event["timestamp"].clone()), "two frames of an event are one use");
    assert_eq!(of(&all, 1), (json!(0), Value::Null));
}

#[test]
fn source_maps_are_found_by_a_part_of_the_url_and_sorted() {
    let project = Project::new();
    project.upload("1.0.0", SCRIPT_URL, &maps::cart()).expect(201);
    project.upload("1.0.0", "~/a.js", &maps::cart_rebuilt()).expect(201);
    let empty = r#"{"version":3,"sources":[],"names":[],"mappings":""}"#;
    project.upload("1.0.0", "~/Z.js", empty).expect(201);
    project.digest(&Project::throw(Some("1.0.0")));
    assert_eq!(urls(&list(&project, "")), ["~/Z.js", "~/a.js", SCRIPT_URL]);
    assert_eq!(urls(&list(&project, "?sort=uses")), [SCRIPT_URL, "~/Z.js", "~/a.js"]);
    assert_eq!(urls(&list(&project, "?sort=size"))[2], "~/Z.js");
    let found = list(&project, "?query=.JS&sort=url&limit=2");
    assert_eq!((&found["total"], &found["has_more"]), (&json!(3), &json!(true)));
    let found = list(&project, "?query=assets/");
    assert_eq!(
        (urls(&found), &found["total"], &found["has_more"]),
        (vec![SCRIPT_URL], &json!(1), &json!(false))
    );
    project.owner.get(&project.path("/releases/1.0.0/sourcemaps?sort=age")).send().refuse(422, "sort");
}
