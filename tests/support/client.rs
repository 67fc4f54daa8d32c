//! A client with one set of credentials, its requests, and assertions about responses.

use super::connection::Connection;
use super::form::Form;
use super::wire::{Answer, exchange};
use serde_json::Value;
use std::fmt::Write as _;
use std::io::Write as _;
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// How long a request is retried that the server was too busy for.
const PATIENCE: Duration = Duration::from_secs(180);

/// Talks to a server as somebody.
#[derive(Debug, Clone)]
pub(crate) struct Client {
    /// `127.0.0.1:12345`.
    authority: String,
    /// Sent with each request: `Authorization` or `Cookie`.
    credentials: Option<(&'static str, String)>,
}

impl Client {
    pub(crate) fn anonymous(authority: &str) -> Self {
        Self { authority: authority.to_owned(), credentials: None }
    }

    /// With a key or a session token in the `Authorization` header.
    pub(crate) fn bearer(&self, token: &str) -> Self {
        Self { credentials: Some(("authorization", format!("Bearer {token}"))), ..self.clone() }
    }

    /// With a session cookie, as a browser has it.
    pub(crate) fn cookie(&self, token: &str) -> Self {
        Self { credentials: Some(("cookie", format!("mayday_session={token}"))), ..self.clone() }
    }

    /// The same server without credentials.
    pub(crate) fn anonymously(self) -> Self {
        Self { credentials: None, ..self }
    }

    pub(crate) fn origin(&self) -> String {
        format!("http://{}", self.authority)
    }

    /// `127.0.0.1:12345`.
    pub(crate) fn authority(&self) -> &str {
        &self.authority
    }

    pub(crate) fn request(&self, method: &str, path: &str) -> Request {
        let mut request = Request {
            authority: self.authority.clone(),
            method: method.to_owned(),
            path: path.to_owned(),
            headers: Vec::new(),
            body: Vec::new(),
            claimed_length: None,
        };
        if let Some((name, value)) = &self.credentials {
            request = request.header(name, value);
        }
        request
    }

    pub(crate) fn get(&self, path: &str) -> Request {
        self.request("GET", path)
    }

    pub(crate) fn post(&self, path: &str) -> Request {
        self.request("POST", path)
    }

    pub(crate) fn patch(&self, path: &str) -> Request {
        self.request("PATCH", path)
    }

    pub(crate) fn put(&self, path: &str) -> Request {
        self.request("PUT", path)
    }

    pub(crate) fn delete(&self, path: &str) -> Request {
        self.request("DELETE", path)
    }
}

/// A request to be sent.
pub(crate) struct Request {
    authority: String,
    method: String,
    path: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
    claimed_length: Option<usize>,
}

impl Request {
    pub(crate) fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// A body without a content type.
    pub(crate) fn bytes(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = body.into();
        self
    }

    pub(crate) fn body(self, content_type: &str, body: impl Into<Vec<u8>>) -> Self {
        self.header("content-type", content_type).bytes(body)
    }

    pub(crate) fn json(self, body: &Value) -> Self {
        self.body("application/json", body.to_string())
    }

    pub(crate) fn form(self, form: &Form) -> Self {
        self.body(&form.content_type(), form.encode())
    }

    /// Sends another `content-length` than that of the body, as if the client disconnected in the middle.
    pub(crate) fn claiming(mut self, length: usize) -> Self {
        self.claimed_length = Some(length);
        self
    }

    /// Sends it and requires an answer. On a busy machine the server may say that it had no time for it: then it is
    /// retried.
    #[track_caller]
    pub(crate) fn send(self) -> Response {
        let start = Instant::now();
        loop {
            match self.exchange(false) {
                Ok(response) if response.had_no_time() && start.elapsed() < PATIENCE => {
                    std::thread::sleep(Duration::from_millis(200));
                }
                Ok(response) => return response,
                Err(error) => panic!("{} {}: no answer: {error}", self.method, self.path),
            }
        }
    }

    /// Sends it and closes our side of the connection, as a disconnecting client does.
    ///
    /// # Errors
    /// When there is no answer.
    pub(crate) fn half_closed(self) -> std::io::Result<Response> {
        self.exchange(true)
    }

    /// Sends it.
    ///
    /// # Errors
    /// When there is no answer.
    pub(crate) fn try_send(self) -> std::io::Result<Response> {
        self.exchange(false)
    }

    /// Sends it over an open connection.
    ///
    /// # Errors
    /// When there is no answer.
    pub(crate) fn send_on(self, connection: &mut Connection) -> std::io::Result<Response> {
        let answer = connection.exchange(&self.head("keep-alive"), &self.body)?;
        Ok(Response { what: format!("{} {}", self.method, self.path), answer })
    }

    /// Sends it and leaves the answer to the caller, who reads it as it arrives.
    ///
    /// # Errors
    /// When the server cannot be reached.
    pub(crate) fn open(self) -> std::io::Result<TcpStream> {
        let stream = TcpStream::connect(&self.authority)?;
        self.open_on(stream)
    }

    /// The same over the caller's connection.
    ///
    /// # Errors
    /// When the server has closed it.
    pub(crate) fn open_on(self, mut stream: TcpStream) -> std::io::Result<TcpStream> {
        stream.write_all(self.head("close").as_bytes())?;
        stream.write_all(&self.body)?;
        Ok(stream)
    }

    fn exchange(&self, close: bool) -> std::io::Result<Response> {
        let answer = exchange(&self.authority, &self.head("close"), &self.body, close)?;
        Ok(Response { what: format!("{} {}", self.method, self.path), answer })
    }

    fn head(&self, connection: &str) -> String {
        let mut head = format!("{} {} HTTP/1.1\r\nhost: {}\r\n", self.method, self.path, self.authority);
        let length = self.claimed_length.unwrap_or(self.body.len());
        if length > 0 || self.method != "GET" {
            let _ = write!(head, "content-length: {length}\r\n");
        }
        for (name, value) in &self.headers {
            let _ = write!(head, "{name}: {value}\r\n");
        }
        let _ = write!(head, "connection: {connection}\r\n\r\n");
        head
    }
}

/// The server's answer.
#[derive(Debug)]
pub(crate) struct Response {
    what: String,
    answer: Answer,
}

impl Response {
    /// Whether a busy server refused the request for lack of time and said to retry.
    fn had_no_time(&self) -> bool {
        const WORDS: [&str; 6] = [
            "Too many sign-ins at once",
            "Too many queries at once",
            "Too many searches at once",
            "took too long and was stopped",
            "is being measured. Try again",
            "the database does not answer in time",
        ];
        self.status() == 503 && WORDS.iter().any(|words| self.text().contains(words))
    }

    pub(crate) fn status(&self) -> u16 {
        self.answer.status
    }

    /// The first header of this name (lower case).
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.answer.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// The value that the answer gives a cookie.
    pub(crate) fn cookie(&self, name: &str) -> Option<String> {
        let headers = self.answer.headers.iter().filter(|(key, _)| key == "set-cookie");
        let values = headers.filter_map(|(_, value)| value.split(';').next()?.split_once('='));
        values.filter(|(key, _)| *key == name).map(|(_, value)| value.to_owned()).next()
    }

    /// Status and body: everything that could distinguish two answers.
    pub(crate) fn told(&self) -> (u16, String) {
        (self.status(), self.text())
    }

    /// The raw body.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.answer.body
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.answer.body).into_owned()
    }

    #[track_caller]
    pub(crate) fn value(&self) -> Value {
        serde_json::from_slice(&self.answer.body)
            .unwrap_or_else(|error| panic!("{}: no JSON ({error}): {}", self.what, self.text()))
    }

    /// The JSON body of an answer, which must have this status; null without a body.
    #[track_caller]
    pub(crate) fn expect(&self, status: u16) -> Value {
        assert_eq!(self.status(), status, "{}: {}", self.what, self.text());
        if self.answer.body.is_empty() { Value::Null } else { self.value() }
    }

    /// The text of a refusal with this status (`detail`, or `error` of the platform API), which must hold `part`: mostly
    /// the field's name.
    #[track_caller]
    pub(crate) fn refuse(&self, status: u16, part: &str) -> String {
        assert_eq!(self.status(), status, "{}: {}", self.what, self.text());
        let body = self.value();
        let detail = body["detail"].as_str().or(body["error"].as_str());
        let detail = detail.unwrap_or_else(|| panic!("{}: no text in {body}", self.what));
        assert!(detail.contains(part), "{}: `{part}` is not in: {detail}", self.what);
        assert_eq!(self.header("content-type"), Some("application/json"), "{}", self.what);
        detail.to_owned()
    }
}
