// Addresses that an agent chose.

interface WebAddress {
  /** With its port. */
  host: string;
  /** All of it without the scheme, and without a name and a password, which could look like a host. */
  text: string;
}

/** Where an address leads; nothing if it is no Web address, and so must not become a link. */
export function webAddress(url: string): WebAddress | undefined {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return undefined;
  const { host, pathname, search, hash } = new URL(url);
  return { host, text: `${host}${pathname}${search}${hash}` };
}
