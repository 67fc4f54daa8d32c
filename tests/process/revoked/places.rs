//! A project that is busy, in an instance where people sign in by every method.

use super::streams::{Kind, Open};
use crate::journal::StopOnDrop;
use crate::logs::stream::now;
use crate::report::ensure;
use crate::support::code_host::CodeHost;
use crate::support::idp::Idp;
use crate::support::person::{Person, fresh_email, invite, link_token, register};
use crate::support::world::text;
use crate::support::{Client, PASSWORD, Project, Server, Value, World, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::time::Duration;

/// Entries of an export, and the length of each: far more than buffers hold for a client that does not read.
const ARCHIVED: usize = 1_200;
const LENGTH: usize = 4 << 10;
/// The search of the export.
pub(super) const ARCHIVE: &str = "archived";

pub(super) struct Place {
    pub(super) project: Project,
    pub(super) host: CodeHost,
    pub(super) idp: Idp,
    /// An administrator, who keeps their access in every case but one: the deletion of the project.
    pub(super) keeper: Client,
    /// The path of an agent's session.
    pub(super) agent: String,
}

/// Sent after access was lost.
pub(super) struct Mark {
    message: String,
    issue: Value,
}

impl Mark {
    /// Whether a block of a stream shows it.
    pub(super) fn is_in(&self, block: &str) -> bool {
        let data = block.lines().find_map(|line| line.strip_prefix("data: "));
        let data: Value = data.and_then(|data| serde_json::from_str(data).ok()).unwrap_or_default();
        let names = data["ids"].as_array().is_some_and(|ids| ids.contains(&self.issue));
        let is_told = data["newest"]["notification_metadata"]["issue_id"] == self.issue;
        names || is_told || block.contains(&self.message)
    }
}

impl Place {
    pub(super) fn of_one_organization(environment: &[(&str, &str)]) -> Self {
        Self::new(environment, World::new)
    }

    pub(super) fn of_many_organizations(environment: &[(&str, &str)]) -> Self {
        let environment = [environment, &[("SINGLE_ORG_MODE", "false")]].concat();
        Self::new(&environment, |server| World::founded(&Arc::new(server), "Acme"))
    }

    fn new(environment: &[(&str, &str)], world: impl FnOnce(Server) -> World) -> Self {
        let (host, idp) = (CodeHost::start(), Idp::start());
        let variables = host.variables();
        let variables = variables.iter().map(|(name, value)| (*name, value.as_str()));
        let linking = ("SSO_JIT_POLICY", "existing_user");
        let world = world(
            idp.server(&variables.chain([linking]).chain(environment.iter().copied()).collect::<Vec<_>>()),
        );
        let keeper = world.admin().client;
        // The newest notification has to be about an issue.
        for category in ["team", "system"] {
            let preference = json!({"category": category, "in_app_enabled": false});
            keeper.patch("/api/v1/notifications/preferences").json(&preference).send().expect(200);
        }
        let agent = keeper.post("/api/sessions").json(&json!({"prompt": "Look"})).send().expect(201);
        let agent = format!("/api/sessions/{}", text(&agent["session"]["id"]));
        let place = Self { project: Project::in_world(Arc::new(world), "Busy"), host, idp, keeper, agent };
        place.archive();
        place
    }

    pub(super) fn world(&self) -> &World {
        &self.project.world
    }

    /// A member, whom the keeper has invited.
    pub(super) fn member(&self) -> Person {
        let email = fresh_email();
        let invitation = invite(&self.keeper, self.world(), &email, "member").expect(201);
        let anonymous = self.world().anonymous();
        let answer = register(&anonymous, &email, PASSWORD, &link_token(&invitation["invite_url"]));
        Person::of(&anonymous, &answer.expect(201))
    }

    fn archive(&self) {
        let entry = json!({"timestamp": now(), "level": "info", "message": format!("{ARCHIVE} {}", "long ".repeat(LENGTH / 5))});
        let body = self.project.with_key(&json!({"logs": vec![entry; 100]}));
        for _ in 0..ARCHIVED / 100 {
            self.world().anonymous().post("/api/v1/logs/batch").json(&body).send().expect(202);
        }
        let path = self.project.path(&format!("/logs?limit=1&search={ARCHIVE}"));
        crate::support::eventually("the archive", || {
            (self.keeper.get(&path).send().expect(200)["total"] == ARCHIVED).then_some(())
        });
    }

    /// An export whose reader keeps their access is complete.
    pub(super) fn export_is_whole(&self) -> Result<(), String> {
        let violation = Open::new(self, &self.keeper, Kind::Export)?.ends_without(None).err();
        ensure(violation.is_some_and(|text| text.contains("came to its end")), || {
            "an export was cut off that its reader may read".to_owned()
        })
    }

    /// The streams of the keeper.
    pub(super) fn open_as_keeper(&self) -> Result<Vec<Open>, String> {
        let kinds = [Kind::Tail, Kind::Changes, Kind::Told, Kind::Agent];
        kinds.into_iter().map(|kind| Open::new(self, &self.keeper, kind)).collect()
    }

    /// Sends an entry, a message to the agent, and an event of a new issue; `None` if the project accepts nothing any
    /// more.
    pub(super) fn mark(&self) -> Option<Mark> {
        static NEXT: AtomicU8 = AtomicU8::new(b'a');
        let message = format!("afterwards-{}", char::from(NEXT.fetch_add(1, Ordering::Relaxed)));
        if self.log(&message) != 202 {
            return None;
        }
        let to_agent = self.keeper.post(&format!("{}/messages", self.agent));
        to_agent.json(&json!({"content": message})).send().expect(201);
        let event = json!({"exception": {"type": message, "message": "afterwards"}});
        let id = self.project.accept(&event);
        let path = format!("/api/v1/events/{id}?project_id={}", self.project.id);
        let issue = crate::support::eventually("the event", || {
            let answer = self.keeper.get(&path).send();
            (answer.status() != 404).then(|| answer.expect(200)["issue_id"].clone())
        });
        Some(Mark { message, issue })
    }

    /// Sends a log entry; the status of the answer.
    fn log(&self, message: &str) -> u16 {
        let entry = json!({"timestamp": now(), "level": "info", "message": message});
        let body = self.project.with_key(&json!({"logs": [entry]}));
        self.world().anonymous().post("/api/v1/logs/batch").json(&body).send().status()
    }
}

/// Sends entries and events all the time while `meanwhile` runs.
pub(super) fn busy<T>(place: &Place, meanwhile: impl FnOnce() -> T) -> T {
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for round in 0.. {
                if stop.load(Ordering::Relaxed) {
                    return;
                }
                place.log("busy");
                if round % 10 == 0 {
                    drop(place.project.post(&json!({"message": "busy"})));
                }
                std::thread::sleep(Duration::from_millis(5));
            }
        });
        // However it ends.
        let _stop = StopOnDrop(&stop);
        meanwhile()
    })
}
