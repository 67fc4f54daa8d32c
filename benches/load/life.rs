//! Start, memory and disk.

use crate::instance::{Instance, database_bytes};
use crate::process::{Memory, Sampler, memory};
use crate::report::{Report, median, table};
use crate::server::{Server, binary};
use crate::{Plan, Result};
use std::path::Path;
use std::time::Duration;

const MIB: f64 = (1 << 20) as f64;
/// After the load, before the memory is read.
const REST: Duration = Duration::from_secs(2);

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
        instance: Instance,
        data: &Path,
        plan: &Plan,
        report: &mut Report,
    ) -> Result<()> {
        let peak = self.peak.peak() as f64 / MIB;
        tokio::time::sleep(REST).await;
        let after = memory(instance.server.pid())?;
        let events = instance.accepted.max(1) as f64;
        let stopped = instance.server.stop()?;
        let main = database_bytes(data, "main.db") as f64;
        let intake = database_bytes(data, "intake.db") as f64;
        let full_start = start_up(data, plan).await?;
        let binary = std::fs::metadata(binary())?.len() as f64 / MIB;
        let pss = |memory: Memory| {
            format!("{:.0} MiB ({:.0} of files)", memory.all as f64 / MIB, memory.files as f64 / MIB)
        };
        let row = |name: &str, value: String| [name.to_owned(), value];
        let rows = [
            row("start to first 200, empty", format!("{:.0} ms", self.empty_start)),
            row(&format!("start to first 200, {events:.0} events"), format!("{full_start:.0} ms")),
            row("stop", format!("{:.0} ms", stopped.as_secs_f64() * 1e3)),
            row("memory (PSS), idle", pss(self.idle)),
            row("memory (PSS), highest of all runs", format!("{peak:.0} MiB")),
            row("memory (PSS), after", pss(after)),
            row("binary", format!("{binary:.1} MiB")),
            row("main.db", format!("{:.0} bytes an event", main / events)),
            row("intake.db, empty again", format!("{:.1} MiB", intake / MIB)),
        ];
        table("Process and disk", &["", ""], &rows);
        let figures = [
            ("start_empty_ms", self.empty_start),
            ("start_full_ms", full_start),
            ("pss_idle_mib", self.idle.all as f64 / MIB),
            ("pss_peak_mib", peak),
            ("pss_after_mib", after.all as f64 / MIB),
            ("binary_mib", binary),
            ("main_bytes", main / events),
        ];
        for (name, value) in figures {
            report.keep(format!("process.{name}"), value);
        }
        report.at_most("memory (PSS), idle", self.idle.all as f64 / MIB, 40.0, 25.0, "MiB");
        report.at_most("memory (PSS), full load", peak, 120.0, 80.0, "MiB");
        report.at_most("start to first 200 with the data of the run", full_start, 50.0, 20.0, "ms");
        report.at_most("binary", binary, 30.0, 20.0, "MiB");
        report.at_most("disk an event", main / events / 1e3, 1.4, 0.9, "KB");
        Ok(())
    }
}
