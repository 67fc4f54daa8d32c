//! Signals through kill -9 at every step: a changed password leaves a signal, a consumer makes a mail of it, and the
//! mail goes to the API under one key however often it is sent.

use crate::report::{Outcome, Report, broken, ensure, is_soak, kept, patience, skipped, within};
use crate::strace::{SYNCS, Strace, missing};
use crate::support::{Client, PASSWORD, Server, Value, World, json};
use rustix::process::Signal;
use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The thread that applies the change, writes the mail and records that it was sent, with a sync for each.
const MAIN: &str = "write main";
/// Far longer than several changes of a password take.
const REACHED: Duration = Duration::from_mins(1);
/// The time limit from a change to its mail.
pub(crate) const TOLD: Duration = Duration::from_secs(20);

/// A mail API, or a receiver of webhooks, that accepts everything and recognizes repetitions by their keys.
pub(crate) struct MailApi {
    pub(crate) url: String,
    /// The mails that are counted, by key.
    mails: Arc<Mutex<BTreeMap<String, Value>>>,
}

impl MailApi {
    /// Counts the mails with subjects, and the messages with titles, that begin so.
    pub(crate) fn start(subject: &'static str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/emails", listener.local_addr().unwrap());
        let mails: Arc<Mutex<BTreeMap<String, Value>>> = Arc::default();
        let kept = mails.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let kept = kept.clone();
                std::thread::spawn(move || {
                    if let Some((key, mail)) = take(&stream)
                        && [&mail["subject"], &mail["data"]["title"]]
                            .iter()
                            .any(|title| title.as_str().is_some_and(|text| text.starts_with(subject)))
                    {
                        kept.lock().unwrap().insert(key, mail);
                    }
                });
            }
        });
        Self { url, mails }
    }

    /// The configuration of a server that sends its mail here.
    pub(crate) fn variables(&self) -> Vec<(&str, &str)> {
        vec![
            ("MAIL_API_KEY", "the-key-of-the-mail-service"),
            ("MAIL_FROM_EMAIL", "mayday@example.com"),
            ("SERVICE_MAIL_API_URL", self.url.as_str()),
        ]
    }

    /// All that was counted.
    pub(crate) fn all(&self) -> Vec<Value> {
        self.mails.lock().unwrap().values().cloned().collect()
    }

    pub(crate) fn told(&self) -> usize {
        self.mails.lock().unwrap().len()
    }

    /// One of the mails.
    pub(crate) fn mail(&self) -> Option<Value> {
        self.mails.lock().unwrap().values().next().cloned()
    }
}

/// Reads a request and answers it; its key and its body.
fn take(mut stream: &TcpStream) -> Option<(String, Value)> {
    let mut reader = BufReader::new(stream);
    let (mut key, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok().filter(|read| *read > 0)?;
        let Some((name, value)) = line.trim_end().split_once(": ") else {
            if line.trim_end().is_empty() {
                break;
            }
            continue;
        };
        match name.to_ascii_lowercase().as_str() {
            "idempotency-key" | "webhook-id" => value.clone_into(&mut key),
            "content-length" => length = value.parse().ok()?,
            _ => {}
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let mail = serde_json::from_slice(&body).ok()?;
    stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}").ok()?;
    Some((key, mail))
}

/// A person who changes their password repeatedly.
struct Person {
    email: String,
    client: Client,
    password: String,
    /// Of a change that was not answered.
    in_doubt: Option<String>,
    tried: usize,
    /// Changes that hold.
    changed: usize,
}

impl Person {
    fn join(world: &World) -> Self {
        let person = world.member();
        let password = PASSWORD.to_owned();
        Self { email: person.email, client: person.client, password, in_doubt: None, tried: 0, changed: 0 }
    }

    /// Changes the password; `false` when there was no answer.
    fn change(&mut self) -> Result<bool, String> {
        self.tried += 1;
        let new = format!("correct horse battery {}", self.tried);
        let body = json!({"current_password": self.password, "new_password": new});
        let Ok(answer) = self.client.post("/auth/password/change").json(&body).try_send() else {
            self.in_doubt = Some(new);
            return Ok(false);
        };
        ensure(answer.status() == 200, || format!("{answer:?}"))?;
        self.client = self.client.bearer(answer.value()["access_token"].as_str().unwrap_or_default());
        self.password = new;
        self.changed += 1;
        Ok(true)
    }

    /// Finds out after a restart whether the last change holds, and signs in.
    fn settle(&mut self, world: &World) {
        if let Some(new) = self.in_doubt.take()
            && world.sign_in(&self.email, &new).status() == 200
        {
            self.password = new;
            self.changed += 1;
        }
        let answer = world.sign_in(&self.email, &self.password).expect(200);
        self.client = world.bearer(answer["access_token"].as_str().unwrap());
    }
}

/// Kills the server at these syncs of its writer, each in a new process; every change causes one mail.
fn kills_between_change_and_mail(kills: &[Moment], sabotage: Option<&'static str>) -> Outcome {
    let api = MailApi::start("Your Mayday password was changed");
    let mut variables = api.variables();
    variables.extend(sabotage.map(|name| ("MAYDAY_SABOTAGE", name)));
    let mut world = World::start_with(&variables);
    let mut person = Person::join(&world);
    for moment in kills {
        kill_at(&world.server, *moment, || person.change())?;
        world = world.kill_and_restart();
        person.settle(&world);
        // The mails are sent before the next kill, so that each kill hits the same steps.
        within(patience(TOLD), "the mails", || (api.told() >= person.changed).then_some(()))?;
    }
    ensure(person.change()?, || "the last change was not answered".to_owned())?;
    within(patience(TOLD), "the last mail", || (api.told() >= person.changed).then_some(()))?;
    // The server finishes deliveries in progress and begins no others.
    world.server.stop();
    let (changed, told) = (person.changed, api.told());
    ensure(changed > kills.len() / 4, || format!("{changed} changes prove nothing"))?;
    ensure(told == changed, || format!("{changed} changes were told of {told} times"))?;
    Ok(Report::default().with("kills", kills.len()).with("changes", changed).with("told", told))
}

/// When a server is killed.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Moment {
    /// At this sync of the writer of `main.db`.
    Sync(usize),
    /// After a consumer that writes its position separately has written everything else: so long after a change.
    BeforePosition,
}

/// After a consumer has looked for signals, and before it writes its position when sabotaged.
const BEFORE_POSITION: Duration = Duration::from_secs(3);

/// Makes changes, each of which returns whether it was answered, until the server is killed.
pub(crate) fn kill_at(
    server: &Server,
    moment: Moment,
    mut change: impl FnMut() -> Result<bool, String> + Send,
) -> Result<(), String> {
    let Moment::Sync(number) = moment else {
        change()?;
        std::thread::sleep(BEFORE_POSITION);
        server.signal(Signal::KILL);
        return Ok(());
    };
    let _strace = Strace::attach_to(server, &[MAIN], SYNCS, &format!("signal=KILL:when={number}"))?;
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let changing = scope.spawn(|| {
            let mut is_answered = true;
            while is_answered && !stop.load(Ordering::Relaxed) {
                is_answered = change()?;
            }
            Ok::<_, String>(())
        });
        let what = format!("sync {number} of `{MAIN}`");
        let reached = within(patience(REACHED), &what, || server.has_ended().then_some(()));
        stop.store(true, Ordering::Relaxed);
        if reached.is_err() {
            server.signal(Signal::KILL);
        }
        changing.join().unwrap()?;
        reached
    })
}

#[test]
fn the_effect_of_a_signal_happens_once_whatever_step_is_killed() {
    if let Some(why) = missing() {
        return skipped(why);
    }
    let kills: Vec<Moment> = (1..=if is_soak() { 60 } else { 6 }).map(Moment::Sync).collect();
    kept(kills_between_change_and_mail(&kills, None));
}

#[test]
fn a_consumers_position_kept_beside_the_commit_is_noticed() {
    if let Some(why) = missing() {
        return skipped(why);
    }
    let kills = [Moment::BeforePosition; 2];
    broken(kills_between_change_and_mail(&kills, Some("signal_position_beside_commit")), "were told of");
}
