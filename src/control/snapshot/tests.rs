use super::*;
use crate::control::tests::Echo;
use crate::control::{Control, copy_snapshot};
use std::sync::atomic::{AtomicBool, Ordering};

/// A server that makes no snapshots.
pub(crate) struct NoSnapshots;

impl Snapshots for NoSnapshots {
    fn place(&self) -> PathBuf {
        PathBuf::new()
    }
    fn check_room(&self, _: &Path) -> Result<u64> {
        Err(Error::internal("no snapshots"))
    }
    fn copied(&self, _: &Path) -> u64 {
        0
    }
    fn copy_to(&self, _: &Path, _: &Stop) -> Result<i64> {
        Err(Error::internal("no snapshots"))
    }
}

/// Writes a file; if `endless`, waits until it is asked to stop.
struct Copies {
    place: PathBuf,
    endless: bool,
    was_stopped: Arc<AtomicBool>,
}

impl Snapshots for Copies {
    fn place(&self) -> PathBuf {
        self.place.clone()
    }
    fn check_room(&self, _: &Path) -> Result<u64> {
        Ok(9)
    }
    fn copied(&self, _: &Path) -> u64 {
        4
    }
    fn copy_to(&self, into: &Path, stop: &Stop) -> Result<i64> {
        fs::write(into.join("main.db"), "copied").map_err(Error::storage)?;
        while self.endless && !stop.is_asked() {
            std::thread::sleep(Duration::from_millis(5));
        }
        self.was_stopped.store(stop.is_asked(), Ordering::Relaxed);
        stop.check().map(|()| 77)
    }
}

struct Bench {
    folder: tempfile::TempDir,
    work: tempfile::TempDir,
    was_stopped: Arc<AtomicBool>,
    _control: Control,
}

fn bench(endless: bool) -> Bench {
    let (folder, work) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let was_stopped = Arc::<AtomicBool>::default();
    let copies = Copies { place: folder.path().join("own"), endless, was_stopped: was_stopped.clone() };
    let control = Control::start(folder.path(), Echo, copies, Turn::default()).unwrap();
    Bench { folder, work, was_stopped, _control: control }
}

/// Runs blocking work beside the socket.
async fn beside<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    tokio::task::spawn_blocking(work).await.unwrap()
}

async fn gone(path: &Path) {
    while path.exists() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_snapshot_is_made_in_the_callers_directory_and_removed_after_use() {
    let bench = bench(false);
    let (folder, at) = (bench.folder.path().to_owned(), bench.work.path().to_owned());
    let used = beside(move || {
        let work = CallerDirectory::at(&at).unwrap();
        copy_snapshot(&folder, &work, &|_, _| {}, |copied| {
            Ok((copied.clone(), fs::read_to_string(copied.path.join("main.db")).unwrap()))
        })
    });
    let (copied, text) = used.await.unwrap().unwrap();
    assert_eq!((copied.last_position, text.as_str()), (77, "copied"));
    assert_eq!(copied.path, bench.work.path().join("snapshot"));
    gone(&copied.path).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_sees_another_directory_uses_its_own() {
    let bench = bench(false);
    let (folder, at) = (bench.folder.path().to_owned(), bench.work.path().to_owned());
    let used = beside(move || {
        let mut work = CallerDirectory::at(&at).unwrap();
        work.inode += 1;
        copy_snapshot(&folder, &work, &|_, _| {}, |copied| Ok(copied.path.clone()))
    });
    let place = used.await.unwrap().unwrap();
    assert_eq!(place, bench.folder.path().join("own"));
    gone(&place).await;
    assert_eq!(fs::read_dir(bench.work.path()).unwrap().count(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_copy_reports_progress_refuses_others_and_stops_with_its_caller() {
    let bench = bench(true);
    let (folder, at) = (bench.folder.path().to_owned(), bench.work.path().to_owned());
    let (tell, told) = mpsc::channel();
    let path = folder.join(crate::control::FILE);
    let asking = tokio::spawn(async move {
        // A caller that only reads, as the command line does before its end.
        use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
        let body = serde_json::to_string(&CallerDirectory::at(&at).unwrap()).unwrap();
        let mut stream = tokio::net::UnixStream::connect(path).await.unwrap();
        let head = format!("POST {SNAPSHOT} HTTP/1.1\r\nhost: x\r\ncontent-length: {}\r\n\r\n", body.len());
        stream.write_all((head + &body).as_bytes()).await.unwrap();
        let mut bytes = [0; 4_096];
        loop {
            let read = stream.read(&mut bytes).await.unwrap();
            if tell.send(String::from_utf8_lossy(&bytes[..read]).into_owned()).is_err() {
                return;
            }
        }
    });
    let told = beside(move || {
        while !told.recv().unwrap().contains(r#"{"progress":[4,9]}"#) {}
        told
    });
    let told = told.await;
    let second = beside({
        let (folder, work) = (folder.clone(), CallerDirectory::at(bench.work.path()).unwrap());
        move || copy_snapshot(&folder, &work, &|_, _| {}, |_| Ok(()))
    });
    let refused = second.await.unwrap_err();
    assert!(refused.to_string().contains("Another backup is being made"), "{refused}");
    drop(told);
    asking.await.unwrap();
    gone(&bench.work.path().join("snapshot")).await;
    assert!(bench.was_stopped.load(Ordering::Relaxed));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_caller_gets_the_reason_for_a_failure() {
    let folder = tempfile::tempdir().unwrap();
    let _control = Control::start(folder.path(), Echo, NoSnapshots, Turn::default()).unwrap();
    let (data, work) = (folder.path().to_owned(), CallerDirectory::at(folder.path()).unwrap());
    let refused = beside(move || copy_snapshot(&data, &work, &|_, _| {}, |_| Ok(()))).await.unwrap_err();
    assert_eq!(refused.to_string(), "no snapshots");
    assert!(!folder.path().join("snapshot").exists());
    let nowhere = tempfile::tempdir().unwrap();
    let (data, work) = (nowhere.path().to_owned(), CallerDirectory::at(nowhere.path()).unwrap());
    assert_eq!(beside(move || copy_snapshot(&data, &work, &|_, _| {}, |_| Ok(()))).await.unwrap(), None);
}
