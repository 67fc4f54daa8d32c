//! Start, memory and disk.

use crate::api::now;
use crate::disk::{Stored, folder_bytes};
use crate::drive::{Load, closed};
use crate::events::Pool;
use crate::instance::Instance;
use crate::mapgen::Bundle;
use crate::process::{Memory, Sampler, memory};
use crate::report::{Report, median, table};
use crate::server::{Server, binary};
use crate::{Plan, Result};
use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;
use std::time::Duration;

const MIB: f64 = (1 << 20) as f64;
/// After the load, before the memory is read.
const REST: Duration = Duration::from_secs(2);
/// Events that no dictionary has seen, to see how small they become.
const UNSEEN: u64 = 2_000;

/// Milliseconds from the start of the process to its first 200, a median.
pub(crate) async fn start_up(data: &Path, plan: &Plan) -> Result<f64> {
    let mut times = Vec::new();
    for _ in 0..plan.starts {
        let (server, time) = Server::mayday(data).await?;
        server.stop()?;
        times.push(time.as_secs_f64() * 1e3);
    }
    Ok(median(times))
}

pub(crate) struct Life {
    /// Milliseconds to the first 200, with no data.
    pub(crate) empty_start: f64,
    pub(crate) idle: Memory,
    pub(crate) peak: Sampler,
}

impl Life {
    /// Stops the server and says what is left.
    pub(crate) async fn measure(
        self,
        mut instance: Instance,
        (data, bundle): (&Path, &Bundle),
        plan: &Plan,
        report: &mut Report,
    ) -> Result<()> {
        let peak = self.peak.peak() as f64 / MIB;
        let unseen = send_unseen(&mut instance, bundle).await?;
        tokio::time::sleep(REST).await;
        let after = memory(instance.server.pid())?;
        let stopped = instance.server.stop()?;
        let stored = Stored::open(data)?;
        let journal = folder_bytes(&data.join("intake")) as f64;
        let full_start = start_up(data, plan).await?;
        let binary = std::fs::metadata(binary())?.len() as f64 / MIB;
        let pss = |memory: Memory| {
            format!("{:.0} MiB ({:.0} of files)", memory.all as f64 / MIB, memory.files as f64 / MIB)
        };
        let row = |name: &str, value: String| [name.to_owned(), value];
        let rows = [
            row("start to first 200, empty", format!("{:.0} ms", self.empty_start)),
            row(&format!("start to first 200, {:.0} events", stored.events), format!("{full_start:.0} ms")),
            row("stop", format!("{:.0} ms", stopped.as_secs_f64() * 1e3)),
            row("memory (PSS), idle", pss(self.idle)),
            row("memory (PSS), highest of all runs", format!("{peak:.0} MiB")),
            row("memory (PSS), after", pss(after)),
            row("binary", format!("{binary:.1} MiB")),
            row("main.db", format!("{:.0} bytes an event", stored.bytes / stored.events)),
            row("journal, all of it digested", format!("{:.1} MiB", journal / MIB)),
        ];
        table("Process and disk", &["", ""], &rows);
        stored.print("run", report)?;
        stored.print_payloads(unseen, report)?;
        let figures = [
            ("start_empty_ms", self.empty_start),
            ("start_full_ms", full_start),
            ("pss_idle_mib", self.idle.all as f64 / MIB),
            ("pss_peak_mib", peak),
            ("pss_after_mib", after.all as f64 / MIB),
            ("binary_mib", binary),
            ("main_bytes", stored.bytes / stored.events),
            ("journal_mib", journal / MIB),
        ];
        for (name, value) in figures {
            report.keep(format!("process.{name}"), value);
        }
        report.at_most("memory (PSS), idle", self.idle.all as f64 / MIB, 40.0, 25.0, "MiB");
        report.at_most("memory (PSS), full load", peak, 120.0, 80.0, "MiB");
        report.at_most("start to first 200 with the data of the run", full_start, 50.0, 20.0, "ms");
        report.at_most("binary", binary, 30.0, 20.0, "MiB");
        report.at_most("disk an event", stored.bytes / stored.events / 1e3, 1.4, 0.9, "KB");
        Ok(())
    }
}

/// Events made of other numbers than all before, into a project of their own; which one.
async fn send_unseen(instance: &mut Instance, bundle: &Bundle) -> Result<i64> {
    let project = instance.api.project("Unseen").await?;
    let pool = Rc::new(RefCell::new(Pool::new(&[project.key], bundle, now(), 99)));
    let load = Load { connections: 8, time: Duration::from_secs(30), requests: UNSEEN };
    closed(instance.server.address, &pool, load).await;
    instance.readable().await?;
    Ok(project.id)
}
