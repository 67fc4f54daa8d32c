//! The output of an agent, which ends a while after its supervisor has: whoever outlives that may hold it open for ever.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use std::io::Read;
use std::os::fd::AsFd;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// How long output is read after the supervisor has ended.
const LEFT: Duration = Duration::from_secs(5);
/// How often is looked whether it has.
const LOOK: Timespec = Timespec { tv_sec: 0, tv_nsec: 200_000_000 };

pub(super) struct Pipe<P> {
    pipe: P,
    ended: Arc<OnceLock<Instant>>,
}

impl<P: Read + AsFd> Pipe<P> {
    /// `ended`: when the supervisor had.
    pub(super) fn new(pipe: P, ended: &Arc<OnceLock<Instant>>) -> Self {
        Self { pipe, ended: ended.clone() }
    }
}

impl<P: Read + AsFd> Read for Pipe<P> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        loop {
            if self.ended.get().is_some_and(|at| at.elapsed() >= LEFT) {
                return Ok(0);
            }
            match poll(&mut [PollFd::new(&self.pipe, PollFlags::IN)], Some(&LOOK)) {
                Ok(0) | Err(Errno::INTR) => {}
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
    fn what_is_written_is_read_and_a_pipe_that_is_held_open_ends() {
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
    fn a_pipe_that_is_closed_ends_at_once() {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(writer);
        assert_eq!(Pipe::new(reader, &Arc::default()).read(&mut [0; 8]).unwrap(), 0);
    }
}
