/** Names of parameters whose values are nobody's business, wherever in the name they stand. */
const SECRET = /auth|code|cookie|cred|jwt|key|mail|pass|phone|pw|secret|session|sig|state|token/i;
/** Characters of a value from which on it is rather an id or a secret than something to read. */
const LONG = 64;
/** The server's own bound. */
const MOST = 2_048;

/** An address without what may be secret in it: a password before the host, and values of parameters. */
export const address = (url: string): string =>
  url
    .slice(0, MOST)
    .replace(/\/\/[^/?#@]*@/, "//")
    .replace(/([?&#;])([^=&#;?]*)=([^&#;]*)/g, (all, mark: string, name: string, value: string) =>
      SECRET.test(name) || value.length > LONG ? `${mark}${name}=[Filtered]` : all,
    );
