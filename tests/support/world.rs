//! A claimed instance, shared by the tests of this process.

use super::{Client, EMAIL, PASSWORD, Server, Value, json};
use std::sync::{Arc, OnceLock};

/// A claimed instance.
pub(crate) struct World {
    pub(crate) server: Arc<Server>,
    /// Signed in as the owner, by Bearer.
    pub(crate) owner: Client,
    pub(crate) owner_token: String,
    pub(crate) owner_id: i64,
    pub(crate) organization: i64,
}

/// The instance that the tests of this process share. It ends with the process.
pub(crate) fn world() -> Arc<World> {
    static SHARED: OnceLock<Arc<World>> = OnceLock::new();
    let started = || {
        let world = World::new(Server::start());
        world.server.end_with_this_process();
        Arc::new(world)
    };
    SHARED.get_or_init(started).clone()
}

impl World {
    /// Claims a server.
    pub(crate) fn new(server: Server) -> Self {
        let anonymous = server.anonymous();
        let token = server.setup_token.clone().expect("an unclaimed server");
        let claimed = anonymous.post("/auth/setup").json(&setup(&token)).send().expect(201);
        let owner_token = text(&claimed["access_token"]);
        Self {
            owner: anonymous.bearer(&owner_token),
            owner_token,
            owner_id: number(&claimed["user"]["id"]),
            organization: number(&claimed["organization_id"]),
            server: Arc::new(server),
        }
    }

    /// The same instance after a restart of its process.
    pub(crate) fn restart(self) -> Self {
        self.again(Server::restart)
    }

    /// The same with other variables.
    pub(crate) fn restart_with(self, environment: &[(&str, &str)]) -> Self {
        self.again(|server| server.restart_with(environment))
    }

    pub(crate) fn kill_and_restart(self) -> Self {
        self.again(Server::kill_and_restart)
    }

    /// # Errors
    /// When the server refuses to start again.
    pub(crate) fn try_kill_and_restart(self) -> Result<Self, String> {
        let server = Arc::into_inner(self.server).expect("no other organization of this server");
        let server = Arc::new(server.try_kill_and_restart()?);
        let owner = server.anonymous().bearer(&self.owner_token);
        Ok(Self { server, owner, ..self })
    }

    fn again(self, restart: impl FnOnce(Server) -> Server) -> Self {
        let server = Arc::into_inner(self.server).expect("no other organization of this server");
        let server = Arc::new(restart(server));
        let owner = server.anonymous().bearer(&self.owner_token);
        Self { server, owner, ..self }
    }

    pub(crate) fn anonymous(&self) -> Client {
        self.server.anonymous()
    }

    pub(crate) fn bearer(&self, token: &str) -> Client {
        self.anonymous().bearer(token)
    }

    pub(crate) fn organization_path(&self) -> String {
        format!("/api/v1/organizations/{}", self.organization)
    }
}

/// A right claim with `token`.
pub(crate) fn setup(token: &str) -> Value {
    json!({"setup_token": token, "email": EMAIL, "password": PASSWORD, "organization_name": "Acme", "name": "Ada"})
}

#[track_caller]
pub(crate) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("no text: {value}")).to_owned()
}

#[track_caller]
pub(crate) fn number(value: &Value) -> i64 {
    value.as_i64().unwrap_or_else(|| panic!("no whole number: {value}"))
}
