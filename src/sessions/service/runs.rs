//! The calls of runners: claim, renew, send output, finish. Every call carries the lease of its claim; a runner whose
//! lease is no longer current has lost the session.

use super::{SessionService, ToldIssue, ended, results, unknown, waits};
use crate::automations::EventStatus;
use crate::automations::sql::events;
use crate::error::{Error, Result};
use crate::gateway;
use crate::ids::{OrganizationId, RunnerId, SessionId};
use crate::repositories;
use crate::runners;
use crate::runners::protocol::{
    ClaimRequest, ENTRIES_MAX, FinishRequest, OutputAnswer, OutputRequest, RenewAnswer, RenewRequest,
    RunOutcome,
};
use crate::runners::sql::RunnerReport;
use crate::sabotage;
use crate::sessions::sql::leases::{self, RunnerSession, SessionLease};
use crate::sessions::sql::offers::{self, Offer};
use crate::sessions::sql::{self, Ending, messages, output};
use crate::sessions::{Figures, MessageRole, Outcome, Phase, Session, SessionStatus};
use crate::store::Transaction;
use crate::time::Timestamp;
use std::time::{Duration, Instant};

/// How often a waiting runner's claim is retried without a wake-up.
const LOOK: Duration = Duration::from_secs(5);

/// The runner that calls.
#[derive(Debug, Clone)]
pub struct Caller {
    pub id: RunnerId,
    pub organization: OrganizationId,
    /// As stored before the call.
    pub labels: Vec<String>,
}

impl SessionService {
    /// Gives a runner the session that has waited longest and that it can take; waits for one as long as the runner
    /// asks, or until it is `gone`.
    ///
    /// # Errors
    /// Storage trouble.
    pub async fn claim(
        &self,
        caller: &Caller,
        request: &ClaimRequest,
        gone: impl Future<Output = ()>,
    ) -> Result<Option<SessionLease>> {
        let labels = if request.labels.is_empty() { &caller.labels } else { &request.labels };
        let offer = Offer {
            runner: caller.id,
            labels: labels.clone(),
            agents: request.agents.clone(),
            refuses_public: request.refuses_public,
            uncounted: request.uncounted.clone(),
        };
        tokio::pin!(gone);
        let deadline = tokio::time::Instant::now() + Duration::from_secs(request.wait_seconds);
        let has_room = request.running < request.capacity.unwrap_or(1);
        let mut control = self.live.control();
        control.mark_unchanged();
        let mut first = Some(request);
        loop {
            // Registered before looking, so that no wake-up in between is missed.
            let woken = self.waiting.notified();
            tokio::pin!(woken);
            woken.as_mut().enable();
            let taken = self.take(caller, &offer, first.take(), has_room).await?;
            if taken.is_some() || control.borrow().stopping || tokio::time::Instant::now() >= deadline {
                return Ok(taken);
            }
            tokio::select! {
                () = &mut gone => return Ok(None),
                () = &mut woken => {}
                _ = control.changed() => {}
                () = tokio::time::sleep_until(deadline.min(tokio::time::Instant::now() + LOOK)) => {}
            }
        }
    }

    /// Looks once. `request` has what the runner reports about itself, which is stored as well.
    async fn take(
        &self,
        caller: &Caller,
        offer: &Offer,
        request: Option<&ClaimRequest>,
        has_room: bool,
    ) -> Result<Option<SessionLease>> {
        let (caller, offer) = (caller.clone(), offer.clone());
        if request.is_none() {
            let (organization, wanted) = (caller.organization, offer.clone());
            let now = Timestamp::now();
            let look = self.main.look_up(move |c| offers::next(c, organization, &wanted, now));
            if !has_room || look.await?.is_none() {
                return Ok(None);
            }
        }
        let said = request.map(RunnerReport::of);
        let heard = self.leases.clone();
        let write = self.main.write(move |tx| {
            let now = Timestamp::now();
            if let Some(said) = &said {
                runners::sql::hear(tx, caller.id, said, now)?;
            }
            if !has_room {
                return Ok(None);
            }
            let Some(held) = leases::claim(tx, caller.organization, (caller.id, &offer), now)? else {
                return Ok(None);
            };
            heard.hear(held.id, &held.lease, Instant::now());
            events::follow(tx, held.id, EventStatus::Processing, None, now)?;
            let session = sql::get(tx, caller.organization, held.id)?.ok_or_else(unknown)?;
            if session.attempts == 1 {
                results::started(tx, &session, now)?;
            }
            Ok(Some((held, session.issue())))
        });
        let Some((held, issue)) = write.await? else { return Ok(None) };
        self.live.session_changed(held.id);
        self.issue_changed(issue);
        Ok(Some(held))
    }

    /// Releases a claim that never reached its runner.
    ///
    /// # Errors
    /// Storage trouble.
    pub async fn unclaim(&self, held: &SessionLease) -> Result<()> {
        let lost = held.clone();
        let write = move |tx: &Transaction<'_>| {
            let now = Timestamp::now();
            // In the meantime people may have stopped it, or another runner may have it.
            if !leases::take_back(tx, &lost, now)? {
                return Ok(None);
            }
            events::follow(tx, lost.id, EventStatus::Queued, None, now)?;
            let organization = sql::organization(tx, lost.id)?.ok_or_else(unknown)?;
            Ok(sql::get(tx, organization, lost.id)?.and_then(|session| session.issue()))
        };
        let issue = self.main.write(write).await?;
        self.changed(held.id);
        self.issue_changed(issue);
        Ok(())
    }

    /// Renews a runner's lease, and returns what people want and have written.
    ///
    /// # Errors
    /// Not found; conflict if this runner no longer has the session.
    pub async fn renew(&self, caller: &Caller, id: SessionId, request: RenewRequest) -> Result<RenewAnswer> {
        let (caller, heard, lease_seconds) = (caller.clone(), self.leases.clone(), self.lease.as_secs());
        let write = self.main.write(move |tx| {
            let now = Timestamp::now();
            runners::sql::touch(tx, caller.id, now)?;
            let asked = held(tx, &caller, id, &request.lease)?;
            heard.hear(id, &request.lease, Instant::now());
            let mut has_phase = false;
            if let Some(phase) = request.phase {
                let said = [Phase::Preparing, Phase::Working, Phase::WaitingForPerson, Phase::Proving];
                if !said.contains(&phase) {
                    return Err(Error::invalid(
                        "phase: expected preparing, working, waiting_for_person or proving",
                    ));
                }
                has_phase = leases::set_phase(tx, id, phase, now)?;
                if phase == Phase::WaitingForPerson {
                    waits::asks(tx, caller.organization, &asked.session, now)?;
                }
            }
            let used = super::report::used(request.tokens, request.cost_usd);
            // A key's cost comes from the gateway itself.
            let cost = if gateway::sql::has_key(tx, &request.lease)? { 0 } else { used.1 };
            leases::use_up(tx, id, (used.0, cost))?;
            let is_new = match request.seen {
                Some(seen) => messages::deliver(tx, id, seen, now)? > 0,
                None => false,
            };
            let new = messages::undelivered(tx, id)?;
            let last = new.last().filter(|_| request.seen.is_none()).map(|message| message.id);
            if let Some(last) = last {
                messages::deliver(tx, id, last, now)?;
            }
            let wanted = leases::wanted(&asked);
            let mode = asked.session.mode;
            let answer = RenewAnswer { lease_seconds, mode, wanted, messages: new };
            let issue = if has_phase { asked.session.issue() } else { None };
            Ok((answer, is_new || last.is_some() || has_phase, issue))
        });
        let (answer, has_delivered, issue) = write.await?;
        if has_delivered {
            self.live.session_changed(id);
        }
        self.issue_changed(issue);
        Ok(answer)
    }

    /// Adds output to the transcript; answered when it is stored. A repetition is stored once.
    ///
    /// # Errors
    /// 422 if entries before these are missing; not found; conflict if this runner no longer has the session.
    pub async fn output(
        &self,
        caller: &Caller,
        id: SessionId,
        request: OutputRequest,
    ) -> Result<OutputAnswer> {
        if request.entries.len() > ENTRIES_MAX {
            return Err(Error::invalid(format!("entries: expected at most {ENTRIES_MAX}")));
        }
        let entries: Vec<_> = request.entries.into_iter().map(|entry| self.clean(entry)).collect();
        let (caller, heard, lease, sequence) =
            (caller.clone(), self.leases.clone(), request.lease, request.sequence);
        let beside = sabotage::on("output_before_commit");
        let write = move |tx: &Transaction<'_>| {
            let now = Timestamp::now();
            let asked = held(tx, &caller, id, &lease)?;
            heard.hear(id, &lease, Instant::now());
            if !(0..=asked.output_next).contains(&sequence) {
                return Err(Error::invalid(format!(
                    "sequence: expected 0 to {}, the number of the next entry, got {sequence}",
                    asked.output_next
                )));
            }
            let known =
                usize::try_from(asked.output_next - sequence).unwrap_or(usize::MAX).min(entries.len());
            if known < entries.len() {
                output::add(tx, id, &entries[known..], now)?;
            }
            let added = i64::try_from(entries.len() - known).unwrap_or(i64::MAX);
            Ok(OutputAnswer { next: asked.output_next + added })
        };
        if beside {
            let main = self.main.clone();
            tokio::spawn(async move {
                tokio::time::sleep(Duration::from_secs(5)).await;
                main.write(write).await
            });
            return Ok(OutputAnswer { next: sequence });
        }
        let answer = self.main.write(write).await?;
        self.live.session_changed(id);
        Ok(answer)
    }

    /// Ends a runner's work on a session; a repetition has no further effect.
    ///
    /// # Errors
    /// Not found; conflict if this runner no longer has the session.
    pub async fn finish(&self, caller: &Caller, id: SessionId, request: FinishRequest) -> Result<()> {
        let request = super::report::without_secrets(request);
        let (caller, leases, deliveries) = (caller.clone(), self.leases.clone(), self.deliveries.clone());
        let write = self.main.write(move |tx| {
            let now = Timestamp::now();
            let asked = leases::ask(tx, caller.organization, id)?.ok_or_else(unknown)?;
            if asked.released.as_deref() == Some(&request.lease) {
                return Ok(None);
            }
            let asked = checked(asked, &caller, &request.lease)?;
            let (mut report, notes) = super::report::read(
                &request,
                &clones(tx, caller.organization, &asked.session)?,
                asked.session.mode,
            );
            if let Some(seen) = request.seen {
                messages::deliver(tx, id, seen, now)?;
            }
            report.cost = gateway::sql::uncounted(tx, &request.lease, report.cost)?;
            leases::report(tx, id, &report, now)?;
            for note in &notes {
                output::note(tx, id, note, now)?;
            }
            leases.forget(id);
            leases::release(tx, id)?;
            // A session that people have stopped stays stopped.
            if asked.session.status.has_ended() {
                return Ok(None);
            }
            if request.outcome == RunOutcome::HandedBack {
                return hand_back(tx, caller.organization, &asked.session, now);
            }
            if let Some(reason) = super::report::why_paused(&request, &report, &asked.session) {
                waits::park(tx, caller.organization, (&asked.session, &reason), now)?;
                return Ok(asked.session.issue());
            }
            note_unheard(tx, id, now)?;
            if is_settled(&asked.session, &request, &report) {
                leases::released(tx, id)?;
            }
            sql::end(tx, id, &ending(&request), now)?;
            waits::held(tx, caller.organization, (&asked.session, &report), now)?;
            super::pulls::order(tx, &deliveries, (caller.organization, id), request.title.as_deref(), now)?;
            ended(tx, caller.organization, id, now)
        });
        let issue = write.await?;
        self.deliveries.wake();
        self.changed(id);
        self.issue_changed(issue);
        Ok(())
    }
}

/// Lets a session wait for another runner, unless it ends instead. Returns its issue.
fn hand_back(
    tx: &Transaction<'_>,
    organization: OrganizationId,
    session: &Session,
    now: Timestamp,
) -> Result<ToldIssue> {
    let id = session.id;
    output::note(tx, id, "The runner handed the session back.", now)?;
    // A session that a person has paused does not start again by itself.
    if session.status == SessionStatus::Paused {
        sql::park(tx, id, "its runner was stopped while it was paused", now)?;
        return Ok(session.issue());
    }
    if session.attempts >= leases::ATTEMPTS_MAX {
        let reason = Some(format!("it was claimed {} times and never ended", leases::ATTEMPTS_MAX));
        let ending = Ending { status: SessionStatus::Failed, outcome: Outcome::Failed, reason };
        sql::end(tx, id, &ending, now)?;
        return ended(tx, organization, id, now);
    }
    leases::suspend(tx, id, now)?;
    events::follow(tx, id, EventStatus::Queued, None, now)?;
    Ok(session.issue())
}

/// Whether a session that was continued or released has no held-back work any more: it was pushed or undone.
fn is_settled(session: &Session, request: &FinishRequest, report: &leases::Report) -> bool {
    let is_undone = session.is_resuming && request.outcome == RunOutcome::Completed;
    (session.is_releasing || session.is_resuming)
        && report.held_commit.is_none()
        && (report.head_commit.is_some() || is_undone)
}

/// Notes messages that no runner got, because their authors were told that they are stored.
fn note_unheard(tx: &Transaction<'_>, id: SessionId, now: Timestamp) -> Result<()> {
    let text = match messages::undelivered(tx, id)?.len() {
        0 => return Ok(()),
        1 => "1 message came too late for the agent.".to_owned(),
        count => format!("{count} messages came too late for the agent."),
    };
    output::note(tx, id, &text, now)
}

/// The addresses of the repositories that a session may work in: its own, or all of its organization if its agent
/// chose one.
fn clones(tx: &Transaction<'_>, organization: OrganizationId, session: &Session) -> Result<Vec<String>> {
    let found = match session.repo_id {
        Some(id) => repositories::sql::get(tx, organization, id)?.into_iter().collect(),
        None => repositories::sql::list(tx, organization)?,
    };
    Ok(found.into_iter().map(|repository| repository.host_url).collect())
}

fn ending(request: &FinishRequest) -> Ending {
    let (status, outcome) = match request.outcome {
        RunOutcome::Completed => (SessionStatus::Stopped, Outcome::Completed),
        RunOutcome::Cancelled => (SessionStatus::Stopped, Outcome::Cancelled),
        RunOutcome::TimedOut => (SessionStatus::Stopped, Outcome::TimedOut),
        RunOutcome::Failed | RunOutcome::HandedBack | RunOutcome::Capped => {
            (SessionStatus::Failed, Outcome::Failed)
        }
    };
    let reason = request.reason.as_deref().map(|reason| crate::text::line(reason, super::report::REASON_MAX));
    let usual = || match request.exit_code {
        Some(code) => format!("the agent ended with exit code {code}"),
        None => "the agent failed".to_owned(),
    };
    let is_failed = outcome == Outcome::Failed;
    Ending { status, outcome, reason: reason.or_else(|| is_failed.then(usual)) }
}

/// The session, if the runner holds it.
fn held(tx: &Transaction<'_>, caller: &Caller, id: SessionId, lease: &str) -> Result<RunnerSession> {
    checked(leases::ask(tx, caller.organization, id)?.ok_or_else(unknown)?, caller, lease)
}

/// An agent may have read the lease and passed it to another runner.
fn checked(asked: RunnerSession, caller: &Caller, lease: &str) -> Result<RunnerSession> {
    if asked.lease.as_deref() == Some(lease) && asked.session.runner_id == Some(caller.id) {
        return Ok(asked);
    }
    Err(Error::conflict("This lease has ended: the session was given to another runner. Stop working on it."))
}

impl SessionService {
    /// An entry from an agent, without recognizable secrets.
    fn clean(&self, entry: crate::runners::protocol::OutputEntry) -> output::NewEntry {
        let mut content = entry.content.into();
        self.scrubber.clean_text(&mut content);
        // Only people may write as a person.
        let role = entry.role.filter(|role| *role != MessageRole::User).unwrap_or(MessageRole::Agent);
        // Whatever an agent sends as its message is just text.
        let kind = entry.kind.filter(|_| role == MessageRole::System);
        let figures = entry.figures.filter(|_| kind.is_some()).map(Figures::checked);
        output::NewEntry { role, stream: entry.stream, kind, figures, content: content.into_owned() }
    }
}
