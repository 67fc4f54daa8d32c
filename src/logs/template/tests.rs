use super::*;
use crate::grouping::tests::Numbers;
use crate::grouping::tests::message::fill;

#[track_caller]
fn assert_made(pairs: &[(&str, &str)]) {
    for (message, template) in pairs {
        assert_eq!(make(message), *template, "{message}");
        assert_eq!(make(template), *template, "again: {message}");
    }
}

#[test]
fn templates_of_servers_and_databases() {
    assert_made(&[
        (
            r#"192.168.1.1 - - [10/Oct/2023:13:55:36 +0000] "GET /x HTTP/1.1" 200 2326 "-" "Mozilla/5.0""#,
            "{address} - - [{date}] {string} {number} {number} {string} {string}",
        ),
        (
            "2024/01/02 03:04:05 [error] 1234#1234: *5 connect() failed (111: Connection refused), client: 10.0.0.1",
            "{date} [error] {number}#{number}: *{number} connect() failed ({number}: Connection refused), client: {address}",
        ),
        (
            "checkpoint complete: wrote 1234 buffers (7.5%); write=1.234 s, sync=0.005 s",
            "checkpoint complete: wrote {number} buffers ({number}%); write={value} s, sync={value} s",
        ),
        (
            "ERROR:  duplicate key value violates unique constraint \"users_email_key\"",
            "ERROR:  duplicate key value violates unique constraint {string}",
        ),
        (
            "FATAL:  password authentication failed for user \"bob\"",
            "FATAL:  password authentication failed for user {string}",
        ),
        ("Killed process 2211 (mysqld) total-vm:1203kB", "Killed process {number} (mysqld) total-vm:{size}"),
        (
            "Aborted connection 42 to db: 'shop' user: 'web' host: '10.0.0.7'",
            "Aborted connection {number} to db: {string} user: {string} host: {string}",
        ),
        (
            "Oct  1 13:55:36 web1 sshd[2211]: Failed password for admin from 10.1.2.3 port 51234 ssh2",
            "{date} web{number} sshd[{number}]: Failed password for admin from {address} port {number} ssh2",
        ),
        (
            "Accepted publickey for deploy: ED25519 SHA256:AbCdEf0123456789AbCdEf0123456789AbCdEf01234",
            "Accepted publickey for deploy: ED25519 SHA256:{id}",
        ),
        (
            "eth0: link up, 1000Mbps, full-duplex, lpa 0x45E1",
            "eth{number}: link up, {number}Mbps, full-duplex, lpa {address}",
        ),
        ("Started Session 12 of user root.", "Started Session {number} of user root."),
        ("5:M 02 Jan 2024 03:04:05.678 * DB saved on disk", "{number}:M {date} * DB saved on disk"),
    ]);
}

#[test]
fn templates_of_frameworks() {
    assert_made(&[
        (
            "Completed 200 OK in 35ms (Views: 10.2ms | ActiveRecord: 5.1ms)",
            "Completed {number} OK in {duration} (Views: {duration} | ActiveRecord: {duration})",
        ),
        (
            "Started GET \"/orders/42\" for 127.0.0.1 at 2024-01-02 03:04:05 +0000",
            "Started GET {string} for {address} at {date}",
        ),
        (
            r#"  Parameters: {"id"=>"5", "user"=>{"name"=>"bob"}}"#,
            r#"  Parameters: {"id"=>{string}, "user"=>{"name"=>{string}}}"#,
        ),
        (
            "Cannot read properties of undefined (reading 'price')",
            "Cannot read properties of undefined (reading {string})",
        ),
        ("Server listening on port 8080", "Server listening on port {number}"),
        ("GET /orders/42/items 304 12.5 ms - -", "GET /orders/{number}/items {number} {number} ms - -"),
        (
            "I1010 13:55:36.123456       1 controller.go:114] Reconciling pod default/web-7d9f8b6c5-x2x4z",
            "I{number} {date}       {number} controller.go:{number}] Reconciling pod default/web-{id}-{id}",
        ),
        ("Created pod: api-server-66bcxhkfg-bcdfg", "Created pod: api-server-{id}-{id}"),
        (
            r#"level=info ts=2024-01-02T03:04:05.678Z msg="Server started on 0.0.0.0:80" user=bob took=5ms"#,
            r#"level=info ts={value} msg="Server started on {address}" user={value} took={value}"#,
        ),
        (
            r#"err="open /tmp/a1b2c3d4: no such file" n=1"#,
            r#"err="open /tmp/{hash}: no such file" n={value}"#,
        ),
        (
            "Exception in thread \"main\" java.lang.NullPointerException at com.acme.Foo.bar(Foo.java:42)",
            "Exception in thread {string} java.lang.NullPointerException at com.acme.Foo.bar(Foo.java:{number})",
        ),
        (
            "HikariPool-1 - Connection is not available, request timed out after 30000ms.",
            "HikariPool-{number} - Connection is not available, request timed out after {duration}.",
        ),
        (
            "Task shop.tasks.mail[550e8400-e29b-41d4-a716-446655440000] succeeded in 0.012s: None",
            "Task shop.tasks.mail[{id}] succeeded in {duration}: None",
        ),
        (
            r#"{"level":"info","msg":"started","port":80}"#,
            r#"{"level":{string},"msg":{string},"port":{number}}"#,
        ),
        (
            "thread 'main' panicked at src/main.rs:4:5:",
            "thread {string} panicked at src/main.rs:{number}:{number}:",
        ),
        (
            "goroutine 17 [running]: main.go:42 +0x1d",
            "goroutine {number} [running]: main.go:{number} +{address}",
        ),
    ]);
}

#[test]
fn every_variable_part_is_replaced() {
    assert_made(&[
        ("offset -5, +3 (-1.5)", "offset {number}, {number} ({number})"),
        ("in 1m30.5s, 12.5MiB, 3rd of 1,234.56", "in {duration}, {size}, {number} of {number}"),
        ("worker12 user_12_x ABC-12345", "worker{number} user_{number}_x ABC-{number}"),
        ("fetched https://api.example.com/v1/users/42?x=1.", "fetched {url}."),
        ("mail ann@example.org", "mail {email}"),
        ("user.created id=550e8400-e29b-41d4-a716-446655440000 x=a,b", "user.created id={value} x={value},b"),
        ("pi_3MtwBwLkdIwHu7ix28a3tqPa by cus_NffrFeUfNV2Hib", "pi_{id} by cus_{id}"),
        ("at 0x7ffee4b2, commit 1a2b3c4, V1StGXR8_Z5jdHi6B-myT", "at {address}, commit {hash}, {id}"),
        ("01HZY3K9V4Q8M2N7R5T6W1X0YZ 507f1f77bcf86cd799439011", "{id} {hash}"),
        ("[::1]:8080 2001:db8::1 aa:bb:cc:dd:ee:0f", "[{address}]:{number} {address} {address}"),
        ("don't open ‘it’s’ now, “a” «b» `c'", "don't open {string} now, {string} {string} {string}"),
        ("at 12:30 {user} said {0}", "at {number}:{number} {user} said {{number}}"),
        ("Ошибка 5 в базе café42", "Ошибка {number} в базе café{number}"),
    ]);
}

#[test]
fn a_message_without_variable_parts_is_unchanged() {
    for message in [
        "",
        "  user   not found\n",
        "using utf8 and sha256 over HTTP/2 with log4j, v2 on S3, x509 by OAuth2",
        "Hello {name}, {user_id}!",
        "the user's cart isn't empty; open 'quote",
        "facade deadbeef getUserProfileCardOrNull ERR_HTTP_HEADERS_SENT std::bad::face a::b",
        "a == b, a <= c, level=warn state=ready",
        "Ошибка базы данных… — 東京",
    ] {
        assert!(
            matches!(make(message), Cow::Borrowed(same) if same == message),
            "{message}: {}",
            make(message)
        );
    }
}

#[test]
fn a_line_of_code_has_one_template_whatever_its_values() {
    let lines = [
        "Cannot read properties of undefined (reading '%s')",
        "user %u not found in tenant %n",
        "Loading chunk %n failed.\n(missing: %w)",
        "Request failed with status code %n after %nms (%f s)",
        "can't parse \"%s\" at position %n:%n",
        "connect ECONNREFUSED %i:%o",
        "key %h of %r at %p",
        "mail to %e bounced at %d",
        "/api/users/%u/orders/%n: %n% used",
        "offset: %n, -%n, item%n_x [%n,%n]",
        "`%s` isn't “%s”",
        "level=info id=%n user=%u from=%i url=%w took=%nms msg=\"done %n\"",
        "{\"id\":%n,\"who\":\"%u\",\"at\":\"%d\"}",
    ];
    let mut numbers = Numbers::new();
    for line in lines.map(|line| line.replace("% ", "%n ")) {
        let first = make(&fill(&line, &mut numbers)).into_owned();
        for _ in 0..1000 {
            let message = fill(&line, &mut numbers);
            assert_eq!(make(&message), first, "{message}");
        }
    }
}

#[test]
fn the_template_of_a_template_is_itself() {
    let alphabets = [
        "ab09'\" ",
        "aF0x9:.-, ",
        "a1@b.c/:'`\\\" {}numstr",
        "0123456789-:./T ZGM+",
        "JanTue 0123,:/",
        "abcdefABCDEF0123456789_",
        "ab=\"' 1msg,{}",
        "xbz2-4 kms",
    ];
    let mut numbers = Numbers::new();
    for round in 0..60_000 {
        let length = 1 + numbers.below(60);
        let message = numbers.text(alphabets[round % alphabets.len()], length);
        let once = make(&message);
        assert_eq!(make(&once), once, "{message:?}");
    }
}

#[test]
fn long_messages_are_cut_and_hostile_ones_take_linear_time() {
    let pieces = [
        "word ", "x", "12 ", "'a' ", "a'b ", "é", "“", "a:b:", ",-1", "{", "\\\"", "1a-", "a=", "a@", "\"a'",
        "::", "aB1",
    ];
    for piece in pieces {
        let message = piece.repeat((1 << 20) / piece.len());
        // With quadratic time it would take hours.
        let once = make(&message);
        assert!(!once.is_empty() && once.chars().count() <= TEMPLATE_MAX, "{piece:?}");
        assert_eq!(make(&once), once, "{piece:?}");
    }
    assert_eq!(make(&format!("{} end", "word ".repeat(210))).len(), 1019, "at a space");
}

#[test]
fn names_are_sorted_for_the_search() {
    assert!(shape::NAMES.is_sorted() && shape::NAMES.iter().all(|name| name.len() <= 8));
}
