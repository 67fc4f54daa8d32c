//! Names that indicate that their value is a secret or somebody's address.

mod words;

use std::borrow::Cow;
use words::Meaning;

/// A secret's name contains one of these, after [`squash`].
pub(super) const SECRET_PARTS: [&str; 24] = [
    "password",
    "passwd",
    "passphrase",
    "passcode",
    "pwd",
    "secret",
    "token",
    "authorization",
    "cookie",
    "apikey",
    "accesskey",
    "accountkey",
    "privatekey",
    "signingkey",
    "encryptionkey",
    "credential",
    "xsrf",
    "csrf",
    "creditcard",
    "cardnumber",
    "socialsecurity",
    "connectionstring",
    "sessionkey",
    "otpcode",
];

/// A secret's name is one of these, after [`squash`]; as parts, they occur in too many harmless words.
pub(super) const SECRET_NAMES: [&str; 9] =
    ["auth", "pin", "cvv", "cvc", "ssn", "otp", "jwt", "sessionid", "dsnkey"];

/// What signs an address, after [`squash`].
const SIGNATURES: [&str; 4] = ["sig", "signature", "xamzsignature", "xgoogsignature"];

/// An address's name is one of these, after [`squash`]: what programs and proxies call it.
pub(super) const ADDRESS_NAMES: [&str; 30] = [
    "ip",
    "ipaddress",
    "ipaddr",
    "clientip",
    "clientipaddress",
    "userip",
    "sourceip",
    "remoteip",
    "remoteaddr",
    "remoteaddress",
    "forwarded",
    "forwardedfor",
    "xforwarded",
    "xforwardedfor",
    "xoriginalforwardedfor",
    "xrealip",
    "xremoteip",
    "xremoteaddr",
    "xoriginatingip",
    "xclientip",
    "xclusterclientip",
    "xazureclientip",
    "xappengineuserip",
    "xenvoyexternaladdress",
    "trueclientip",
    "cfconnectingip",
    "cfconnectingipv6",
    "doconnectingip",
    "fastlyclientip",
    "flyclientip",
];

/// Letters of the shortest of all of them: `ip`.
const SHORTEST: usize = 2;

/// What a name says about its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Says {
    Secret,
    /// Secrets, unless the value is a number: then it counts them.
    Tokens,
    /// `name=value` pairs up to the end of the line.
    Cookie,
    /// A scheme and what follows it.
    Authorization,
    /// The project wants it removed.
    Own,
    Address,
}

/// The names whose values a project wants removed.
#[derive(Debug)]
pub(super) struct Names {
    secrets: bool,
    addresses: bool,
    keys: Vec<String>,
    /// The endings of names, including those of addresses.
    endings: Endings,
    address_endings: Endings,
}

impl Names {
    pub(super) fn new(secrets: bool, addresses: bool, keys: &[String]) -> Self {
        let keys: Vec<String> = keys.iter().map(|key| squash(key).into_owned()).collect();
        let (mut endings, mut address_endings) = (Endings::none(), Endings::none());
        ADDRESS_NAMES.iter().for_each(|name| address_endings.add(name));
        if secrets {
            SECRET_PARTS.iter().chain(&SECRET_NAMES).for_each(|name| endings.add(name));
        }
        if addresses {
            ADDRESS_NAMES.iter().for_each(|name| endings.add(name));
        }
        keys.iter().for_each(|key| endings.add(key));
        Self { secrets, addresses, keys, endings, address_endings }
    }

    /// Whether no name says anything.
    pub(super) fn are_none(&self) -> bool {
        !self.secrets && !self.addresses && self.keys.is_empty()
    }

    /// What the name of a field says; most say nothing.
    pub(super) fn says(&self, name: &str) -> Option<Says> {
        if name.len() < SHORTEST && self.keys.is_empty() {
            return None;
        }
        with_squashed(name, |squashed| {
            let secret = if self.secrets { secret_name(squashed, name) } else { None };
            match secret {
                None | Some(Says::Tokens) => self.exactly(squashed).or(secret),
                secret => secret,
            }
        })
    }

    /// What a name in running text says. There, it must *end* like the name of a secret, so that file names
    /// (`token.js:12`) and other words with such a part say nothing.
    pub(super) fn says_in_text(&self, name: &str) -> Option<Says> {
        with_squashed(name, |squashed| {
            // `tokens` is usually followed by a count.
            let one = squashed.strip_suffix('s').filter(|one| !one.ends_with("token")).unwrap_or(squashed);
            let ends = SECRET_NAMES.contains(&one)
                || SECRET_PARTS
                    .iter()
                    .any(|part| one.ends_with(part) && meaning(part, name) == Meaning::Secret);
            if self.secrets && ends { Some(sort(one)) } else { self.exactly(squashed) }
        })
    }

    /// Whether [`Self::says_in_text`] may say something about a name with this ending.
    pub(super) fn may_end(&self, text: &[u8]) -> bool {
        self.endings.may_end(text)
    }

    fn exactly(&self, squashed: &str) -> Option<Says> {
        let may_be_address = self.addresses && self.address_endings.may_end(squashed.as_bytes());
        if may_be_address && is_address_name(squashed) {
            return Some(Says::Address);
        }
        self.keys.iter().any(|key| key == squashed).then_some(Says::Own)
    }
}

fn sort(squashed: &str) -> Says {
    if squashed.contains("cookie") {
        Says::Cookie
    } else if squashed == "auth" || squashed.contains("authorization") {
        Says::Authorization
    } else {
        Says::Secret
    }
}

/// The last two letters or digits of names; most colons in a stack follow others.
#[derive(Debug)]
struct Endings {
    /// By the last one, a bit for each possible one before it.
    before: [u64; 36],
    /// Whether some name ends differently.
    any: bool,
}

impl Endings {
    fn none() -> Self {
        Self { before: [0; 36], any: false }
    }

    /// Adds a name as it is, and with an `s` appended.
    fn add(&mut self, name: &str) {
        match name.as_bytes() {
            [.., before, last] if ordinal(*before) < 36 && ordinal(*last) < 36 => {
                self.before[ordinal(*last)] |= 1 << ordinal(*before);
                self.before[ordinal(b's')] |= 1 << ordinal(*last);
            }
            _ => self.any = true,
        }
    }

    fn may_end(&self, text: &[u8]) -> bool {
        let [.., before, last] = text else { return self.any };
        let of_last = self.before.get(ordinal(*last)).copied().unwrap_or_default();
        // Word separators are not part of a name, so the character before one would have to be examined.
        let is_after_part = of_last != 0 && parts_words(*before);
        of_last >> ordinal(*before) & 1 == 1 || is_after_part || self.any
    }
}

/// The index of a letter among letters and digits, whatever its case; 63 for anything else.
fn ordinal(byte: u8) -> usize {
    static ORDINALS: [u8; 256] = {
        let (mut table, mut byte) = ([63; 256], 0_u8);
        while byte < 128 {
            table[byte as usize] = match byte {
                b'a'..=b'z' => byte - b'a',
                b'A'..=b'Z' => byte - b'A',
                b'0'..=b'9' => byte - b'0' + 26,
                _ => 63,
            };
            byte += 1;
        }
        table
    };
    usize::from(ORDINALS[usize::from(byte)])
}

/// Lower case without `-`, `_`, `.` and spaces, so that `X-Api-Key`, `api_key` and `apiKey` are one.
pub(super) fn squash(name: &str) -> Cow<'_, str> {
    // Most names already are.
    if is_plain(name) {
        return Cow::Borrowed(name);
    }
    let mut squashed = String::with_capacity(name.len());
    for c in name.chars().filter(|c| !c.is_ascii() || !parts_words(*c as u8)) {
        match c.is_ascii() {
            true => squashed.push(c.to_ascii_lowercase()),
            false => squashed.extend(c.to_lowercase()),
        }
    }
    Cow::Owned(squashed)
}

/// [`squash`] on the stack if possible, because every name is examined.
fn with_squashed<T>(name: &str, look: impl FnOnce(&str) -> T) -> T {
    if is_plain(name) {
        return look(name);
    }
    let mut squashed = [0; 64];
    if name.len() > squashed.len() || !name.is_ascii() {
        return look(&squash(name));
    }
    let mut length = 0;
    for byte in name.bytes() {
        squashed[length] = byte.to_ascii_lowercase();
        length += usize::from(!parts_words(byte));
    }
    look(std::str::from_utf8(&squashed[..length]).unwrap_or_default())
}

fn parts_words(byte: u8) -> bool {
    matches!(byte, b'-' | b'_' | b' ' | b'.')
}

/// Of lower-case letters and digits.
pub(super) fn is_plain(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
}

fn secret_name(squashed: &str, name: &str) -> Option<Says> {
    if matches!(squashed.len(), 3 | 4 | 6 | 9) && SECRET_NAMES.contains(&squashed) {
        return Some(sort(squashed));
    }
    match secret_part(squashed.as_bytes(), name)? {
        Meaning::Harmless => None,
        Meaning::Tokens => Some(Says::Tokens),
        Meaning::Secret => Some(sort(squashed)),
    }
}

/// `contains` for all parts at once: it is called for every name of every event, and most pairs of letters
/// begin no part. What a part means is judged once, however often a name contains it.
fn secret_part(squashed: &[u8], name: &str) -> Option<Meaning> {
    let pairs = squashed.iter().zip(squashed.iter().skip(1)).enumerate();
    let (mut found, mut judged) = (None, ["", ""]);
    for (at, _) in pairs.filter(|(_, (a, b))| begins_part(**a, **b)) {
        let Some(part) = SECRET_PARTS.iter().find(|part| squashed[at..].starts_with(part.as_bytes())) else {
            continue;
        };
        if judged.contains(part) {
            continue;
        }
        match meaning(part, name) {
            Meaning::Secret => return Some(Meaning::Secret),
            harmless => found = found.max(Some(harmless)),
        }
        judged = [*part, judged[0]];
    }
    found
}

/// What a part means in a name: `max_tokens`, `tokenizer` and `secretary` have another meaning.
fn meaning(part: &str, name: &str) -> Meaning {
    match part {
        "token" => words::of_token(name),
        "secret" => words::of_secret(name),
        _ => Meaning::Secret,
    }
}

/// Whether a parameter of an address signs it.
pub(super) fn is_signature(name: &str) -> bool {
    with_squashed(name, |squashed| SIGNATURES.contains(&squashed))
}

/// Whether a secret part begins with two letters.
fn begins_part(a: u8, b: u8) -> bool {
    /// By the first letter: a bit for each second letter.
    static SECOND: [u32; 256] = {
        let (mut table, mut part) = ([0; 256], 0);
        while part < SECRET_PARTS.len() {
            let name = SECRET_PARTS[part].as_bytes();
            table[name[0] as usize] |= 1 << (name[1] - b'a');
            part += 1;
        }
        table
    };
    b.is_ascii_lowercase() && SECOND[usize::from(a)] >> (b - b'a') & 1 == 1
}

/// As a header, and as the CGI variable made from one (`HTTP_X_FORWARDED_FOR`).
fn is_address_name(squashed: &str) -> bool {
    ADDRESS_NAMES.contains(&squashed.strip_prefix("http").unwrap_or(squashed))
}

/// Whether this is the name of an HTTP header and not an ordinary word, which lists contain, too.
pub(super) fn is_header_name(name: &str) -> bool {
    name.contains('-')
        || ["authorization", "cookie", "forwarded"].iter().any(|header| name.eq_ignore_ascii_case(header))
}

/// Whether a field contains the name of what is in the field `value` beside it.
pub(super) fn is_name_of_name(field: &str) -> bool {
    ["name", "key", "header"].iter().any(|it| field.eq_ignore_ascii_case(it))
}
