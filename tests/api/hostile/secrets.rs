//! No secret of the configuration is ever shown, whatever fails.

use crate::openapi::document::{Operation, operations};
use crate::support::code_host::CodeHost;
use crate::support::flow::Flow;
use crate::support::person::fresh_email;
use crate::support::server::{RunToEnd as _, command};
use crate::support::{Client, World, json};

/// In the secret part of every variable that has one.
const CANARY: &str = "canary-4f1c9a7e-stands-in-every-secret";

fn variables(mail_by_smtp: bool) -> Vec<(&'static str, String)> {
    let mut variables = vec![
        ("JWT_SECRET", format!("jwt-{CANARY}")),
        ("CLOUD_SECRET_KEY", format!("cloud-{CANARY}")),
        ("HOST_OAUTH_CLIENT_ID", "the-client".to_owned()),
        ("HOST_OAUTH_CLIENT_SECRET", format!("host-{CANARY}")),
        ("SSO_ENABLED", "true".to_owned()),
        ("SSO_OIDC_ISSUER_URL", "http://127.0.0.1:9".to_owned()),
        ("SSO_OIDC_ALLOW_PRIVATE_PROVIDER_URLS", "true".to_owned()),
        ("SSO_OIDC_CLIENT_ID", "the-client".to_owned()),
        ("SSO_OIDC_CLIENT_SECRET", format!("sso-{CANARY}")),
        ("MAIL_FROM_EMAIL", "mayday@example.com".to_owned()),
        ("SERVICE_LOG", "debug".to_owned()),
        ("AGENT_GATEWAY_ENABLED", "true".to_owned()),
        ("AGENT_GATEWAY_PROXY_BASE_URL", "http://127.0.0.1:9".to_owned()),
        ("AGENT_GATEWAY_PROXY_PUBLIC_BASE_URL", "http://127.0.0.1:9/llm".to_owned()),
        ("AGENT_GATEWAY_PROXY_MASTER_KEY", format!("gateway-{CANARY}")),
        ("PROXY_MASTER_KEY", format!("gateway-{CANARY}")),
    ];
    if mail_by_smtp {
        variables.push(("SERVICE_MAIL_SMTP_URL", format!("smtp://user:smtp-{CANARY}@127.0.0.1:9")));
    } else {
        variables.push(("MAIL_API_KEY", format!("mail-{CANARY}")));
        variables.push(("SERVICE_MAIL_API_URL", "http://127.0.0.1:9/email".to_owned()));
    }
    variables
}

fn start(host: &CodeHost, mail_by_smtp: bool) -> World {
    let mut all = variables(mail_by_smtp);
    // The addresses of the host, with the canary for its secret.
    all.extend(host.variables().into_iter().filter(|(name, _)| name.starts_with("SERVICE_")));
    let all: Vec<(&str, &str)> = all.iter().map(|(name, value)| (*name, value.as_str())).collect();
    World::start_with(&all)
}

/// Sends valid and invalid requests to every kind of route; returns every answer.
fn provoke(host: &CodeHost, world: &World) -> Vec<String> {
    let organization = world.organization_path();
    let mut answers = Vec::new();
    let mut keep = |answer: crate::support::Response| answers.push(format!("{answer:?}{}", answer.text()));
    for path in
        ["/", "/login", "/health", "/meta", "/auth/desktop/methods", "/auth/setup", "/.env", "/secrets.env"]
    {
        keep(world.anonymous().get(path).send());
    }
    for rest in ["", "/sign-in", "/audit?limit=200", "/invitations", "/api-keys"] {
        keep(world.owner.get(&format!("{organization}{rest}")).send());
    }
    for provider in ["sso", "github"] {
        let check = format!("{organization}/sign-in/check");
        keep(world.owner.post(&check).json(&json!({"provider": provider})).send());
        keep(world.anonymous().get(&format!("/auth/{provider}/start")).send());
    }
    let invitation = json!({"email": fresh_email()});
    keep(world.owner.post(&format!("{organization}/invitations")).json(&invitation).send());
    keep(
        world.anonymous().post("/auth/password/forgot").json(&json!({"email": crate::support::EMAIL})).send(),
    );
    for answer in [json!({"error": "invalid_client"}), json!([]), json!({"access_token": 5})] {
        host.refuse(answer);
        let flow = Flow::start(&world.anonymous());
        let path = format!("/auth/github/callback?state={}&code=x", flow.state);
        keep(world.anonymous().get(&path).header("cookie", &flow.cookie).send());
        let test = json!({"purpose": "test", "redirect_to": "/x"});
        let landing = Flow::begin(&world.owner, &test).finish(&world.anonymous());
        let id = landing.location.rsplit('=').next().unwrap().to_owned();
        keep(world.owner.get(&format!("{organization}/sign-in/tests/{id}")).send());
    }
    answers.extend(reads(&world.owner));
    answers
}

/// The answers of every route without a placeholder whose answer ends.
fn reads(client: &Client) -> Vec<String> {
    let plain = |one: &Operation| one.method == "GET" && !one.path.contains('{') && !one.is_stream();
    let operations = operations(client).into_iter().filter(plain);
    operations.map(|operation| client.get(&operation.path).send().text()).collect()
}

#[test]
fn no_secret_is_in_any_answer_or_in_the_log() {
    for mail_by_smtp in [false, true] {
        let host = CodeHost::start();
        let world = start(&host, mail_by_smtp);
        for answer in provoke(&host, &world) {
            assert!(!answer.contains(CANARY), "{answer}");
        }
        // People who invite somebody learn of failed mail, in a message without secrets.
        let path = format!("{}/invitations", world.organization_path());
        crate::support::eventually("a try to send the mail", || {
            let told = world.owner.get(&path).send().expect(200).to_string();
            assert!(!told.contains(CANARY), "{told}");
            (world.server.output().contains("mail") || told.contains("failed")).then_some(())
        });
        world.server.stop();
        let output = world.server.output();
        assert!(!output.contains(CANARY), "{output}");
        let token_lines = output.lines().filter(|line| line.contains("#token=")).count();
        assert_eq!(token_lines, 1, "{output}");
    }
}

#[test]
fn output_about_the_configuration_has_no_secret() {
    for mail_by_smtp in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        let mut command = command(["check-config", "--data-dir"]);
        command.arg(folder.path().join("data")).current_dir(folder.path()).envs(variables(mail_by_smtp));
        let output = command.run();
        let text = format!("{output:?}");
        assert!(output.status.success(), "{text}");
        assert!(!text.contains(CANARY) && text.contains("mayday@example.com"), "{text}");
    }
}

#[test]
fn errors_of_the_configuration_have_no_secret() {
    for (name, value) in [
        ("SITE_ADDRESS", "ftp://nowhere"),
        ("SERVICE_MAIL_SMTP_URL", "smtp://user:canary-4f1c9a7e-stands-in-every-secret@"),
        ("SERVICE_MAIL_SMTP_URL", "canary-4f1c9a7e-stands-in-every-secret"),
        ("HOST_OAUTH_CLIENT_SECRET", "canary-4f1c9a7e-stands-in-every-secret-\u{e9}"),
        ("MAIL_API_KEY", "canary-4f1c9a7e-stands-in-every-secret\nwith a line"),
        ("JWT_SECRET", "canary"),
        ("AGENT_GATEWAY_PROXY_MASTER_KEY", "another-canary"),
        ("AGENT_GATEWAY_PROXY_MASTER_KEY", "canary-4f1c9a7e-stands-in-every-secret-\u{e9}"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        for subcommand in ["check-config", "serve"] {
            let mut command = command([subcommand, "--listen", "127.0.0.1:0", "--data-dir"]);
            command.arg(folder.path().join("data")).current_dir(folder.path()).envs(variables(false));
            let output = command.env(name, value).run();
            let text = format!("{output:?}");
            assert!(!output.status.success(), "{name}: {text}");
            assert!(!text.contains("canary"), "{name}: {text}");
        }
    }
}
