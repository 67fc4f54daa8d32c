use super::*;

const REFUSED: &str = "
    0.0.0.0 0.1.2.3 10.0.0.0 10.255.255.255 100.64.0.0 100.127.255.255 127.0.0.1 127.255.255.254
    169.254.0.1 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.1 192.0.0.170 192.0.2.1 192.88.99.1
    192.168.0.1 192.168.255.255 198.18.0.1 198.19.255.255 198.51.100.7 203.0.113.9 224.0.0.1
    239.255.255.255 240.0.0.1 254.1.1.1 255.255.255.255
    :: ::1 ::7f00:1 ::808:808 ::ffff:127.0.0.1 ::ffff:10.1.2.3 ::ffff:169.254.169.254 ::ffff:0:8.8.8.8
    64:ff9b::127.0.0.1 64:ff9b::10.0.0.1 64:ff9b::169.254.169.254 64:ff9b:1::1 64:ff9b:1::8.8.8.8
    100::1 100:0:0:1::1 2001::1 2001:0:7f00:1:: 2001:2::1 2001:10::1 2001:20::1 2001:1ff::1
    2001:db8::1 2002:7f00:1:: 2002:a00:1:: 2002:808:808::1 3fff::1 3fff:fff::1 5f00::1
    fc00::1 fd12:3456:789a::1 fe80::1 febf::1 fec0::1 ff02::1 ff0e::1 4000::1 e000::1
";

const ALLOWED: &str = "
    1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.1
    140.82.121.4 169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 192.0.1.1 192.0.3.1 192.88.98.1
    192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0 198.51.99.255 203.0.112.255 203.0.114.0
    223.255.255.255
    2001:200::1 2001:4860:4860::8888 2001:db7::1 2001:db9::1 2003::1 2606:4700:4700::1111 2a00:1450::1
    3ffe::1 3fff:1000::1 ::ffff:8.8.8.8 64:ff9b::8.8.8.8
";

#[test]
fn only_addresses_of_the_public_internet_pass() {
    for (list, public) in [(REFUSED, false), (ALLOWED, true)] {
        for text in list.split_whitespace() {
            let address: IpAddr = text.parse().unwrap_or_else(|_| panic!("{text}"));
            assert_eq!(is_public(address), public, "{text}");
        }
    }
    assert!(REFUSED.split_whitespace().count() + ALLOWED.split_whitespace().count() >= 60);
}

#[test]
fn names_that_never_leave_a_network_are_local() {
    for host in
        ["localhost", "LOCALHOST", "localhost.", "a.localhost", "printer.local", "x.internal", "", "."]
    {
        assert!(is_local_name(host), "{host}");
    }
    for host in ["example.com", "example.com.", "localhost.example.com", "local.dev", "notlocalhost"] {
        assert!(!is_local_name(host), "{host}");
    }
}
