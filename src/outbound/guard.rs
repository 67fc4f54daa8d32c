//! Whether an address is on the public internet.
//!
//! The ranges are those of IANA's special-purpose registries for IPv4 and IPv6 (RFC 6890).

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Whether a name is local to a machine or a network (RFC 6761, RFC 6762, ICANN's `.internal`), with or
/// without a trailing dot.
pub fn is_local_name(host: &str) -> bool {
    let host = host.trim_end_matches('.').to_ascii_lowercase();
    let last = host.rsplit('.').next().unwrap_or_default();
    host.is_empty() || matches!(last, "localhost" | "local" | "internal")
}

/// Whether an address is on the public internet. IPv6 addresses that embed an IPv4 address are judged by
/// that.
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let private = match address.octets() {
        // This network, private, loopback, link-local, private.
        [0 | 10 | 127, ..] | [169, 254, ..] | [192, 168, ..] => true,
        [172, second, ..] => second & 0xf0 == 16,
        // Carrier-grade NAT.
        [100, second, ..] => second & 0xc0 == 64,
        // Protocol assignments, three documentation networks, relays of 6to4.
        [192, 0, 0 | 2, _] | [198, 51, 100, _] | [203, 0, 113, _] | [192, 88, 99, _] => true,
        // Benchmarks.
        [198, 18 | 19, ..] => true,
        // Multicast, reserved, broadcast.
        [224..=255, ..] => true,
        _ => false,
    };
    !private
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let segments = address.segments();
    let [.., high, low] = segments;
    let embedded = || {
        let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
        is_public_v4(Ipv4Addr::new(a, b, c, d))
    };
    match segments {
        // Mapped IPv4; NAT64, by which a host without IPv4 reaches the rest.
        [0, 0, 0, 0, 0, 0xffff, ..] | [0x64, 0xff9b, 0, 0, 0, 0, ..] => embedded(),
        // Protocol assignments with Teredo, ORCHID and benchmarks; documentation; 6to4, which is no longer in
        // use.
        [0x2001, 0..0x200, ..] | [0x2001, 0xdb8, ..] | [0x2002, ..] | [0x3fff, 0..0x1000, ..] => false,
        // All public addresses are in 2000::/3: not loopback, unspecified, compatible IPv4, discard, local
        // NAT64, unique local, link-local, site-local, multicast.
        [first, ..] => first & 0xe000 == 0x2000,
    }
}

#[cfg(test)]
mod tests;
