//! An agent in a sandbox: it may do anything inside, and nothing outside changes.

use super::{Machine, Shop};
use crate::support::world::text;
use crate::support::{eventually, json};
use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::process::{Command, Output};
use std::sync::{Arc, Mutex};

/// A host that a sandbox must not reach, or a model; keeps the requests that it got.
pub(super) struct Host {
    pub(super) port: u16,
    heard: Arc<Mutex<Vec<String>>>,
}

impl Host {
    pub(super) fn new() -> Self {
        Self::saying("answer")
    }

    /// One that answers each request with a text.
    pub(super) fn saying(text: &'static str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let heard = Arc::new(Mutex::new(Vec::new()));
        let written = heard.clone();
        std::thread::spawn(move || {
            for mut client in listener.incoming().map_while(Result::ok) {
                let mut request = [0; 16 << 10];
                let length = client.read(&mut request).unwrap_or(0);
                written.lock().unwrap().push(String::from_utf8_lossy(&request[..length]).into_owned());
                let length = text.len();
                let answer =
                    format!("HTTP/1.1 200 OK\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{text}");
                let _ = client.write_all(answer.as_bytes());
            }
        });
        Self { port, heard }
    }

    pub(super) fn heard(&self) -> Vec<String> {
        self.heard.lock().unwrap().clone()
    }
}

/// Whether this machine makes rooms; a container may not. Continuous integration installs bubblewrap, and fails without it.
pub(super) fn has_rooms() -> bool {
    let mut command = Command::new("bwrap");
    command.args(["--unshare-user", "--unshare-all", "--disable-userns", "--ro-bind", "/", "/", "true"]);
    let is_ci = std::env::var("CI").is_ok_and(|value| value == "true");
    let why = why_untried(command.output(), is_ci);
    if let Some(why) = &why {
        eprintln!("not tried: {why}");
    }
    why.is_none()
}

/// Why nothing is tried in a room, by what bubblewrap came to; nothing if it made one.
fn why_untried(tried: std::io::Result<Output>, is_ci: bool) -> Option<String> {
    match tried {
        Ok(output) if output.status.success() => None,
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stderr).trim_end().to_owned();
            Some(format!("bubblewrap makes no rooms on this machine: {said}"))
        }
        Err(error) => {
            assert!(!is_ci, "bubblewrap is missing, and what it shuts in is untested: {error}");
            Some(format!("bubblewrap is missing: {error}"))
        }
    }
}

/// Whether some process of this machine has a word in its command line.
pub(super) fn runs(word: &str) -> bool {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    processes
        .filter_map(|entry| fs::read(entry.path().join("cmdline")).ok())
        .any(|line| line.split(|byte| *byte == 0).any(|one| one == word.as_bytes()))
}

#[test]
fn without_bubblewrap_rooms_are_not_tried() {
    let why = why_untried(Command::new("/nowhere/bwrap").output(), false);
    assert!(why.is_some_and(|why| why.starts_with("bubblewrap is missing")));
}

#[test]
#[should_panic(expected = "bubblewrap is missing")]
fn without_bubblewrap_continuous_integration_fails() {
    why_untried(Command::new("/nowhere/bwrap").output(), true);
}

#[test]
fn an_agent_in_a_room_finds_no_secret_and_reaches_nothing() {
    if !has_rooms() {
        return;
    }
    let (shop, canary) = (Shop::new(), Host::new());
    let outside = shop.file("outside");
    fs::write(&outside, "canary-file\n").unwrap();
    let script = format!(
        r#"echo "secrets: $(cat /proc/*/environ /proc/*/cmdline 2>/dev/null | tr '\0' '\n' | grep -c 'rt_[A-Za-z0-9]\|sk-sho[p]')"
echo "files: $(ls -A /root /home /tmp "$SHOP" ../../.. 2>/dev/null | grep -c 'ssh\|config\|outside\|mirrors')"
cat '{outside}' "$SHOP/host.git/config" /etc/shadow 2>/dev/null
for place in /usr/evil /etc/evil '{outside}' "$MAYDAY_INSTRUCTIONS" "$(dirname "$MAYDAY_CONTEXT")/evil"; do
  (echo evil > "$place") 2>/dev/null && echo "wrote $place"
done
for proxy in "" "$https_proxy"; do
  curl --silent --max-time 5 --noproxy '' --proxy "$proxy" "http://127.0.0.1:{port}/direct" > direct
  curl --silent --max-time 5 --noproxy '' --proxy "$proxy" "https://127.0.0.1:{port}/tunnel" > tunnel
  cat direct tunnel; rm direct tunnel
done
git push origin HEAD:main 2>/dev/null && echo "pushed"
perl -e 'syscall(250, 0, -3, 0); print "keyring: ", $! + 0, "\n"'
setsid sleep 98765.4321 > /dev/null 2>&1 &
echo mended >> src/cart.mjs
"#,
        outside = outside.display(),
        port = canary.port
    );
    let session = shop.session(&json!({}));
    let machine = shop.machine(&script, &["--isolation", "sandbox"]);
    let told = shop.ended(&session);
    assert_eq!(told["outcome"], "completed", "{told} {}", machine.said());
    let output = shop.output(&session);
    assert!(output.contains("secrets: 0\n") && output.contains("files: 0\n"), "{output}");
    for word in ["canary", "wrote", "pushed", "answer", "root:"] {
        assert!(!output.contains(word), "{word}: {output}");
    }
    // The number of `keyctl` there; 1: not permitted.
    assert!(output.contains("keyring: 1\n") || cfg!(not(target_arch = "x86_64")), "{output}");
    assert_eq!(canary.heard(), Vec::<String>::new());
    assert_eq!(fs::read_to_string(&outside).unwrap(), "canary-file\n");
    assert_eq!(
        shop.branches(),
        [text(&told["branch_name"])],
        "what it did in its own folder is pushed by the runner"
    );
    assert!(shop.shown(&told["branch_name"], "src/cart.mjs").ends_with("mended"));
    let notes = shop.notes(&session).join("\n");
    assert!(notes.contains(&format!("Network: refused 127.0.0.1:{}", canary.port)), "{notes}");
    eventually("the end of what it left", || (!runs("98765.4321")).then_some(()));
}

#[test]
fn an_agent_in_a_sandbox_uses_its_model_without_the_key() {
    if !has_rooms() {
        return;
    }
    let (shop, model) = (Shop::new(), Host::new());
    let script = r#"echo "key: $OPENAI_API_KEY"
curl --silent --max-time 20 "$OPENAI_BASE_URL/chat/completions?x=1" -H "Authorization: Bearer $OPENAI_API_KEY" -H "Cookie: a=b" -d hello
echo
curl --silent --max-time 20 "http://127.0.0.1:3128/other"
curl --silent --max-time 20 --path-as-is "$OPENAI_BASE_URL/../key/generate" -d x
"#;
    let base = format!("http://127.0.0.1:{}/v1", model.port);
    let url = shop.project.world.server.anonymous().origin();
    let own = [("OPENAI_API_KEY", "sk-model-canary"), ("OPENAI_BASE_URL", base.as_str())];
    let arguments = ["--isolation", "sandbox", "--env", "OPENAI_API_KEY", "--env", "OPENAI_BASE_URL"];
    let session = shop.session(&json!({}));
    let _machine = Machine::start_with(&url, &shop, script, &arguments, &own);
    let told = shop.ended(&session);
    assert_eq!(told["outcome"], "completed", "{told}");
    let output = shop.output(&session);
    assert!(output.starts_with("key: held-by-the-runner\nanswer\n"), "{output}");
    assert!(output.contains("allowed_hosts"), "{output}");
    let heard = model.heard();
    assert_eq!(heard.len(), 1, "{heard:?}");
    let request = heard[0].to_ascii_lowercase();
    assert!(request.starts_with("post /v1/chat/completions?x=1 http/1.1\r\n"), "{request}");
    assert!(
        request.contains("authorization: bearer sk-model-canary\r\n") && !request.contains("cookie"),
        "{request}"
    );
    let notes = shop.notes(&session).join("\n");
    assert!(
        notes.contains("Network: POST openai/chat/completions: 200, 5 bytes out, 6 bytes back."),
        "{notes}"
    );
    assert!(!json!(shop.transcript(&session)).to_string().contains("canary"));
}

#[test]
fn refusals_are_reported_despite_flooding() {
    if !has_rooms() {
        return;
    }
    let shop = Shop::new();
    let session = shop.session(&json!({}));
    // Between more than a transcript keeps and more than its end has.
    let script = r#"fill() { yes 0123456789012345678901234567890123456789012345678901234567890123456789 | head -c "$1"; }
fill 9000000
curl --silent --max-time 20 http://plain.invalid/path
curl --silent --max-time 20 --request-target http://ada:canary@plain.invalid/path "$http_proxy"
for path in 1 2 3; do curl --silent --max-time 20 "https://evil.invalid/$path"; done
curl --silent --max-time 20 https://evil.invalid:8443/
fill 1000000
echo mended >> src/cart.mjs
"#;
    let machine = shop.machine(script, &["--isolation", "sandbox"]);
    let told = shop.ended(&session);
    assert_eq!(told["outcome"], "completed", "{told} {}", machine.said());
    let summary = "Network: 6 tries were refused in all: evil.invalid:443 (3 times), GET plain.invalid (2 times), \
        evil.invalid:8443.";
    let entries = shop.transcript(&session);
    assert!(!json!(entries).to_string().contains("canary"), "a password is told");
    let of_network: Vec<_> = entries.iter().filter(|entry| entry["kind"] == "network").collect();
    assert_eq!(of_network.last().map(|entry| &entry["content"]), Some(&json!(summary)), "{of_network:#?}");
    let record = shop.project.owner.get(&format!("/api/sessions/{session}/record")).send().expect(200);
    assert!(record.to_string().contains(summary), "{record}");
}

#[test]
fn an_agent_in_a_room_has_time_to_end() {
    if !has_rooms() {
        return;
    }
    let shop = Shop::new();
    let script = "trap 'sleep 3; echo tidy > tidy; exit 0' TERM\necho begun\necho begun > begun\nwhile :; do sleep 0.1; done\n";
    let session = shop.session(&json!({}));
    let mut machine =
        shop.machine(script, &["--isolation", "sandbox", "--agent-grace", "20", "--grace", "0", "--keep"]);
    eventually("the agent", || shop.output(&session).contains("begun").then_some(()));
    machine.signal(rustix::process::Signal::TERM);
    assert!(machine.wait().success(), "{}", machine.said());
    let run = machine.runs().read_dir().unwrap().next().unwrap().unwrap().path();
    assert_eq!(fs::read_to_string(run.join("work/repo/tidy")).unwrap(), "tidy\n");
}

#[test]
fn an_agent_that_fills_the_disk_is_ended() {
    let shop = Shop::new();
    let session = shop.session(&json!({}));
    let script = "head -c 3000000 /dev/zero > large\necho written\nsleep 60\n";
    let _machine = shop.machine(script, &["--max-work-mb", "2"]);
    let told = shop.ended(&session);
    assert_eq!(told["outcome"], "failed", "{told}");
    assert!(text(&told["reason"]).contains("--max-work-mb"), "{told}");
    assert!(shop.branches().is_empty(), "nothing of it is taken");
}

#[test]
fn an_agent_that_rooms_do_not_have_is_not_offered() {
    if !has_rooms() {
        return;
    }
    let (shop, hidden) = (Shop::new(), tempfile::tempdir().unwrap());
    let folder = hidden.path().join("bin");
    fs::create_dir(&folder).unwrap();
    let program = hidden.path().join("elsewhere");
    fs::write(&program, "#!/bin/sh\n").unwrap();
    fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    std::os::unix::fs::symlink(&program, folder.join("shop-agent")).unwrap();
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap());
    let url = shop.project.world.server.anonymous().origin();
    let run = |arguments: &[&str]| {
        let dir = super::machine::dir();
        let mut command =
            super::machine::command(&dir, &["--agent", "shop=shop-agent", "--isolation", "sandbox"]);
        command
            .args(arguments)
            .env("PATH", &path)
            .env("MAYDAY_URL", &url)
            .env("MAYDAY_RUNNER_TOKEN", "rt_none");
        let status = command.spawn().unwrap().wait().unwrap();
        (status.code(), fs::read_to_string(dir.path().join("said")).unwrap())
    };
    let (code, said) = run(&[]);
    assert!(code == Some(1) && said.contains("--read"), "{said}");
    let (_, said) = run(&["--read", hidden.path().to_str().unwrap()]);
    assert!(said.contains("Agents: shop."), "{said}");
}
