//! Agents that are talked to by the Agent Client Protocol, on their standard input and output.
//!
//! An agent is given its task as a prompt, says what it does meanwhile, and asks before it does what needs permission. In a room,
//! the room decides that. Elsewhere people do: the session waits for them for a while, and a message that allows or refuses is
//! their answer. What they write otherwise is the next prompt.

mod conversation;
mod lines;
mod permission;
mod transcript;

use super::control::Control;
use super::dialect::Heard;
use super::output::{Masker, Outbox};
use agent_client_protocol::v1::{ConnectionTo, Responder, schema};
use agent_client_protocol::{Agent, Client, Error, Lines};
use conversation::{Conversation, Event};
use permission::Permission;
use schema::{RequestPermissionRequest, RequestPermissionResponse, SessionId, SessionNotification};
use std::os::fd::OwnedFd;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::mpsc::{self, UnboundedSender};
use transcript::Transcript;

/// What those who watch an agent and those who talk to it tell each other.
#[derive(Default)]
pub(super) struct Signs {
    is_cancelled: AtomicBool,
    has_ended: AtomicBool,
    waits_for_person: AtomicBool,
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

    /// Whether nothing more is said.
    pub(super) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }
}

/// Why a conversation ended before the agent was done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Broken {
    /// The agent's process ended.
    Ended,
    /// It was asked to stop.
    Cancelled,
    Because(String),
}

type Result<T> = std::result::Result<T, Broken>;

/// Whom an agent talks to.
pub(super) struct Partner<'a> {
    pub(super) signs: &'a Signs,
    pub(super) control: &'a Control,
    pub(super) masker: &'a Masker,
    pub(super) outbox: &'a Outbox,
    pub(super) is_in_room: bool,
    /// Whether there may be another prompt.
    pub(super) may_go_on: &'a dyn Fn() -> bool,
    pub(super) dir: &'a Path,
    pub(super) model: Option<&'a str>,
}

/// Talks until the agent has done what it was asked, and what people asked meanwhile. `session`: the one of an earlier process,
/// which is gone on with if the agent can, and then that of this one.
pub(super) fn talk(
    partner: &Partner<'_>,
    (input, output): (OwnedFd, OwnedFd),
    text: &str,
    session: &mut Option<SessionId>,
) -> (Heard, Result<()>) {
    let mut transcript = Transcript::new(partner.masker, partner.outbox, partner.dir);
    // Its own: while the server takes nothing, this thread waits.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let came = match runtime {
        Ok(runtime) => {
            let converse = converse(partner, (input, output), text, (&mut transcript, session));
            runtime.block_on(converse)
        }
        Err(error) => Err(Broken::Because(error.to_string())),
    };
    transcript.end_message();
    partner.signs.waits_for_person.store(false, Ordering::Relaxed);
    partner.signs.is_over.store(true, Ordering::Relaxed);
    (transcript.heard(), came)
}

async fn converse<'p>(
    partner: &'p Partner<'p>,
    (input, output): (OwnedFd, OwnedFd),
    text: &str,
    (transcript, session): (&mut Transcript<'p>, &mut Option<SessionId>),
) -> Result<()> {
    let (sender, events) = mpsc::unbounded_channel();
    let stray = tell(sender.clone(), Event::Stray);
    let fault = |error: std::io::Error| Broken::Because(format!("the agent cannot be talked to: {error}"));
    let transport =
        Lines::new(lines::to_agent(input).map_err(fault)?, lines::from_agent(output, stray).map_err(fault)?);
    let update = tell(sender.clone(), |told: SessionNotification| Event::Update(told.update));
    let ask = tell(sender, |(request, responder)| Event::Permission(Permission::new(request, responder)));
    let client = Client
        .v1()
        .name("mayday")
        .on_receive_notification(
            async move |told: SessionNotification, _agent| {
                update(told);
                Ok(())
            },
            agent_client_protocol::on_receive_notification!(),
        )
        .on_receive_request(
            async move |request: RequestPermissionRequest,
                        responder: Responder<RequestPermissionResponse>,
                        _agent| {
                ask((request, responder));
                Ok(())
            },
            agent_client_protocol::on_receive_request!(),
        );
    let mut came = Err(Broken::Ended);
    let connected = client.connect_with(transport, async |agent: ConnectionTo<Agent>| {
        let mut conversation = Conversation::new(partner, agent, events, (transcript, session));
        came = conversation.work(text).await;
        Ok(())
    });
    match connected.await {
        Ok(()) => came,
        Err(error) => Err(broken(&error)),
    }
}

fn tell<T>(
    sender: UnboundedSender<Event>,
    event: impl Fn(T) -> Event + Send + Sync,
) -> impl Fn(T) + Send + Sync {
    move |told| drop(sender.send(event(told)))
}

fn broken(error: &Error) -> Broken {
    let words = || crate::text::line(&error.message, 300);
    match error.code {
        _ if agent_client_protocol::is_connection_terminated(error)
            || agent_client_protocol::is_incoming_transport_closed(error) =>
        {
            Broken::Ended
        }
        code if code == Error::auth_required().code => {
            Broken::Because(format!("the agent is not signed in: {}", words()))
        }
        _ => Broken::Because(format!("the agent answered with an error: {}", words())),
    }
}
