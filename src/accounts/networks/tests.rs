use super::*;

#[test]
fn a_network_is_what_providers_give_to_one_customer() {
    for (address, expected) in [
        ("203.0.113.77", "203.0.113.0/24"),
        ("::ffff:203.0.113.77", "203.0.113.0/24"),
        ("2001:db8:1:2:3::4", "2001:db8:1::/48"),
    ] {
        assert_eq!(network(address.parse().unwrap()), expected);
    }
}

#[test]
fn a_use_is_new_once_unless_it_could_not_be_stored() {
    let (known, one) = (KnownUses::default(), Use::new(Holder::Personal, 1, "203.0.113.7".parse().unwrap()));
    assert!(known.is_new(&one) && !known.is_new(&one));
    let other = Use { holder: Holder::Project, ..one.clone() };
    assert!(known.is_new(&other));
    known.forget(&one);
    assert!(known.is_new(&one));
}
