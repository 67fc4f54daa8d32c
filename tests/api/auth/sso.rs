//! Single sign-on from the first page to the session: whom the policies let in, and with which role.

use crate::support::flow::{Flow, Landing};
use crate::support::idp::Idp;
use crate::support::person::{Person, fresh_email};
use crate::support::{PASSWORD, Value, World, json};
use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD as base64};

const CREATE: (&str, &str) = ("SSO_JIT_POLICY", "create_member");
const EXISTING: (&str, &str) = ("SSO_JIT_POLICY", "existing_user");

fn start(more: &[(&str, &str)]) -> (Idp, World) {
    let idp = Idp::start();
    let world = idp.world(more);
    (idp, world)
}

/// Everything but the boolean true proves nothing.
fn unproven() -> [Value; 6] {
    [json!("absent"), json!(false), json!("true"), json!("false"), json!(1), json!(null)]
}

#[track_caller]
fn arrived(world: &World, landing: &Landing) -> Person {
    let session = landing.expect("/");
    let client = world.bearer(&session);
    let me = client.get("/api/v1/me").send().expect(200);
    let email = me["email"].as_str().unwrap().to_owned();
    Person { id: me["id"].as_i64().unwrap(), email, token: session, client }
}

#[test]
fn by_default_only_invited_people_sign_in() {
    let (idp, world) = start(&[]);
    let client = world.anonymous();
    let member = world.member();
    for (subject, email) in [("s-1", fresh_email()), ("s-2", member.email.clone())] {
        idp.be(subject, &email, &json!(true));
        idp.go_through(&client).refuse("/login", "not_invited");
    }
    let email = fresh_email();
    world.invite(&email, "admin");
    for verified in unproven() {
        idp.be("s-3", &email, &verified);
        idp.go_through(&client).refuse("/login", "email_unverified");
    }
    idp.be("s-3", &email, &json!(true));
    let person = arrived(&world, &idp.go_through(&client));
    assert_eq!((person.email.as_str(), &world.seen(person.id)["role"]), (email.as_str(), &json!("admin")));
}

#[test]
fn existing_accounts_are_linked_and_no_new_ones_made() {
    let (idp, world) = start(&[EXISTING]);
    let client = world.anonymous();
    let member = world.member();
    for verified in unproven() {
        idp.be("s-1", &member.email, &verified);
        idp.go_through(&client).refuse("/login", "email_unverified");
    }
    idp.be("s-1", &member.email, &json!(true));
    assert_eq!(arrived(&world, &idp.go_through(&client)).id, member.id);
    idp.be("s-2", &member.email, &json!(true));
    idp.go_through(&client).refuse("/login", "identity_conflict");
    idp.be("s-3", &fresh_email(), &json!(true));
    idp.go_through(&client).refuse("/login", "not_invited");
    // Nothing had shown before that the mailbox is theirs.
    world.sign_in(&member.email, PASSWORD).refuse(401, "");
}

#[test]
fn accounts_are_made_with_the_default_role_for_the_allowed_domains_exactly() {
    let domains = ("SSO_ALLOWED_DOMAINS", "Corp.example");
    let gate = ("ALLOWED_EMAIL_DOMAINS", "elsewhere.example");
    let (idp, world) = start(&[CREATE, domains, gate, ("SSO_DEFAULT_ROLE", "admin")]);
    let client = world.anonymous();
    for email in ["eve@evilcorp.example", "eve@sub.corp.example", "eve@corp.example.org"] {
        idp.be("s-1", email, &json!(true));
        idp.go_through(&client).refuse("/login", "domain_not_allowed");
    }
    for email in ["eve@x@corp.example", "eve@corp.example.", "", "eve"] {
        idp.be("s-1", email, &json!(true));
        let landing = idp.go_through(&client);
        assert!(landing.session.is_none() && landing.location.starts_with("/login?error="), "{landing:?}");
    }
    for verified in unproven() {
        idp.be("s-1", "grace@corp.example", &verified);
        idp.go_through(&client).refuse("/login", "email_unverified");
    }
    idp.be("s-1", "Grace@CORP.example", &json!(true));
    let person = arrived(&world, &idp.go_through(&client));
    let seen = world.seen(person.id);
    assert_eq!((&seen["role"], &seen["email"]), (&json!("admin"), &json!("grace@corp.example")));
    assert_eq!(world.audit("?action=member.joined")[0]["detail"]["how"], "sso");
    // A pending invitation takes precedence over the default role.
    world.invite("ada@corp.example", "member");
    idp.be("s-2", "ada@corp.example", &json!(true));
    assert_eq!(world.seen(arrived(&world, &idp.go_through(&client)).id)["role"], "member");
}

#[test]
fn listed_addresses_become_admins_even_after_a_removal() {
    let listed = "listed@corp.example";
    let (idp, world) = start(&[CREATE, ("ADMIN_EMAILS", listed)]);
    let client = world.anonymous();
    idp.be("s-1", listed, &json!(true));
    let person = arrived(&world, &idp.go_through(&client));
    assert_eq!(world.seen(person.id)["role"], "admin");
    idp.be("s-2", "other@corp.example", &json!(true));
    let other = arrived(&world, &idp.go_through(&client));
    assert_eq!(world.seen(other.id)["role"], "member");
    for id in [person.id, other.id] {
        world.owner.delete(&world.member_path(id)).send().expect(204);
    }
    // No new account is made for a removed person.
    idp.go_through(&client).refuse("/login", "account_removed");
    idp.be("s-3", "other@corp.example", &json!(true));
    let landing = idp.go_through(&client);
    assert!(landing.session.is_none(), "{landing:?}");
    idp.be("s-1", listed, &json!(true));
    assert_eq!(arrived(&world, &idp.go_through(&client)).id, person.id);
    assert_eq!(world.seen(person.id)["role"], "admin");
    let change = json!({"status": "disabled"});
    world.owner.patch(&world.member_path(person.id)).json(&change).send().expect(200);
    idp.go_through(&client).refuse("/login", "account_disabled");
}

#[test]
fn somebody_who_used_anothers_address_loses_access_when_its_owner_signs_in() {
    let (idp, world) = start(&[EXISTING]);
    let email = fresh_email();
    let squatter = world.server.operated_person(&email);
    let tool = squatter.tool(&["admin"]);
    idp.be("s-1", &email, &json!(true));
    assert_eq!(arrived(&world, &idp.go_through(&world.anonymous())).id, squatter.id);
    for dead in [&squatter.client, &tool] {
        dead.get("/api/v1/me").send().refuse(401, "Not signed in");
    }
    world.sign_in(&email, PASSWORD).refuse(401, "password");
}

#[test]
fn a_token_that_is_not_for_this_sign_in_is_not_believed() {
    let (idp, world) = start(&[CREATE]);
    let client = world.anonymous();
    idp.be("s-1", &fresh_email(), &json!(true));
    for change in [
        json!({"nonce": "another"}),
        json!({"nonce": null}),
        json!({"iss": "https://evil.example"}),
        json!({"iss": format!("{}/", idp.issuer())}),
        json!({"aud": "another-client"}),
        json!({"aud": ["the-client", "another"], "azp": "another"}),
        json!({"exp": 1_000_000_000}),
        json!({"iat": 9_000_000_000_u64, "exp": 9_000_000_300_u64}),
        json!({"sub": ""}),
        json!({"sub": 7}),
    ] {
        let landing = idp.finish_changed(&Flow::start_sso(&client), &client, &change);
        assert_eq!(landing.session, None, "{change}");
        assert_eq!(landing.location, "/login?error=invalid_answer", "{change}");
    }
    idp.finish_forged(&Flow::start_sso(&client), &client).refuse("/login", "invalid_answer");
    // Without a signature, and with one that anybody can make.
    for (algorithm, signature) in [("none", ""), ("none", "AAAA"), ("HS256", "AAAA"), ("RS256", "AAAA")] {
        let flow = Flow::start_sso(&client);
        let header = base64.encode(json!({"alg": algorithm, "kid": "k1"}).to_string());
        let claims = base64.encode(idp.claims_of(&flow, &json!({})).to_string());
        idp.give(&format!("{header}.{claims}.{signature}"));
        flow.finish(&client).refuse("/login", "invalid_answer");
    }
    arrived(&world, &idp.go_through(&client));
}

#[test]
fn a_provider_in_the_internal_network_is_not_contacted_unless_allowed() {
    let idp = Idp::start();
    let world = idp.world(&[("SSO_OIDC_ALLOW_PRIVATE_PROVIDER_URLS", "false")]);
    let answer = world.anonymous().get("/auth/sso/start").send();
    assert_eq!(answer.header("location"), Some("/login?error=unreachable"));
    let check = format!("{}/sign-in/check", world.organization_path());
    let report = world.owner.post(&check).json(&json!({"provider": "sso"})).send().expect(200);
    assert_eq!(report["ok"], false, "{report}");
}
