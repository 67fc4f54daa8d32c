//! People of an instance: invited and registered, or made by the operator.

use super::server::{RunToEnd as _, Server, command};
use super::world::{number, text};
use super::{Client, PASSWORD, Response, Value, World, json};
use std::process::Output;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// Somebody with an account, signed in by Bearer. The password is [`PASSWORD`].
#[derive(Debug, Clone)]
pub(crate) struct Person {
    pub(crate) id: i64,
    pub(crate) email: String,
    pub(crate) token: String,
    pub(crate) client: Client,
}

/// An address that no other person has.
pub(crate) fn fresh_email() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(1);
    format!("person-{}@example.com", NEXT.fetch_add(1, Ordering::Relaxed))
}

/// The token in a link such as `…/register?token=…` or `…/reset-password#token=…`.
#[track_caller]
pub(crate) fn link_token(url: &Value) -> String {
    let url = text(url);
    url.split_once("token=").unwrap_or_else(|| panic!("no token in {url}")).1.to_owned()
}

pub(crate) fn register(client: &Client, email: &str, password: &str, token: &str) -> Response {
    let body = json!({"email": email, "password": password, "invitation_token": token});
    client.post("/auth/password/register").json(&body).send()
}

pub(crate) fn sign_in(client: &Client, email: &str, password: &str) -> Response {
    let body = json!({"email": email, "password": password});
    client.post("/auth/password/login").json(&body).send()
}

impl Person {
    /// Out of the answer of a registration or a sign-in.
    #[track_caller]
    pub(crate) fn of(client: &Client, answer: &Value) -> Self {
        let token = text(&answer["access_token"]);
        let user = &answer["user"];
        let client = client.bearer(&token);
        Self { id: number(&user["id"]), email: text(&user["email"]), token, client }
    }

    /// The same person in another session.
    #[track_caller]
    pub(crate) fn again(&self) -> Self {
        let anonymous = self.client.clone().anonymously();
        Self::of(&anonymous, &sign_in(&anonymous, &self.email, PASSWORD).expect(200))
    }

    /// Makes a personal access token with these scopes; its record with the token itself.
    #[track_caller]
    pub(crate) fn make_token(&self, scopes: &[&str]) -> Value {
        let body = json!({"name": "a tool", "scopes": scopes});
        self.client.post("/api/v1/me/tokens").json(&body).send().expect(201)
    }

    /// As a tool of theirs with these scopes.
    #[track_caller]
    pub(crate) fn tool(&self, scopes: &[&str]) -> Client {
        self.client.bearer(&text(&self.make_token(scopes)["token"]))
    }

    /// The id of the client's session.
    #[track_caller]
    pub(crate) fn session_id(&self) -> i64 {
        let sessions = self.client.get("/api/v1/me/sessions").send().expect(200)["sessions"].clone();
        let current = sessions.as_array().unwrap().iter().find(|session| session["current"] == true);
        number(&current.expect("a current session")["id"])
    }
}

impl World {
    /// An instance with these variables, claimed.
    pub(crate) fn start_with(variables: &[(&str, &str)]) -> Self {
        Self::new(Server::start_with(variables))
    }

    /// The owner, as a person.
    pub(crate) fn owner_person(&self) -> Person {
        Person {
            id: self.owner_id,
            email: super::EMAIL.to_owned(),
            token: self.owner_token.clone(),
            client: self.owner.clone(),
        }
    }

    /// A new member of the organization.
    #[track_caller]
    pub(crate) fn member(&self) -> Person {
        self.person("member")
    }

    #[track_caller]
    pub(crate) fn admin(&self) -> Person {
        self.person("admin")
    }

    #[track_caller]
    pub(crate) fn person(&self, role: &str) -> Person {
        self.join(&fresh_email(), role)
    }

    /// Invites an address and registers it.
    #[track_caller]
    pub(crate) fn join(&self, email: &str, role: &str) -> Person {
        let invitation = self.invite(email, role);
        let answer = register(&self.anonymous(), email, PASSWORD, &link_token(&invitation["invite_url"]));
        Person::of(&self.anonymous(), &answer.expect(201))
    }

    /// Invites a removed person again, who accepts.
    #[track_caller]
    pub(crate) fn join_again(&self, person: &Person) -> Person {
        self.join(&person.email, "member")
    }

    /// Invites somebody; the invitation's record.
    #[track_caller]
    pub(crate) fn invite(&self, email: &str, role: &str) -> Value {
        invite(&self.owner, self, email, role).expect(201)
    }

    pub(crate) fn sign_in(&self, email: &str, password: &str) -> Response {
        sign_in(&self.anonymous(), email, password)
    }

    pub(crate) fn member_path(&self, id: i64) -> String {
        format!("{}/members/{id}", self.organization_path())
    }

    /// A member as the owner sees them; null if there is none with this id.
    #[track_caller]
    pub(crate) fn seen(&self, id: i64) -> Value {
        let organization = self.owner.get(&self.organization_path()).send().expect(200);
        let members = organization["members"].as_array().unwrap();
        members.iter().find(|member| member["id"] == id).cloned().unwrap_or_default()
    }

    /// The entries of the audit log that fit a query string such as `?action=member.`, the newest first.
    #[track_caller]
    pub(crate) fn audit(&self, query: &str) -> Vec<Value> {
        let path = format!("{}/audit{query}", self.organization_path());
        self.owner.get(&path).send().expect(200)["entries"].as_array().unwrap().clone()
    }

    /// A new organization on a server with many; the operator creates its owner.
    #[track_caller]
    pub(crate) fn founded(server: &Arc<Server>, name: &str) -> Self {
        let founder = server.operated_person(&fresh_email());
        let made = founder.client.post("/api/v1/organizations").json(&json!({"name": name})).send();
        let organization = number(&made.expect(201)["id"]);
        Self {
            server: server.clone(),
            owner: founder.client,
            owner_token: founder.token,
            owner_id: founder.id,
            organization,
        }
    }
}

/// Invites somebody as anybody.
pub(crate) fn invite(client: &Client, world: &World, email: &str, role: &str) -> Response {
    let body = json!({"email": email, "role": role});
    client.post(&format!("{}/invitations", world.organization_path())).json(&body).send()
}

impl Server {
    /// A server for many organizations, which has none yet.
    pub(crate) fn of_many() -> Self {
        Self::start_with(&[("SINGLE_ORG_MODE", "false")])
    }

    /// `mayday user …` on the server's data directory.
    pub(crate) fn operate(&self, arguments: &[&str]) -> Output {
        let mut command = command(["user"]);
        command.args(arguments).arg("--data-dir").arg(self.data_dir()).current_dir(self.data_dir()).run()
    }

    /// The output of a command for operators, which must succeed.
    #[track_caller]
    pub(crate) fn operated(&self, arguments: &[&str]) -> String {
        let output = self.operate(arguments);
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Makes an account by `mayday user add`, sets its password by the link, and signs in.
    #[track_caller]
    pub(crate) fn operated_person(&self, email: &str) -> Person {
        self.set_password(&self.operated(&["add", email]));
        Person::of(&self.anonymous(), &sign_in(&self.anonymous(), email, PASSWORD).expect(200))
    }

    /// Follows the link in the operator's output.
    #[track_caller]
    pub(crate) fn set_password(&self, told: &str) {
        let link = told.split_whitespace().find(|word| word.contains("#token=")).expect(told);
        let body = json!({"token": link_token(&json!(link)), "password": PASSWORD});
        self.anonymous().post("/auth/password/reset").json(&body).send().expect(204);
    }
}
