//! A build's source maps from disk to the server, as a pipeline uploads them: with the command line, end to end, beside
//! what the disk writes by itself in the same run.

use crate::api::Api;
use crate::mapgen::Bundle;
use crate::process::Sampler;
use crate::report::{Report, median, table};
use crate::server::{Server, binary};
use crate::{Plan, Result};
use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

const MB: f64 = 1e6;

/// How much is uploaded.
#[derive(Clone, Copy)]
pub(crate) struct Amount {
    pub(crate) maps: usize,
    /// Bytes of each.
    pub(crate) each: usize,
}

pub(crate) async fn measure(
    folder: &Path,
    bundle: &Bundle,
    (amount, plan): (Amount, &Plan),
    report: &mut Report,
) -> Result<()> {
    let (dist, data) = (folder.join("dist"), folder.join("data"));
    let bytes = build(&dist, bundle, amount)? as f64;
    let (mut server, _) = Server::mayday(&data).await?;
    let mut api = Api::claim(&mut server).await?;
    let peak = Sampler::start(server.pid());
    let (mut disk, mut first, mut again) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..plan.rounds {
        disk.push(written(&folder.join("written"), bytes as usize)?);
        // A project of its own: it has none of these maps.
        let key = api.project(&format!("Build {round}")).await?.key;
        first.push(upload(&server, &key, "1", &dist)?);
        again.push(upload(&server, &key, "2", &dist)?);
        // The next round converts them anew.
        mark(&dist, amount, round + 1)?;
    }
    let peak = peak.peak() as f64 / f64::from(1 << 20);
    server.stop()?;
    print(amount, bytes, [("the disk alone", disk), ("upload", first), ("the same again", again)], report);
    println!("  the server's memory at most: {peak:.0} MiB");
    report.keep("upload.peak_mib".to_owned(), peak);
    Ok(())
}

/// A folder with scripts and their maps; the bytes of the maps.
fn build(dist: &Path, bundle: &Bundle, amount: Amount) -> Result<usize> {
    fs::create_dir_all(dist)?;
    let mut bytes = 0;
    for number in 0..amount.maps {
        fs::write(
            dist.join(format!("{number}.js")),
            format!("{}\n//# sourceMappingURL={number}.js.map\n", bundle.script),
        )?;
        // As wide for every round, so that all are the same size.
        let map = bundle.map.replacen("main.js", &format!("{number:06}-{:06}.js", 0), 1);
        fs::write(dist.join(format!("{number}.js.map")), &map)?;
        bytes += map.len();
    }
    Ok(bytes)
}

/// Makes each map another content.
fn mark(dist: &Path, amount: Amount, round: usize) -> Result<()> {
    for number in 0..amount.maps {
        let path = dist.join(format!("{number}.js.map"));
        let map = fs::read_to_string(&path)?;
        let (old, new) = (format!("{number:06}-{:06}.js", round - 1), format!("{number:06}-{round:06}.js"));
        fs::write(path, map.replacen(&old, &new, 1))?;
    }
    Ok(())
}

/// Seconds of the command line.
fn upload(server: &Server, key: &str, release: &str, dist: &Path) -> Result<f64> {
    let start = Instant::now();
    let output = Command::new(binary())
        .args(["sourcemaps", "upload", "--release", release])
        .arg(dist)
        .env_clear()
        .env("MAYDAY_URL", format!("http://{}", server.address))
        .env("MAYDAY_KEY", key)
        .stdin(Stdio::null())
        .output()?;
    let took = start.elapsed().as_secs_f64();
    if !output.status.success() {
        return Err(format!("the upload failed: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    Ok(took)
}

/// Seconds that so many bytes take to be written and synced, one file after the other.
fn written(path: &Path, bytes: usize) -> Result<f64> {
    let piece: Vec<u8> = (0..1 << 20).map(|at: u32| (at.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let start = Instant::now();
    let mut file = File::create(path)?;
    for _ in 0..bytes.div_ceil(piece.len()) {
        file.write_all(&piece)?;
    }
    file.sync_all()?;
    let took = start.elapsed().as_secs_f64();
    drop(file);
    fs::remove_file(path)?;
    Ok(took)
}

fn print(amount: Amount, bytes: f64, runs: [(&str, Vec<f64>); 3], report: &mut Report) {
    let alone = median(runs[0].1.clone());
    let rows = runs.map(|(name, seconds)| {
        let took = median(seconds);
        report.keep(format!("upload.{}_s", name.replace(' ', "_")), took);
        [
            name.to_owned(),
            format!("{took:.2}"),
            format!("{:.0}", bytes / MB / took),
            format!("{:.1}", took / alone),
        ]
    });
    let title = format!(
        "Upload of {} source maps, {:.0} MB, from `mayday sourcemaps upload` to its end",
        amount.maps,
        bytes / MB
    );
    table(&title, &["", "s", "MB/s", "× the disk alone"], &rows);
}
