const imports = /@import[^;]*;?/gi;
/** Addresses but those of data and of parts of the document itself. */
const addresses = /url\(\s*(?!["']?\s*(?:data:|#))(?:"[^"]*"|'[^']*'|[^)"']*)\s*\)/gi;

/**
 * Style sheets without addresses to fetch. The document's policy forbids fetching anyway, but browsers log an error
 * for each address.
 */
export const quiet = (css: string): string =>
  css.includes("url(") || css.includes("@") || css.includes("URL(")
    ? css.replace(imports, "").replace(addresses, "none")
    : css;
