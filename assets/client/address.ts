/** Parameters whose names contain one of these may hold secrets. */
const SECRET = /auth|code|cookie|cred|jwt|key|mail|pass|phone|pw|secret|session|sig|state|token/i;
/** Values with more characters than this are more likely an id or a secret than something to read. */
const LONG = 64;
/** The server's limit. */
const MOST = 2_048;

/** An address without possible secrets: a password before the host, and values of parameters. */
export const address = (url: string): string =>
  url
    .slice(0, MOST)
    .replace(/\/\/[^/?#@]*@/, "//")
    .replace(/([?&#;])([^=&#;?]*)=([^&#;]*)/g, (all, mark: string, name: string, value: string) =>
      SECRET.test(name) || value.length > LONG ? `${mark}${name}=[Filtered]` : all,
    );
