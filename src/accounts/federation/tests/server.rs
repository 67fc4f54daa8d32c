//! A small HTTP server that answers as a test configures it and records the requests.

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use serde_json::Value;
use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex};
use tokio::net::TcpListener;

#[derive(Clone)]
struct Answer {
    status: u16,
    headers: Vec<(&'static str, String)>,
    body: Bytes,
}

/// A request as it came.
#[derive(Clone, Debug)]
pub(in crate::accounts::federation) struct RecordedRequest {
    pub(in crate::accounts::federation) path: String,
    pub(in crate::accounts::federation) authorization: String,
    pub(in crate::accounts::federation) body: String,
}

#[derive(Default)]
struct State {
    answers: HashMap<String, Answer>,
    asked: Vec<RecordedRequest>,
}

#[derive(Clone)]
pub(in crate::accounts::federation) struct Server {
    pub(in crate::accounts::federation) port: u16,
    state: Arc<Mutex<State>>,
}

impl Server {
    pub(in crate::accounts::federation) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let server = Self { port: listener.local_addr().unwrap().port(), state: Arc::default() };
        let state = server.state.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let state = state.clone();
                let service = service_fn(move |request| answer(state.clone(), request));
                let connection = hyper::server::conn::http1::Builder::new()
                    .serve_connection(TokioIo::new(stream), service);
                tokio::spawn(connection);
            }
        });
        server
    }

    pub(in crate::accounts::federation) fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// Sets what a path answers from now on.
    pub(in crate::accounts::federation) fn json(&self, path: &str, status: u16, document: &Value) {
        let headers = vec![("content-type", "application/json".to_owned())];
        self.raw(path, status, headers, document.to_string());
    }

    pub(in crate::accounts::federation) fn raw(
        &self,
        path: &str,
        status: u16,
        headers: Vec<(&'static str, String)>,
        body: impl Into<Bytes>,
    ) {
        let answer = Answer { status, headers, body: body.into() };
        self.state.lock().unwrap().answers.insert(path.to_owned(), answer);
    }

    pub(in crate::accounts::federation) fn asked(&self, path: &str) -> Vec<RecordedRequest> {
        let state = self.state.lock().unwrap();
        state.asked.iter().filter(|asked| asked.path.split('?').next() == Some(path)).cloned().collect()
    }

    pub(in crate::accounts::federation) fn count(&self) -> usize {
        self.state.lock().unwrap().asked.len()
    }
}

async fn answer(
    state: Arc<Mutex<State>>,
    request: hyper::Request<Incoming>,
) -> Result<hyper::Response<Full<Bytes>>, Infallible> {
    let (head, body) = request.into_parts();
    let body = body.collect().await.unwrap().to_bytes();
    let authorization = head.headers.get("authorization").map_or("", |value| value.to_str().unwrap());
    let mut state = state.lock().unwrap();
    state.asked.push(RecordedRequest {
        path: head.uri.to_string(),
        authorization: authorization.to_owned(),
        body: String::from_utf8_lossy(&body).into_owned(),
    });
    let missing = || Answer { status: 404, headers: Vec::new(), body: "no such page".into() };
    let answer = state.answers.get(head.uri.path()).cloned().unwrap_or_else(missing);
    let mut response = hyper::Response::builder().status(answer.status);
    for (name, value) in answer.headers {
        response = response.header(name, value);
    }
    Ok(response.body(Full::new(answer.body)).unwrap())
}
