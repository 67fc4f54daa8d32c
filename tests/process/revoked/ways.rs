//! The ways to lose access, each with the readers who lose it.

use super::places::Place;
use super::streams::Kind;
use crate::support::flow::go_through;
use crate::support::person::{Person, link_token, sign_in};
use crate::support::world::text;
use crate::support::{Client, EMAIL, PASSWORD, Value, json};
use std::iter;
use std::time::{Duration, Instant};

/// A reader and their kind of credentials.
pub(super) struct Reader {
    pub(super) by: &'static str,
    pub(super) client: Client,
}

/// Readers, and the action that revokes their access.
pub(super) type Prepared<'a> = (Vec<Reader>, Box<dyn FnOnce() + 'a>);

pub(super) struct Way {
    /// The operation of the API, or the command.
    pub(super) by: &'static str,
    pub(super) what: &'static str,
    /// Only where there can be many organizations.
    pub(super) of_many: bool,
    pub(super) prepare: fn(&Place) -> Prepared<'_>,
}

impl Way {
    /// Whether it ends such a stream of this reader: keys have no notifications, whoever loses only a project or one
    /// of many organizations still gets the other notifications, and an agent's session belongs to the organization,
    /// not to a project.
    pub(super) fn ends(&self, reader: &str, kind: Kind) -> bool {
        let of_account = !self.of_many && self.by != DELETE_PROJECT;
        match kind {
            Kind::Tail | Kind::Changes | Kind::Export => true,
            Kind::Told => of_account && !reader.contains("key"),
            Kind::Agent => reader != "a key" && self.by != DELETE_PROJECT,
        }
    }
}

const fn way(by: &'static str, what: &'static str, prepare: fn(&Place) -> Prepared<'_>) -> Way {
    Way { by, what, of_many: false, prepare }
}

/// In this order: the last ones change the organization, and end the project.
pub(super) const WAYS: [Way; 19] = [
    way("POST /auth/logout", "signing out", signs_out),
    way("DELETE /api/v1/me/sessions/{session_id}", "ending a session", session_is_ended),
    way("DELETE /api/v1/me/sessions", "ending all other sessions", others_are_ended),
    way(ONE_TOO_MANY, "one session too many", sessions_are_too_many),
    way("POST /auth/password/change", "a changed password", password_is_changed),
    way("POST /auth/password/reset", "a password that was reset", password_is_reset),
    way("GET /auth/github/callback", "the owner of the mailbox comes by a code host", proven_by_host),
    way("GET /api/v1/auth/callback", "the owner of the mailbox comes by single sign-on", proven_by_idp),
    way("DELETE /api/v1/me/tokens/{token_id}", "a revoked token", token_is_revoked),
    way("DELETE /api/v1/projects/{project_id}/api-keys/{key_id}", "a revoked key", key_is_revoked),
    way(
        "DELETE /api/v1/organizations/{organization_id}/api-keys/{key_id}",
        "a revoked key of the organization",
        organization_key_is_revoked,
    ),
    way("PATCH /api/v1/organizations/{organization_id}/members/{user_id}", "a disabled account", disabled),
    way("mayday user disable", "an account that the operator disabled", disabled_by_operator),
    way(REMOVE, "removal", removed),
    way(REMOVE, "leaving", left),
    way("POST /api/v1/organizations/{organization_id}/owner", "the organization is handed over", handed_over),
    way(DELETE_PROJECT, "a deleted project", deleted),
    Way { of_many: true, ..way(REMOVE, "removal from one of many organizations", removed) },
    Way { of_many: true, ..way(REMOVE, "leaving one of many organizations", left) },
];

pub(super) const ONE_TOO_MANY: &str = "POST /auth/password/login";
const DELETE_PROJECT: &str = "DELETE /api/v1/projects/{project_id}";
const REMOVE: &str = "DELETE /api/v1/organizations/{organization_id}/members/{user_id}";

/// The other operations and commands that change something: they end nobody's access.
pub(super) const OTHERS: [&str; 103] = [
    "POST /mcp",
    "POST /api/v1/errors",
    "POST /api/v1/errors/batch",
    "POST /api/v1/logs/batch",
    "POST /api/v1/replays",
    "POST /api/v1/replays/chunk",
    "DELETE /api/v1/replays/{replay_id}",
    "PATCH /api/v1/notifications/preferences",
    "PATCH /api/v1/notifications/weekly-report",
    "PATCH /api/v1/notifications/{notification_id}/archive",
    "PATCH /api/v1/notifications/{notification_id}/read",
    "POST /api/v1/instance/announcements",
    "POST /api/v1/notifications/mark-all-read",
    "POST /api/v1/notifications/unsubscribe",
    "PATCH /api/v1/me",
    "POST /api/v1/me/email",
    "DELETE /api/v1/me/identities/{identity_id}",
    "POST /api/v1/me/tokens",
    "POST /api/v1/organizations",
    "PATCH /api/v1/organizations/{organization_id}",
    "PUT /api/v1/organizations/{organization_id}/agent-caps",
    "POST /api/v1/organizations/{organization_id}/api-keys",
    "POST /api/v1/organizations/{organization_id}/invitations",
    "DELETE /api/v1/organizations/{organization_id}/invitations/{invitation_id}",
    "POST /api/v1/organizations/{organization_id}/invitations/{invitation_id}/resend",
    "POST /api/v1/organizations/{organization_id}/members/{user_id}/reset-link",
    "POST /api/v1/organizations/{organization_id}/projects",
    "POST /api/v1/organizations/{organization_id}/sign-in/check",
    "PATCH /api/v1/projects/{project_id}",
    "POST /api/v1/projects/{project_id}/api-keys",
    "POST /api/v1/projects/{project_id}/alert-channels",
    "PATCH /api/v1/projects/{project_id}/alert-channels/{channel_id}",
    "DELETE /api/v1/projects/{project_id}/alert-channels/{channel_id}",
    "POST /api/v1/projects/{project_id}/alert-channels/{channel_id}/test",
    "POST /api/v1/projects/{project_id}/alert-rules",
    "POST /api/v1/projects/{project_id}/alert-rules/preview",
    "PATCH /api/v1/projects/{project_id}/alert-rules/{rule_id}",
    "DELETE /api/v1/projects/{project_id}/alert-rules/{rule_id}",
    "PATCH /api/v1/projects/{project_id}/issues",
    "DELETE /api/v1/projects/{project_id}/issues/{issue_id}",
    "PATCH /api/v1/projects/{project_id}/issues/{issue_id}",
    "POST /api/v1/projects/{project_id}/issues/{issue_id}/comments",
    "DELETE /api/v1/projects/{project_id}/issues/{issue_id}/comments/{comment_id}",
    "POST /api/v1/projects/{project_id}/views",
    "PATCH /api/v1/projects/{project_id}/views/{view_id}",
    "DELETE /api/v1/projects/{project_id}/views/{view_id}",
    "DELETE /api/v1/projects/{project_id}/releases/{version}",
    "POST /api/v1/projects/{project_id}/releases/{version}/deploys",
    "DELETE /api/v1/projects/{project_id}/set-aside",
    "DELETE /api/v1/projects/{project_id}/set-aside/{set_aside_id}",
    "POST /api/v1/projects/{project_id}/set-aside/{set_aside_id}/retry",
    "POST /api/v1/releases",
    "POST /api/v1/releases/{version}/finalize",
    "POST /api/v1/sourcemaps",
    "POST /api/v1/sourcemaps/bundle",
    "POST /api/v1/sourcemaps/explain",
    "POST /api/v1/sourcemaps/missing",
    "POST /api/automations",
    "DELETE /api/automations/{automation_id}",
    "PATCH /api/automations/{automation_id}",
    "POST /api/automations/{automation_id}/run",
    "POST /api/automations/{automation_id}/triggers",
    "DELETE /api/automations/{automation_id}/triggers/{trigger_id}",
    "PATCH /api/automations/{automation_id}/triggers/{trigger_id}",
    "POST /api/repos",
    "PATCH /api/repos/{repository_id}",
    "DELETE /api/repos/{repository_id}",
    "POST /api/runners",
    "POST /api/runners/self/claim",
    "POST /api/runners/self/mirrors",
    "POST /api/runners/self/sessions/{agent_session_id}/finish",
    "POST /api/runners/self/sessions/{agent_session_id}/output",
    "POST /api/runners/self/sessions/{agent_session_id}/renew",
    "DELETE /api/runners/{runner_id}",
    "POST /api/sessions",
    "DELETE /api/sessions/{agent_session_id}",
    "PATCH /api/sessions/{agent_session_id}",
    "POST /api/sessions/{agent_session_id}/messages",
    "POST /api/sessions/{agent_session_id}/continue",
    "POST /api/sessions/{agent_session_id}/release",
    "POST /api/v1/organizations/{organization_id}/connections",
    "POST /api/v1/organizations/{organization_id}/connections/github/install",
    "DELETE /api/v1/organizations/{organization_id}/connections/{connection_id}",
    "PATCH /api/v1/organizations/{organization_id}/connections/{connection_id}",
    "POST /api/v1/organizations/{organization_id}/connections/{connection_id}/check",
    "POST /api/v1/projects/{project_id}/issues/{issue_id}/share",
    "POST /api/v1/projects/{project_id}/issues/{issue_id}/tickets",
    "POST /api/v1/projects/{project_id}/issues/{issue_id}/tickets/attach",
    "DELETE /api/v1/projects/{project_id}/issues/{issue_id}/tickets/{ticket_id}",
    "POST /api/v1/projects/{project_id}/issues/{issue_id}/tickets/{ticket_id}/check",
    "POST /webhooks/{webhook_path}",
    "POST /auth/email/confirm",
    "POST /auth/github/start",
    "POST /auth/invitation",
    "POST /auth/password/forgot",
    "POST /auth/password/register",
    "POST /auth/setup",
    "POST /auth/sso/start",
    "mayday user add",
    "mayday user enable",
    "mayday user help",
    "mayday user list",
    "mayday user reset-link",
];

/// Sessions that a person may have.
const SESSIONS_MAX: usize = 100;
/// A session's use is stored at most this often.
const USED: Duration = Duration::from_secs(61);
/// Milliseconds after which every session and every [`expiring`] token has expired.
pub(super) const AFTER_EXPIRY: i64 = 400 * 24 * 3_600 * 1_000;

fn session(client: &Client) -> Reader {
    Reader { by: "a session", client: client.clone() }
}

fn token(person: &Person) -> Reader {
    Reader { by: "a token", client: person.tool(&["read"]) }
}

fn both(person: &Person) -> Vec<Reader> {
    vec![session(&person.client), token(person)]
}

/// A session and a token that expire.
pub(super) fn expiring(place: &Place) -> [Client; 2] {
    let person = place.member();
    let body = json!({"name": "for a day", "scopes": ["read"], "expires_in_days": 1});
    let made = person.client.post("/api/v1/me/tokens").json(&body).send().expect(201);
    let token = place.world().bearer(&text(&made["token"]));
    [person.client, token]
}

fn signs_out(place: &Place) -> Prepared<'_> {
    let client = place.member().client;
    let out = client.clone();
    (vec![session(&client)], Box::new(move || drop(out.post("/auth/logout").send().expect(204))))
}

fn session_is_ended(place: &Place) -> Prepared<'_> {
    let person = place.member();
    let (path, other) = (format!("/api/v1/me/sessions/{}", person.session_id()), person.again().client);
    (vec![session(&person.client)], Box::new(move || drop(other.delete(&path).send().expect(204))))
}

fn others_are_ended(place: &Place) -> Prepared<'_> {
    let person = place.member();
    let (first, second, other) = (person.client.clone(), person.again().client, person.again().client);
    let end = move || drop(other.delete("/api/v1/me/sessions").send().expect(204));
    (vec![session(&first), session(&second)], Box::new(end))
}

/// The newest session replaces the one that was unused for longest, which has to be the reader's.
fn sessions_are_too_many(place: &Place) -> Prepared<'_> {
    let begun = Instant::now();
    let person = place.member();
    let others: Vec<Client> = (1..SESSIONS_MAX).map(|_| person.again().client).collect();
    if begun.elapsed() > USED / 2 {
        // On a slow machine, opening its streams would count as another use, later than all others.
        std::thread::sleep(USED);
        for client in iter::once(&person.client).chain(&others) {
            client.get("/api/v1/me").send().expect(200);
        }
    }
    (vec![session(&person.client)], Box::new(move || drop(person.again())))
}

fn password_is_changed(place: &Place) -> Prepared<'_> {
    let person = place.member();
    let (readers, other) = (both(&person), person.again().client);
    let body =
        json!({"current_password": PASSWORD, "new_password": "another passphrase", "end_tokens": true});
    (readers, Box::new(move || drop(other.post("/auth/password/change").json(&body).send().expect(200))))
}

fn password_is_reset(place: &Place) -> Prepared<'_> {
    let person = place.member();
    let made = place.keeper.post(&format!("{}/reset-link", place.world().member_path(person.id))).send();
    let body = json!({"token": link_token(&made.expect(201)["url"]), "password": "another passphrase"});
    let anonymous = place.world().anonymous();
    let reset = move || drop(anonymous.post("/auth/password/reset").json(&body).send().expect(204));
    (both(&person), Box::new(reset))
}

/// Access that somebody set up in another person's name ends when that person signs in.
fn proven_by_host(place: &Place) -> Prepared<'_> {
    let (person, anonymous) = (place.member(), place.world().anonymous());
    place.host.be(person.id.unsigned_abs(), &person.email, &json!(true));
    (both(&person), Box::new(move || drop(go_through(&anonymous).expect("/"))))
}

fn proven_by_idp(place: &Place) -> Prepared<'_> {
    let (person, anonymous) = (place.member(), place.world().anonymous());
    place.idp.be("somebody", &person.email, &json!(true));
    (both(&person), Box::new(move || drop(place.idp.go_through(&anonymous).expect("/"))))
}

fn token_is_revoked(place: &Place) -> Prepared<'_> {
    let person = place.member();
    let made = person.make_token(&["read"]);
    let (client, path) =
        (place.world().bearer(&text(&made["token"])), format!("/api/v1/me/tokens/{}", made["id"]));
    let readers = vec![Reader { by: "a token", client }];
    (readers, Box::new(move || drop(person.client.delete(&path).send().expect(204))))
}

/// A key that reads, created at `path`, and the request that revokes it.
fn key(place: &Place, by: &'static str, path: &str) -> (Reader, impl FnOnce() + use<>) {
    let body = json!({"name": "reader", "scopes": ["read"]});
    let made: Value = place.keeper.post(path).json(&body).send().expect(201);
    let (keeper, path) = (place.keeper.clone(), format!("{path}/{}", made["id"]));
    let reader = Reader { by, client: place.world().bearer(&text(&made["key"])) };
    (reader, move || drop(keeper.delete(&path).send().expect(204)))
}

fn project_key(place: &Place) -> (Reader, impl FnOnce() + use<>) {
    key(place, "a key", &place.project.path("/api-keys"))
}

fn organization_key(place: &Place) -> (Reader, impl FnOnce() + use<>) {
    key(place, "a key of the organization", &format!("{}/api-keys", place.world().organization_path()))
}

fn key_is_revoked(place: &Place) -> Prepared<'_> {
    let (reader, revoke) = project_key(place);
    (vec![reader], Box::new(revoke))
}

fn organization_key_is_revoked(place: &Place) -> Prepared<'_> {
    let (reader, revoke) = organization_key(place);
    (vec![reader], Box::new(revoke))
}

fn disabled(place: &Place) -> Prepared<'_> {
    let person = place.member();
    let (keeper, path) = (place.keeper.clone(), place.world().member_path(person.id));
    let disable = move || drop(keeper.patch(&path).json(&json!({"status": "disabled"})).send().expect(200));
    (both(&person), Box::new(disable))
}

fn disabled_by_operator(place: &Place) -> Prepared<'_> {
    let (person, server) = (place.member(), place.world().server.clone());
    let readers = both(&person);
    (readers, Box::new(move || drop(server.operated(&["disable", &person.email]))))
}

fn removed(place: &Place) -> Prepared<'_> {
    let person = place.member();
    let (keeper, path) = (place.keeper.clone(), place.world().member_path(person.id));
    (both(&person), Box::new(move || drop(keeper.delete(&path).send().expect(204))))
}

fn left(place: &Place) -> Prepared<'_> {
    let person = place.member();
    let (readers, path) = (both(&person), place.world().member_path(person.id));
    (readers, Box::new(move || drop(person.client.delete(&path).send().expect(204))))
}

/// The old owner continues with another session. The new one has never proven the address, so access that was set up
/// in their name ends.
fn handed_over(place: &Place) -> Prepared<'_> {
    let (next, anonymous) = (place.member(), place.world().anonymous());
    let answer = sign_in(&anonymous, EMAIL, PASSWORD).expect(200);
    let owner = Person::of(&anonymous, &answer);
    let mut readers = both(&next);
    readers.push(session(&owner.client));
    let path = format!("{}/owner", place.world().organization_path());
    let body = json!({"user_id": next.id});
    (readers, Box::new(move || drop(owner.client.post(&path).json(&body).send().expect(200))))
}

fn deleted(place: &Place) -> Prepared<'_> {
    let mut readers = both(&place.member());
    readers.extend([project_key(place).0, organization_key(place).0]);
    let (keeper, path) = (place.keeper.clone(), place.project.path(""));
    (readers, Box::new(move || drop(keeper.delete(&path).send().expect(204))))
}
