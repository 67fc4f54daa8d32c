//! `mayday releases check --worse-than`: whether a release does worse than another, judged by the events of both so
//! far.

use super::segment;
use crate::cli::ci::{Api, Result};
use clap::Args;
use serde_json::{Value, json};

#[derive(Debug, Args)]
pub(super) struct Limits {
    /// Fails if the release does worse than this one, or than the one before it (`previous`)
    #[arg(long, value_name = "VERSION")]
    pub(super) worse_than: Option<String>,
    /// With --worse-than: how many issues may be first seen in the release
    #[arg(long, value_name = "COUNT", default_value_t = 0, requires = "worse_than")]
    max_new_issues: u64,
    /// With --worse-than: how many resolved issues may come back in it
    #[arg(long, value_name = "COUNT", default_value_t = 0, requires = "worse_than")]
    max_regressions: u64,
    /// With --worse-than: how many times the events per hour that the other had just before it
    #[arg(long, value_name = "FACTOR", default_value_t = 2.0, value_parser = factor, requires = "worse_than")]
    max_rate: f64,
    /// With --worse-than: how many times the other's events per user
    #[arg(long, value_name = "FACTOR", default_value_t = 2.0, value_parser = factor, requires = "worse_than")]
    max_events_per_user: f64,
    /// With --worse-than: events from which on its rates are judged; fewer say nothing
    #[arg(long, value_name = "COUNT", default_value_t = 20, requires = "worse_than")]
    min_events: u64,
}

fn factor(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(factor) if factor.is_finite() && factor > 0.0 => Ok(factor),
        _ => Err("expected a number above 0, such as 1.5".to_owned()),
    }
}

/// A reason why a release does worse.
#[derive(Debug, PartialEq)]
pub(super) struct Reason {
    /// `new_issues`, `regressions`, `rate` or `events_per_user`.
    kind: &'static str,
    text: String,
}

/// The comparison of a release with another.
#[derive(Debug)]
pub(super) struct Verdict {
    /// A description of what it was compared with.
    pub(super) beside: String,
    pub(super) base: Option<String>,
    pub(super) reasons: Vec<Reason>,
}

impl Verdict {
    pub(super) fn json(&self) -> Value {
        let reason = |reason: &Reason| json!({"kind": reason.kind, "problem": reason.text});
        json!({"compared_with": self.base, "reasons": self.reasons.iter().map(reason).collect::<Vec<_>>()})
    }

    /// A line for each reason, or one line that there is none.
    pub(super) fn lines(&self, release: &str) -> Vec<String> {
        let mut lines: Vec<String> =
            self.reasons.iter().map(|reason| format!("  worse  {}", reason.text)).collect();
        if lines.is_empty() {
            lines.push(format!("Release {release} does no worse than {}.", self.beside));
        }
        lines
    }
}

/// Gets the comparison from the server and judges it.
pub(super) fn ask(api: &Api, release: &str, with: &str, limits: &Limits) -> Result<Verdict> {
    let path = format!("/api/v1/projects/{}/releases/{}/compare?with=", api.project()?, segment(release));
    let found = api.get(&format!("{path}{}", segment(with)))?.done()?;
    Ok(judge(&found, limits))
}

fn judge(found: &Value, limits: &Limits) -> Verdict {
    let (own, base) = (&found["release"], &found["base"]);
    let Some(version) = base["version"].as_str() else {
        let beside = "nothing: no release before it has events".to_owned();
        return Verdict { beside, base: None, reasons: Vec::new() };
    };
    let mut reasons = Vec::new();
    let mut judge_list = |kind, name: &str, many: &str, most: u64| {
        let list = &found[kind];
        let total = list["total"].as_u64().unwrap_or_default();
        if total > most {
            let what = if total == 1 { name } else { many };
            let text = format!("{total} {what}, at most {most}: {}", named(list, total));
            reasons.push(Reason { kind, text });
        }
    };
    judge_list("new_issues", "new issue", "new issues", limits.max_new_issues);
    judge_list("regressions", "issue regressed", "issues regressed", limits.max_regressions);
    let count = |of: &Value, field: &str| of[field].as_u64().unwrap_or_default();
    let rate = |of: &Value, field: &str| of[field].as_f64();
    if count(own, "compared_events") >= limits.min_events
        && let (Some(one), Some(other)) = (rate(own, "events_per_hour"), rate(base, "events_per_hour"))
        && one > other * limits.max_rate
    {
        let since = own["from"].as_str().unwrap_or_default();
        let times = times(one, other, limits.max_rate);
        let text = format!(
            "{one:.1} events per hour since {since}, and {other:.1} of {version} in as long before{times}"
        );
        reasons.push(Reason { kind: "rate", text });
    }
    if count(own, "event_count") >= limits.min_events
        && let (Some(one), Some(other)) = (rate(own, "events_per_user"), rate(base, "events_per_user"))
        && one > other * limits.max_events_per_user
    {
        let times = times(one, other, limits.max_events_per_user);
        let text = format!("{one:.1} events per user, and {other:.1} in {version}{times}");
        reasons.push(Reason { kind: "events_per_user", text });
    }
    let few = count(own, "compared_events") < limits.min_events;
    let beside = if few {
        format!("{version}, with {} events so far: its rates say nothing yet", count(own, "event_count"))
    } else {
        version.to_owned()
    };
    Verdict { beside, base: Some(version.to_owned()), reasons }
}

fn times(one: f64, other: f64, most: f64) -> String {
    if other > 0.0 { format!(": {:.1} times as many, at most {most}", one / other) } else { String::new() }
}

/// The names of the first issues in a list.
fn named(list: &Value, total: u64) -> String {
    let issues = list["issues"].as_array().map(Vec::as_slice).unwrap_or_default();
    let names: Vec<&str> = issues.iter().filter_map(|issue| issue["short_id"].as_str()).collect();
    let rest = total.saturating_sub(names.len() as u64);
    let more = if rest > 0 { format!(" and {rest} more") } else { String::new() };
    names.join(", ") + &more
}

#[cfg(test)]
mod tests {
    use super::{Limits, judge};
    use serde_json::{Value, json};

    fn limits() -> Limits {
        Limits {
            worse_than: None,
            max_new_issues: 0,
            max_regressions: 0,
            max_rate: 2.0,
            max_events_per_user: 2.0,
            min_events: 20,
        }
    }

    fn release(events: u64, rate: f64, per_user: Option<f64>) -> Value {
        json!({"version": "1.0", "event_count": events, "compared_events": events, "events_per_hour": rate,
            "events_per_user": per_user, "from": "2026-11-21T10:00:00.000Z"})
    }

    fn comparison(release: Value, base: Value) -> Value {
        let none = json!({"issues": [], "total": 0});
        json!({"release": release, "base": base, "new_issues": none, "regressions": none})
    }

    fn kinds(found: &Value, limits: &Limits) -> Vec<&'static str> {
        judge(found, limits).reasons.iter().map(|reason| reason.kind).collect()
    }

    #[test]
    fn rates_are_judged_from_a_minimum_of_events() {
        for (events, rate, per_user, expected) in [
            (20, 10.0, Some(3.0), &[][..]),
            (20, 10.1, Some(3.0), &["rate"]),
            (19, 99.0, Some(99.0), &[]),
            (20, 9.0, Some(3.1), &["events_per_user"]),
            (20, 10.1, None, &["rate"]),
            (20, 10.1, Some(9.0), &["rate", "events_per_user"]),
        ] {
            let found = comparison(release(events, rate, per_user), release(100, 5.0, Some(1.5)));
            assert_eq!(kinds(&found, &limits()), expected, "{events} {rate} {per_user:?}");
        }
        let found = comparison(release(20, 10.1, Some(9.0)), release(100, 5.0, Some(1.5)));
        assert!(kinds(&found, &Limits { max_rate: 3.0, max_events_per_user: 6.0, ..limits() }).is_empty());
        assert!(kinds(&found, &Limits { min_events: 21, ..limits() }).is_empty());
        // The other had no events in those hours, or no users are known.
        let found = comparison(release(20, 10.0, Some(9.0)), release(0, 0.0, None));
        let verdict = judge(&found, &limits());
        assert_eq!(verdict.reasons.len(), 1);
        assert!(verdict.reasons[0].text.ends_with("and 0.0 of 1.0 in as long before"), "{verdict:?}");
    }

    #[test]
    fn issues_are_named_and_can_be_allowed() {
        let mut found = comparison(release(3, 1.0, None), release(3, 1.0, None));
        found["new_issues"] = json!({"issues": [{"short_id": "WEB-4"}, {"short_id": "WEB-7"}], "total": 5});
        found["regressions"] = json!({"issues": [{"short_id": "WEB-2"}], "total": 1});
        let lines = judge(&found, &limits()).lines("2.0");
        assert_eq!(
            lines,
            [
                "  worse  5 new issues, at most 0: WEB-4, WEB-7 and 3 more",
                "  worse  1 issue regressed, at most 0: WEB-2"
            ]
        );
        assert_eq!(kinds(&found, &Limits { max_new_issues: 5, ..limits() }), ["regressions"]);
        let fine = judge(&found, &Limits { max_new_issues: 5, max_regressions: 1, ..limits() });
        assert!(fine.lines("2.0")[0].contains("no worse than 1.0, with 3 events so far"), "{fine:?}");
    }

    #[test]
    fn a_first_release_is_no_worse_than_nothing() {
        let mut found = comparison(release(100, 99.0, None), Value::Null);
        found["new_issues"] = json!({"issues": [{"short_id": "WEB-4"}], "total": 1});
        let verdict = judge(&found, &limits());
        assert!(verdict.reasons.is_empty() && verdict.base.is_none());
        assert!(verdict.lines("1.0")[0].contains("no release before it has events"), "{verdict:?}");
    }
}
