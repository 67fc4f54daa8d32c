//! `POST /api/v1/releases`.

use crate::errors::encodings::gzip;
use crate::support::{Form, Project, Response, Value, json};

fn create(project: &Project, form: &Form) -> Response {
    project.ci().post("/api/v1/releases").form(form).send()
}

#[test]
fn a_release_is_made_with_its_defaults() {
    let project = Project::new();
    let release = create(&project, &Form::new().text("version", "1.2.3")).expect(201);
    assert_eq!((&release["project_id"], &release["version"]), (&json!(project.id), &json!("1.2.3")));
    assert_eq!((&release["url_prefix"], &release["source_map_count"]), (&json!("~/"), &json!(0)));
    assert_eq!(release["finalized_at"], Value::Null);
    let created = release["created_at"].as_str().unwrap();
    assert!(created.ends_with('Z') && created.parse::<jiff::Timestamp>().is_ok(), "{created}");
    assert!(release["id"].is_i64());
    let read = project.owner.get(&project.path("/releases/1.2.3")).send().expect(200);
    for (field, value) in release.as_object().unwrap() {
        assert_eq!(&read[field], value, "{field}");
    }
}

#[test]
fn three_kinds_of_body_are_accepted() {
    let project = Project::new();
    let body =
        |kind: &str, body: &str| project.ci().post("/api/v1/releases").body(kind, body).send().expect(201);
    let prefix = "~/static/js/";
    let form = Form::new().text("version", "form 1").text("url_prefix", prefix).text("other", "ignored");
    for made in [
        create(&project, &form).expect(201),
        body("application/x-www-form-urlencoded", "version=form+2&url_prefix=%7E%2Fstatic%2Fjs%2F"),
        body("application/json", &json!({"version": "json", "url_prefix": prefix}).to_string()),
        body(
            "application/json; charset=utf-8",
            &json!({"version": "json 2", "url_prefix": prefix}).to_string(),
        ),
    ] {
        assert_eq!(made["url_prefix"], prefix);
        assert!(["form 1", "form 2", "json", "json 2"].contains(&made["version"].as_str().unwrap()));
    }
}

#[test]
fn compressed_bodies_are_accepted() {
    let project = Project::new();
    let form = Form::new().text("version", "packed form");
    for (kind, body) in [
        (form.content_type().as_str(), form.encode()),
        ("application/json", br#"{"version": "packed json"}"#.to_vec()),
    ] {
        let create = project.ci().post("/api/v1/releases").header("content-encoding", "gzip");
        create.body(kind, gzip(&body)).send().expect(201);
    }
}

#[test]
fn an_existing_version_is_returned_as_it_is() {
    let project = Project::new();
    let form = Form::new().text("version", "1.2.3").text("url_prefix", "~/a/");
    let first = create(&project, &form).expect(201);
    assert_eq!(create(&project, &form).expect(200), first);
    assert_eq!(create(&project, &Form::new().text("version", "1.2.3")).expect(200), first);
    let other_prefix = Form::new().text("version", "1.2.3").text("url_prefix", "~/b/");
    assert_eq!(create(&project, &other_prefix).expect(200), first);
    let other = project.other();
    let theirs = create(&other, &form).expect(201);
    assert_ne!(theirs["id"], first["id"]);
    assert_eq!(theirs["project_id"], other.id);
}

#[test]
fn parallel_makers_of_a_version_make_one_release() {
    let project = Project::new();
    let form = Form::new().text("version", "at once");
    let answers: Vec<Response> = std::thread::scope(|scope| {
        let makers: Vec<_> = (0..20).map(|_| scope.spawn(|| create(&project, &form))).collect();
        makers.into_iter().map(|maker| maker.join().unwrap()).collect()
    });
    assert_eq!(answers.iter().filter(|answer| answer.status() == 201).count(), 1);
    assert!(answers.iter().all(|answer| answer.value()["id"] == answers[0].value()["id"]));
}

#[test]
fn a_version_has_1_to_128_characters() {
    let project = Project::new();
    let version = |version: &str| create(&project, &Form::new().text("version", version));
    assert_eq!(version(&"ü".repeat(128)).expect(201)["version"], "ü".repeat(128));
    version(&"v".repeat(129)).refuse(422, "version: expected 1 to 128 characters, got 129");
    version(&"v".repeat(300)).refuse(422, "version");
    version("").refuse(422, "version");
    version("a\u{0}b").refuse(422, "version");
    version("a\r\nb").refuse(422, "version");
    create(&project, &Form::new()).refuse(422, "version");
    create(&project, &Form::new().text("version", [0xff, 0xfe])).refuse(422, "version");
    let total = project.owner.get(&project.path("/releases")).send().expect(200)["total"].clone();
    assert_eq!(total, 1);
}

#[test]
fn a_prefix_has_at_most_512_characters() {
    let project = Project::new();
    let prefix = |version: &str, prefix: &str| {
        create(&project, &Form::new().text("version", version).text("url_prefix", prefix))
    };
    let long = format!("~/{}", "ü".repeat(510));
    assert_eq!(prefix("long", &long).expect(201)["url_prefix"], long);
    prefix("longer", &format!("{long}x")).refuse(422, "url_prefix: expected 0 to 512 characters, got 513");
    assert_eq!(
        prefix("absolute", "https://cdn.example/js/").expect(201)["url_prefix"],
        "https://cdn.example/js/"
    );
    assert_eq!(prefix("relative", "").expect(201)["url_prefix"], "");
    prefix("nul", "~/\u{0}").refuse(422, "url_prefix");
}

#[test]
fn odd_versions_are_names_like_any_other() {
    let project = Project::new();
    for version in [
        "..",
        "../../etc/passwd",
        "a/b/c",
        "a b",
        "%2e%2e",
        "web@1.2.3+build.5",
        "next",
        "1.0.0?x=1#y",
        "'--",
    ] {
        create(&project, &Form::new().text("version", version)).expect(201);
        let path = format!("/releases/{}", crate::support::project::encoded(version));
        assert_eq!(project.owner.get(&project.path(&path)).send().expect(200)["version"], version);
        let finalize = format!("/api/v1{path}/finalize");
        assert_eq!(project.ci().post(&finalize).send().expect(200)["version"], version);
    }
}

#[test]
fn other_bodies_are_refused() {
    let project = Project::new();
    let body = |kind: &str, body: &str| project.ci().post("/api/v1/releases").body(kind, body).send();
    body("text/plain", "version=1").refuse(415, "Content-Type");
    body("application/xml", "<version/>").refuse(415, "Content-Type");
    project.ci().post("/api/v1/releases").bytes("version=1").send().refuse(415, "Content-Type");
    body("application/json", "{").refuse(400, "JSON");
    body("application/json", "{\"version\": 5}").refuse(422, "version");
    body("application/json", "{}").refuse(422, "version");
    body("application/json", "null").refuse(422, "");
    body("multipart/form-data", "x").refuse(422, "boundary");
    body("multipart/form-data; boundary=x", "no part").refuse(422, "multipart");
    body("application/x-www-form-urlencoded", "url_prefix=~/").refuse(422, "version");
    body("application/json", &format!("{{\"version\": \"1\", \"pad\": \"{}\"}}", "x".repeat(2 << 20)))
        .refuse(413, "large");
    let large = Form::new().text("version", "1").text("pad", "x".repeat(2 << 20));
    assert!(matches!(create(&project, &large).status(), 413 | 422));
    assert!(project.is_empty());
}
