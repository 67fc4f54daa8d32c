//! Mayday's interface as a person uses it: the claim, projects, source maps, questions.

use crate::Result;
use crate::client::{Connection, Request};
use crate::events::SCRIPT;
use crate::mapgen::Bundle;
use crate::server::{METRICS_TOKEN, Server};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::time::{Duration, Instant};

const E_MAIL: &str = "bench@example.com";
const PASSWORD: &str = "correct horse battery";

/// A connection that rested longer is opened again: the server may have closed it.
const REST_MAX: Duration = Duration::from_secs(3);

/// A signed-in connection.
pub(crate) struct Api {
    address: SocketAddr,
    connection: Connection,
    used: Instant,
    pub(crate) token: String,
    pub(crate) organization: i64,
}

/// A project and the key that its events carry.
pub(crate) struct Project {
    pub(crate) id: i64,
    pub(crate) key: String,
}

impl Api {
    /// Claims a new instance.
    pub(crate) async fn claim(server: &mut Server) -> Result<Self> {
        let setup_token = server.setup_token()?;
        let claim = json!({"setup_token": setup_token, "email": E_MAIL, "password": PASSWORD,
            "organization_name": "Bench"});
        Self::enter(server, "/auth/setup", &claim).await
    }

    /// Signs in to one that was claimed.
    pub(crate) async fn sign_in(server: &Server) -> Result<Self> {
        Self::enter(server, "/auth/password/login", &json!({"email": E_MAIL, "password": PASSWORD})).await
    }

    async fn enter(server: &Server, path: &str, body: &Value) -> Result<Self> {
        let (address, used) = (server.address, Instant::now());
        let connection = Connection::open(address).await?;
        let mut api = Self { address, connection, used, token: String::new(), organization: 0 };
        let entered = api.post(path, body).await?;
        entered["access_token"].as_str().ok_or("no token")?.clone_into(&mut api.token);
        let list = api.get("/api/v1/organizations").await?;
        let organizations = list.as_array().or_else(|| list["organizations"].as_array());
        let first = organizations.and_then(|list| list[0]["id"].as_i64());
        api.organization = first.ok_or("no organization")?;
        Ok(api)
    }

    /// Makes a project with a key.
    pub(crate) async fn project(&mut self, name: &str) -> Result<Project> {
        let path = format!("/api/v1/organizations/{}/projects", self.organization);
        let project = self.post(&path, &json!({"name": name})).await?;
        let id = project["id"].as_i64().ok_or("no project")?;
        let key = self.post(&format!("/api/v1/projects/{id}/api-keys"), &json!({"name": "bench"})).await?;
        Ok(Project { id, key: key["key"].as_str().ok_or("no key")?.to_owned() })
    }

    /// Gives a release of the key's project the bundle's source map.
    pub(crate) async fn upload(&mut self, key: &str, release: &str, bundle: &Bundle) -> Result<()> {
        let part = |name: &str, value: &str| {
            format!("--bench\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n")
        };
        let file =
            "--bench\r\ncontent-disposition: form-data; name=\"sourcemap\"; filename=\"main.js.map\"\r\n\r\n";
        let form = part("release", release) + &part("url", SCRIPT) + file + &bundle.map + "\r\n--bench--\r\n";
        let content_type = "multipart/form-data; boundary=bench";
        let (path, bearer) = ("/api/v1/sourcemaps", Some(key));
        let request = Request { method: "POST", path, bearer, content_type, body: form.as_bytes() };
        self.connection().await?.json(&request).await.map(drop)
    }

    pub(crate) async fn post(&mut self, path: &str, body: &Value) -> Result<Value> {
        self.ask("POST", path, body).await
    }

    pub(crate) async fn patch(&mut self, path: &str, body: &Value) -> Result<Value> {
        self.ask("PATCH", path, body).await
    }

    async fn ask(&mut self, method: &str, path: &str, body: &Value) -> Result<Value> {
        let (token, body) = (self.token.clone(), body.to_string());
        let (bearer, content_type) = ((!token.is_empty()).then_some(&*token), "application/json");
        let request = Request { method, path, bearer, content_type, body: body.as_bytes() };
        self.connection().await?.json(&request).await
    }

    pub(crate) async fn get(&mut self, path: &str) -> Result<Value> {
        let token = self.token.clone();
        let content_type = "text/plain";
        let request = Request { method: "GET", path, bearer: Some(&token), content_type, body: b"" };
        self.connection().await?.json(&request).await
    }

    /// A gauge or counter of the server.
    pub(crate) async fn metric(&mut self, name: &str) -> Result<f64> {
        let bearer = Some(METRICS_TOKEN);
        let request =
            Request { method: "GET", path: "/metrics", bearer, content_type: "text/plain", body: b"" };
        let text = str::from_utf8(self.connection().await?.body(&request).await?)?;
        let value = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        Ok(value.ok_or_else(|| format!("no metric {name}"))?.parse()?)
    }

    /// Sends a whole request; its status.
    pub(crate) async fn send(&mut self, request: &[u8]) -> Result<u16> {
        self.connection().await?.send(request).await
    }

    async fn connection(&mut self) -> Result<&mut Connection> {
        if self.used.elapsed() > REST_MAX {
            self.connection = Connection::open(self.address).await?;
        }
        self.used = Instant::now();
        Ok(&mut self.connection)
    }
}

/// The time, in milliseconds since the epoch.
pub(crate) fn now() -> u64 {
    let since = std::time::UNIX_EPOCH.elapsed().unwrap_or_default();
    since.as_millis() as u64
}
