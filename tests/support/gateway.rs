//! A fake of LiteLLM's administration, as strict about requests and spending: users and teams with caps, and keys
//! that share them. `tests/deploy/gateway.test.mjs` tests against the real one, which may refuse more.

use super::outside::{ReceivedRequest, read, send};
use super::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub(crate) const MASTER: &str = "sk-canary-of-the-gateway";
/// The address of the models for agents.
pub(crate) const PUBLIC: &str = "https://models.example/llm";

#[derive(Clone, Debug, Default)]
pub(crate) struct Key {
    pub(crate) secret: String,
    pub(crate) alias: String,
    pub(crate) user: String,
    pub(crate) team: Option<String>,
    /// In seconds.
    pub(crate) lasts: u64,
    pub(crate) spend: f64,
    pub(crate) is_blocked: bool,
    pub(crate) is_deleted: bool,
}

/// A user or a team.
#[derive(Clone, Debug, Default)]
pub(crate) struct Holder {
    pub(crate) cap: f64,
    pub(crate) spend: f64,
    pub(crate) updates: usize,
}

#[derive(Default)]
struct State {
    asked: Vec<String>,
    users: BTreeMap<String, Holder>,
    teams: BTreeMap<String, Holder>,
    keys: Vec<Key>,
    fault: Option<(String, String)>,
    /// Whether the answer with the next key gets lost.
    is_key_lost: bool,
}

#[derive(Clone)]
pub(crate) struct Gateway {
    pub(crate) url: String,
    state: Arc<Mutex<State>>,
}

type Answer = (u16, Value);

fn refused(status: u16, why: &str) -> Answer {
    (status, json!({"error": {"message": why, "type": "x", "param": null, "code": status.to_string()}}))
}

impl Gateway {
    pub(crate) fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let gateway = Self { url, state: Arc::default() };
        let one = gateway.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let one = one.clone();
                std::thread::spawn(move || one.talk(&stream));
            }
        });
        gateway
    }

    /// The variables of a server that uses it.
    pub(crate) fn variables(&self) -> Vec<(&'static str, &str)> {
        vec![
            ("AGENT_GATEWAY_ENABLED", "true"),
            ("AGENT_GATEWAY_PROXY_BASE_URL", &self.url),
            ("AGENT_GATEWAY_PROXY_PUBLIC_BASE_URL", PUBLIC),
            ("AGENT_GATEWAY_PROXY_MASTER_KEY", MASTER),
            ("SERVICE_GATEWAY_SETTLE_SECONDS", "0"),
        ]
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Method and path of every request, without queries.
    pub(crate) fn asked(&self) -> Vec<String> {
        self.state().asked.clone()
    }

    pub(crate) fn keys(&self) -> Vec<Key> {
        self.state().keys.clone()
    }

    pub(crate) fn live(&self) -> Vec<Key> {
        self.keys().into_iter().filter(|key| !key.is_deleted).collect()
    }

    pub(crate) fn users(&self) -> BTreeMap<String, Holder> {
        self.state().users.clone()
    }

    pub(crate) fn teams(&self) -> BTreeMap<String, Holder> {
        self.state().teams.clone()
    }

    /// From now on every request gets this answer; `None`: as usual.
    pub(crate) fn fault(&self, fault: Option<(&str, &str)>) {
        self.state().fault = fault.map(|(head, body)| (head.to_owned(), body.to_owned()));
    }

    /// The next key is minted, but its answer does not arrive.
    pub(crate) fn lose_key(&self) {
        self.state().is_key_lost = true;
    }

    /// An agent sends a model a request of this price; returns whether it may.
    pub(crate) fn spend(&self, secret: &str, price: f64) -> bool {
        let mut state = self.state();
        let State { users, teams, keys, .. } = &mut *state;
        let Some(key) = keys.iter_mut().find(|key| key.secret == secret) else { return false };
        let user = users.get_mut(&key.user).unwrap();
        let team = key.team.as_ref().map(|team| teams.get_mut(team).unwrap());
        let is_full = |holder: &Holder| holder.spend >= holder.cap;
        if key.is_blocked || key.is_deleted || is_full(user) || team.as_deref().is_some_and(is_full) {
            return false;
        }
        key.spend += price;
        user.spend += price;
        team.into_iter().for_each(|team| team.spend += price);
        true
    }

    fn talk(&self, stream: &TcpStream) -> Option<()> {
        let asked = read(stream)?;
        let path = asked.path.split('?').next().unwrap_or_default();
        let fault = {
            let mut state = self.state();
            state.asked.push(format!("{} {path}", asked.method));
            state.fault.clone()
        };
        let (head, body) = fault.unwrap_or_else(|| {
            let (status, body) = self.answer(&asked, path);
            (format!("{status} X"), body.to_string())
        });
        send(stream, &head, &body).ok()
    }

    fn answer(&self, asked: &ReceivedRequest, path: &str) -> Answer {
        let is_master = asked.headers.get("authorization") == Some(&format!("Bearer {MASTER}"));
        if !is_master {
            return refused(401, "Authentication Error, Invalid proxy server token passed");
        }
        let query = asked.path.split_once('?').map_or("", |(_, query)| query);
        let value = |name: &str| query.split('&').find_map(|pair| pair.strip_prefix(&format!("{name}=")));
        let body = &asked.body;
        match (asked.method.as_str(), path) {
            ("GET", "/user/info") => self.info("user", value("user_id").unwrap_or_default()),
            ("GET", "/team/info") => self.info("team", value("team_id").unwrap_or_default()),
            ("POST", "/user/new" | "/user/update" | "/team/new" | "/team/update") => {
                let (kind, verb) = path[1..].split_once('/').unwrap();
                self.hold(kind, verb == "new", body)
            }
            ("POST", "/key/generate") => self.generate(body),
            ("POST", "/key/block") => {
                only(body, &["key"]);
                self.key(body["key"].as_str().unwrap(), |key| {
                    key.is_blocked = true;
                    json!({"blocked": true})
                })
            }
            ("GET", "/key/info") => {
                self.key(value("key").unwrap(), |key| json!({"info": {"spend": key.spend}}))
            }
            ("POST", "/key/delete") => self.delete(body),
            _ => refused(404, "Not Found"),
        }
    }

    fn info(&self, kind: &str, id: &str) -> Answer {
        let state = self.state();
        let holders = if kind == "user" { &state.users } else { &state.teams };
        let Some(holder) = holders.get(id) else { return refused(404, &format!("{kind} {id} not found")) };
        let mut info = json!({"max_budget": holder.cap, "budget_duration": "1mo", "spend": holder.spend});
        info[format!("{kind}_id")] = json!(id);
        (200, json!({format!("{kind}_id"): id, format!("{kind}_info"): info, "keys": []}))
    }

    fn hold(&self, kind: &str, is_new: bool, body: &Value) -> Answer {
        let id = format!("{kind}_id");
        let mut allowed = vec![id.as_str(), "max_budget", "budget_duration"];
        let alias = format!("{kind}_alias");
        if is_new {
            allowed.push(&alias);
        }
        if is_new && kind == "user" {
            allowed.push("auto_create_key");
            assert_eq!(body["auto_create_key"], false, "a user would come with a key of its own");
        }
        only(body, &allowed);
        assert_eq!(body["budget_duration"], "1mo");
        let mut state = self.state();
        let holders = if kind == "user" { &mut state.users } else { &mut state.teams };
        let name = body[&id].as_str().unwrap().to_owned();
        if is_new == holders.contains_key(&name) {
            return refused(if is_new { 409 } else { 404 }, &format!("{kind} {name}"));
        }
        let holder = holders.entry(name).or_default();
        holder.cap = body["max_budget"].as_f64().unwrap();
        holder.updates += usize::from(!is_new);
        (200, json!({}))
    }

    fn generate(&self, body: &Value) -> Answer {
        only(body, &["key_alias", "user_id", "team_id", "duration", "key_type", "metadata"]);
        assert_eq!(body["key_type"], "llm_api");
        let text = |name: &str| body[name].as_str().map(str::to_owned);
        let mut state = self.state();
        let number = state.keys.len() + 1;
        let key = Key {
            secret: format!("sk-key-number-{number:08}"),
            alias: text("key_alias").unwrap(),
            user: text("user_id").unwrap(),
            team: text("team_id"),
            lasts: text("duration").unwrap().strip_suffix('s').unwrap().parse().unwrap(),
            ..Key::default()
        };
        assert!(state.users.contains_key(&key.user), "the user and its cap come first");
        assert!(key.team.as_ref().is_none_or(|team| state.teams.contains_key(team)), "so does the team");
        if state.keys.iter().any(|one| one.alias == key.alias && !one.is_deleted) {
            return refused(400, "Key alias already exists");
        }
        state.keys.push(key.clone());
        if std::mem::take(&mut state.is_key_lost) {
            return refused(504, "no answer");
        }
        (200, json!({"key": key.secret, "key_alias": key.alias, "user_id": key.user}))
    }

    fn delete(&self, body: &Value) -> Answer {
        let names = |field: &str| -> Vec<String> {
            let list = body[field].as_array().cloned().unwrap_or_default();
            list.iter().map(|name| name.as_str().unwrap().to_owned()).collect()
        };
        only(body, &["keys", "key_aliases"]);
        let (hashes, aliases) = (names("keys"), names("key_aliases"));
        assert_eq!(hashes.len() + aliases.len(), 1);
        let mut state = self.state();
        let is_it = |key: &&mut Key| {
            !key.is_deleted && (hashes.contains(&hash(&key.secret)) || aliases.contains(&key.alias))
        };
        let Some(key) = state.keys.iter_mut().find(is_it) else {
            return (404, json!({"detail": {"error": "No keys found"}}));
        };
        key.is_deleted = true;
        (200, json!({"deleted_keys": [hash(&key.secret)]}))
    }

    fn key(&self, named: &str, work: impl FnOnce(&mut Key) -> Value) -> Answer {
        let mut state = self.state();
        let found = state.keys.iter_mut().find(|key| !key.is_deleted && hash(&key.secret) == named);
        found.map_or_else(|| refused(404, "Key not found"), |key| (200, work(key)))
    }
}

#[track_caller]
fn only(body: &Value, allowed: &[&str]) {
    let fields: BTreeSet<&str> = body.as_object().unwrap().keys().map(String::as_str).collect();
    let known: BTreeSet<&str> = allowed.iter().copied().collect();
    assert!(fields.is_subset(&known), "{fields:?} beside {known:?}");
}

/// As LiteLLM stores keys.
pub(crate) fn hash(secret: &str) -> String {
    use std::fmt::Write as _;
    let digest = ring::digest::digest(&ring::digest::SHA256, secret.as_bytes());
    digest.as_ref().iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").unwrap();
        text
    })
}
