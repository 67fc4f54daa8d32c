use super::*;
use std::fs;
use std::os::unix::fs::symlink;
use tempfile::TempDir;

const FREE: Check<'static> = &|| Ok(());

fn tree(files: &[(&str, &str)]) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = dir.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    dir
}

fn report(name: &str) -> String {
    format!("<testsuite name='s'><testcase name='{name}'/></testsuite>")
}

fn found(dir: &TempDir, pattern: &str) -> Result<Option<String>, String> {
    let results = read(dir.path(), &ReportPath::parse(pattern).unwrap(), FREE)?;
    Ok(results.map(|results| results.counts(None)))
}

#[test]
fn all_matching_reports_are_combined() {
    let dir = tree(&[
        ("a/build/results/one.xml", &report("one")),
        ("a/build/results/deep/er/two.xml", &report("two")),
        ("build/three.xml", &report("three")),
        ("build/three.txt", "no report"),
        ("node_modules/x/build/four.xml", "no report"),
    ]);
    assert_eq!(found(&dir, "**/build/**/*.xml"), Ok(Some("3 tests pass".to_owned())));
    assert_eq!(found(&dir, "build/three.xml"), Ok(Some("1 test passes".to_owned())));
    assert_eq!(found(&dir, "build/four.xml"), Ok(None));
    assert_eq!(found(&dir, "build/three.xml/a.xml"), Ok(None), "a file is no folder");
    fs::create_dir(dir.path().join("build/folder.xml")).unwrap();
    assert_eq!(found(&dir, "build/*.xml"), Ok(Some("1 test passes".to_owned())));
}

#[test]
fn reports_are_not_read_through_links_or_from_pipes() {
    let outside = tree(&[("junit.xml", &report("outside"))]);
    let dir = tree(&[("a/x", "")]);
    symlink(outside.path().join("junit.xml"), dir.path().join("junit.xml")).unwrap();
    symlink(outside.path(), dir.path().join("build")).unwrap();
    let pipe = dir.path().join("a/junit.xml");
    rustix::fs::mknodat(CWD, &pipe, rustix::fs::FileType::Fifo, Mode::from_raw_mode(0o600), 0).unwrap();
    for pattern in ["junit.xml", "build/junit.xml", "**/junit.xml"] {
        assert_eq!(found(&dir, pattern), Ok(None), "{pattern}");
    }
    remove(dir.path(), &ReportPath::parse("**/junit.xml").unwrap(), FREE).unwrap();
    assert!(!dir.path().join("junit.xml").is_symlink() && !pipe.exists());
    assert!(outside.path().join("junit.xml").exists());
}

#[test]
fn reports_that_were_there_before_are_removed() {
    let dir =
        tree(&[("build/a/one.xml", ""), ("build/two.xml", ""), ("build/kept.txt", ""), ("pom.xml", "")]);
    fs::create_dir(dir.path().join("build/folder.xml")).unwrap();
    let path = ReportPath::parse("build/**/*.xml").unwrap();
    remove(dir.path(), &path, FREE).unwrap();
    for (file, stays) in [
        ("build/a/one.xml", false),
        ("build/two.xml", false),
        ("build/kept.txt", true),
        ("build/folder.xml", true),
        ("pom.xml", true),
    ] {
        assert_eq!(dir.path().join(file).exists(), stays, "{file}");
    }
    assert!(remove(dir.path(), &path, &|| Err("late".to_owned())).unwrap_err().contains("late"));
}

#[test]
fn reports_are_bounded() {
    let dir = tree(&[("build/x", "")]);
    let large = fs::File::create(dir.path().join("build/large.xml")).unwrap();
    large.set_len(BYTES_MAX + 1).unwrap();
    assert!(found(&dir, "build/*.xml").unwrap_err().contains("64.0 MiB"));
    let deep = format!("deep/{}junit.xml", "a/".repeat(60));
    let dir = tree(&[(&deep, &report("deep"))]);
    assert!(found(&dir, "**/junit.xml").unwrap_err().contains("50 folders"));
    let dir = tree(&[("build/broken.xml", "<testsuite>"), ("build/good.xml", &report("good"))]);
    assert!(found(&dir, "build/*.xml").unwrap_err().contains("ends in its middle"));
}

#[test]
fn directory_listings_are_limited() {
    let dir = tree(&[("a.xml", ""), ("b.xml", ""), ("c/d.xml", "")]);
    let folder = openat(CWD, dir.path(), FOLDER, Mode::empty()).unwrap();
    let counts = [2, 3, 4].map(|most| names(&folder, most).len());
    assert_eq!(counts, [2, 3, 3], "and neither itself nor the one that it is in");
    let path = ReportPath::parse("c/*.xml").unwrap();
    let walk = |looked| Walk { looked, ..Walk::new(&path, FREE) }.through(dir.path(), &mut |_, _| Ok(()));
    assert_eq!(walk(LOOKED_MAX - 4), Ok(()));
    for left in [0, 2, 3] {
        assert!(walk(LOOKED_MAX - left).unwrap_err().contains("500000"), "{left}");
    }
}
