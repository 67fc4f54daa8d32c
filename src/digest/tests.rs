// Filled below: see the commit that adds the digest's tests.
