// The command that uploads the map a frame needs. Addresses come from events: what is pasted into a
// shell must be a value there and nothing else.

/** Values that need no quotes and that curl reads as they are. */
const plain = /^[\w.~/+:][\w.~/+:@=-]*$/;

/** A word of a POSIX shell. */
export const shellWord = (text: string): string => (plain.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/** A field of a form. `-F` reads files for values that begin with `@` or `<`, and options after `;`. */
function field(name: string, value: string): string {
  const option = /^[@<]|[;"]/.test(value) ? "--form-string" : "-F";
  return `${option} ${shellWord(`${name}=${value}`)}`;
}

/** A script's address in the form that the release's prefix asks for; the server's own rules. */
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

/** The name of the map's file beside the script, when it is a harmless one. */
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

/** `undefined` when there is no such command: the address does not fit, or has control characters. */
export function uploadCommand({ origin, release, url, prefix }: Upload): string | undefined {
  const address = addressFor(url, prefix);
  // Also characters that turn the text around: the command must read as it runs.
  if (address === undefined || /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(`${address}${release}`)) return undefined;
  return [
    `curl -sS ${shellWord(`${origin}/api/v1/sourcemaps`)} -H "Authorization: Bearer $MAYDAY_KEY" \\`,
    `  ${field("release", release)} ${field("url", address)} \\`,
    `  -F sourcemap=@${mapFile(url)}`,
  ].join("\n");
}
