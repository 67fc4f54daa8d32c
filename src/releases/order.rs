//! Which release comes before another.

use crate::ids::ReleaseId;

/// `1.2.3`, `v1.2.3`, `package@1.2.3`; build metadata does not affect the order.
pub fn semantic(version: &str) -> Option<semver::Version> {
    let bare = version.rsplit_once('@').map_or(version, |(_, version)| version);
    let mut parsed = semver::Version::parse(bare.strip_prefix('v').unwrap_or(bare)).ok()?;
    parsed.build = semver::BuildMetadata::EMPTY;
    Some(parsed)
}

/// What stands before the `@` of `package@1.2.3`.
fn package(version: &str) -> &str {
    version.rsplit_once('@').map_or("", |(package, _)| package)
}

/// The release before one: the next lower version of the same package if both are semantic, else the one that was
/// created last before it.
pub fn before<'a>(version: &str, id: ReleaseId, others: &'a [(ReleaseId, String)]) -> Option<&'a str> {
    let others = || others.iter().filter(|(other, _)| *other != id);
    if let Some(own) = semantic(version) {
        let lower = others().filter(|(_, other)| package(other) == package(version));
        let lower = lower.filter_map(|(_, other)| Some((semantic(other)?, other)));
        return lower
            .filter(|(other, _)| *other < own)
            .max_by(|a, b| a.0.cmp(&b.0))
            .map(|(_, other)| other.as_str());
    }
    let earlier = others().filter(|(other, _)| *other < id);
    earlier.max_by_key(|(other, _)| *other).map(|(_, other)| other.as_str())
}

#[cfg(test)]
mod tests {
    use super::before;
    use crate::ids::ReleaseId;

    #[test]
    fn the_release_before_is_the_next_lower_version_or_the_one_created_before() {
        let all: Vec<(ReleaseId, String)> =
            ["1.4.2", "2.0.0", "web@1.0.0", "a1b2", "1.4.3", "c3d4", "v1.5.0-rc.1", "web@1.1.0"]
                .into_iter()
                .zip(1..)
                .map(|(version, id)| (ReleaseId(id), version.to_owned()))
                .collect();
        let of = |version: &str| {
            let (id, _) = all.iter().find(|(_, other)| other == version).unwrap();
            before(version, *id, &all)
        };
        assert_eq!(of("1.4.3"), Some("1.4.2"), "although 2.0.0 was created later");
        assert_eq!(of("2.0.0"), Some("v1.5.0-rc.1"), "although it was created later");
        assert_eq!(of("1.4.2"), None);
        assert_eq!(of("web@1.1.0"), Some("web@1.0.0"));
        assert_eq!(of("web@1.0.0"), None);
        assert_eq!(of("c3d4"), Some("1.4.3"));
        assert_eq!(of("a1b2"), Some("web@1.0.0"));
    }
}
