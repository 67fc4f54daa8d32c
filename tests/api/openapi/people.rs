//! Operations on people and organizations answer as documented.

use super::document::document;
use super::schemas::{answer, assert_fits};
use crate::support::client::Request;
use crate::support::code_host::CodeHost;
use crate::support::flow::{Flow, go_through};
use crate::support::person::{fresh_email, link_token};
use crate::support::{Client, PASSWORD, Server, Value, World, json};

/// Sends and compares with the document; the answer.
struct Judge(Value);

impl Judge {
    fn new(client: &Client) -> Self {
        Self(document(client))
    }

    #[track_caller]
    fn fits(&self, method: &str, path: &str, status: u16, request: Request) -> Value {
        let value = request.send().expect(status);
        let schema = answer(&self.0, method, path, &status.to_string());
        assert_fits(&self.0, schema, &value, path);
        value
    }
}

const ORGANIZATION: &str = "/api/v1/organizations/{organization_id}";

#[test]
fn operations_on_an_organization_answer_as_documented() {
    let world = World::new(Server::start());
    let judge = Judge::new(&world.anonymous());
    let owner = &world.owner;
    let (documented, real) = (
        |rest: &str| format!("{ORGANIZATION}{rest}"),
        |rest: &str| format!("{}{rest}", world.organization_path()),
    );
    judge.fits("patch", ORGANIZATION, 200, owner.patch(&real("")).json(&json!({"name": "Acme"})));
    let email = json!({"email": fresh_email(), "role": "admin"});
    let path = "/invitations";
    let made = judge.fits("post", &documented(path), 201, owner.post(&real(path)).json(&email));
    let resend = owner.post(&real(&format!("/invitations/{}/resend", made["id"])));
    judge.fits("post", &documented("/invitations/{invitation_id}/resend"), 200, resend);
    judge.fits("get", &documented(path), 200, owner.get(&real(path)));
    let key = owner.post(&real("/api-keys")).json(&json!({"name": "x"}));
    judge.fits("post", &documented("/api-keys"), 201, key);
    judge.fits("get", &documented("/api-keys"), 200, owner.get(&real("/api-keys")));
    let member = world.member();
    let path = "/members/{user_id}";
    let change = owner.patch(&world.member_path(member.id)).json(&json!({"role": "admin"}));
    judge.fits("patch", &documented(path), 200, change);
    let link = owner.post(&format!("{}/reset-link", world.member_path(member.id)));
    judge.fits("post", &documented("/members/{user_id}/reset-link"), 201, link);
    judge.fits("get", &documented("/audit"), 200, owner.get(&real("/audit?limit=200")));
    judge.fits("get", ORGANIZATION, 200, owner.get(&real("")));
    judge.fits("get", ORGANIZATION, 200, world.member().client.get(&real("")));
    let owner = owner.post(&real("/owner")).json(&json!({"user_id": member.id}));
    judge.fits("post", &documented("/owner"), 200, owner);
}

#[test]
fn operations_on_a_persons_account_answer_as_documented() {
    let world = World::new(Server::start());
    let judge = Judge::new(&world.anonymous());
    let anonymous = world.anonymous();
    let email = fresh_email();
    let token = link_token(&world.invite(&email, "member")["invite_url"]);
    let path = "/auth/invitation";
    judge.fits("post", path, 200, anonymous.post(path).json(&json!({"token": token})));
    let path = "/auth/password/register";
    let body = json!({"email": email, "password": PASSWORD, "invitation_token": token});
    let registered = judge.fits("post", path, 201, anonymous.post(path).json(&body));
    let person = world.bearer(registered["access_token"].as_str().unwrap());
    let path = "/api/v1/me";
    judge.fits("patch", path, 200, person.patch(path).json(&json!({"name": "Grace"})));
    let path = "/api/v1/me/tokens";
    judge.fits("post", path, 201, person.post(path).json(&json!({"name": "x", "expires_in_days": 5})));
    judge.fits("get", path, 200, person.get(path));
    let path = "/api/v1/me/sessions";
    judge.fits("get", path, 200, person.get(path));
    let path = "/auth/password/change";
    let body = json!({"current_password": PASSWORD, "new_password": "another passphrase"});
    judge.fits("post", path, 200, person.post(path).json(&body));
    let path = "/auth/password/forgot";
    let forgot = anonymous.post(path).json(&json!({"email": email})).send();
    assert_eq!(forgot.status(), 202);
}

#[test]
fn signing_in_through_a_provider_answers_as_documented() {
    let host = CodeHost::start();
    let world = host.world(&[]);
    let judge = Judge::new(&world.anonymous());
    let path = "/auth/github/start";
    judge.fits("post", path, 200, world.anonymous().post(path).json(&json!({})));
    let settings = format!("{ORGANIZATION}/sign-in");
    let real = format!("{}/sign-in", world.organization_path());
    let shown = judge.fits("get", &settings, 200, world.owner.get(&real));
    assert_eq!(shown["github"]["client_id"], "the-client");
    assert!(!shown.to_string().contains(crate::support::code_host::SECRET));
    let check = world.owner.post(&format!("{real}/check")).json(&json!({"provider": "github"}));
    judge.fits("post", &format!("{settings}/check"), 200, check);
    let person = world.member();
    host.be(7, &person.email, &json!(true));
    let client = world.bearer(&go_through(&world.anonymous()).expect("/"));
    let me = judge.fits("get", "/api/v1/me", 200, client.get("/api/v1/me"));
    assert_eq!(me["identities"].as_array().unwrap().len(), 1);
    let begin = json!({"purpose": "test", "redirect_to": "/x"});
    let landing = Flow::begin(&world.owner, &begin).finish(&world.anonymous());
    let id = landing.location.rsplit('=').next().unwrap();
    let report = world.owner.get(&format!("{real}/tests/{id}"));
    judge.fits("get", &format!("{settings}/tests/{{test_id}}"), 200, report);
}

/// A browser that comes back from a provider is led to a page, also where a program would be told to wait.
#[test]
fn too_many_returns_lead_to_a_page_as_documented() {
    let world = World::new(Server::start());
    let client = world.anonymous();
    let document = document(&client);
    for path in ["/api/v1/auth/callback", "/auth/github/callback"] {
        let responses = document["paths"][path]["get"]["responses"].as_object().unwrap();
        assert!(!responses.contains_key("429"), "{path}");
        assert!(responses["302"]["description"].as_str().unwrap().contains("`rate_limited`"), "{path}");
    }
    assert!(document["paths"]["/auth/password/login"]["post"]["responses"]["429"].is_object());
    let come_back = |path: &str| {
        let answer = client.get(&format!("{path}?state=x&code=x")).header("cookie", "mayday_flow=x").send();
        assert_eq!(answer.status(), 302, "{answer:?}");
        answer.header("location").unwrap().to_owned()
    };
    let first = come_back("/api/v1/auth/callback");
    assert!(first.ends_with("/login?error=not_configured"), "{first}");
    (1..50).for_each(|_| drop(come_back("/api/v1/auth/callback")));
    for path in ["/api/v1/auth/callback", "/auth/github/callback"] {
        let location = come_back(path);
        assert!(location.ends_with("/login?error=rate_limited"), "{location}");
    }
}

#[test]
fn a_second_organization_answers_as_documented() {
    let server = Server::of_many();
    let person = server.operated_person(&fresh_email());
    let judge = Judge::new(&person.client);
    let path = "/api/v1/organizations";
    judge.fits("post", path, 201, person.client.post(path).json(&json!({"name": "Mine"})));
    judge.fits("get", path, 200, person.client.get(path));
}
