//! The dashboard's reads of releases and their source maps.

use crate::support::{Project, Value, json, maps};

fn names(list: &Value, of: &str, field: &str) -> Vec<String> {
    list[of].as_array().unwrap().iter().map(|item| item[field].as_str().unwrap().to_owned()).collect()
}

#[test]
fn releases_are_listed_the_newest_first_in_pages() {
    let project = Project::new();
    for number in 0..55 {
        project.make_release(&format!("r{number:02}"));
    }
    let list =
        |query: &str| project.owner.get(&project.path(&format!("/releases{query}"))).send().expect(200);
    let first = list("");
    assert_eq!(first["total"], 55);
    assert_eq!(names(&first, "releases", "version").len(), 50, "the default limit");
    assert_eq!(first["releases"][0]["version"], "r54");
    assert_eq!(names(&list("?offset=50"), "releases", "version"), ["r04", "r03", "r02", "r01", "r00"]);
    let mut all = Vec::new();
    for offset in (0..55).step_by(7) {
        all.extend(names(&list(&format!("?limit=7&offset={offset}")), "releases", "version"));
    }
    let expected: Vec<String> = (0..55).rev().map(|number| format!("r{number:02}")).collect();
    assert_eq!(all, expected);
    assert_eq!(list("?offset=1000")["releases"], json!([]));
}

#[test]
fn releases_of_a_period_are_those_with_events_in_it() {
    let project = Project::new();
    project.make_release("idle");
    let events = [("old", 200), ("old", 190), ("both", 100), ("both", 0), ("both", 0), ("new", 1)];
    for (release, hours) in events {
        let at = jiff::Timestamp::now().saturating_sub(jiff::SignedDuration::from_hours(hours)).unwrap();
        project.digest(&json!({"message": "one", "release": release, "timestamp": at.to_string()}));
    }
    let list = |query: &str| {
        let list = project.owner.get(&project.path(&format!("/releases{query}"))).send().expect(200);
        let counts = list["releases"].as_array().unwrap().iter().map(|one| one["events_within"].clone());
        let mut all: Vec<(String, Value)> =
            names(&list, "releases", "version").into_iter().zip(counts).collect();
        all.sort_by(|a, b| a.0.cmp(&b.0));
        assert_eq!(list["total"], all.len(), "{query}");
        all
    };
    let pairs = |all: &[(&str, Value)]| {
        all.iter().map(|(version, count)| ((*version).to_owned(), count.clone())).collect::<Vec<_>>()
    };
    let null = Value::Null;
    let all = [("both", null.clone()), ("idle", null.clone()), ("new", null.clone()), ("old", null)];
    assert_eq!(list(""), pairs(&all));
    assert_eq!(list("?period="), pairs(&all));
    assert_eq!(list("?period=24h"), pairs(&[("both", json!(2)), ("new", json!(1))]));
    assert_eq!(list("?period=7d&query=BO"), pairs(&[("both", json!(3))]));
    assert_eq!(list("?period=2w"), pairs(&[("both", json!(3)), ("new", json!(1)), ("old", json!(2))]));
    let refused = project.owner.get(&project.path("/releases?period=31d")).send();
    refused.refuse(422, "period: expected 1h to 720h");
}

#[test]
fn paging_out_of_bounds_is_refused_by_name() {
    let project = Project::new();
    project.make_release("1");
    for (path, max) in [("/releases", 100), ("/releases/1/sourcemaps", 1000), ("/issues", 100)] {
        let get = |query: &str| project.owner.get(&project.path(&format!("{path}{query}"))).send();
        get(&format!("?limit={max}&offset=1000000")).expect(200);
        for limit in ["0", "-1", &(max + 1).to_string(), "1e2", "x", "", "99999999999999999999", "1.5", "%00"]
        {
            get(&format!("?limit={limit}")).refuse(422, "limit: expected a whole number from 1 to");
        }
        for offset in ["-1", "1000001", "x", "18446744073709551616", "0x10"] {
            get(&format!("?offset={offset}"))
                .refuse(422, "offset: expected a whole number from 0 to 1000000");
        }
        get("?limit=1&limit=2").refuse(422, "limit");
    }
}

#[test]
fn source_maps_are_listed_by_url() {
    let project = Project::new();
    for url in ["~/b.js", "~/a.js", "~/c/d.js"] {
        project.upload("1.0.0", url, &maps::cart()).expect(201);
    }
    let list = |query: &str| {
        project.owner.get(&project.path(&format!("/releases/1.0.0/sourcemaps{query}"))).send().expect(200)
    };
    let all = list("");
    assert_eq!(all["total"], 3);
    assert_eq!(names(&all, "source_maps", "url"), ["~/a.js", "~/b.js", "~/c/d.js"]);
    assert_eq!(names(&list("?limit=1&offset=1"), "source_maps", "url"), ["~/b.js"]);
    let release = project.owner.get(&project.path("/releases/1.0.0")).send().expect(200);
    let first = &all["source_maps"][0];
    assert_eq!(first["release_id"], release["id"]);
    assert_eq!(first["file_size"], maps::cart().len());
    assert_eq!(first.get("storage_path"), None, "in the answer to the upload only");
    let mut fields: Vec<&String> = first.as_object().unwrap().keys().collect();
    fields.sort_unstable();
    let expected = [
        "content_hash",
        "created_at",
        "file_size",
        "id",
        "last_used_at",
        "release_id",
        "url",
        "use_count",
        "warning_count",
        "warnings",
    ];
    assert_eq!(fields, expected);
}

#[test]
fn an_unknown_release_is_not_found() {
    let project = Project::new();
    let other = project.other();
    other.upload("theirs", "~/a.js", &maps::cart()).expect(201);
    for rest in
        ["/releases/none", "/releases/theirs", "/releases/none/sourcemaps", "/releases/theirs/sourcemaps"]
    {
        project.owner.get(&project.path(rest)).send().refuse(404, "not found");
    }
}

#[test]
fn keys_with_the_scope_read_their_own_releases() {
    let project = Project::new();
    project.upload("1.0.0", "~/a.js", &maps::cart()).expect(201);
    for scopes in [["releases"], ["read"]] {
        let client = project.world.bearer(&project.key_for(&scopes));
        for rest in ["/releases", "/releases/1.0.0", "/releases/1.0.0/sourcemaps"] {
            client.get(&project.path(rest)).send().expect(200);
        }
    }
    let ingest = project.world.bearer(&project.key_for(&["ingest"]));
    ingest.get(&project.path("/releases")).send().refuse(403, "releases");
}
