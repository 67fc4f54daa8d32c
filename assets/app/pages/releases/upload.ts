// The command that uploads the map that a frame needs. Addresses come from events, so in a shell they must be plain
// values.

/** Values that need no quotes, and that curl takes literally. Shells replace `~` with the home directory. */
const plain = /^[\w./+:][\w./+:@=-]*$/;

/** A word of a POSIX shell. */
export const shellWord = (text: string): string => (plain.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/** An option and its value, also one that begins like an option. */
export const option = (name: string, value: string): string =>
  `${name}${value.startsWith("-") ? "=" : " "}${shellWord(value)}`;

/** A field of a form. `-F` reads files for values that begin with `@` or `<`, and options after `;`. */
function field(name: string, value: string): string {
  const option = /^[@<]|[;"]/.test(value) ? "--form-string" : "-F";
  return `${option} ${shellWord(`${name}=${value}`)}`;
}

/** A script's address in the form of the release's prefix, by the same rules as the server's. */
export function addressFor(url: string, prefix: string): string | undefined {
  const bare = url.split(/[?#]/)[0] ?? "";
  const address = prefix.startsWith("~") ? tilde(bare) : bare;
  return address !== undefined && address !== "" && address.startsWith(prefix) ? address : undefined;
}

function tilde(address: string): string | undefined {
  if (address.startsWith("~")) return address;
  const absolute = /^[a-zA-Z][\w+.-]*:\/\/[^/]*(\/.*)?$/.exec(address);
  const path = absolute ? absolute[1] : address;
  return path?.startsWith("/") ? `~${path}` : undefined;
}

/** The name of the map's file beside the script, if it is harmless. */
function mapFile(url: string): string {
  const name = url.split(/[?#]/)[0]?.split("/").at(-1) ?? "";
  return /^[\w][\w.-]{0,100}$/.test(name) ? `${name}.map` : "script.js.map";
}

interface Upload {
  origin: string;
  release: string;
  url: string;
  /** Of the release, when there is one. */
  prefix: string;
}

/** Characters that reorder text or are invisible: a command must run as it reads. */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** Whether a text from outside may be part of a command. */
const isReadable = (text: string): boolean => !hidden.test(text);

/** A request to the server with a form. */
const request = (origin: string, path: string, fields: string[]): string =>
  [`curl -sS ${shellWord(`${origin}/api/v1/${path}`)} -H "Authorization: Bearer $MAYDAY_KEY"`, ...fields].join(
    " \\\n  ",
  );

/** `undefined` if the address does not match the prefix, or has hidden characters. */
export function uploadCommand({ origin, release, url, prefix }: Upload): string | undefined {
  const address = addressFor(url, prefix);
  if (address === undefined || !isReadable(address + release)) return undefined;
  return request(origin, "sourcemaps", [
    `${field("release", release)} ${field("url", address)}`,
    `-F sourcemap=@${mapFile(url)}`,
  ]);
}
