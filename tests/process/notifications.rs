//! Notifications through kill -9 at every step from a change on: a changed role leaves a signal, a consumer makes a
//! notification and a mail of it in one transaction, and the mail is sent under one key.

use crate::report::{Outcome, Report, broken, ensure, is_soak, kept, patience, skipped, within};
use crate::signals::{MailApi, Moment, TOLD, kill_at};
use crate::strace::missing;
use crate::support::person::Person;
use crate::support::{World, json};

/// The owner, who changes a member's role repeatedly.
struct Changes {
    member: Person,
    role: &'static str,
    /// Whether the last one was not answered.
    is_in_doubt: bool,
    /// Changes that hold.
    count: usize,
}

fn other(role: &str) -> &'static str {
    if role == "member" { "admin" } else { "member" }
}

impl Changes {
    /// `false` when there was no answer.
    fn change(&mut self, world: &World) -> Result<bool, String> {
        let body = json!({"role": other(self.role)});
        let path = world.member_path(self.member.id);
        let Ok(answer) = world.owner.patch(&path).json(&body).try_send() else {
            self.is_in_doubt = true;
            return Ok(false);
        };
        ensure(answer.status() == 200, || format!("{answer:?}"))?;
        self.took_effect();
        Ok(true)
    }

    fn took_effect(&mut self) {
        self.role = other(self.role);
        self.count += 1;
    }

    /// Finds out after a restart whether the last change holds.
    fn settle(&mut self, world: &World) {
        if std::mem::take(&mut self.is_in_doubt) && world.seen(self.member.id)["role"] != self.role {
            self.took_effect();
        }
    }
}

/// Kills the server at these syncs of its writer, each in a new process; every change causes one notification and one
/// mail.
fn kills_between_change_and_notification(kills: &[Moment], sabotage: Option<&'static str>) -> Outcome {
    let api = MailApi::start("You are now ");
    let mut variables = api.variables();
    variables.extend(sabotage.map(|name| ("MAYDAY_SABOTAGE", name)));
    let mut world = World::start_with(&variables);
    let member = world.member();
    let mut changes = Changes { member, role: "member", is_in_doubt: false, count: 0 };
    for moment in kills {
        // One after another: a burst of changes would be over before the consumer reads the first signal, and each
        // kill would hit a change.
        kill_at(&world.server, *moment, || {
            let is_answered = changes.change(&world)?;
            if matches!(moment, Moment::BeforePosition) {
                return Ok(is_answered);
            }
            let is_told = || (api.told() >= changes.count || world.server.has_ended()).then_some(());
            within(patience(TOLD), "the mail of a change", is_told)?;
            Ok(is_answered)
        })?;
        world = world.kill_and_restart();
        changes.settle(&world);
        within(patience(TOLD), "the mails", || (api.told() >= changes.count).then_some(()))?;
    }
    ensure(changes.change(&world)?, || "the last change was not answered".to_owned())?;
    within(patience(TOLD), "the last mail", || (api.told() >= changes.count).then_some(()))?;
    let member = world.bearer(&changes.member.token);
    let list = member.get("/api/v1/notifications?category=team").send().expect(200);
    unsubscribes(&world, &api, &changes.member.token)?;
    // The server finishes deliveries in progress and begins no others.
    world.server.stop();
    let (count, listed, told) = (changes.count, list["total"].clone(), api.told());
    ensure(count > kills.len() / 2, || format!("{count} changes prove nothing"))?;
    ensure(listed == count && told == count, || {
        format!("{count} changes were told of by {listed} notifications and {told} mails")
    })?;
    Ok(Report::default().with("kills", kills.len()).with("changes", count).with("mails", told))
}

/// The link in a mail ends such mails, without a session.
fn unsubscribes(world: &World, api: &MailApi, token: &str) -> Result<(), String> {
    let headers = api.mail().unwrap_or_default()["headers"].clone();
    ensure(headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click", || format!("{headers}"))?;
    let url = headers["List-Unsubscribe"].as_str().unwrap_or_default().trim_matches(['<', '>']);
    let path = url.find("/api/v1/").map(|start| &url[start..]).ok_or_else(|| format!("{headers}"))?;
    let client = world.bearer(token);
    let by_mail = || {
        let preferences = client.get("/api/v1/notifications/preferences").send().expect(200);
        let wanted = preferences["preferences"].as_array().unwrap().iter();
        wanted.filter(|one| one["email_enabled"] == true).count()
    };
    let before = by_mail();
    let anonymous = world.anonymous();
    ensure(anonymous.get(path).send().status() == 302 && by_mail() == before, || {
        "a look ended mails".to_owned()
    })?;
    let form = "List-Unsubscribe=One-Click";
    let answer = anonymous.post(path).body("application/x-www-form-urlencoded", form).send().expect(200);
    ensure(answer["category"] == "team" && by_mail() == before - 1, || format!("{answer}"))
}

#[test]
fn a_notification_is_made_once_whatever_step_is_killed() {
    if let Some(why) = missing() {
        return skipped(why);
    }
    let kills: Vec<Moment> = (1..=if is_soak() { 40 } else { 6 }).map(Moment::Sync).collect();
    kept(kills_between_change_and_notification(&kills, None));
}

#[test]
fn notifications_kept_beside_their_position_are_noticed() {
    if let Some(why) = missing() {
        return skipped(why);
    }
    let kills = [Moment::BeforePosition; 2];
    broken(
        kills_between_change_and_notification(&kills, Some("signal_position_beside_commit")),
        "were told of by",
    );
}
