/** The name of a repository from its address: `acme/shop` from `https://github.com/acme/shop.git`. */
export function nameIn(address: string): string {
  const path = address
    .trim()
    .replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*\//i, "")
    .replace(/^[^/]*:/, "")
    .replace(/\/+$/, "")
    .replace(/\.git$/, "")
    .replace(/^\/+/, "");
  return path.split("/").slice(-2).join("/");
}
