//! Sign-ins at providers from a browser's point of view, and fake providers.

use super::{Client, Response, Value};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;

/// Starts a server that answers every request with JSON by its path until the test process ends; returns its
/// authority.
pub(crate) fn serve(answer: impl Fn(&str) -> Value + Send + Sync + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let authority = listener.local_addr().unwrap().to_string();
    let answer = Arc::new(answer);
    std::thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let answer = answer.clone();
            std::thread::spawn(move || talk(stream, answer.as_ref()));
        }
    });
    authority
}

fn talk(mut stream: TcpStream, answer: &dyn Fn(&str) -> Value) {
    let mut reader = BufReader::new(&stream);
    let (mut head, mut length) = (Vec::new(), 0);
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).unwrap_or(0) == 0 {
            return;
        }
        let line = line.trim_end().to_owned();
        if line.is_empty() {
            break;
        }
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap_or(0);
        }
        head.push(line);
    }
    if reader.read_exact(&mut vec![0; length]).is_err() {
        return;
    }
    let path = head.first().and_then(|line| line.split(' ').nth(1)).unwrap_or_default();
    let body = answer(path.split('?').next().unwrap_or_default()).to_string();
    let _ = write!(
        stream,
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    );
}

/// A sign-in that was started in a browser.
#[derive(Debug, Clone)]
pub(crate) struct Flow {
    /// `mayday_flow=…`, as the browser sends it.
    pub(crate) cookie: String,
    pub(crate) state: String,
    /// The address to which the browser is redirected.
    pub(crate) location: String,
    callback: &'static str,
}

/// The address to which a callback redirects the browser, and its session afterwards.
#[derive(Debug)]
pub(crate) struct Landing {
    pub(crate) location: String,
    pub(crate) session: Option<String>,
}

impl Flow {
    /// Started by a link, as on the sign-in page.
    #[track_caller]
    pub(crate) fn start(client: &Client) -> Self {
        Self::start_to(client, "/")
    }

    #[track_caller]
    pub(crate) fn start_to(client: &Client, redirect_to: &str) -> Self {
        let path = super::project::encoded(redirect_to);
        let answer = client.get(&format!("/auth/github/start?redirect_to={path}")).send();
        assert_eq!(answer.status(), 302, "{answer:?}");
        Self::of(&answer, answer.header("location").unwrap(), "/auth/github/callback")
    }

    /// Started by the link to single sign-on.
    #[track_caller]
    pub(crate) fn start_sso(client: &Client) -> Self {
        let answer = client.get("/auth/sso/start").send();
        assert_eq!(answer.status(), 302, "{answer:?}");
        Self::of(&answer, answer.header("location").unwrap(), "/api/v1/auth/callback")
    }

    /// A parameter of the address to which the browser is redirected.
    #[track_caller]
    pub(crate) fn parameter(&self, name: &str) -> String {
        let mut parts = self.location.split(['?', '&']);
        let value = parts.find_map(|part| part.strip_prefix(name)?.strip_prefix('='));
        value.unwrap_or_else(|| panic!("no {name} in {}", self.location)).to_owned()
    }

    /// Started by a request, as pages do for a claim, a link and a test.
    #[track_caller]
    pub(crate) fn begin(client: &Client, body: &Value) -> Self {
        let answer = client.post("/auth/github/start").json(body).send();
        let location = super::world::text(&answer.expect(200)["location"]);
        Self::of(&answer, &location, "/auth/github/callback")
    }

    #[track_caller]
    fn of(answer: &Response, location: &str, callback: &'static str) -> Self {
        let cookie = answer.cookie("mayday_flow").unwrap_or_else(|| panic!("no flow cookie: {answer:?}"));
        let cookie = format!("mayday_flow={cookie}");
        let mut flow = Self { cookie, state: String::new(), location: location.to_owned(), callback };
        flow.state = flow.parameter("state");
        flow
    }

    /// The browser returns with a code.
    #[track_caller]
    pub(crate) fn finish(&self, client: &Client) -> Landing {
        self.finish_with(client, &self.cookie)
    }

    /// A browser with these cookies returns.
    #[track_caller]
    pub(crate) fn finish_with(&self, client: &Client, cookies: &str) -> Landing {
        let path = format!("{}?state={}&code=a-code", self.callback, self.state);
        Landing::of(&client.get(&path).header("cookie", cookies).send())
    }
}

impl Landing {
    #[track_caller]
    pub(crate) fn of(answer: &Response) -> Self {
        assert_eq!(answer.status(), 302, "{answer:?}");
        let location = answer.header("location").unwrap().to_owned();
        Self { location, session: answer.cookie("mayday_session").filter(|token| !token.is_empty()) }
    }

    /// Asserts that it ended at a page with an error, and nobody was signed in.
    #[track_caller]
    pub(crate) fn refuse(&self, page: &str, code: &str) {
        assert_eq!(self.location, format!("{page}?error={code}"));
        assert_eq!(self.session, None, "a session in spite of {code}");
    }

    /// Asserts that somebody was signed in.
    #[track_caller]
    pub(crate) fn expect(&self, location: &str) -> String {
        assert_eq!(self.location, location);
        self.session.clone().expect("a session")
    }
}

/// Completes a sign-in at the host in a new browser.
#[track_caller]
pub(crate) fn go_through(client: &Client) -> Landing {
    Flow::start(client).finish(client)
}
