//! The origin rule: requests with only a cookie that pages of other sites may not make.

use crate::support::client::Request;
use crate::support::{EMAIL, PASSWORD, Project, Server, json};

/// A write by cookie: a new project.
fn write(project: &Project) -> Request {
    let browser = project.world.anonymous().cookie(&project.world.owner_token);
    browser.post(&format!("{}/projects", project.world.organization_path())).json(&json!({"name": "Mine"}))
}

#[test]
fn a_foreign_page_cannot_write_with_the_cookie() {
    let project = Project::new();
    for origin in ["https://evil.example", "null", "http://localhost", "http://localhost.evil.example", ""] {
        write(&project).header("origin", origin).send().refuse(403, "another site");
        for site in ["cross-site", "same-site", "none"] {
            let request = write(&project).header("origin", origin).header("sec-fetch-site", site);
            request.send().refuse(403, "another site");
        }
    }
    write(&project).send().refuse(403, "another site");
    write(&project).header("sec-fetch-site", "cross-site").send().refuse(403, "another site");
}

#[test]
fn the_origin_is_checked_before_the_content_type_and_the_body() {
    let project = Project::new();
    let browser = project.world.anonymous().cookie(&project.world.owner_token);
    let path = format!("{}/projects", project.world.organization_path());
    for kind in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"] {
        let form =
            |origin: &str| browser.post(&path).body(kind, "{\"name\":\"Mine\"}").header("origin", origin);
        form("https://evil.example").send().refuse(403, "another site");
        form(&own_origin(&project)).send().refuse(415, "Content-Type");
    }
}

fn own_origin(project: &Project) -> String {
    format!("http://localhost:{}", project.world.server.port())
}

#[test]
fn our_own_pages_write_with_the_cookie() {
    let project = Project::new();
    write(&project).header("origin", &own_origin(&project)).send().expect(201);
    write(&project).header("sec-fetch-site", "same-origin").send().expect(201);
    // Any host name of this machine is accepted; another port is another site.
    let port = project.world.server.port();
    for name in ["localhost", "127.0.0.1", "[::1]"] {
        write(&project).header("origin", &format!("http://{name}:{port}")).send().expect(201);
        for other in [format!("http://{name}"), format!("http://{name}:1"), format!("https://{name}:{port}")]
        {
            write(&project).header("origin", &other).send().refuse(403, "another site");
        }
    }
}

#[test]
fn listed_origins_write_and_read_with_credentials() {
    let listed = "https://tools.example";
    let server = Server::start_with(&[("CORS_ALLOW_ORIGINS", "https://tools.example, https://b.example")]);
    let world = crate::support::World::new(server);
    let browser = world.anonymous().cookie(&world.owner_token);
    let path = format!("{}/projects", world.organization_path());
    let write = || browser.post(&path).json(&json!({"name": "Mine"}));
    let answer = write().header("origin", listed).send();
    answer.expect(201);
    assert_eq!(answer.header("access-control-allow-origin"), Some(listed));
    assert_eq!(answer.header("access-control-allow-credentials"), Some("true"));
    write().header("origin", "https://other.example").send().refuse(403, "another site");
    let read = browser.get(&path).header("origin", "https://other.example").send();
    read.expect(200);
    assert_eq!(read.header("access-control-allow-origin"), None);
}

#[test]
fn a_bearer_needs_no_origin() {
    let project = Project::new();
    let path = format!("{}/projects", project.world.organization_path());
    for origin in ["https://evil.example", "null"] {
        let write = project.owner.post(&path).json(&json!({"name": "Mine"})).header("origin", origin);
        write.send().expect(201);
    }
}

#[test]
fn an_authorization_header_does_not_lift_the_rule_off_the_cookie() {
    let project = Project::new();
    let request =
        write(&project).header("authorization", "Bearer x").header("origin", "https://evil.example");
    // Then only the header counts, and its token is unknown.
    request.send().refuse(401, "Not signed in");
}

#[test]
fn a_foreign_page_cannot_sign_a_browser_in() {
    let project = Project::new();
    let login = || {
        let body = json!({"email": EMAIL, "password": PASSWORD});
        project.world.anonymous().post("/auth/password/login").json(&body)
    };
    login().header("origin", "https://evil.example").send().refuse(403, "another site");
    login().header("sec-fetch-site", "cross-site").send().refuse(403, "another site");
    login().header("origin", &own_origin(&project)).send().expect(200);
    login().send().expect(200);
}

#[test]
fn reads_by_cookie_need_no_origin() {
    let project = Project::new();
    let browser = project.world.anonymous().cookie(&project.world.owner_token);
    browser.get("/api/v1/me").header("origin", "https://evil.example").send().expect(200);
}

#[test]
fn cookies_beside_the_session_do_no_harm() {
    let project = Project::new();
    let token = &project.world.owner_token;
    let me = |cookie: &str| project.world.anonymous().get("/api/v1/me").header("cookie", cookie).send();
    me(&format!("a=b; mayday_session={token}; c=d")).expect(200);
    me(&format!("xmayday_session={token}")).refuse(401, "Not signed in");
    me("mayday_session=").refuse(401, "Not signed in");
}
