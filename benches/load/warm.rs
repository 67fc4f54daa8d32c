//! Sessions whose packages a session before them has installed: from a runner's claim to the first line that the agent
//! writes, as the server stored it, under the isolation that runners have by default; beside the first session, which
//! installs them.

use crate::Result;
use crate::agents::{Runners, begin, ended, first_outputs, git, runner};
use crate::report::{Report, median, table};
use serde_json::json;
use std::fs::{self, File};
use std::path::Path;

/// Files of the repository, of 4 kB each.
const FILES: usize = 2_000;
/// Warm sessions, one after the other.
const SESSIONS: usize = 10;
/// Waits as if packages came from afar, and makes 5,000 files. It prints nothing: that would count as the agent's output.
const SET_UP: &str = "sleep 8 && mkdir node_modules && cd node_modules && \
    seq -f package-%g 0 499 | xargs mkdir && \
    for number in $(seq 5000); do echo \"module.exports = $number;\" > package-$((number % 500))/$number.js; done";
/// What the agent does: show that the packages are there.
const AGENT: &str = "ls node_modules | head -1";
const FIRST: &str = "package-0";
/// Milliseconds that no warm session may exceed.
const MOST: f64 = 5_000.0;

pub(crate) async fn measure(folder: &Path, report: &mut Report) -> Result<()> {
    let first = folder.join("first");
    fs::create_dir_all(&first)?;
    for (name, content) in [("package.json", "{}\n"), ("package-lock.json", "{\"lockfileVersion\": 3}\n")] {
        fs::write(first.join(name), content)?;
    }
    let (server, mut api, repository) = begin(folder, FILES).await?;
    let path = format!("/api/repos/{}", repository.as_str().ok_or("no repository")?);
    api.patch(&path, &json!({ "setupCommand": SET_UP })).await?;
    let (work, notes) = (folder.join("runner"), folder.join("runner.log"));
    let words = ["--command", AGENT];
    let child = runner(&mut api, &server, (&work, &words), File::create(&notes)?.into()).await?;
    let runners = Runners(vec![child]);
    let session = json!({"prompt": "Say what is installed", "repoId": repository});
    api.post("/api/sessions", &session).await?;
    ended(&mut api, 1).await?;
    push(&first)?;
    for _ in 0..SESSIONS {
        api.post("/api/sessions", &session).await?;
    }
    ended(&mut api, SESSIONS + 1).await?;
    drop(runners);
    let mut warm = first_outputs(&mut api, SESSIONS + 1, FIRST).await?;
    server.stop()?;
    let cold = warm.pop().ok_or("no session")?;
    print((cold, &warm), isolation(&notes)?, report);
    Ok(())
}

/// Pushes a change of a source that leaves the lock file as it is.
fn push(first: &Path) -> Result<()> {
    fs::write(first.join("0.txt"), "changed\n")?;
    git(first, &["commit", "--quiet", "--all", "--message", "Change"])?;
    git(first, &["push", "--quiet", "../host.git", "HEAD"])
}

/// How the runner shut its agents in: where it cannot, its notes say so.
fn isolation(notes: &Path) -> Result<&'static str> {
    let is_none = fs::read_to_string(notes)?.contains("--isolation none");
    Ok(if is_none { "none" } else { "sandbox" })
}

fn print((cold, warm): (f64, &[f64]), isolation: &str, report: &mut Report) {
    let (middle, most) = (median(warm.to_vec()), warm.iter().copied().fold(0.0, f64::max));
    let row = |name: &str, figures: [f64; 2]| {
        let [middle, most] = figures.map(|figure| format!("{figure:.0}"));
        [name.to_owned(), middle, most]
    };
    let title = format!("Claim to the agent's first output with a set-up, isolation: {isolation}");
    let warm = format!("warm, {SESSIONS} sessions");
    table(
        &title,
        &["", "p50 ms", "max ms"],
        &[row("cold, the first session", [cold; 2]), row(&warm, [middle, most])],
    );
    report.keep("warm_first_output_ms.p50".to_owned(), middle);
    report.keep("warm_first_output_ms.max".to_owned(), most);
    report.keep("cold_first_output_ms".to_owned(), cold);
    report.at_most("claim to the first output of a warm session, max", most, MOST, MOST, "ms");
}
