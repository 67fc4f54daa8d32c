//! How well spikes are found in hourly counts of known kinds, compared with what many services offer: "more than N in
//! an hour". The counts come from a fixed seed, so the table is always the same; `--nocapture` prints it.

use super::super::*;
use std::fmt::Write as _;

const DAYS: i64 = 21;
const HOURS: i64 = DAYS * 24;
/// Issues of each kind.
const ISSUES: u64 = 40;
/// An alarm this many hours after a spike began still counts for it.
const SAME: i64 = 6;

/// Pseudo-random numbers with a fixed seed.
struct Random(u64);

impl Random {
    fn unit(&mut self) -> f64 {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A random number of events in an hour with this expectation (Poisson; for large numbers its normal
    /// approximation).
    fn events(&mut self, expected: f64) -> i64 {
        if expected > 50.0 {
            let normal = (0..12).map(|_| self.unit()).sum::<f64>() - 6.0;
            return expected.sqrt().mul_add(normal, expected).round().max(0.0) as i64;
        }
        let (limit, mut product, mut count) = ((-expected).exp(), 1.0, -1);
        while product > limit {
            product *= self.unit();
            count += 1;
        }
        count
    }
}

/// The counts of an issue, and the hours in which something really began.
pub(super) struct Series {
    pub(super) counts: Vec<i64>,
    pub(super) spikes: Vec<i64>,
}

/// The kinds of issues.
const KINDS: [&str; 7] = ["steady", "daily", "weekend", "new", "growth", "burst", "deploy"];

fn day_and_night(hour: i64) -> f64 {
    1.0 + 0.8 * (((hour % 24) as f64 - 8.0) / 24.0 * std::f64::consts::TAU).sin()
}

/// The expected events of an hour, and the hours of spikes.
fn series(kind: &str, random: &mut Random) -> Series {
    let usual = 2.0 + 60.0 * random.unit().powi(2);
    // In the last week, at any hour.
    let at = HOURS - 24 * 6 + (random.unit() * 24.0 * 5.0) as i64;
    let fold = 12.0 + 20.0 * random.unit();
    let expected = |hour: i64| -> f64 {
        let is_weekend = hour / 24 % 7 >= 5;
        match kind {
            "daily" => usual * day_and_night(hour),
            "weekend" => usual * day_and_night(hour) * if is_weekend { 0.2 } else { 1.0 },
            // Doubles in three weeks, which nobody needs to be woken for.
            "growth" => usual * (1.0 + hour as f64 / HOURS as f64),
            // For one hour, many times the usual rate.
            "burst" if hour == at => usual * fold,
            // From a release until it is reverted half a day later.
            "deploy" if (at..at + 12).contains(&hour) => usual * day_and_night(hour) * fold,
            "deploy" => usual * day_and_night(hour),
            // Begins in the last week with few events; half of these issues become an incident some hours later.
            "new" if hour < at => 0.0,
            "new" if usual > 12.0 && hour >= at + 5 => usual * fold,
            "new" => 1.0 + usual / 30.0,
            _ => usual,
        }
    };
    let counts = (0..HOURS).map(|hour| random.events(expected(hour))).collect();
    let spikes = match kind {
        "burst" | "deploy" => vec![at],
        "new" if usual > 12.0 => vec![at + 5],
        _ => Vec::new(),
    };
    Series { counts, spikes }
}

/// The hours in which Mayday reports an escalation; once until the issue has calmed down.
pub(super) fn ours(counts: &[i64]) -> Vec<i64> {
    let Some(first) = counts.iter().position(|count| *count > 0) else { return Vec::new() };
    let (mut alarms, mut escalating) = (Vec::new(), None);
    for hour in first + 1..counts.len() {
        let from = first.max(hour.saturating_sub(WINDOW_HOURS as usize));
        let is_young = ((hour + 1 - first) as i64) * crate::time::HOUR <= YOUNG;
        // The median issue of this project has about two events an hour.
        let own = if is_young { young_limit(2.0) } else { limit(&counts[from..hour]) };
        match escalating {
            None if counts[hour] >= own => {
                alarms.push(hour as i64);
                escalating = Some((hour, own));
            }
            Some((since, limit)) if counts[hour] < limit || hour - since >= 24 => escalating = None,
            _ => {}
        }
    }
    alarms
}

/// The hours in which "more than `most` in an hour" raises an alarm; once until it is over.
pub(super) fn plain(counts: &[i64], most: i64) -> Vec<i64> {
    let is_over = |hour: usize| counts[hour] > most;
    (0..counts.len())
        .filter(|hour| is_over(*hour) && (*hour == 0 || !is_over(hour - 1)))
        .map(|hour| hour as i64)
        .collect()
}

/// Right alarms, all alarms, spikes found, and all spikes.
#[derive(Clone, Copy, Default)]
pub(super) struct Score {
    right: usize,
    alarms: usize,
    found: usize,
    pub(super) spikes: usize,
}

impl Score {
    pub(super) fn add(&mut self, series: &Series, alarms: &[i64]) {
        // The first week has too little history for either method.
        let alarms: Vec<i64> = alarms.iter().copied().filter(|hour| *hour >= 7 * 24).collect();
        let means = |alarm: &i64, spike: &i64| (*spike..=spike + SAME).contains(alarm);
        let is_right = |alarm: &&i64| series.spikes.iter().any(|spike| means(alarm, spike));
        let is_found = |spike: &&i64| alarms.iter().any(|alarm| means(alarm, spike));
        self.alarms += alarms.len();
        self.right += alarms.iter().filter(is_right).count();
        self.found += series.spikes.iter().filter(is_found).count();
        self.spikes += series.spikes.len();
    }

    pub(super) fn precision(self) -> f64 {
        if self.alarms == 0 { 1.0 } else { self.right as f64 / self.alarms as f64 }
    }

    pub(super) fn recall(self) -> f64 {
        if self.spikes == 0 { 1.0 } else { self.found as f64 / self.spikes as f64 }
    }

    pub(super) fn cells(self) -> String {
        let recall = match self.spikes {
            0 => "–".to_owned(),
            _ => format!("{:.2}", self.recall()),
        };
        format!("{} | {:.2} | {recall}", self.alarms, self.precision())
    }
}

#[test]
fn spikes_are_found_and_little_else() {
    const PLAIN: [i64; 3] = [20, 100, 500];
    let mut table = String::from("| series | spikes | ours: alarms | precision | recall |");
    for most in PLAIN {
        write!(table, " over {most}: alarms | precision | recall |").unwrap();
    }
    let (mut ours_all, mut plain_all) = (Score::default(), [Score::default(); PLAIN.len()]);
    for (number, kind) in KINDS.into_iter().enumerate() {
        let (mut own, mut others) = (Score::default(), [Score::default(); PLAIN.len()]);
        for seed in 0..ISSUES {
            let series = series(kind, &mut Random(seed * 100 + number as u64));
            let alarms = ours(&series.counts);
            own.add(&series, &alarms);
            ours_all.add(&series, &alarms);
            for (at, most) in PLAIN.into_iter().enumerate() {
                let alarms = plain(&series.counts, most);
                others[at].add(&series, &alarms);
                plain_all[at].add(&series, &alarms);
            }
        }
        let cells: Vec<String> = others.iter().map(|score| score.cells()).collect();
        write!(table, "\n| {kind} | {} | {} | {} |", own.spikes, own.cells(), cells.join(" | ")).unwrap();
    }
    let cells: Vec<String> = plain_all.iter().map(|score| score.cells()).collect();
    write!(table, "\n| all | {} | {} | {} |", ours_all.spikes, ours_all.cells(), cells.join(" | ")).unwrap();
    println!("{table}");
    assert!(ours_all.precision() > 0.9 && ours_all.recall() > 0.9, "{table}");
    // No plain limit is good in both respects.
    let best = |score: &Score| score.precision().min(score.recall());
    assert!(plain_all.iter().all(|score| best(score) + 0.2 < best(&ours_all)), "{table}");
}
