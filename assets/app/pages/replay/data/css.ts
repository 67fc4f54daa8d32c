/** Comments, which stay as they are, and imports, whose addresses may have a `;` in them. */
const imports =
  /\/\*[^]*?(?:\*\/|$)|@import\s*(?:url\((?:\s*"[^"\n]*"\s*|\s*'[^'\n]*'\s*|[^()"'{}\n]*)\)|"[^"\n]*"|'[^'\n]*')?[^;{}"']*;?/gi;
/** Addresses but those of data and of parts of the document itself. */
const addresses = /url\((?!\s*(?:["']\s*)?(?:data:|#))(?:\s*"[^"]*"\s*|\s*'[^']*'\s*|[^()"']*)\)/gi;

/**
 * Style sheets without what they would fetch. The document's policy forbids that anyway; this is for silence, since a
 * browser complains of each address. The texts are anybody's, so none takes more time than its length.
 */
export const quiet = (css: string): string =>
  /url\(|@import/i.test(css)
    ? css.replace(imports, (found) => (found.startsWith("/*") ? found : "")).replace(addresses, "none")
    : css;
