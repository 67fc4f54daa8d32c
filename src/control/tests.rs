use super::server::AT_ONCE;
use super::snapshot::tests::NoSnapshots;
use super::*;
use crate::error::Error;
use std::io::{Read as _, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

/// Answers with the command that it got.
pub(super) struct Echo;

impl Users for Echo {
    async fn add(
        &self,
        email: &str,
        name: Option<&str>,
        role: Role,
        organization: Option<&str>,
    ) -> Result<Lines> {
        Ok(Lines(vec![format!("add {email} {name:?} {} {organization:?}", role.as_str())]))
    }
    async fn list(&self) -> Result<Lines> {
        Ok(Lines(vec!["one\ntwo".into(), "three".into()]))
    }
    async fn disable(&self, email: &str) -> Result<Lines> {
        Err(Error::not_found(format!("There is no account {email}.")))
    }
    async fn enable(&self, _email: &str) -> Result<Lines> {
        Err(Error::internal("canary"))
    }
    async fn reset_link(&self, email: &str) -> Result<Lines> {
        Ok(Lines(vec![format!("https://errors.example/{email}")]))
    }
}

fn x() -> UserName {
    UserName { email: "x".into() }
}

async fn ask_in(folder: &Path, request: Request) -> Result<Option<Lines>> {
    let folder = folder.to_owned();
    tokio::task::spawn_blocking(move || ask(&folder, &request)).await.unwrap()
}

#[tokio::test]
async fn a_command_is_answered_by_the_running_server() {
    let folder = tempfile::tempdir().unwrap();
    let control = Control::start(folder.path(), Echo, NoSnapshots, Turn::default()).unwrap();
    let add = Request::UserAdd(NewUser {
        email: "ada@example.com".into(),
        name: Some("Ada".into()),
        role: Role::Admin,
        organization: None,
    });
    let said = ask_in(folder.path(), add).await.unwrap().unwrap();
    assert_eq!(said.0, ["add ada@example.com Some(\"Ada\") admin None"]);
    assert_eq!(ask_in(folder.path(), Request::UserList).await.unwrap().unwrap().0, ["one\ntwo", "three"]);
    let link = ask_in(folder.path(), Request::UserResetLink(x())).await.unwrap();
    assert_eq!(link.unwrap().0, ["https://errors.example/x"]);
    let refused = ask_in(folder.path(), Request::UserDisable(x())).await.unwrap_err();
    assert_eq!(refused.to_string(), "There is no account x.");
    let fault = ask_in(folder.path(), Request::UserEnable(x())).await.unwrap_err();
    assert_eq!(fault.to_string(), "Internal error");
    drop(control);
    assert!(!folder.path().join(FILE).exists());
    assert_eq!(ask_in(folder.path(), Request::UserList).await.unwrap(), None);
}

#[tokio::test]
async fn the_socket_is_private_and_replaces_a_stale_one() {
    let folder = tempfile::tempdir().unwrap();
    // Leaves a socket file that nobody listens on.
    drop(std::os::unix::net::UnixListener::bind(folder.path().join(FILE)).unwrap());
    assert_eq!(ask_in(folder.path(), Request::UserList).await.unwrap(), None);
    let _control = Control::start(folder.path(), Echo, NoSnapshots, Turn::default()).unwrap();
    let mode = std::fs::metadata(folder.path().join(FILE)).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    assert!(ask_in(folder.path(), Request::UserList).await.unwrap().is_some());
}

/// What the socket answers to raw bytes.
async fn told(folder: &Path, sent: Vec<u8>) -> String {
    let path = folder.join(FILE);
    let said = tokio::task::spawn_blocking(move || {
        let mut stream = std::os::unix::net::UnixStream::connect(path).unwrap();
        // The server may have answered and closed the connection before all of it was sent.
        let _ = stream.write_all(&sent);
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let mut said = String::new();
        let _ = stream.read_to_string(&mut said);
        said
    });
    said.await.unwrap()
}

#[tokio::test]
async fn malformed_commands_are_refused_harmlessly() {
    let folder = tempfile::tempdir().unwrap();
    let _control = Control::start(folder.path(), Echo, NoSnapshots, Turn::default()).unwrap();
    let request = |line: &str, body: &str| {
        let length = body.len();
        format!("{line} HTTP/1.1\r\nhost: x\r\ncontent-length: {length}\r\n\r\n{body}").into_bytes()
    };
    for (sent, status, part) in [
        (request("POST /shutdown", "{}"), 404, "use the mayday of the version"),
        (request("DELETE /users", ""), 404, "use the mayday of the version"),
        (request("POST /users/disable", "{"), 400, "not JSON"),
        (request("POST /users/disable", "{}"), 422, "email"),
        (request("POST /users/disable", r#"{"email":"x","all":true}"#), 422, "all"),
        (request("POST /users", r#"{"email":"x","role":"emperor"}"#), 422, "role"),
        (request("POST /users/disable", &"x".repeat(70 << 10)), 400, "limit"),
        (b"{\"command\":\"user_list\"}\n\r\n\r\n".to_vec(), 400, ""),
    ] {
        let said = told(folder.path(), sent).await;
        assert!(said.starts_with(&format!("HTTP/1.1 {status} ")), "{status} {part}: {said}");
        assert!(said.contains(part), "{part}: {said}");
    }
    assert_eq!(told(folder.path(), Vec::new()).await, "");
    assert!(ask_in(folder.path(), Request::UserList).await.unwrap().is_some());
}

#[tokio::test]
async fn a_body_that_never_arrives_blocks_nobody_for_long() {
    let folder = tempfile::tempdir().unwrap();
    let _control = Control::start(folder.path(), Echo, NoSnapshots, Turn::default()).unwrap();
    let path = folder.path().join(FILE);
    let head = b"POST /users/disable HTTP/1.1\r\nhost: x\r\ncontent-length: 20\r\n\r\n{";
    let silent: Vec<_> = (0..AT_ONCE)
        .map(|_| {
            let mut stream = std::os::unix::net::UnixStream::connect(&path).unwrap();
            stream.write_all(head).unwrap();
            stream
        })
        .collect();
    assert!(ask_in(folder.path(), Request::UserList).await.unwrap().is_some());
    drop(silent);
}

#[tokio::test]
async fn silent_connections_block_nobody_for_long() {
    let folder = tempfile::tempdir().unwrap();
    let _control = Control::start(folder.path(), Echo, NoSnapshots, Turn::default()).unwrap();
    let path = folder.path().join(FILE);
    let silent: Vec<_> =
        (0..AT_ONCE).map(|_| std::os::unix::net::UnixStream::connect(&path).unwrap()).collect();
    assert!(ask_in(folder.path(), Request::UserList).await.unwrap().is_some());
    drop(silent);
}

#[test]
fn a_path_too_long_for_a_socket_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let deep = folder.path().join("x".repeat(120));
    std::fs::create_dir(&deep).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let _inside = runtime.enter();
    match Control::start(&deep, Echo, NoSnapshots, Turn::default()) {
        Err(Error::Internal(cause)) => assert!(cause.to_string().contains(FILE), "{cause}"),
        _ => panic!("a socket at a path of over 108 bytes"),
    }
    assert_eq!(ask(&deep, &Request::UserList).unwrap(), None);
}
