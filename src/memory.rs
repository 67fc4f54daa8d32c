//! How memory is asked for.

/// Pools that threads allocate from. Left to itself glibc makes up to eight a core, and each keeps what it
/// once had: while logs came in at full speed that doubled what the process held. (Bounds on when memory is
/// given back were tried, too, and took a third more CPU for each event.)
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const ARENAS: libc::c_int = 2;

/// Bounds what the allocator keeps; called before any thread is started.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[allow(unsafe_code)] // See the SAFETY comment.
pub fn bound() {
    // SAFETY: mallopt takes two numbers, touches no memory of ours, and no other thread runs yet.
    unsafe { libc::mallopt(libc::M_ARENA_MAX, ARENAS) };
}

/// Other allocators have no such knob.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub fn bound() {}
