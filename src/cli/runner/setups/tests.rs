use super::*;
use tempfile::TempDir;

const TO_ITS_END: Check<'static> = &|| Ok(());
/// Where set-ups of the tests were made.
const OWN: &str = "/work/runs/one";

/// A runner's folder, and what a set-up made.
struct Machine {
    dir: TempDir,
}

impl Machine {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir_all(dir.path().join("made/node_modules")).unwrap();
        Self { dir }
    }

    fn setups(&self, bytes_max: u64) -> Setups {
        Setups::open(self.dir.path().join("setups"), bytes_max)
    }

    /// A set-up makes a file with this in it, which is kept.
    fn keep(&self, setups: &Setups, key: &Key, content: &str) -> Result<(), String> {
        let made = self.dir.path().join("made");
        fs::write(made.join("node_modules/file"), content).unwrap();
        setups.keep(&made, key, Path::new(OWN), TO_ITS_END)
    }

    /// What is kept under a key.
    fn kept(&self, setups: &Setups, key: &Key) -> Option<String> {
        let to = self.dir.path().join("ready");
        remove(&to);
        let has = setups.copy_to(&to, key, TO_ITS_END).unwrap();
        assert_eq!(has, to.exists());
        has.then(|| fs::read_to_string(to.join("node_modules/file")).unwrap())
    }

    /// How many folders there are in the runner's.
    fn count(&self, setups: &Setups) -> usize {
        setups.all().len()
    }
}

fn recipe<'a>(repository: &'a str, command: &'a str, manifests: &'a [String]) -> Recipe<'a> {
    Recipe { repository, command, place: "sandbox", hosts: &[], manifests }
}

fn key(repository: &str, command: &str) -> Key {
    recipe(repository, command, &[]).key().unwrap()
}

/// Says that one was made, or last used, so long ago.
fn age(setups: &Setups, key: &Key, file: &str, age: Duration) {
    let file = File::options().write(true).open(setups.place(key).join(file)).unwrap();
    let now = file.metadata().unwrap().modified().unwrap();
    file.set_modified(now - age).unwrap();
}

#[test]
fn a_set_up_is_known_by_all_that_it_depends_on() {
    let [lock, other] = ["100644 blob 0a\tCargo.lock", "100644 blob 0b\tCargo.lock"].map(str::to_owned);
    let (locks, others, hosts) = ([lock.clone()], [other.clone()], ["registry.example".to_owned()]);
    let plain = || recipe("0a", "npm ci", &locks);
    let key = plain().key();
    assert_eq!(key, plain().key());
    let both = [lock, other];
    for different in [
        Recipe { repository: "0b", ..plain() },
        Recipe { command: "npm install", ..plain() },
        Recipe { place: "none", ..plain() },
        Recipe { hosts: &hosts, ..plain() },
        Recipe { hosts: &locks, manifests: &[], ..plain() },
        Recipe { manifests: &others, ..plain() },
        Recipe { manifests: &both, ..plain() },
    ] {
        assert!(different.key().is_some() && different.key() != key);
    }
    for repository in ["", "..", "a/b", "a\0", "é"] {
        assert_eq!(recipe(repository, "npm ci", &locks).key(), None, "{repository:?}");
    }
}

#[test]
fn what_is_kept_is_copied_and_never_changed_by_whoever_has_a_copy() {
    let (machine, key) = (Machine::new(), key("0a", "npm ci"));
    let setups = machine.setups(1_000);
    assert_eq!(machine.kept(&setups, &key), None);
    machine.keep(&setups, &key, "first").unwrap();
    assert_eq!(machine.kept(&setups, &key).as_deref(), Some("first"));
    fs::write(machine.dir.path().join("ready/node_modules/file"), "evil").unwrap();
    assert_eq!(machine.kept(&setups, &key).as_deref(), Some("first"));
    // Made anew, it takes the other's place, and is still there after a restart.
    machine.keep(&setups, &key, "second").unwrap();
    let setups = machine.setups(1_000);
    assert_eq!(machine.kept(&setups, &key).as_deref(), Some("second"));
    assert_eq!(machine.count(&setups), 1);
    for other in [self::key("0b", "npm ci"), self::key("0a", "npm install")] {
        assert_eq!(machine.kept(&setups, &other), None);
    }
}

#[test]
fn what_cannot_be_of_use_is_not_kept() {
    let (machine, key) = (Machine::new(), key("0a", "npm ci"));
    let setups = machine.setups(100);
    let why = machine.keep(&setups, &key, "prefix=/work/runs/one/work/repo").unwrap_err();
    assert!(why.contains("its own folder"), "{why}");
    let why = machine.keep(&setups, &key, &"x".repeat(101)).unwrap_err();
    assert_eq!(why, "it has more than 100 bytes");
    let stopped =
        setups.keep(&machine.dir.path().join("made"), &key, Path::new(OWN), &|| Err("stopped".to_owned()));
    assert_eq!(stopped, Err("stopped".to_owned()));
    assert_eq!((machine.kept(&setups, &key), machine.count(&setups)), (None, 0));
    let setups = machine.setups(0);
    assert_eq!(machine.keep(&setups, &key, "first"), Ok(()));
    assert_eq!(machine.kept(&setups, &key), None, "nothing is kept here");
}

#[test]
fn a_copy_that_fails_leaves_nothing() {
    let (machine, key) = (Machine::new(), key("0a", "npm ci"));
    let (setups, to) = (machine.setups(1_000), machine.dir.path().join("ready"));
    machine.keep(&setups, &key, "first").unwrap();
    let stopped = setups.copy_to(&to, &key, &|| Err("stopped".to_owned()));
    assert_eq!((stopped, to.exists()), (Err("stopped".to_owned()), false));
}

#[test]
fn who_waits_for_others_can_be_stopped() {
    let (machine, key) = (Machine::new(), key("0a", "npm ci"));
    let (setups, to) = (machine.setups(1_000), machine.dir.path().join("ready"));
    machine.keep(&setups, &key, "first").unwrap();
    let changing = setups.lock.write().unwrap();
    let stopped = setups.copy_to(&to, &key, &|| Err("stopped".to_owned()));
    assert_eq!((stopped, to.exists()), (Err("stopped".to_owned()), false));
    drop(changing);
    let copying = setups.lock.read().unwrap();
    // Only once all is copied.
    let is_whole = |path: &PathBuf| !is_key(path) && path.join(MADE).exists();
    let check = || if setups.all().iter().any(is_whole) { Err("stopped".to_owned()) } else { Ok(()) };
    let made = machine.dir.path().join("made");
    fs::write(made.join("node_modules/file"), "second").unwrap();
    assert_eq!(setups.keep(&made, &key, Path::new(OWN), &check), Err("stopped".to_owned()));
    drop(copying);
    let filling = setups.filling.lock().unwrap();
    let stopped = setups.keep(&made, &key, Path::new(OWN), &|| Err("stopped".to_owned()));
    assert_eq!(stopped, Err("stopped".to_owned()));
    drop(filling);
    assert_eq!((machine.kept(&setups, &key).as_deref(), machine.count(&setups)), (Some("first"), 1));
}

#[test]
fn what_an_earlier_copy_left_is_no_part_of_a_new_one() {
    let (machine, key) = (Machine::new(), key("0a", "npm ci"));
    let setups = machine.setups(1_000);
    // It could not be removed at the start.
    fs::create_dir_all(setups.folder.join("0a/aside-0/files/evil")).unwrap();
    assert!(machine.keep(&setups, &key, "first").is_err());
    assert_eq!(machine.kept(&setups, &key), None);
    machine.keep(&setups, &key, "first").unwrap();
    assert_eq!(machine.kept(&setups, &key).as_deref(), Some("first"));
    assert!(!setups.place(&key).join("files/evil").exists());
    let to = machine.dir.path().join("ready");
    assert!(setups.copy_to(&to, &key, TO_ITS_END).is_err(), "something is there");
}

#[test]
fn what_was_used_longest_ago_goes_first() {
    let machine = Machine::new();
    let setups = machine.setups(10);
    let keys = ["a", "b", "c"].map(|command| key("0a", command));
    for (place, key) in keys.iter().enumerate() {
        machine.keep(&setups, key, "12345").unwrap();
        age(&setups, key, USED, Duration::from_secs(100 - place as u64));
        // What is used is new again.
        if place == 0 {
            assert!(machine.kept(&setups, key).is_some());
        }
    }
    let kept = keys.each_ref().map(|key| machine.kept(&setups, key).is_some());
    assert_eq!(kept, [true, false, true], "there is room for two");
    // However small they are.
    let setups = machine.setups(1_000_000);
    for number in 0..=KEPT_MAX {
        machine.keep(&setups, &key("0b", &number.to_string()), "x").unwrap();
    }
    assert_eq!(machine.count(&setups), KEPT_MAX);
    // With less room, less is kept from the next start on.
    assert_eq!(machine.count(&machine.setups(3)), 3);
    assert_eq!(machine.count(&machine.setups(0)), 0);
}

#[test]
fn what_is_old_of_an_earlier_start_or_half_made_is_not_used() {
    let (machine, key) = (Machine::new(), key("0a", "npm ci"));
    let setups = machine.setups(1_000);
    machine.keep(&setups, &key, "first").unwrap();
    age(&setups, &key, MADE, AGE_MAX);
    assert_eq!(machine.kept(&setups, &key), None);
    machine.keep(&setups, &key, "second").unwrap();
    assert_eq!(machine.kept(&setups, &key).as_deref(), Some("second"));
    for start in ["another-start", ""] {
        fs::write(setups.place(&key).join(MADE), format!("{start} 6")).unwrap();
        assert_eq!(machine.kept(&setups, &key), None);
    }
    fs::create_dir_all(setups.folder.join("0a/aside-7/files")).unwrap();
    assert_eq!(machine.count(&machine.setups(1_000)), 0);
}

#[test]
fn what_was_kept_of_a_repository_goes_with_it() {
    let machine = Machine::new();
    let setups = machine.setups(1_000);
    let [gone, known] = ["0a", "0b"].map(|repository| key(repository, "npm ci"));
    for key in [&gone, &known] {
        machine.keep(&setups, key, "first").unwrap();
    }
    setups.keep_of(|repository| repository == "0b");
    assert_eq!((machine.kept(&setups, &gone), machine.kept(&setups, &known).is_some()), (None, true));
}
