//! The app at the code host, by which repositories are connected.

use super::reader::Reader;
use super::values;
use crate::crypto::rs256::RsaSigner;
use std::path::PathBuf;

const ID: &str = "SERVICE_HOST_APP_ID";
const KEY_FILE: &str = "SERVICE_HOST_APP_PRIVATE_KEY_FILE";
const API_URL: &str = "SERVICE_HOST_OAUTH_API_URL";
const DEFAULT_API_URL: &str = "https://api.github.com";

/// The app; configured if it has an id and a private key.
#[derive(Debug, Clone)]
pub struct HostApp {
    /// `SERVICE_HOST_APP_ID`: its number, or its client ID.
    pub id: String,
    /// `SERVICE_HOST_APP_PRIVATE_KEY_FILE`: the file with its private key (PEM); the key itself never leaves this server.
    pub private_key_file: PathBuf,
    pub key: RsaSigner,
    /// `SERVICE_HOST_OAUTH_API_URL`, without a slash at the end.
    pub api_url: String,
}

impl HostApp {
    /// A key without an id is accepted and does nothing, because the file is part of a backup all the same.
    pub(super) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let id = reader.value(ID, values::token);
        let file = reader.value(KEY_FILE, values::private_key);
        if reader.text(ID).is_some() && reader.text(KEY_FILE).is_none() {
            reader.fault(format!("{ID} is set but {KEY_FILE} is not: set both, or neither"));
        }
        let (id, private_key_file) = (id?, file?);
        let key = std::fs::read_to_string(&private_key_file)
            .map_err(|error| error.to_string())
            .and_then(|pem| RsaSigner::from_pem(&pem).map_err(str::to_owned));
        let key = key.map_err(|error| {
            reader.fault(format!("{KEY_FILE}={} is not accepted: {error}", private_key_file.display()));
        });
        // A bad address is reported where sign-in reads it.
        let api_url = reader.text(API_URL).and_then(|url| values::http_url(url).ok());
        let api_url = api_url.as_deref().unwrap_or(DEFAULT_API_URL).trim_end_matches('/').to_owned();
        Some(Self { id, private_key_file, key: key.ok()?, api_url })
    }
}
