//! A cross-check of the generator: `wrk` with the same bodies, where it is installed.

use crate::client::Request;
use crate::drive::Requests as _;
use crate::instance::Instance;
use crate::report::{Report, table};
use crate::{Plan, Result};
use std::fs;
use std::path::Path;
use std::process::Command;

const CONNECTIONS: usize = 64;
const BODIES: usize = 512;

/// Sends each body with another event id.
const SCRIPT: &str = r#"
local heads, tails = {}, {}
for line in io.lines(os.getenv("BODIES")) do
  local at = line:find('"event_id":"', 1, true) + 11
  heads[#heads + 1] = line:sub(1, at)
  tails[#tails + 1] = line:sub(at + 33)
end
local threads = 0
function setup(thread) threads = threads + 1; thread:set("seed", threads) end
function init() math.randomseed(os.time() * 10 + seed) end
local headers = { ["content-type"] = "application/json" }
local function word() return math.random(0, 0xffff) end
function request()
  local at = math.random(#heads)
  local id = string.format("%04x%04x%04x%04x%04x%04x%04x%04x",
    word(), word(), word(), word(), word(), word(), word(), word())
  return wrk.format("POST", "/api/v1/errors", headers, heads[at] .. id .. tails[at])
end
"#;

/// Runs it if it is there. Its events go aside: those in flight at its end are accepted and not counted.
pub(crate) async fn measure(
    instance: &mut Instance,
    folder: &Path,
    plan: &Plan,
    report: &mut Report,
) -> Result<()> {
    if Command::new("wrk").arg("-v").output().is_err() {
        println!("\nwrk is not installed: no cross-check of the generator");
        return Ok(());
    }
    let (script, bodies) = (folder.join("wrk.lua"), folder.join("bodies.json"));
    fs::write(&script, SCRIPT)?;
    fs::write(&bodies, lines(instance)?)?;
    let mut rows = Vec::new();
    for _ in 0..plan.rounds {
        let output = Command::new("wrk")
            .env("BODIES", &bodies)
            .args(["-t1", &format!("-c{CONNECTIONS}"), "--latency"])
            .arg(format!("-d{}s", plan.run.as_secs().max(1)))
            .arg("-s")
            .arg(&script)
            .arg(format!("http://{}", instance.server.address))
            .output()?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let after = |name: &str| text.split(name).nth(1).and_then(|rest| rest.split_whitespace().next());
        let rate = after("Requests/sec:").ok_or_else(|| format!("wrk failed: {text}"))?.to_owned();
        report.keep("wrk.rate".to_owned(), rate.parse()?);
        let (p50, p99) = (after("50%").unwrap_or("-").to_owned(), after("99%").unwrap_or("-").to_owned());
        rows.push([rate, p50, p99, after("Non-2xx or 3xx responses:").unwrap_or("-").to_owned()]);
        instance.readable().await?;
    }
    let title = format!("wrk, {CONNECTIONS} connections, one thread, the same bodies");
    table(&title, &["accepted/s", "p50", "p99", "not 2xx"], &rows);
    Ok(())
}

/// Bodies of the ordinary pool, one a line, with the key of the project aside.
fn lines(instance: &Instance) -> Result<String> {
    let (mut request, mut lines) = (Vec::new(), String::new());
    for _ in 0..BODIES {
        instance.pool.borrow_mut().next(&mut request);
        let mut event: serde_json::Value = serde_json::from_slice(Request::body_of(&request))?;
        event["api_key"] = instance.aside.key.clone().into();
        lines.push_str(&event.to_string());
        lines.push('\n');
    }
    Ok(lines)
}
