//! Shared code of the black-box tests: the built server as a process, clients that speak plain HTTP to it, projects,
//! and handmade source maps.
//!
//! Nothing here reads the database or sleeps for a fixed time: tests wait by polling the API.

#![allow(dead_code, reason = "each test binary uses its part")]

pub(crate) mod build;
pub(crate) mod bundle;
pub(crate) mod cgroup;
pub(crate) mod client;
pub(crate) mod code_host;
pub(crate) mod connection;
pub(crate) mod disk;
pub(crate) mod exchanges;
pub(crate) mod flow;
pub(crate) mod form;
pub(crate) mod gateway;
pub(crate) mod idp;
pub(crate) mod maps;
pub(crate) mod names;
pub(crate) mod outside;
pub(crate) mod person;
pub(crate) mod project;
pub(crate) mod server;
pub(crate) mod stream;
pub(crate) mod wait;
pub(crate) mod wire;
pub(crate) mod world;

pub(crate) use client::{Client, Response};
pub(crate) use form::Form;
pub(crate) use project::Project;
pub(crate) use server::Server;
pub(crate) use stream::Stream;
pub(crate) use wait::eventually;
pub(crate) use world::{World, world};
#[allow(unused_imports, reason = "the process tests upload no builds")]
pub(crate) use {build::Build, bundle::Bundle};

pub(crate) use serde_json::{Value, json};

/// The owner's e-mail address in the instances of the tests.
pub(crate) const EMAIL: &str = "ada@example.com";
pub(crate) const PASSWORD: &str = "a passphrase for tests";
