//! Watches an agent until it ends, or ends it.

use super::load::Load;
use super::{Ending, Run};
use crate::cli::runner::acp::Signs;
use crate::cli::runner::control::Halt;
use crate::cli::runner::git::size_of;
use crate::cli::runner::process::{End, Process};
use crate::cli::runner::workspace::Workspace;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

/// How often a running agent is checked.
const LOOK: Duration = Duration::from_millis(50);
/// How often the size of its files is measured, unless that takes long.
pub(super) const MEASURE: Duration = Duration::from_secs(5);
/// How long an agent that speaks ACP may take to stop after a cancellation.
const STOPPING: Duration = Duration::from_secs(12);
/// The exit code of an agent that was killed: 128, and the signal's number.
const KILLED: i32 = 137;
/// How often a supervisor is told of a pause that lasts: something else may have continued the agent.
const REPEATED: Duration = Duration::from_secs(1);

/// Measures the size of a directory from time to time.
pub(super) struct Scale<'a> {
    pub(super) folder: &'a Path,
    pub(super) most: u64,
    pub(super) next: Instant,
}

impl Scale<'_> {
    /// Whether the last measurement exceeded the limit.
    pub(super) fn is_too_heavy(&mut self) -> bool {
        let started = Instant::now();
        if started < self.next {
            return false;
        }
        let is_too_heavy = size_of(self.folder) > self.most;
        // Large trees take seconds, so measuring takes at most a twentieth of the time.
        self.next = Instant::now() + MEASURE.max(started.elapsed() * 20);
        is_too_heavy
    }
}

pub(super) struct Watch<'a> {
    run: &'a Run<'a>,
    process: &'a mut Process,
    scale: Scale<'a>,
    load: Load,
    /// For an agent that speaks ACP.
    signs: Option<&'a Signs>,
    is_paused: bool,
    /// When the supervisor was last told of the pause.
    told: Option<Instant>,
    waits_for_person: bool,
    /// Since when its time limit is suspended for a person, and how long the session had been paused by then.
    idle: Option<(Instant, Duration)>,
    /// Why it has to end, and since when.
    forced: Option<(Ending, Instant)>,
    is_ended: bool,
}

impl<'a> Watch<'a> {
    pub(super) fn new(
        run: &'a Run<'a>,
        process: &'a mut Process,
        workspace: &'a Workspace,
        signs: Option<&'a Signs>,
    ) -> Self {
        let (most, next) = (run.settings.work_max, Instant::now() + MEASURE);
        let load = Load::new(run.settings.limits.most, process);
        let scale = Scale { folder: workspace.places().run, most, next };
        Self {
            run,
            process,
            scale,
            load,
            signs,
            is_paused: false,
            told: None,
            waits_for_person: false,
            idle: None,
            forced: None,
            is_ended: false,
        }
    }

    pub(super) fn watch(mut self) -> Ending {
        loop {
            if let Some(end) = self.process.ended() {
                let by_itself = match end {
                    End::Code(code) => self.load.used_up().map_or(Ending::Exited(code), Ending::Overloaded),
                    // It was done, and did not end in time.
                    End::Unsupervised if self.process.was_killed() => Ending::Exited(KILLED),
                    End::Unsupervised => Ending::Unsupervised,
                };
                return self.forced.map_or(by_itself, |(why, _)| why);
            }
            // An agent that is done and is being ended may take its time, unless people want it gone.
            if self.forced.is_none() && (!self.is_ended || self.run.control.halt().is_some()) {
                self.look();
            }
            self.end_if_due();
            thread::sleep(LOOK);
        }
    }

    /// Checks for reasons to end or pause the agent.
    fn look(&mut self) {
        self.forced = self.why_to_end().map(|why| (why, Instant::now()));
        match &self.forced {
            Some((Ending::Halted(Halt::Lost), _)) => self.run.outbox.lose(),
            Some(_) => {}
            None => {
                self.follow_pause();
                self.follow_person();
                self.count_idle();
            }
        }
    }

    fn why_to_end(&mut self) -> Option<Ending> {
        if let Some(halt) = self.run.control.halt() {
            return Some(Ending::Halted(halt));
        }
        if self.is_paused {
            return None;
        }
        if self.scale.is_too_heavy() {
            return Some(Ending::TooLarge);
        }
        if let Some(why) = self.load.is_too_much() {
            return Some(Ending::Overloaded(why));
        }
        if let Some(why) = self.run.reached(None) {
            return Some(Ending::Capped(why));
        }
        (self.idle.is_none() && Instant::now() >= self.run.deadline()).then_some(Ending::TimedOut)
    }

    fn follow_pause(&mut self) {
        self.is_paused = self.run.control.is_paused();
        if !self.is_paused {
            self.resume();
        } else if self.told.is_none_or(|at| at.elapsed() >= REPEATED) && self.process.pause() {
            self.told = Some(Instant::now());
        }
    }

    fn resume(&mut self) {
        if self.told.take().is_some() {
            self.process.resume();
        }
    }

    fn follow_person(&mut self) {
        let waits = self.signs.is_some_and(Signs::waits_for_person);
        if waits != self.waits_for_person {
            self.waits_for_person = waits;
            self.run.control.say_phase(if waits { "waiting_for_person" } else { "working" });
        }
    }

    /// Extends the time limit by the time in which the agent waits for people. Pauses in it extend it by themselves.
    fn count_idle(&mut self) {
        let paused = self.run.control.paused();
        match (self.waits_for_person, self.idle) {
            (true, None) => self.idle = Some((Instant::now(), paused)),
            (false, Some((since, before))) => {
                *self.run.lock_deadline() += since.elapsed().saturating_sub(paused.saturating_sub(before));
                self.idle = None;
            }
            _ => {}
        }
    }

    /// Ends the agent when it is done, or when it must stop. One that speaks ACP gets a moment to stop by itself.
    fn end_if_due(&mut self) {
        let is_over = self.signs.is_none_or(Signs::is_over);
        let is_due = match &self.forced {
            None => self.signs.is_some() && is_over,
            Some((Ending::Halted(Halt::Lost), _)) => true,
            Some((_, since)) => {
                self.signs.into_iter().for_each(Signs::cancel);
                is_over || since.elapsed() >= STOPPING
            }
        };
        if is_due && !self.is_ended {
            self.is_ended = true;
            self.process.end();
        }
        if self.forced.is_some() && !self.is_ended {
            // A stopped process cannot stop by itself.
            self.resume();
        }
    }
}
