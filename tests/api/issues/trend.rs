//! `GET /api/v1/projects/{project_id}/issues/{issue_id}/trend`, and all issues' together.

use crate::support::{Project, Value, eventually, json};
use jiff::{SignedDuration, Timestamp};

const HOUR: i64 = 3_600_000;

fn trend(project: &Project, query: &str) -> Value {
    project.owner.get(&format!("{}/trend{query}", project.issue_path(&project.issue()))).send().expect(200)
}

#[test]
fn events_are_counted_in_their_hours() {
    let project = Project::new();
    let now = Timestamp::now();
    let hours_ago = [0, 0, 0, 1, 5, 5, 23, 24, 167, 168, 719, 719];
    for hours in hours_ago {
        let time = now.saturating_sub(SignedDuration::from_hours(hours)).unwrap().to_string();
        project.accept(&json!({"message": "x", "timestamp": time}));
    }
    project.digest(&json!({"message": "x", "timestamp": now.to_string()}));
    for (query, hours) in [("", 168), ("?hours=1", 1), ("?hours=24", 24), ("?hours=720", 720)] {
        let trend = trend(&project, query);
        let counts: Vec<i64> =
            trend["counts"].as_array().unwrap().iter().map(|n| n.as_i64().unwrap()).collect();
        assert_eq!(counts.len(), hours, "{query}");
        let start: Timestamp = trend["start"].as_str().unwrap().parse().unwrap();
        // By the answer's own clock: an hour may have begun since the events were made.
        let shift =
            usize::try_from(start.as_millisecond() / HOUR + hours as i64 - 1 - now.as_millisecond() / HOUR);
        let shift = shift.unwrap();
        let mut expected = vec![0; hours];
        for ago in hours_ago.iter().chain(&[0]) {
            let ago = usize::try_from(*ago).unwrap() + shift;
            if ago < hours {
                expected[hours - 1 - ago] += 1;
            }
        }
        assert_eq!(counts, expected, "{query}");
        assert_eq!(start.as_millisecond() % HOUR, 0, "{query}");
        assert!(shift <= 1, "the last hour is the current one");
    }
    eventually("both in one hour", || {
        (trend(&project, "?hours=24")["counts"] == project.issue()["trend"]).then_some(())
    });
}

#[test]
fn hours_are_from_1_to_720() {
    let project = Project::new();
    project.digest(&json!({"message": "x"}));
    let path = format!("{}/trend", project.issue_path(&project.issue()));
    for hours in ["0", "721", "-1", "x", "", "1.5", "99999999999999999999"] {
        let answer = project.owner.get(&format!("{path}?hours={hours}")).send();
        answer.refuse(422, "hours: expected a whole number from 1 to 720");
    }
    project.owner.get(&project.path("/issues/999999/trend")).send().refuse(404, "no such issue");
}

#[test]
fn a_projects_trend_is_that_of_its_issues_together() {
    let (project, other) = (Project::new(), Project::named("Other"));
    let trend = |query: &str| project.owner.get(&project.path(&format!("/trend{query}"))).send();
    let none = trend("?hours=3").expect(200);
    assert_eq!(none["counts"], json!([0, 0, 0]));
    let now = Timestamp::now();
    for (message, hours) in [("one", 0), ("one", 30), ("two", 0), ("two", 700), ("three", 30)] {
        let time = now.saturating_sub(SignedDuration::from_hours(hours)).unwrap().to_string();
        project.accept(&json!({"message": message, "timestamp": time}));
        other.accept(&json!({"message": message, "timestamp": time}));
    }
    other.digest(&json!({"message": "theirs"}));
    assert_eq!(project.issues("")["total"], 3);
    for (query, hours) in [("", 168), ("?hours=24", 24), ("?hours=720", 720)] {
        let counts = |trend: &Value| {
            trend["counts"].as_array().unwrap().iter().map(|n| n.as_i64().unwrap()).collect::<Vec<_>>()
        };
        let expected = match hours {
            24 => 2,
            168 => 4,
            _ => 5,
        };
        // The requests are made one after the other.
        eventually(&format!("all of one hour: {query}"), || {
            let mut sum = vec![0_i64; hours];
            for issue in project.issues("")["issues"].as_array().unwrap() {
                let path = format!("{}/trend{query}", project.issue_path(issue));
                let one = project.owner.get(&path).send().expect(200);
                counts(&one).iter().zip(&mut sum).for_each(|(count, sum)| *sum += count);
            }
            let is_so = sum.iter().sum::<i64>() == expected && counts(&trend(query).expect(200)) == sum;
            is_so.then_some(())
        });
    }
    trend("?hours=721").refuse(422, "hours: expected a whole number from 1 to 720");
}
