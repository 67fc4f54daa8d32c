//! Where a test command writes its results: a path within the working tree, possibly with wildcards.

/// Bytes of one.
pub const REPORT_PATH_MAX: usize = 500;

/// Directories that `**` does not match, besides those whose names begin with a dot.
const PASSED_OVER: &str = "node_modules";

/// A path, or a pattern: `*` and `?` match within a name, `**` any number of directories. As in shells, wildcards do
/// not match a leading dot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportPath {
    parts: Vec<Part>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    /// `**`
    Folders,
    Name(Vec<char>),
}

/// The progress of matching a path: the parts that may come next, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathProgress(Vec<usize>);

impl ReportPath {
    /// # Errors
    /// What was expected, if the path is invalid.
    pub fn parse(text: &str) -> Result<Self, String> {
        if text.len() > REPORT_PATH_MAX {
            return Err(format!("expected at most {REPORT_PATH_MAX} bytes, got {}", text.len()));
        }
        if text.starts_with('/') || text.split('/').any(|part| matches!(part, "" | "." | "..")) {
            return Err("expected a path within the repository, such as build/junit.xml: relative, \
                without `.`, `..` and empty parts"
                .to_owned());
        }
        if let Some(bad) = text.chars().find(|c| c.is_control() || "\\[]{}".contains(*c)) {
            return Err(format!(
                "expected no `{}`: the wildcards are `*` and `?` within a name, and `**` for any number of folders",
                bad.escape_default()
            ));
        }
        if !text.to_ascii_lowercase().ends_with(".xml") {
            return Err("expected the path of JUnit XML, which ends in .xml".to_owned());
        }
        let parts = text.split('/').map(part).collect::<Result<Vec<_>, _>>()?;
        if !parts.iter().any(Part::is_plain) {
            return Err("expected a folder or the file by its whole name, such as **/test-results/*.xml: \
                what is there is removed before the tests run"
                .to_owned());
        }
        Ok(Self { parts })
    }

    /// At the root of the tree.
    pub fn start(&self) -> PathProgress {
        self.with_folders(vec![0])
    }

    /// Below a file or folder of that name.
    pub fn step(&self, from: &PathProgress, name: &str) -> PathProgress {
        let next = from.0.iter().filter_map(|at| match self.parts.get(*at)? {
            Part::Folders => (!name.starts_with('.') && name != PASSED_OVER).then_some(*at),
            Part::Name(pattern) => matches(pattern, name).then_some(at + 1),
        });
        self.with_folders(next.collect())
    }

    /// Whether a match may end here,
    pub fn is_whole(&self, at: &PathProgress) -> bool {
        at.0.contains(&self.parts.len())
    }

    /// and whether it may continue.
    pub fn goes_on(&self, at: &PathProgress) -> bool {
        at.0.iter().any(|at| *at < self.parts.len())
    }

    /// `**` also matches no directory.
    fn with_folders(&self, mut at: Vec<usize>) -> PathProgress {
        let mut index = 0;
        while let Some(one) = at.get(index).copied() {
            if self.parts.get(one) == Some(&Part::Folders) {
                at.push(one + 1);
            }
            index += 1;
        }
        at.sort_unstable();
        at.dedup();
        PathProgress(at)
    }
}

impl Part {
    fn is_plain(&self) -> bool {
        matches!(self, Self::Name(name) if !name.iter().any(|c| matches!(c, '*' | '?')))
    }
}

fn part(text: &str) -> Result<Part, String> {
    match text {
        "**" => Ok(Part::Folders),
        _ if text.contains("**") => {
            Err("expected `**` alone between slashes: it stands for any number of folders".to_owned())
        }
        _ => Ok(Part::Name(text.chars().collect())),
    }
}

/// Whether a name has the form of a pattern.
fn matches(pattern: &[char], name: &str) -> bool {
    if name.starts_with('.') && pattern.first() != Some(&'.') {
        return false;
    }
    let name: Vec<char> = name.chars().collect();
    let (mut at, mut of) = (0, 0);
    // The last star, and how much of the name it has matched.
    let mut star: Option<(usize, usize)> = None;
    while at < name.len() {
        match pattern.get(of) {
            Some('*') => {
                star = Some((of, at));
                of += 1;
            }
            Some(c) if *c == '?' || *c == name[at] => (at, of) = (at + 1, of + 1),
            _ => {
                let Some((place, taken)) = star else { return false };
                star = Some((place, taken + 1));
                (at, of) = (taken + 1, place + 1);
            }
        }
    }
    pattern[of..].iter().all(|c| *c == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn has(pattern: &str, path: &str) -> bool {
        let pattern = ReportPath::parse(pattern).unwrap();
        let mut at = pattern.start();
        for name in path.split('/') {
            assert!(pattern.goes_on(&at) || !pattern.is_whole(&at) || at.0.len() == 1);
            at = pattern.step(&at, name);
        }
        pattern.is_whole(&at)
    }

    #[test]
    fn patterns_match_as_those_of_shells_do() {
        for (pattern, path, expected) in [
            ("junit.xml", "junit.xml", true),
            ("junit.xml", "a/junit.xml", false),
            ("target/nextest/ci/junit.xml", "target/nextest/ci/junit.xml", true),
            ("target/nextest/ci/junit.xml", "target/nextest/ci", false),
            ("build/*.xml", "build/a.xml", true),
            ("build/*.xml", "build/a/b.xml", false),
            ("build/*.xml", "build/.xml", false),
            ("build/*.xml", "build/a.xml.txt", false),
            ("build/TEST-?.xml", "build/TEST-1.xml", true),
            ("build/TEST-?.xml", "build/TEST-12.xml", false),
            ("build/*a*b.xml", "build/xaxabxb.xml", true),
            ("build/**/*.xml", "build/a.xml", true),
            ("build/**/*.xml", "build/a/b/c.xml", true),
            ("build/**/*.xml", "build/.a/c.xml", false),
            ("**/build/**/*.xml", "build/c.xml", true),
            ("**/build/**/*.xml", "a/build/b/build/c.xml", true),
            ("**/build/**/*.xml", "a/b/c.xml", false),
            ("**/junit.xml", "node_modules/a/junit.xml", false),
            (".ci/junit.xml", ".ci/junit.xml", true),
            ("übung/*.xml", "übung/ü.xml", true),
        ] {
            assert_eq!(has(pattern, path), expected, "{pattern} {path}");
        }
    }

    #[test]
    fn invalid_report_paths_are_refused() {
        for (bad, part) in [
            ("/tmp/junit.xml", "within the repository"),
            ("../junit.xml", "within the repository"),
            ("a/../../junit.xml", "within the repository"),
            ("a//junit.xml", "within the repository"),
            ("./junit.xml", "within the repository"),
            ("", "within the repository"),
            ("a\\junit.xml", "expected no `\\\\`"),
            ("{a,b}/junit.xml", "expected no `{`"),
            ("[ab].xml", "expected no `[`"),
            ("a\n.xml", "expected no `\\n`"),
            ("build/", "within the repository"),
            ("build/junit.json", "ends in .xml"),
            ("build/**", "ends in .xml"),
            ("build/a**/b.xml", "`**` alone"),
            ("*.xml", "whole name"),
            ("**/*.xml", "whole name"),
        ] {
            let why = ReportPath::parse(bad).unwrap_err();
            assert!(why.contains(part), "{bad}: {why}");
        }
        let long = format!("{}.xml", "a".repeat(REPORT_PATH_MAX - 4));
        assert!(ReportPath::parse(&long).is_ok());
        assert!(ReportPath::parse(&format!("a{long}")).unwrap_err().contains("500 bytes, got 501"));
    }
}
