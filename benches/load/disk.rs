//! Where the bytes go: by table and index of `main.db`, and how small payloads become.

use crate::Result;
use crate::report::{Report, table};
use mayday::store::{Dictionary, Packer, compress, unpack};
use rusqlite::{Connection, OpenFlags};
use std::path::Path;
use std::sync::Arc;

const MIB: f64 = (1 << 20) as f64;
/// Tables and indexes that are shown; the rest is summed up.
const SHOWN: usize = 14;
const PAYLOAD_MAX: usize = 16 << 20;

/// Bytes of a database with its journal.
pub(crate) fn database_bytes(data: &Path, name: &str) -> u64 {
    let length =
        |suffix: &str| std::fs::metadata(data.join(format!("{name}{suffix}"))).map_or(0, |file| file.len());
    length("") + length("-wal")
}

/// Bytes of the files in a folder.
pub(crate) fn folder_bytes(folder: &Path) -> u64 {
    let Ok(entries) = std::fs::read_dir(folder) else { return 0 };
    entries.flatten().filter_map(|entry| entry.metadata().ok()).map(|file| file.len()).sum()
}

/// Pages of a table or index.
struct Tree {
    name: String,
    bytes: f64,
    /// Room in its pages that nothing lies in.
    unused: f64,
}

/// The database of a server that was stopped.
pub(crate) struct Stored {
    connection: Connection,
    pub(crate) events: f64,
    pub(crate) bytes: f64,
}

impl Stored {
    pub(crate) fn open(data: &Path) -> Result<Self> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(data.join("main.db"), flags)?;
        let events: i64 = connection.query_row("select count(*) from events", (), |row| row.get(0))?;
        let bytes = database_bytes(data, "main.db") as f64;
        Ok(Self { connection, events: events.max(1) as f64, bytes })
    }

    fn trees(&self) -> Result<Vec<Tree>> {
        let mut statement = self.connection.prepare(
            "select name, sum(pgsize), sum(unused) from dbstat('main', 1) group by name order by 2 desc",
        )?;
        let rows = statement.query_map((), |row| {
            let (bytes, unused): (i64, i64) = (row.get(1)?, row.get(2)?);
            Ok(Tree { name: row.get(0)?, bytes: bytes as f64, unused: unused as f64 })
        })?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// Prints where the bytes of an event go.
    pub(crate) fn print(&self, name: &str, report: &mut Report) -> Result<()> {
        let trees = self.trees()?;
        let row = |name: &str, bytes: f64, unused: f64| {
            let share = format!("{:.0} %", bytes / self.bytes * 100.0);
            let event = format!("{:.0}", bytes / self.events);
            let part = if bytes > 0.0 { unused / bytes * 100.0 } else { 0.0 };
            [name.to_owned(), format!("{:.1}", bytes / MIB), event, share, format!("{part:.0} %")]
        };
        let shown = &trees[..trees.len().min(SHOWN)];
        let mut rows: Vec<_> = shown.iter().map(|tree| row(&tree.name, tree.bytes, tree.unused)).collect();
        let sum = |figure: fn(&Tree) -> f64, trees: &[Tree]| trees.iter().map(figure).sum::<f64>();
        let rest = &trees[shown.len()..];
        rows.push(row("the other tables", sum(|tree| tree.bytes, rest), sum(|tree| tree.unused, rest)));
        let all = sum(|tree| tree.bytes, &trees);
        rows.push(row("free pages", self.bytes - all, 0.0));
        rows.push(row("all", self.bytes, sum(|tree| tree.unused, &trees)));
        let title = format!("Disk, {name}: main.db by table and index, {:.0} events", self.events);
        table(&title, &["", "MiB", "bytes an event", "share", "unused in pages"], &rows);
        for tree in shown {
            report.keep(format!("disk.{name}.{}", tree.name), tree.bytes / self.events);
        }
        report.keep(format!("disk.{name}.all"), self.bytes / self.events);
        Ok(())
    }

    /// How small the payloads of a project became, of events that came after the last dictionary was
    /// trained.
    pub(crate) fn print_payloads(&self, project: i64, report: &mut Report) -> Result<()> {
        let c = &self.connection;
        for content in c.prepare("select content from dictionaries")?.query_map((), |row| row.get(0))? {
            Packer::know(Arc::new(Dictionary::new(content?)?));
        }
        let query = "select payload from events where project_id = ?1
                     and id > (select coalesce(max(at_row), 0) from dictionaries)";
        let (mut events, mut json, mut stored, mut without) = (0_u32, 0.0, 0.0, 0.0);
        let mut statement = c.prepare(query)?;
        for payload in statement.query_map([project], |row| row.get::<_, Vec<u8>>(0))? {
            let payload = payload?;
            let plain = unpack(&payload, PAYLOAD_MAX)?;
            without += compress(&plain)?.len() as f64;
            (events, json, stored) = (events + 1, json + plain.len() as f64, stored + payload.len() as f64);
        }
        let each = |sum: f64| format!("{:.0}", sum / f64::from(events.max(1)));
        let ratio = |sum: f64| format!("{:.2}", json / sum);
        let rows = [
            ["as stored".to_owned(), each(stored), ratio(stored)],
            ["zstd without a dictionary".to_owned(), each(without), ratio(without)],
        ];
        let title = format!(
            "Payloads, {events} events that no dictionary was trained on, {} bytes of JSON each",
            each(json)
        );
        table(&title, &["", "bytes", "ratio"], &rows);
        report.keep("payload.ratio".to_owned(), json / stored);
        report.keep("payload.ratio_without_dictionary".to_owned(), json / without);
        Ok(())
    }
}
