//! Checks JSON for secrets while it is read: most has none, and then no tree is needed.

use super::names::{Says, is_name_of_name};
use super::{CARD_MIN, Scrubber};
use crate::wire::json::Name;
use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use std::fmt::{self, Display};

/// Stops at the first secret.
pub(super) fn is_clean(scrubber: &Scrubber, json: &str) -> bool {
    let mut deserializer = serde_json::Deserializer::from_str(json);
    let probe = Probe { scrubber, hidden: None, names: false };
    probe.deserialize(&mut deserializer).and_then(|()| deserializer.end()).is_ok()
}

/// A visitor that fails if something has to be removed.
#[derive(Clone, Copy)]
struct Probe<'s> {
    scrubber: &'s Scrubber,
    /// What the name says: the value is secret, unless it is null or a boolean.
    hidden: Option<Says>,
    /// A text could be the name of the value beside it; whether it is, is not checked.
    names: bool,
}

impl Probe<'_> {
    fn fail_if<E: de::Error>(self, secret: bool) -> Result<(), E> {
        if secret || self.hidden.is_some() { Err(E::custom("a secret")) } else { Ok(()) }
    }

    fn number<E: de::Error>(self, number: impl Display) -> Result<(), E> {
        self.counting().fail_if(self.scrubber.clean(&number.to_string()).is_some())
    }

    /// For a number, which counts `tokens`.
    fn counting(self) -> Self {
        Self { hidden: self.hidden.filter(|says| *says != Says::Tokens), ..self }
    }
}

impl<'de> DeserializeSeed<'de> for Probe<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Probe<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<(), E> {
        self.number(value)
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<(), E> {
        if value < CARD_MIN { self.counting().fail_if(false) } else { self.number(value) }
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<(), E> {
        let number = serde_json::Number::from_f64(value);
        number.map_or(Ok(()), |number| self.number(number))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<(), E> {
        let secret = self.scrubber.clean(text).is_some() || self.names && self.scrubber.hides(text);
        self.fail_if(secret)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<(), A::Error> {
        self.fail_if(false)?;
        while access.next_element_seed(Self { names: true, ..self })?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<(), A::Error> {
        self.fail_if(false)?;
        while let Some(Name(name)) = access.next_key()? {
            self.fail_if(self.scrubber.clean_name(&name).is_some())?;
            let (hidden, names) = (self.scrubber.says(&name), is_name_of_name(&name));
            access.next_value_seed(Self { hidden, names, ..self })?;
        }
        Ok(())
    }
}
