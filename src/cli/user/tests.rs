use super::*;
use crate::config::Source;
use crate::control::snapshot::tests::NoSnapshots;
use crate::control::{Control, Turn};
use clap::Parser;

#[derive(Parser)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

fn parse(words: &str) -> std::result::Result<Request, clap::Error> {
    Cli::try_parse_from(std::iter::once("user").chain(words.split(' '))).map(|cli| cli.command.into())
}

/// Answers with the name of its implementation.
struct NamedUsers(&'static str);

impl Users for NamedUsers {
    async fn add(&self, _: &str, _: Option<&str>, _: Role, _: Option<&str>) -> Result<Lines> {
        self.list().await
    }
    async fn list(&self) -> Result<Lines> {
        Ok(Lines(vec![self.0.to_owned()]))
    }
    async fn disable(&self, _: &str) -> Result<Lines> {
        self.list().await
    }
    async fn enable(&self, _: &str) -> Result<Lines> {
        self.list().await
    }
    async fn reset_link(&self, _: &str) -> Result<Lines> {
        self.list().await
    }
}

fn config(data_dir: &std::path::Path) -> Config {
    let values = [("SERVICE_DATA_DIR".to_owned(), data_dir.to_str().unwrap().to_owned())];
    Config::read(&Source::new(None, values, []).unwrap()).unwrap()
}

fn list(data_dir: &std::path::Path) -> std::result::Result<String, String> {
    match perform(config(data_dir), &Request::UserList, |_, _, _| Ok(NamedUsers("the command line"))) {
        Ok(Lines(lines)) => Ok(lines.concat()),
        Err(Error::Internal(cause)) => Err(cause.to_string()),
        Err(error) => Err(error.to_string()),
    }
}

#[test]
fn arguments_become_requests() {
    let email = || "ada@example.com".to_owned();
    let user = || UserName { email: email() };
    let add = NewUser { email: email(), name: None, role: Role::Member, organization: None };
    assert_eq!(parse("add ada@example.com").unwrap(), Request::UserAdd(add));
    let add = NewUser {
        email: email(),
        name: Some("Ada".into()),
        role: Role::Admin,
        organization: Some("acme".into()),
    };
    assert_eq!(
        parse("add --role admin --organization acme --name Ada ada@example.com").unwrap(),
        Request::UserAdd(add)
    );
    assert_eq!(parse("list").unwrap(), Request::UserList);
    assert_eq!(parse("disable ada@example.com").unwrap(), Request::UserDisable(user()));
    assert_eq!(parse("enable ada@example.com").unwrap(), Request::UserEnable(user()));
    assert_eq!(parse("reset-link ada@example.com").unwrap(), Request::UserResetLink(user()));
    for wrong in ["add", "add a@b.example --role owner", "remove a@b.example", "list x"] {
        assert_eq!(parse(wrong).unwrap_err().exit_code(), 2, "{wrong}");
    }
}

#[test]
fn without_a_server_the_command_line_locks_and_releases_the_directory() {
    let folder = tempfile::tempdir().unwrap();
    assert!(list(folder.path()).unwrap_err().contains("no main.db"));
    Secrets::load(&config(folder.path())).unwrap();
    drop(Main::open(folder.path(), &Fatal::new().0).unwrap());
    for _ in 0..2 {
        assert_eq!(list(folder.path()).unwrap(), "the command line");
    }
    let held = DataDir::take(folder.path()).unwrap();
    assert!(list(folder.path()).unwrap_err().contains("in use"));
    drop(held);
}

#[test]
fn a_running_server_is_asked_first() {
    let folder = tempfile::tempdir().unwrap();
    let _lock = DataDir::take(folder.path()).unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let _inside = runtime.enter();
    let _control =
        Control::start(folder.path(), NamedUsers("the server"), NoSnapshots, Turn::default()).unwrap();
    assert_eq!(list(folder.path()).unwrap(), "the server");
}
