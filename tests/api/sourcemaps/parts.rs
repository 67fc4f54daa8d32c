//! Malformed multipart uploads.

use crate::support::client::Request;
use crate::support::{Form, Project, maps};

fn post(project: &Project) -> Request {
    project.ci().post("/api/v1/sourcemaps")
}

fn whole() -> Form {
    Form::new().text("release", "1").text("url", "~/a.js").file("sourcemap", maps::cart())
}

#[test]
fn each_missing_part_is_named() {
    let project = Project::new();
    let file = |form: Form| form.file("sourcemap", maps::cart());
    for (form, part) in [
        (file(Form::new().text("url", "~/a.js")), "release"),
        (file(Form::new().text("release", "1")), "url"),
        (Form::new().text("release", "1").text("url", "~/a.js"), "sourcemap"),
        (Form::new(), "release"),
        (file(Form::new().text("release", "").text("url", "~/a.js")), "release"),
        (file(Form::new().text("release", "1").text("url", "")), "url"),
        (Form::new().text("release", "1").text("url", "~/a.js").file("sourcemap", ""), "sourcemap"),
        (Form::new().text("release", "1").text("url", "~/a.js").file("file", maps::cart()), "sourcemap"),
    ] {
        post(&project).form(&form).send().refuse(422, part);
    }
    assert!(project.is_empty());
}

#[test]
fn values_over_their_limit_are_named() {
    let project = Project::new();
    let form = |release: &str, url: &str, prefix: &str| {
        let form = Form::new().text("release", release).text("url", url).text("url_prefix", prefix);
        post(&project).form(&form.file("sourcemap", maps::cart())).send()
    };
    form(&"v".repeat(129), "~/a.js", "~/").refuse(422, "release: expected 1 to 128 characters, got 129");
    form("1", "~/a.js", &format!("~/{}", "x".repeat(511))).refuse(422, "url_prefix: expected 0 to 512");
    form("1", &format!("~/{}", "x".repeat(3000)), "~/").refuse(422, "url");
    form("a\u{0}b", "~/a.js", "~/").refuse(422, "release");
    form("1", "~/a\u{0}.js", "~/").refuse(422, "url");
    form("1", "~/a.js", "~/\u{7}").refuse(422, "url_prefix");
    form(&"r".repeat(100_000), "~/a.js", "~/").refuse(422, "release");
    let form = Form::new().text("release", [0xff]).text("url", "~/a.js").file("sourcemap", maps::cart());
    post(&project).form(&form).send().refuse(422, "release");
    assert!(project.is_empty());
}

#[test]
fn a_form_cut_anywhere_stores_nothing() {
    let project = Project::new();
    let form = whole();
    let bytes = form.encode();
    for end in (0..bytes.len() - 2).step_by(bytes.len() / 40) {
        let answer = post(&project).body(&form.content_type(), &bytes[..end]).send();
        assert!(matches!(answer.status(), 400 | 422), "cut at {end}: {answer:?}");
        assert!(answer.value()["detail"].is_string());
    }
    for end in [100, bytes.len() / 2, bytes.len() - 10] {
        let cut = post(&project).body(&form.content_type(), &bytes[..end]).claiming(bytes.len());
        if let Ok(answer) = cut.half_closed() {
            assert!(matches!(answer.status(), 400 | 422), "gone at {end}: {answer:?}");
        }
    }
    assert!(project.is_empty());
}

#[test]
fn other_content_types_are_refused() {
    let project = Project::new();
    post(&project).body("application/json", maps::cart()).send().refuse(415, "multipart/form-data");
    post(&project)
        .body("application/x-www-form-urlencoded", "release=1")
        .send()
        .refuse(415, "multipart/form-data");
    post(&project).bytes(maps::cart()).send().refuse(415, "Content-Type");
    post(&project).body("multipart/form-data", whole().encode()).send().refuse(422, "boundary");
    post(&project)
        .body("multipart/form-data; boundary=other", whole().encode())
        .send()
        .refuse(422, "multipart");
    post(&project).body("multipart/mixed; boundary=x", whole().encode()).send().refuse(415, "Content-Type");
    assert!(project.is_empty());
}

#[test]
fn a_part_that_is_given_twice_causes_no_server_error() {
    let project = Project::new();
    let form = whole().text("release", "2").text("url", "~/b.js").file("sourcemap", maps::cart_rebuilt());
    let answer = post(&project).form(&form).send();
    assert!(matches!(answer.status(), 201 | 422), "{answer:?}");
}
