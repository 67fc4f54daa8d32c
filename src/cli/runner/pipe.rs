//! The output of an agent. Reading ends some time after its supervisor has ended, because a process that survives may
//! hold the pipe open forever.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use std::io::Read;
use std::os::fd::AsFd;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// How long output is read after the supervisor has ended.
const LEFT: Duration = Duration::from_secs(5);
/// Bytes that are read after that: the capacity of a pipe.
const HELD: usize = 64 << 10;
/// How often to check whether it has ended.
const LOOK: Timespec = Timespec { tv_sec: 0, tv_nsec: 200_000_000 };
const AT_ONCE: Timespec = Timespec { tv_sec: 0, tv_nsec: 0 };

pub(super) struct Pipe<P> {
    pipe: P,
    ended: Arc<OnceLock<Instant>>,
    /// How much of [`HELD`] may still be read.
    held: usize,
}

impl<P: Read + AsFd> Pipe<P> {
    /// `ended` is set when the supervisor ends.
    pub(super) fn new(pipe: P, ended: &Arc<OnceLock<Instant>>) -> Self {
        Self { pipe, ended: ended.clone(), held: HELD }
    }
}

impl<P: Read + AsFd> Read for Pipe<P> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        loop {
            let is_late = self.ended.get().is_some_and(|at| at.elapsed() >= LEFT);
            let wait = if is_late { &AT_ONCE } else { &LOOK };
            match poll(&mut [PollFd::new(&self.pipe, PollFlags::IN)], Some(wait)) {
                Ok(0) if is_late => return Ok(0),
                Ok(0) | Err(Errno::INTR) => {}
                Ok(_) if is_late => {
                    let most = buffer.len().min(self.held);
                    let read = self.pipe.read(&mut buffer[..most])?;
                    self.held -= read;
                    return Ok(read);
                }
                Ok(_) => return self.pipe.read(buffer),
                Err(error) => return Err(error.into()),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    #[test]
    fn reading_a_pipe_that_is_held_open_ends() {
        let (reader, mut writer) = std::io::pipe().unwrap();
        let ended = Arc::default();
        let mut pipe = Pipe::new(reader, &ended);
        writer.write_all(b"text").unwrap();
        let mut text = [0; 8];
        assert_eq!(pipe.read(&mut text).unwrap(), 4);
        ended.set(Instant::now() - LEFT + Duration::from_millis(300)).unwrap();
        assert_eq!(pipe.read(&mut text).unwrap(), 0, "the writer is still there");
        drop(writer);
    }

    #[test]
    fn what_a_pipe_holds_at_the_deadline_is_read() {
        let (reader, mut writer) = std::io::pipe().unwrap();
        let ended = Arc::new(OnceLock::from(Instant::now() - LEFT));
        let mut pipe = Pipe::new(reader, &ended);
        writer.write_all(b"the last words").unwrap();
        let mut text = String::new();
        assert_eq!(pipe.read_to_string(&mut text).unwrap(), 14);
        assert_eq!(text, "the last words");
        // A process that keeps writing is cut off.
        let writing = std::thread::spawn(move || while writer.write_all(&[b'x'; 1024]).is_ok() {});
        assert!(pipe.read_to_end(&mut Vec::new()).unwrap() <= HELD);
        drop(pipe);
        writing.join().unwrap();
    }

    #[test]
    fn a_closed_pipe_ends_at_once() {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(writer);
        assert_eq!(Pipe::new(reader, &Arc::default()).read(&mut [0; 8]).unwrap(), 0);
    }
}
