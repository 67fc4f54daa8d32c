//! Invalid and hostile source maps.

use crate::errors::encodings::gzip;
use crate::support::{Project, Server, World, json, maps};
use std::sync::Arc;

#[test]
fn an_invalid_source_map_is_refused_with_the_place() {
    let project = Project::new();
    let map = |change: &str, to: serde_json::Value| {
        let mut map = maps::map("a.ts", Some("x"), &[(1, 1, 1)]);
        map[change] = to;
        map.to_string()
    };
    for (file, part) in [
        ("not json".to_owned(), "JSON"),
        ("{\"version\":3,".to_owned(), "line 1 column"),
        ("[]".to_owned(), "source map"),
        ("5".to_owned(), "source map"),
        ("{}".to_owned(), "source map"),
        ("function a(){}\n//# sourceMappingURL=a.js.map".to_owned(), "JSON"),
        (map("version", json!(2)), "version"),
        (map("sources", json!("a.ts")), "sources"),
        (map("names", json!({})), "names"),
        (map("mappings", json!(5)), "mappings"),
        (map("mappings", json!("A,!!!!")), "line 1, segment 2"),
        (map("mappings", json!(";;AAZZZZZZZZZZZZZZZZZ")), "line 3, segment 1"),
        (map("mappings", json!("ACAA")), "line 1, segment 1"),
        (map("mappings", json!("AA")), "line 1, segment 1"),
        (map("sections", json!([5])), "sections"),
    ] {
        project.upload("1", "~/a.js", &file).refuse(422, part);
    }
    let section = |line: u32| json!({"offset": {"line": line, "column": 0}, "map": maps::map("a.ts", None, &[(1, 1, 1)])});
    let unordered = json!({"version": 3, "sections": [section(5), section(2)]});
    project.upload("1", "~/a.js", &unordered.to_string()).refuse(422, "sections[1]");
    let form = crate::support::Form::new().text("release", "1").text("url", "~/a.js");
    let post = |file: Vec<u8>| {
        project.ci().post("/api/v1/sourcemaps").form(&form.clone().file("sourcemap", file)).send()
    };
    post(gzip(maps::cart().as_bytes())).refuse(422, "sourcemap");
    post(vec![0; 100]).refuse(422, "sourcemap");
    post(vec![0xff; 100]).refuse(422, "sourcemap");
    assert!(project.is_empty());
}

#[test]
fn a_map_with_a_million_names_is_accepted_or_refused() {
    let project = Project::new();
    let names: Vec<String> = (0..1_000_000).map(|n| format!("n{n}")).collect();
    let mut map = maps::map("a.ts", Some("x"), &[(1, 1, 1)]);
    map["names"] = json!(names);
    let answer = project.upload("1", "~/a.js", &map.to_string());
    assert!(matches!(answer.status(), 201 | 422), "{answer:?}");
}

#[test]
fn hostile_maps_are_refused_and_the_server_lives() {
    let project = Project::new();
    let deep = format!("{{\"version\":3,\"x\":{}{}}}", "[".repeat(200_000), "]".repeat(200_000));
    let many_sources: Vec<String> = (0..300_000).map(|n| n.to_string()).collect();
    let mut sources = maps::map("a.ts", None, &[(1, 1, 1)]);
    sources["sources"] = json!(many_sources);
    let mut nested = maps::map("a.ts", None, &[(1, 1, 1)]);
    for _ in 0..100 {
        nested = json!({"version": 3, "sections": [{"offset": {"line": 0, "column": 0}, "map": nested}]});
    }
    let segments = format!(
        "{{\"version\":3,\"sources\":[\"a\"],\"names\":[],\"mappings\":\"{}\"}}",
        "AAAA,".repeat(1_000_000)
    );
    let nests = "(".repeat(500_000);
    let code = maps::map("a.ts", Some(&nests), &[(1, 1, 1)]).to_string();
    for file in [deep, sources.to_string(), nested.to_string(), segments, code] {
        let answer = project.upload("1", "~/a.js", &file);
        assert!(matches!(answer.status(), 200 | 201 | 422), "{answer:?}");
    }
    project.world.anonymous().get("/health").send().expect(200);
    project.upload("2", "~/assets/cart.min.js", &maps::cart()).expect(201);
    let event = project.digest(&Project::throw(Some("2")));
    assert_eq!(event["exception"]["frames"][0]["resolved"]["line"], 4);
}

#[test]
fn a_file_over_the_limit_is_too_large() {
    let world = Arc::new(World::new(Server::start_with(&[("SERVICE_SOURCEMAP_MAX_MB", "1")])));
    let project = Project::in_world(world, "Small");
    let padded = |size: usize| {
        let map = maps::cart();
        format!("{map}{}", " ".repeat(size - map.len()))
    };
    project.upload("1", "~/a.js", &padded(1 << 20)).expect(201);
    let other = project.other();
    other.upload("1", "~/a.js", &padded((1 << 20) + 1)).refuse(413, "1 MiB");
    other.upload("1", "~/a.js", &padded(5 << 20)).refuse(413, "SERVICE_SOURCEMAP_MAX_MB");
    assert!(other.is_empty());
}

#[test]
fn a_map_with_wrong_parts_is_accepted_with_a_warning() {
    let project = Project::new();
    let mut partly = maps::map("a.ts", Some("x"), &[(1, 1, 1)]);
    partly["mappings"] = json!("AAAA,ACAA;ADAA");
    let made = project.upload("1", "~/a.js", &partly.to_string()).expect(201);
    let warnings =
        json!([{"line": 1, "segment": 2, "what": "source index 1 is out of range: the map has 1 sources"}]);
    assert_eq!((&made["warnings"], &made["warning_count"]), (&warnings, &json!(1)));
    let list = project.owner.get(&project.path("/releases/1/sourcemaps")).send().expect(200);
    assert_eq!(list["source_maps"][0]["warnings"], warnings);
    let again = project.upload("1", "~/a.js", &partly.to_string()).expect(200);
    assert_eq!(again["warnings"], warnings, "the same bytes are not converted again");
}
