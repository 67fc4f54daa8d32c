//! The order of releases.

/// `1.2.3`, `v1.2.3`, `package@1.2.3`; build metadata does not affect the order.
pub fn semantic(version: &str) -> Option<semver::Version> {
    let bare = version.rsplit_once('@').map_or(version, |(_, version)| version);
    let mut parsed = semver::Version::parse(bare.strip_prefix('v').unwrap_or(bare)).ok()?;
    parsed.build = semver::BuildMetadata::EMPTY;
    Some(parsed)
}

/// The part before the `@` in `package@1.2.3`.
fn package(version: &str) -> &str {
    version.rsplit_once('@').map_or("", |(package, _)| package)
}

/// The previous release, given all in the order in which they appeared: the next lower version of the same package if
/// both are semantic, otherwise the one that appeared last before it.
pub fn before<'a>(version: &str, came: i64, all: &'a [(i64, String)]) -> Option<&'a str> {
    if let Some(own) = semantic(version) {
        let lower = all.iter().filter(|(_, other)| package(other) == package(version));
        let lower = lower.filter_map(|(_, other)| Some((semantic(other)?, other)));
        return lower
            .filter(|(other, _)| *other < own)
            .max_by(|a, b| a.0.cmp(&b.0))
            .map(|(_, other)| other.as_str());
    }
    let earlier = all.iter().take_while(|(other, name)| *other <= came && name != version);
    earlier.last().map(|(_, other)| other.as_str())
}

#[cfg(test)]
mod tests {
    use super::before;

    #[test]
    fn the_previous_release_is_the_next_lower_version_or_the_one_created_before() {
        let all: Vec<(i64, String)> =
            ["1.4.2", "2.0.0", "web@1.0.0", "a1b2", "1.4.3", "c3d4", "v1.5.0-rc.1", "web@1.1.0"]
                .into_iter()
                .zip(1..)
                .map(|(version, came)| (came, version.to_owned()))
                .collect();
        let of = |version: &str| {
            let (came, _) = all.iter().find(|(_, other)| other == version).unwrap();
            before(version, *came, &all)
        };
        assert_eq!(of("1.4.3"), Some("1.4.2"), "although 2.0.0 was created later");
        assert_eq!(of("2.0.0"), Some("v1.5.0-rc.1"), "although it was created later");
        assert_eq!(of("1.4.2"), None);
        assert_eq!(of("web@1.1.0"), Some("web@1.0.0"));
        assert_eq!(of("web@1.0.0"), None);
        assert_eq!(of("c3d4"), Some("1.4.3"));
        assert_eq!(of("a1b2"), Some("web@1.0.0"));
        assert_eq!(before("0f0f", 100, &all), Some("web@1.1.0"), "one without events");
    }
}
