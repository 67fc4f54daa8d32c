//! Sending: closed loop for throughput, open loop for latency from due time. Only 2xx count.

use crate::Result;
use crate::client::Connection;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::{Duration, Instant};
use tokio::sync::mpsc;
use tokio::task::LocalSet;

/// Stands in the histogram for a connection that failed.
const BROKEN: u16 = 0;

/// What makes requests, each another one.
pub(crate) trait Requests: 'static {
    /// Puts the next whole request into `into`.
    fn next(&mut self, into: &mut Vec<u8>);
}

/// How much to send: both bounds hold.
#[derive(Clone, Copy)]
pub(crate) struct Load {
    pub(crate) connections: usize,
    pub(crate) time: Duration,
    pub(crate) requests: u64,
}

#[derive(Default)]
pub(crate) struct Outcome {
    pub(crate) statuses: BTreeMap<u16, u64>,
    /// Of the accepted ones, in microseconds, ascending.
    latencies: Vec<u32>,
    /// Accepted ones of each second from the start.
    pub(crate) seconds: Vec<u64>,
    pub(crate) elapsed: Duration,
}

impl Outcome {
    pub(crate) fn accepted(&self) -> u64 {
        self.latencies.len() as u64
    }

    pub(crate) fn rate(&self) -> f64 {
        self.accepted() as f64 / self.elapsed.as_secs_f64()
    }

    /// The latency that `part` of the accepted ones stay within, in milliseconds.
    pub(crate) fn percentile(&self, part: f64) -> f64 {
        percentile(&self.latencies, part) / 1e3
    }

    /// Every answer that was not 2xx.
    pub(crate) fn others(&self) -> String {
        let others = self.statuses.iter().filter(|(status, _)| !(200..300).contains(*status));
        let list: Vec<String> = others.map(|(status, count)| format!("{status}: {count}")).collect();
        if list.is_empty() { "-".to_owned() } else { list.join(", ") }
    }

    fn note(&mut self, status: u16, since: Instant, started: Instant) {
        *self.statuses.entry(status).or_default() += 1;
        if (200..300).contains(&status) {
            let second = started.elapsed().as_secs() as usize;
            self.seconds.resize(self.seconds.len().max(second + 1), 0);
            self.seconds[second] += 1;
            self.latencies.push(u32::try_from(since.elapsed().as_micros()).unwrap_or(u32::MAX));
        }
    }
}

/// Of ascending samples; 0 when there are none.
pub(crate) fn percentile(sorted: &[u32], part: f64) -> f64 {
    let rank = (sorted.len() as f64 * part).ceil() as usize;
    sorted.get(rank.saturating_sub(1)).map_or(0.0, |sample| f64::from(*sample))
}

/// One worker's connection, opened again after a failure.
struct Sender<P> {
    address: SocketAddr,
    connection: Option<Connection>,
    request: Vec<u8>,
    pool: Rc<RefCell<P>>,
    outcome: Rc<RefCell<Outcome>>,
    started: Instant,
}

impl<P: Requests> Sender<P> {
    async fn send(&mut self, since: Option<Instant>) {
        self.pool.borrow_mut().next(&mut self.request);
        let since = since.unwrap_or_else(Instant::now);
        let status = self.try_send().await.unwrap_or(BROKEN);
        if status == BROKEN {
            self.connection = None;
        }
        self.outcome.borrow_mut().note(status, since, self.started);
    }

    async fn try_send(&mut self) -> Result<u16> {
        let connection = match &mut self.connection {
            Some(connection) => connection,
            closed => closed.insert(Connection::open(self.address).await?),
        };
        connection.send(&self.request).await
    }
}

fn senders<P: Requests>(
    address: SocketAddr,
    pool: &Rc<RefCell<P>>,
    count: usize,
) -> (Vec<Sender<P>>, Rc<RefCell<Outcome>>) {
    let outcome = Rc::new(RefCell::new(Outcome::default()));
    let one = |_| Sender {
        address,
        connection: None,
        request: Vec::new(),
        pool: pool.clone(),
        outcome: outcome.clone(),
        started: Instant::now(),
    };
    ((0..count).map(one).collect(), outcome)
}

fn finish(outcome: &RefCell<Outcome>, started: Instant) -> Outcome {
    let mut outcome = outcome.take();
    outcome.elapsed = started.elapsed();
    outcome.latencies.sort_unstable();
    outcome
}

/// Every connection sends its next request when it has the answer to the last.
pub(crate) async fn closed<P: Requests>(address: SocketAddr, pool: &Rc<RefCell<P>>, load: Load) -> Outcome {
    let (senders, outcome) = senders(address, pool, load.connections);
    let left = Rc::new(Cell::new(load.requests));
    let started = Instant::now();
    let local = LocalSet::new();
    for mut sender in senders {
        let left = left.clone();
        local.spawn_local(async move {
            while left.get() > 0 && started.elapsed() < load.time {
                left.set(left.get() - 1);
                sender.send(None).await;
            }
        });
    }
    local.await;
    finish(&outcome, started)
}

/// `rate` requests a second whatever the answers do; latency counts from the time each was due.
pub(crate) async fn open<P: Requests>(
    address: SocketAddr,
    pool: &Rc<RefCell<P>>,
    load: Load,
    rate: u32,
) -> Outcome {
    let (senders, outcome) = senders(address, pool, load.connections);
    let due = pace(rate, load.requests.min((load.time.as_secs_f64() * f64::from(rate)) as u64));
    let due = Rc::new(tokio::sync::Mutex::new(due));
    let started = Instant::now();
    let local = LocalSet::new();
    for mut sender in senders {
        let due = due.clone();
        local.spawn_local(async move {
            loop {
                let next = due.lock().await.recv().await;
                let Some(at) = next else { break };
                sender.send(Some(at)).await;
            }
        });
    }
    local.await;
    finish(&outcome, started)
}

/// Due times from a thread of its own: the timer of the asynchronous threads is a millisecond coarse.
fn pace(rate: u32, count: u64) -> mpsc::UnboundedReceiver<Instant> {
    let (send, receive) = mpsc::unbounded_channel();
    std::thread::spawn(move || {
        let start = Instant::now();
        for index in 0..count {
            let due = start + Duration::from_secs_f64(index as f64 / f64::from(rate));
            std::thread::sleep(due.saturating_duration_since(Instant::now()));
            if send.send(due).is_err() {
                break;
            }
        }
    });
    receive
}
