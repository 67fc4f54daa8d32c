use super::*;
use crate::organizations;
use crate::projects;
use crate::store::{Fatal, Main};
use crate::time::Timestamp;

#[test]
fn what_is_known_of_a_release_that_nobody_created_is_asked_once_for_all_frames() {
    let dir = tempfile::tempdir().unwrap();
    let main = Main::open(dir.path(), &Fatal::new().0).unwrap();
    let maps = Arc::new(Maps::open(&dir.path().join("sourcemaps"), &main, 50 << 20).unwrap());
    let details = main.write_blocking(move |tx| {
        let now = Timestamp::now();
        let organization = organizations::sql::create(tx, "O", now)?;
        let settings = projects::Settings::default();
        let new = projects::sql::NewProject { organization, name: "P".into(), platform: None, settings };
        let project = projects::sql::create(tx, &new, now)?.id;
        let frame = Frame { url: Some("https://shop.example/a.js".into()), ..Frame::default() };
        let mut resolver = Resolver::new(maps);
        let explainer = Explainer::new(tx, &mut resolver, project, Some("9"), 0)?;
        let first = explainer.cause(&frame)?;
        // Were the next frame to ask again, it would name this one.
        sql::create(tx, project, "8", "~/", now)?;
        let second = explainer.cause(&frame)?;
        let later = Explainer::new(tx, &mut resolver, project, Some("9"), 0)?.cause(&frame)?;
        Ok([first, second, later])
    });
    let [first, second, later] = details.unwrap();
    assert_eq!(first.0, Rule::Release);
    assert_eq!(first, second);
    assert!(later.1.contains("the newest are: 8"), "{}", later.1);
}
