use super::*;
use crate::accounts::sql::{Mailbox, NewUser};
use crate::config::{Addresses, BaseUrl};
use crate::crypto::seal::Seal;
use crate::crypto::secret::Secret;
use crate::deliveries::{Channel, Deliveries};
use crate::delivery::{Attempt, Parcel, Transport};
use crate::ids::{IssueId, OrganizationId, ProjectId};
use crate::jobs::Registry;
use crate::metrics::Metrics;
use crate::notifications::sql::inbox::{self, Filter};
use crate::notifications::sql::preferences;
use crate::notifications::{Mails, Notification, unsubscribe};
use crate::roles::Role;
use crate::signals::{self, NewSignal, Subscribers};
use crate::store::{Fatal, Main, Page};
use crate::time::MINUTE;
use crate::time::cron::{Cron, Zone};
use crate::{accounts, organizations, projects};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

mod gathering;
mod hours;
mod people;
mod reports;

const ADA: UserId = UserId(1);
const BOB: UserId = UserId(2);
const EVE: UserId = UserId(3);

/// Records what it is asked to send.
#[derive(Default)]
struct Recorder(Mutex<Vec<(String, Value)>>);

impl Transport for Recorder {
    fn send<'a>(&'a self, parcel: &'a Parcel) -> Attempt<'a> {
        let mail = serde_json::from_slice(&parcel.payload).unwrap();
        self.0.lock().unwrap().push((parcel.target.clone(), mail));
        Box::pin(std::future::ready(Ok(())))
    }
}

/// Acme, which Ada owns, with the admin Bob, the member Eve and the project Shop.
struct House {
    _data: tempfile::TempDir,
    main: Main,
    jobs: Registry,
    runtime: Runtime,
    mails: Arc<Recorder>,
    live: Arc<Hub>,
    organization: OrganizationId,
    project: ProjectId,
}

fn start() -> Timestamp {
    Timestamp::parse("2026-11-21T10:00:00Z").unwrap()
}

fn after(millis: i64) -> Timestamp {
    start().plus(millis)
}

impl House {
    fn new() -> Self {
        let data = tempfile::tempdir().unwrap();
        let main = Main::open(data.path(), &Fatal::new().0).unwrap();
        let (mails, live) = (Arc::new(Recorder::default()), Arc::new(Hub::default()));
        let way: (Channel, Arc<dyn Transport>) = (Channel::Mail, mails.clone());
        let deliveries = Arc::new(Deliveries::new(vec![way], Seal::new(&Secret::new("key"))));
        let base = |url| BaseUrl::parse(url).unwrap();
        let post = Post {
            deliveries: deliveries.clone(),
            addresses: Addresses { api: base("https://api.example"), frontend: base("https://app.example") },
            jwt: Secret::new("the secret of links"),
            reports: Cron::parse("0 8 * * 1", &Zone::default()).unwrap(),
        };
        let notifier = Notifier {
            post: post.clone(),
            live: live.clone(),
            single_org: true,
            operators: Vec::new(),
            told: Mutex::default(),
        };
        let (organization, project) = main.write_blocking(found).unwrap();
        let mut jobs = signals::jobs::jobs(&main, &Subscribers::default(), vec![Arc::new(notifier)]);
        jobs.extend(crate::deliveries::jobs::jobs(&main, &deliveries));
        jobs.extend(crate::notifications::jobs::jobs(&main, &post));
        let jobs = Registry::new(jobs, &Metrics::default().jobs).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        Self { _data: data, main, jobs, runtime, mails, live, organization, project }
    }

    fn write<T: Send + 'static>(
        &self,
        write: impl FnOnce(&Transaction<'_>) -> Result<T> + Send + 'static,
    ) -> T {
        self.main.write_blocking(write).unwrap()
    }

    /// Writes signals with their times, and consumes them.
    fn happens(&self, signals: Vec<(NewSignal, Timestamp)>) {
        self.write(move |tx| signals.iter().try_for_each(|(new, at)| signals::sql::add(tx, new, *at)));
        self.runtime.block_on(self.jobs.run(NAME)).unwrap();
    }

    /// Signals of different issues at this interval.
    fn issues(&self, kind: Kind, count: i64, (from, apart): (Timestamp, i64)) {
        let project = self.project;
        self.write(move |tx| {
            for number in 0..count {
                let issue = issue(tx, project)?;
                let at = from.plus(number * apart);
                signals::sql::add_of_issue(tx, kind, issue, None, &json!({}), at)?;
            }
            Ok(())
        });
        self.runtime.block_on(self.jobs.run(NAME)).unwrap();
    }

    fn list(&self, user: UserId) -> Vec<Notification> {
        let filter = Filter { archive: inbox::Archive::With, ..Filter::default() };
        let page = Page { limit: 100, offset: 0 };
        self.main.readers.read_blocking(move |c| inbox::list(c, user, filter, page)).unwrap().0
    }

    fn titles(&self, user: UserId) -> Vec<String> {
        self.list(user).into_iter().map(|one| one.title).collect()
    }

    fn unread(&self, user: UserId) -> i64 {
        self.main.readers.read_blocking(move |c| inbox::unread(c, user)).unwrap()
    }

    /// The mails: addresses and subjects.
    fn mails(&self) -> Vec<(String, Value)> {
        self.runtime.block_on(self.jobs.run("deliveries")).unwrap();
        let mut mails = std::mem::take(&mut *self.mails.0.lock().unwrap());
        mails.sort_by(|a, b| a.0.cmp(&b.0));
        mails
    }

    fn wants(&self, user: UserId, category: Category, wanted: (bool, bool)) {
        let wanted = (Some(wanted.0), Some(wanted.1));
        self.write(move |tx| preferences::change(tx, user, category, wanted, start()));
    }
}

fn found(tx: &Transaction<'_>) -> Result<(OrganizationId, ProjectId)> {
    signals::sql::enter(tx, &[NAME])?;
    let organization = organizations::sql::create(tx, "Acme", start())?;
    for (name, email, role) in [
        ("Ada", "ada@corp.example", Role::Owner),
        ("Bob", "bob@corp.example", Role::Admin),
        ("Eve", "eve@corp.example", Role::Member),
    ] {
        let new = NewUser { email, name, password_hash: None, mailbox: Mailbox::Proven };
        let user = accounts::sql::create(tx, &new, start())?;
        organizations::sql::add_member(tx, organization, user.id, role, start())?;
    }
    let settings = projects::Settings::default();
    let new = projects::sql::NewProject { organization, name: "Shop".into(), platform: None, settings };
    let project = projects::sql::create(tx, &new, start())?;
    Ok((organization, project.id))
}

fn issue(tx: &Transaction<'_>, project: ProjectId) -> Result<IssueId> {
    tx.execute("update projects set issue_count = issue_count + 1 where id = ?1", [project.0])?;
    tx.execute(
        "insert into issues (project_id, number, title, culprit, type, message, level, first_seen, last_seen,
             event_count, user_count, created_at, updated_at)
         select id, issue_count, 'Error: no ' || issue_count, 'f in a.js', 'Error', '', 'error', 0, 0, 1, 1, 0, 0
         from projects where id = ?1",
        [project.0],
    )?;
    Ok(IssueId(tx.last_insert_rowid()))
}
