//! One conversation with an agent: its session, the prompts, and what the agent sends.

use super::permission::Permission;
use super::questions::Questions;
use super::schema::{
    CancelNotification, ContentBlock, Implementation, InitializeRequest, InitializeResponse,
    LoadSessionRequest, NewSessionRequest, NewSessionResponse, PromptRequest, SessionConfigKind,
    SessionConfigOptionCategory, SessionConfigSelectOptions, SessionId, SessionNotification,
    SetSessionConfigOptionRequest, StopReason, TextContent,
};
use super::transcript::Transcript;
use super::{AgentSession, Broken, Partner, Result, broken};
use agent_client_protocol::Agent;
use agent_client_protocol::schema::ProtocolVersion;
use agent_client_protocol::v1::{ConnectionTo, SentRequest};
use std::pin::pin;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use tokio::sync::mpsc::UnboundedReceiver;

/// How long an agent may take to start.
const READY: Duration = Duration::from_mins(3);
/// How long an agent may take to stop after a cancellation.
const STOPPING: Duration = Duration::from_secs(10);
/// How often to check for external changes, such as a pause or a stop.
const LOOK: Duration = Duration::from_millis(100);
/// How long output is still read after the process has ended.
const LEFT: Duration = Duration::from_secs(5);
/// Prompts in one conversation.
const PROMPTS_MAX: usize = 100;

/// A message from the agent that is not a response.
pub(super) enum Event {
    Update(SessionNotification),
    Permission(Permission),
    Stray(String),
}

pub(super) struct Conversation<'a, 'p> {
    partner: &'p Partner<'p>,
    agent: ConnectionTo<Agent>,
    events: UnboundedReceiver<Event>,
    transcript: &'a mut Transcript<'p>,
    session: &'a mut Option<AgentSession>,
    questions: Questions<'p>,
    cancelled: Option<Instant>,
    ended: Option<Instant>,
    /// When the current pause began, and the total length of earlier pauses.
    paused: Option<Instant>,
    pauses: Duration,
}

impl<'a, 'p> Conversation<'a, 'p> {
    pub(super) fn new(
        partner: &'p Partner<'p>,
        agent: ConnectionTo<Agent>,
        events: UnboundedReceiver<Event>,
        (transcript, session): (&'a mut Transcript<'p>, &'a mut Option<AgentSession>),
    ) -> Self {
        Self {
            partner,
            agent,
            events,
            transcript,
            session,
            questions: Questions::new(partner),
            cancelled: None,
            ended: None,
            paused: None,
            pauses: Duration::ZERO,
        }
    }

    /// Talks until the agent has answered every prompt.
    pub(super) async fn work(&mut self, text: &str) -> Result<()> {
        let came = self.prompt(text).await;
        // Puts back messages that the agent was not given, so that they are not lost.
        self.partner.control.put_back(self.questions.take_further());
        if let Some(session) = self.session {
            session.cost_usd = self.transcript.cost_usd().or(session.cost_usd);
        }
        came
    }

    /// Starts the session and sends one prompt after the other.
    async fn prompt(&mut self, text: &str) -> Result<()> {
        let known = self.greet().await?;
        let begun = self.begin(&known).await?;
        let session = begun.session_id.clone();
        self.choose_model(begun).await?;
        let mut next = Some(text.to_owned());
        for _ in 0..PROMPTS_MAX {
            let Some(text) = next else { break };
            self.transcript.begin_prompt();
            let prompt = vec![ContentBlock::Text(TextContent::new(text))];
            let request = self.agent.send_request(PromptRequest::new(session.clone(), prompt));
            let answer = self.wait_for(request, None).await?;
            self.transcript.end_message();
            let is_given_up = matches!(answer.stop_reason, StopReason::Cancelled | StopReason::Refusal);
            // Some agents stop when a permission is refused: then the person's message comes next.
            if !(is_given_up && self.cancelled.is_none() && self.questions.has_further()) {
                stopped(answer.stop_reason)?;
            }
            next = self.next_prompt();
        }
        Ok(())
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

    /// Resumes the session of an earlier process if the agent still knows it, or starts a new one.
    async fn begin(&mut self, known: &InitializeResponse) -> Result<NewSessionResponse> {
        if let Some(earlier) = self.session.take().filter(|_| known.agent_capabilities.load_session) {
            let request = LoadSessionRequest::new(earlier.id.clone(), self.partner.dir);
            let request = self.agent.send_request(request);
            self.transcript.is_repeated = true;
            let loaded = self.wait_for(request, Some(READY)).await;
            self.transcript.is_repeated = false;
            match loaded {
                Ok(loaded) => {
                    self.transcript.cost_before = earlier.cost_usd;
                    let begun =
                        NewSessionResponse::new(earlier.id.clone()).config_options(loaded.config_options);
                    *self.session = Some(earlier);
                    return Ok(begun);
                }
                Err(Broken::Because(_)) => {}
                Err(broken) => return Err(broken),
            }
        }
        let request = self.agent.send_request(NewSessionRequest::new(self.partner.dir));
        let begun = self.wait_for(request, Some(READY)).await?;
        *self.session = Some(AgentSession { id: begun.session_id.clone(), cost_usd: None });
        Ok(begun)
    }

    /// Selects the session's model, if the agent offers it.
    async fn choose_model(&mut self, begun: NewSessionResponse) -> Result<()> {
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
            self.partner
                .outbox
                .say(format!("The agent does not offer the model {model}, and takes its own."));
            return Ok(());
        };
        let request = SetSessionConfigOptionRequest::new(begun.session_id, option.id, chosen.value);
        let request = self.agent.send_request(request);
        self.wait_for(request, Some(READY)).await.map(drop)
    }

    /// The messages that people wrote meanwhile.
    fn next_prompt(&mut self) -> Option<String> {
        let control = self.partner.control;
        control.put_back(self.questions.take_further());
        let may_go_on = self.cancelled.is_none() && (self.partner.may_go_on)(self.transcript.new_cost_usd());
        let messages = if may_go_on { control.take_messages() } else { Vec::new() };
        let texts: Vec<String> = messages.into_iter().map(|message| message.content).collect();
        (!texts.is_empty()).then(|| texts.join("\n\n"))
    }

    /// Handles the agent's messages until it has answered a request.
    async fn wait_for<T: agent_client_protocol::JsonRpcResponse + Send>(
        &mut self,
        request: SentRequest<T>,
        limit: Option<Duration>,
    ) -> Result<T> {
        let (began, pauses) = (Instant::now(), self.pauses);
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
                    return answer.map_err(|error| broken(&error, self.partner.masker));
                }
                _ = looks.tick() => self.look()?,
            }
            let paused = self.pauses - pauses;
            if limit.is_some_and(|limit| self.paused.is_none() && began.elapsed() >= limit + paused) {
                return Err(Broken::Because("the agent did not become ready in time".to_owned()));
            }
        }
    }

    fn hear(&mut self, event: Event) {
        let is_ours = |session: &SessionId| self.session.as_ref().is_none_or(|own| own.id == *session);
        match event {
            Event::Update(told) if is_ours(&told.session_id) => self.transcript.add(told.update),
            Event::Update(_) => {}
            Event::Stray(line) => self.transcript.stray(&line),
            Event::Permission(permission) if self.cancelled.is_some() => permission.cancel(),
            Event::Permission(permission) => self.questions.ask(permission, self.transcript),
        }
    }

    /// Checks for external changes.
    fn look(&mut self) -> Result<()> {
        self.transcript.look();
        let signs = self.partner.signs;
        if signs.has_ended.load(Ordering::Relaxed)
            && self.ended.get_or_insert_with(Instant::now).elapsed() >= LEFT
        {
            return Err(Broken::Ended);
        }
        if signs.is_cancelled.load(Ordering::Relaxed) {
            return self.cancel();
        }
        match (self.partner.control.is_paused(), self.paused) {
            (true, None) => self.paused = Some(Instant::now()),
            (true, Some(_)) => {}
            (false, Some(since)) => {
                self.pauses += since.elapsed();
                self.questions.pass_over(since.elapsed());
                self.paused = None;
            }
            (false, None) => self.questions.look(self.transcript),
        }
        Ok(())
    }

    /// Cancels the prompt, and waits a moment for the agent to stop.
    fn cancel(&mut self) -> Result<()> {
        let is_new = self.cancelled.is_none();
        let since = *self.cancelled.get_or_insert_with(Instant::now);
        if let Some(session) = self.session.as_ref().filter(|_| is_new) {
            self.questions.cancel();
            drop(self.agent.send_notification(CancelNotification::new(session.id.clone())));
        }
        if self.session.is_none() || since.elapsed() >= STOPPING {
            return Err(Broken::Cancelled);
        }
        Ok(())
    }
}

/// Whether the agent finished its prompt.
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
