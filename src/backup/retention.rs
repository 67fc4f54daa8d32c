//! The names of scheduled backups, and which of them are kept.

use super::output::ARCHIVE;
use crate::time::{SECOND, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

/// The digits of the instance's id in a name.
const ID: usize = 12;

/// A backup that is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct KeptBackup {
    pub name: String,
    pub size_bytes: u64,
    /// As its name says, in whole seconds.
    pub created_at: Timestamp,
}

/// The name of a scheduled backup: `mayday-0123456789ab-20261123T030000Z.tar.zst`. Only files with such a name are
/// ever removed.
pub fn name(instance: &str, created_at: Timestamp) -> String {
    let whole = Timestamp::from_millis(created_at.millis() / SECOND * SECOND).to_string();
    let compact: String = whole.chars().filter(|c| !matches!(c, '-' | ':')).collect();
    format!("{}{}Z{ARCHIVE}", start(instance), compact.split('.').next().unwrap_or_default())
}

fn start(instance: &str) -> String {
    format!("mayday-{}-", instance.get(..ID).unwrap_or(instance))
}

/// When the instance's backup with this name was made; `None` for any other name.
pub fn created_at(instance: &str, name: &str) -> Option<Timestamp> {
    let time = name.strip_prefix(&start(instance))?.strip_suffix(ARCHIVE)?;
    let part = |range: std::ops::Range<usize>| time.get(range);
    let text = format!(
        "{}-{}-{}T{}:{}:{}Z",
        part(0..4)?,
        part(4..6)?,
        part(6..8)?,
        part(9..11)?,
        part(11..13)?,
        part(13..15)?
    );
    let at = Timestamp::parse(&text)?;
    (self::name(instance, at) == name).then_some(at)
}

/// The backups to remove so that `keep` remain, oldest first. The one that was just `made` is kept, whatever the
/// clock says.
pub fn outdated(mut found: Vec<KeptBackup>, keep: usize, made: &str) -> Vec<String> {
    found.retain(|one| one.name != made);
    found.sort_by_key(|one| one.created_at);
    let going = (found.len() + 1).saturating_sub(keep);
    found.into_iter().take(going).map(|one| one.name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const INSTANCE: &str = "0123456789abcdef0123456789abcdef";

    fn at(day: u32) -> Timestamp {
        Timestamp::parse(&format!("2026-11-{day:02}T03:04:05.678Z")).unwrap()
    }

    #[test]
    fn a_name_says_whose_it_is_and_when_it_was_made() {
        let name = name(INSTANCE, at(23));
        assert_eq!(name, "mayday-0123456789ab-20261123T030405Z.tar.zst");
        assert_eq!(created_at(INSTANCE, &name), Timestamp::parse("2026-11-23T03:04:05Z"));
    }

    #[test]
    fn other_names_are_not_scheduled_backups() {
        for other in [
            "mayday-0123456789ac-20261123T030405Z.tar.zst",
            "mayday-0123456789ab-20261123T030405Z.tar.zst.part",
            "mayday-0123456789ab-20261123T030405Z-keep.tar.zst",
            "mayday-0123456789ab-20261123-030405Z.tar.zst",
            "mayday-0123456789ab-20261323T030405Z.tar.zst",
            "mayday-0123456789ab-before the move.tar.zst",
            "mayday-0123456789ab-2026112é030405Z.tar.zst",
            "mayday-0123456789ab-.tar.zst",
            "mayday-2026-11-23.tar.zst",
            "x/mayday-0123456789ab-20261123T030405Z.tar.zst",
        ] {
            assert_eq!(created_at(INSTANCE, other), None, "{other}");
        }
    }

    #[test]
    fn the_newest_stay_and_the_one_just_made_always_does() {
        let found = |days: &[u32]| -> Vec<KeptBackup> {
            let one = |day: &u32| KeptBackup {
                name: name(INSTANCE, at(*day)),
                size_bytes: 1,
                created_at: at(*day),
            };
            days.iter().map(one).collect()
        };
        let named =
            |days: &[u32]| -> Vec<String> { days.iter().map(|day| name(INSTANCE, at(*day))).collect() };
        let made = |day| name(INSTANCE, at(day));
        assert_eq!(outdated(found(&[3, 1, 4, 2]), 2, &made(4)), named(&[1, 2]));
        assert_eq!(outdated(found(&[3, 4]), 2, &made(4)), named(&[]));
        assert_eq!(outdated(found(&[3, 2, 1]), 1, &made(1)), named(&[2, 3]), "the clock was set back");
        assert_eq!(outdated(found(&[1]), 1, &made(2)), named(&[1]), "the storage lists the new one later");
        assert_eq!(outdated(Vec::new(), 7, &made(1)), named(&[]));
    }
}
