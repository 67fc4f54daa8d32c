//! The feed of releases: somebody else's text, whose newest release becomes a link.

use mayday::instance::updates;

pub(crate) fn target(data: &[u8]) {
    let Ok(Some(release)) = updates::newest(data) else { return };
    assert!(release.version.pre.is_empty() && release.version.build.is_empty(), "{release:?}");
    let is_link = |url: &String| url.starts_with("http://") || url.starts_with("https://");
    assert!(release.url.as_ref().is_none_or(is_link), "{release:?}");
    // It is read as it is written.
    let url = release.url.as_ref();
    let again = serde_json::json!([{"tag_name": format!("server-v{}", release.version), "html_url": url}]);
    assert_eq!(updates::newest(again.to_string().as_bytes()), Ok(Some(release)));
}
