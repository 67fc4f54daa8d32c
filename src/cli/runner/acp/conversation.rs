//! One conversation with an agent: its session, prompts, what it says meanwhile, and what it asks.

use super::permission::{Permission, verdict};
use super::schema::{
    CancelNotification, ContentBlock, Implementation, InitializeRequest, InitializeResponse,
    LoadSessionRequest, NewSessionRequest, NewSessionResponse, PromptRequest, SessionConfigKind,
    SessionConfigOptionCategory, SessionConfigSelectOptions, SessionId, SessionUpdate,
    SetSessionConfigOptionRequest, StopReason, TextContent,
};
use super::transcript::Transcript;
use super::{Broken, Partner, Result, broken};
use crate::cli::runner::protocol::{Entry, Kind, Message};
use agent_client_protocol::Agent;
use agent_client_protocol::schema::ProtocolVersion;
use agent_client_protocol::v1::{ConnectionTo, SentRequest};
use std::collections::VecDeque;
use std::pin::pin;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use tokio::sync::mpsc::UnboundedReceiver;

/// How long an agent may take to be ready.
const READY: Duration = Duration::from_mins(3);
/// How long people may take to answer.
const PATIENCE: Duration = Duration::from_mins(10);
/// How long an agent may take to stop when it is asked to.
const STOPPING: Duration = Duration::from_secs(3);
/// How often is looked whether something has happened outside.
const LOOK: Duration = Duration::from_millis(100);
/// How long words may come after the process has ended.
const LEFT: Duration = Duration::from_secs(5);
/// Requests for permission that wait.
const PERMISSIONS_MAX: usize = 100;

/// What an agent says unasked.
pub(super) enum Event {
    Update(SessionUpdate),
    Permission(Permission),
    Stray(String),
}

pub(super) struct Conversation<'a, 'p> {
    partner: &'p Partner<'p>,
    agent: ConnectionTo<Agent>,
    events: UnboundedReceiver<Event>,
    transcript: &'a mut Transcript<'p>,
    session: &'a mut Option<SessionId>,
    /// The first is shown to people, since then.
    permissions: VecDeque<Permission>,
    asked: Instant,
    cancelled: Option<Instant>,
    ended: Option<Instant>,
    /// What people wrote that was no answer.
    further: Vec<Message>,
}

impl<'a, 'p> Conversation<'a, 'p> {
    pub(super) fn new(
        partner: &'p Partner<'p>,
        agent: ConnectionTo<Agent>,
        events: UnboundedReceiver<Event>,
        (transcript, session): (&'a mut Transcript<'p>, &'a mut Option<SessionId>),
    ) -> Self {
        Self {
            partner,
            agent,
            events,
            transcript,
            session,
            permissions: VecDeque::new(),
            asked: Instant::now(),
            cancelled: None,
            ended: None,
            further: Vec::new(),
        }
    }

    /// Talks until the agent has done all that it was asked.
    pub(super) async fn work(&mut self, text: &str) -> Result<()> {
        let known = self.greet().await?;
        let (session, options) = self.begin(&known).await?;
        *self.session = Some(session.clone());
        self.choose_model(&session, options).await?;
        let mut text = text.to_owned();
        loop {
            let prompt = vec![ContentBlock::Text(TextContent::new(text))];
            let request = self.agent.send_request(PromptRequest::new(session.clone(), prompt));
            let answer = self.wait_for(request, None).await?;
            self.transcript.end_message();
            stopped(answer.stop_reason)?;
            let Some(next) = self.next_prompt() else { return Ok(()) };
            text = next;
        }
    }

    async fn greet(&mut self) -> Result<InitializeResponse> {
        let this = Implementation::new("mayday", crate::version::version());
        let request = InitializeRequest::new(ProtocolVersion::V1).client_info(this);
        let request = self.agent.send_request(request);
        let known = self.wait_for(request, Some(READY)).await;
        known.map_err(|broken| match broken {
            Broken::Because(why) => {
                Broken::Because(format!("the agent does not speak version 1 of its protocol: {why}"))
            }
            broken => broken,
        })
    }

    /// Goes on with the session of an earlier process if the agent knows it still, or begins one.
    async fn begin(&mut self, known: &InitializeResponse) -> Result<(SessionId, NewSessionResponse)> {
        if let Some(session) = self.session.take().filter(|_| known.agent_capabilities.load_session) {
            let request = LoadSessionRequest::new(session.clone(), self.partner.dir);
            let request = self.agent.send_request(request);
            self.transcript.is_repeated = true;
            let loaded = self.wait_for(request, Some(READY)).await;
            self.transcript.is_repeated = false;
            match loaded {
                Ok(loaded) => {
                    let options = loaded.config_options;
                    return Ok((session.clone(), NewSessionResponse::new(session).config_options(options)));
                }
                Err(Broken::Because(_)) => {}
                Err(broken) => return Err(broken),
            }
        }
        let request = self.agent.send_request(NewSessionRequest::new(self.partner.dir));
        let begun = self.wait_for(request, Some(READY)).await?;
        Ok((begun.session_id.clone(), begun))
    }

    /// Takes the model of the session, if the agent offers it.
    async fn choose_model(&mut self, session: &SessionId, begun: NewSessionResponse) -> Result<()> {
        let Some(model) = self.partner.model else { return Ok(()) };
        let is_model =
            |category: &SessionConfigOptionCategory| *category == SessionConfigOptionCategory::Model;
        let options = begun.config_options.unwrap_or_default();
        let option = options.into_iter().find(|option| option.category.as_ref().is_some_and(is_model));
        let Some(option) = option else { return Ok(()) };
        let SessionConfigKind::Select(select) = option.kind else { return Ok(()) };
        let offered: Vec<_> = match select.options {
            SessionConfigSelectOptions::Ungrouped(options) => options,
            SessionConfigSelectOptions::Grouped(groups) => {
                groups.into_iter().flat_map(|group| group.options).collect()
            }
            _ => Vec::new(),
        };
        let is_meant = |name: &str| name == model || name.ends_with(&format!("/{model}"));
        let chosen = offered.into_iter().find(|option| is_meant(&option.value.0));
        let Some(chosen) = chosen else {
            self.say(format!("The agent does not offer the model {model}, and takes its own."));
            return Ok(());
        };
        let request = SetSessionConfigOptionRequest::new(session.clone(), option.id, chosen.value);
        let request = self.agent.send_request(request);
        self.wait_for(request, Some(READY)).await.map(drop)
    }

    /// What people wrote meanwhile.
    fn next_prompt(&mut self) -> Option<String> {
        let control = self.partner.control;
        control.put_back(std::mem::take(&mut self.further));
        let messages = if (self.partner.may_go_on)() { control.take_messages() } else { Vec::new() };
        let texts: Vec<String> = messages.into_iter().map(|message| message.content).collect();
        (!texts.is_empty()).then(|| texts.join("\n\n"))
    }

    /// Hears what the agent says until it has answered.
    async fn wait_for<T: agent_client_protocol::JsonRpcResponse + Send>(
        &mut self,
        request: SentRequest<T>,
        limit: Option<Duration>,
    ) -> Result<T> {
        let began = Instant::now();
        let mut answer = pin!(request.block_task());
        let mut looks = tokio::time::interval(LOOK);
        loop {
            tokio::select! {
                biased;
                Some(event) = self.events.recv() => self.hear(event),
                answer = &mut answer => {
                    while let Ok(event) = self.events.try_recv() {
                        self.hear(event);
                    }
                    return answer.map_err(|error| broken(&error));
                }
                _ = looks.tick() => self.look()?,
            }
            if limit.is_some_and(|limit| began.elapsed() >= limit) {
                return Err(Broken::Because("the agent did not become ready in time".to_owned()));
            }
        }
    }

    fn hear(&mut self, event: Event) {
        match event {
            Event::Update(update) => self.transcript.add(update),
            Event::Stray(line) => self.transcript.stray(&line),
            Event::Permission(permission) if self.cancelled.is_some() => permission.cancel(),
            Event::Permission(permission) => self.asks(permission),
        }
    }

    /// Looks at what has happened outside.
    fn look(&mut self) -> Result<()> {
        self.transcript.look();
        if self.partner.signs.has_ended.load(Ordering::Relaxed)
            && self.ended.get_or_insert_with(Instant::now).elapsed() >= LEFT
        {
            return Err(Broken::Ended);
        }
        if self.partner.signs.is_cancelled.load(Ordering::Relaxed) {
            return self.cancel();
        }
        self.look_for_answer();
        Ok(())
    }

    /// Asks the agent to stop, and waits for that for a moment.
    fn cancel(&mut self) -> Result<()> {
        let is_new = self.cancelled.is_none();
        let since = *self.cancelled.get_or_insert_with(Instant::now);
        if let Some(session) = self.session.as_ref().filter(|_| is_new) {
            self.permissions.drain(..).for_each(Permission::cancel);
            drop(self.agent.send_notification(CancelNotification::new(session.clone())));
        }
        if self.session.is_none() || since.elapsed() >= STOPPING {
            return Err(Broken::Cancelled);
        }
        Ok(())
    }

    /// An agent asks for permission.
    fn asks(&mut self, permission: Permission) {
        self.transcript.end_message();
        if self.partner.is_in_room && permission.is_decided_by_a_room() {
            self.say(format!("Allowed, since it is in its room: {}.", permission.title));
            return permission.answer(true);
        }
        if self.permissions.len() >= PERMISSIONS_MAX {
            self.say(format!("Refused, since too many requests wait: {}.", permission.title));
            return permission.answer(false);
        }
        self.permissions.push_back(permission);
        if self.permissions.len() == 1 {
            self.show_first();
        }
    }

    fn show_first(&mut self) {
        self.asked = Instant::now();
        let waits = match self.permissions.front() {
            Some(permission) => {
                self.say(format!("The agent asks for permission: {}. Allow or refuse?", permission.title));
                true
            }
            None => false,
        };
        self.partner.signs.waits_for_person.store(waits, Ordering::Relaxed);
    }

    /// Whether a person has answered, or nobody does.
    fn look_for_answer(&mut self) {
        while !self.permissions.is_empty() {
            let mut messages = self.partner.control.take_messages().into_iter();
            let (is_allowed, why) = match messages.next() {
                Some(message) => match verdict(&message.content) {
                    Some(true) => (true, "Allowed"),
                    Some(false) => (false, "Refused"),
                    None => {
                        self.further.push(message);
                        (false, "Refused, since the answer was another")
                    }
                },
                None if self.asked.elapsed() >= PATIENCE => (false, "Refused, since nobody has answered"),
                None => return,
            };
            // The messages after it answer what is asked after it.
            self.partner.control.put_back(messages.collect());
            if let Some(permission) = self.permissions.pop_front() {
                self.say(format!("{why}: {}.", permission.title));
                permission.answer(is_allowed);
            }
            self.show_first();
        }
    }

    fn say(&self, text: String) {
        let text = self.partner.masker.mask(&text);
        self.partner.outbox.push(Entry::told(Kind::State, None, text));
    }
}

/// Whether the agent has done what it was asked.
fn stopped(reason: StopReason) -> Result<()> {
    let why = match reason {
        StopReason::EndTurn => return Ok(()),
        StopReason::Cancelled => return Err(Broken::Cancelled),
        StopReason::MaxTokens => "it reached the most tokens that it may use",
        StopReason::MaxTurnRequests => "it reached the most requests that it may make to its model",
        StopReason::Refusal => "it refused to go on",
        _ => "it gave no reason that this runner knows",
    };
    Err(Broken::Because(format!("the agent stopped before it was done: {why}")))
}
