//! Agents that speak the Agent Client Protocol on standard input and output.
//!
//! An agent gets its task as a prompt, reports its progress, and asks for permission before some actions. In a
//! sandbox (a *room*), permission is granted automatically as far as the room limits the action. Otherwise the
//! session waits a while for a person to answer with a message that allows or refuses it. Any other message becomes
//! the next prompt.

mod conversation;
mod lines;
mod permission;
mod questions;
mod transcript;

use super::control::Control;
use super::dialect::TurnOutput;
use super::output::{Masker, Outbox};
use agent_client_protocol::v1::{ConnectionTo, Responder, schema};
use agent_client_protocol::{Agent, Client, Error, Lines};
use conversation::{Conversation, Event};
use lines::Owed;
use permission::Permission;
use schema::{RequestPermissionRequest, RequestPermissionResponse, SessionId, SessionNotification};
use std::os::fd::OwnedFd;
use std::path::Path;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::sync::mpsc::{self, UnboundedSender};
use tokio::sync::oneshot;
use transcript::Transcript;

/// How long remaining output to the agent is written after the end.
const LAST_WORDS: Duration = Duration::from_secs(1);
/// How long error output from before the end may take to be read. The agent does not know of the end yet.
const LAST_ERRORS: Duration = Duration::from_millis(100);

/// Signals between the thread that watches an agent's process and the one that talks to it.
#[derive(Default)]
pub(super) struct Signs {
    is_cancelled: AtomicBool,
    has_ended: AtomicBool,
    waits_for_person: AtomicBool,
    is_settled: AtomicBool,
    is_over: AtomicBool,
}

impl Signs {
    /// Asks the agent to stop.
    pub(super) fn cancel(&self) {
        self.is_cancelled.store(true, Ordering::Relaxed);
    }

    /// The agent's process has ended.
    pub(super) fn end(&self) {
        self.has_ended.store(true, Ordering::Relaxed);
    }

    /// Whether it waits for a person's answer.
    pub(super) fn waits_for_person(&self) -> bool {
        self.waits_for_person.load(Ordering::Relaxed)
    }

    /// The agent has answered everything.
    pub(super) fn settle(&self) {
        self.is_settled.store(true, Ordering::Relaxed);
    }

    /// Whether the agent has answered everything, so that what it still writes is about its own end.
    pub(super) fn is_settled(&self) -> bool {
        self.is_settled.load(Ordering::Relaxed)
    }

    /// Whether the conversation is over.
    pub(super) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }
}

/// Why a conversation ended early.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Broken {
    /// The agent's process ended.
    Ended,
    /// It was asked to stop.
    Cancelled,
    Because(String),
}

type Result<T> = std::result::Result<T, Broken>;

/// What a conversation with an agent needs.
pub(super) struct Partner<'a> {
    pub(super) signs: &'a Signs,
    pub(super) control: &'a Control,
    pub(super) masker: &'a Masker,
    pub(super) outbox: &'a Outbox,
    pub(super) is_in_room: bool,
    /// How long to wait for a person's answer.
    pub(super) patience: Duration,
    /// Whether to send another prompt, given what this process has cost in US dollars.
    pub(super) may_go_on: &'a dyn Fn(Option<f64>) -> bool,
    pub(super) dir: &'a Path,
    pub(super) model: Option<&'a str>,
}

/// The agent's own id of its session, and its reported cost in US dollars.
pub(super) struct AgentSession {
    id: SessionId,
    cost_usd: Option<f64>,
}

/// Marks the conversation as over when dropped.
struct EndOnDrop<'a>(&'a Signs);

impl Drop for EndOnDrop<'_> {
    fn drop(&mut self) {
        self.0.waits_for_person.store(false, Ordering::Relaxed);
        self.0.is_over.store(true, Ordering::Relaxed);
    }
}

/// Talks to the agent until it has answered its task and the messages sent meanwhile. `session` is the session of an
/// earlier process, which is resumed if the agent can, and then the current one.
pub(super) fn talk(
    partner: &Partner<'_>,
    (input, output): (OwnedFd, OwnedFd),
    text: &str,
    session: &mut Option<AgentSession>,
) -> (TurnOutput, Result<()>) {
    let _over = EndOnDrop(partner.signs);
    let mut transcript = Transcript::new(partner.masker, partner.outbox, partner.dir);
    // A separate runtime, because this thread blocks while the server accepts nothing.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let came = match runtime {
        Ok(runtime) => runtime.block_on(connect(partner, (input, output), text, (&mut transcript, session))),
        Err(error) => Err(Broken::Because(error.to_string())),
    };
    transcript.end_message();
    (transcript.heard(), came)
}

async fn connect<'p>(
    partner: &'p Partner<'p>,
    (input, output): (OwnedFd, OwnedFd),
    text: &str,
    (transcript, session): (&mut Transcript<'p>, &mut Option<AgentSession>),
) -> Result<()> {
    let (sender, events) = mpsc::unbounded_channel();
    let (owed, stray) = (Owed::default(), tell(sender.clone(), Event::Stray));
    let stray = move |line| drop(stray(line));
    let fault = |error: std::io::Error| Broken::Because(format!("the agent cannot be talked to: {error}"));
    let counts = (owed.clone(), partner.outbox.written().clone());
    let output = lines::from_agent(output, counts, stray).map_err(fault)?;
    let transport = Lines::new(lines::to_agent(input, owed).map_err(fault)?, output);
    let update = tell(sender.clone(), Event::Update);
    let ask = tell(sender, |(request, responder)| Event::Permission(Permission::new(request, responder)));
    let client = Client
        .v1()
        .name("mayday")
        .on_receive_notification(
            async move |told: SessionNotification, _agent| update(told),
            agent_client_protocol::on_receive_notification!(),
        )
        .on_receive_request(
            async move |request: RequestPermissionRequest, responder: PermissionResponder, _agent| {
                ask((request, responder))
            },
            agent_client_protocol::on_receive_request!(),
        );
    let (tell, mut told) = oneshot::channel();
    let connected = client.connect_with(transport, async move |agent: ConnectionTo<Agent>| {
        let mut conversation = Conversation::new(partner, agent, events, (transcript, session));
        let came = conversation.work(text).await;
        let is_done = came.is_ok();
        // First, so that a connection that breaks during the wait changes nothing.
        drop(tell.send(came));
        if is_done {
            tokio::time::sleep(LAST_ERRORS).await;
            partner.signs.settle();
        }
        Ok(())
    });
    let mut connected = pin!(connected);
    tokio::select! {
        biased;
        Ok(came) = &mut told => {
            // Writes the rest for a moment, and does not wait for an agent that no longer reads.
            drop(tokio::time::timeout(LAST_WORDS, connected).await);
            came
        }
        ended = &mut connected => match told.try_recv() {
            Ok(came) => came,
            Err(_) => Err(ended.err().map_or(Broken::Ended, |error| broken(&error, partner.masker))),
        }
    }
}

/// The responder of a permission request.
type PermissionResponder = Responder<RequestPermissionResponse>;

fn tell<T>(
    sender: UnboundedSender<Event>,
    event: impl Fn(T) -> Event + Send + Sync,
) -> impl Fn(T) -> std::result::Result<(), Error> + Send + Sync {
    // After the conversation, nobody receives events.
    move |told| sender.send(event(told)).map_err(|_| Error::internal_error())
}

fn broken(error: &Error, masker: &Masker) -> Broken {
    let line = |text: &str| crate::text::line(&masker.mask(text), 300);
    let own = error.data.as_ref().and_then(serde_json::Value::as_str);
    Broken::Because(match error.code {
        _ if agent_client_protocol::is_connection_terminated(error)
            || agent_client_protocol::is_incoming_transport_closed(error) =>
        {
            return Broken::Ended;
        }
        code if code == Error::auth_required().code => {
            format!("the agent is not signed in: {}", line(&error.message))
        }
        // The error may come from the agent, or describe a mistake in its output.
        code if code == Error::internal_error().code && own.is_some() => {
            format!("the agent cannot be talked to: {}", line(own.unwrap_or_default()))
        }
        _ => format!("the agent answered with an error: {}", line(&error.message)),
    })
}
