use super::*;
use crate::config::RateLimits;
use crate::crypto::token::key_hash;
use crate::ids::{KeyId, OrganizationId, ProjectId};
use crate::projects::key::ValidKey;
use crate::scrubbing::Scrubbing;

const CATEGORIES: [Category; 2] = [Category::Errors, Category::Logs];
/// Uses up a bucket of one per second.
const FULL: Cost = Cost { items: 100, bytes: 1 };

/// Two projects: one with a key that may send and one that may not, the other with one key.
fn directory() -> Directory {
    let limits = RateLimits { errors_per_second: 1, logs_per_second: 1, ..RateLimits::default() };
    let directory = Directory::new(limits);
    let entry = |key: &str, id: i64, project: i64, scope| {
        let valid = ValidKey {
            id: KeyId(id),
            project: ProjectId(project),
            organization: OrganizationId(1),
            scopes: vec![scope],
            environment: None,
            scrubber: Arc::new(Scrubbing::default().compile()),
        };
        (key_hash(key), valid)
    };
    let keys =
        [("pk_a", 1, 1, Scope::Ingest), ("pk_reads", 2, 1, Scope::Read), ("pk_b", 3, 2, Scope::Ingest)];
    directory.replace(keys.map(|(key, id, project, scope)| entry(key, id, project, scope)).into());
    directory
}

fn refused(directory: &Directory, key: Option<&str>, category: Category, cost: Result<Cost>) -> Error {
    admit(directory, key, category, cost).map(|key| key.id).unwrap_err()
}

fn too_long() -> Result<Cost> {
    Err(Error::invalid("over 100"))
}

#[test]
fn checks_come_in_order_of_key_scope_cost_room_and_rate() {
    for category in CATEGORIES {
        let directory = directory();
        // Everything is wrong at once: the project's rate is used up, and it has used most of a full disk.
        admit(&directory, Some("pk_a"), category, Ok(Cost { bytes: 1 << 20, ..FULL })).unwrap();
        directory.share_room(Some(0));
        for key in [None, Some(""), Some("pk_no"), Some("nonsense")] {
            let error = refused(&directory, key, category, too_long());
            assert!(matches!(error, Error::Unauthenticated(_)), "{key:?}: {error:?}");
        }
        let error = refused(&directory, Some("pk_reads"), category, too_long());
        assert!(matches!(error, Error::Forbidden(_)), "{error:?}");
        let error = refused(&directory, Some("pk_a"), category, too_long());
        assert!(matches!(error, Error::Invalid(_)), "{error:?}");
        let error = refused(&directory, Some("pk_a"), category, Ok(FULL));
        assert!(matches!(error, Error::NoRoom(_)), "{error:?}");
        directory.share_room(None);
        let error = refused(&directory, Some("pk_a"), category, Ok(FULL));
        assert!(matches!(error, Error::TooMany { .. }), "{error:?}");
        admit(&directory, Some("pk_b"), category, Ok(FULL)).unwrap();
    }
}

#[test]
fn each_category_has_its_own_rate_and_a_refusal_takes_nothing() {
    let directory = directory();
    for category in CATEGORIES {
        refused(&directory, Some("pk_a"), category, too_long());
        refused(&directory, Some("pk_reads"), category, Ok(FULL));
        let most = Cost { items: 101, ..FULL };
        assert!(matches!(refused(&directory, Some("pk_a"), category, Ok(most)), Error::TooMany { .. }));
        let key = admit(&directory, Some("pk_a"), category, Ok(FULL)).unwrap();
        assert_eq!((key.id, key.project), (KeyId(1), ProjectId(1)));
    }
}
