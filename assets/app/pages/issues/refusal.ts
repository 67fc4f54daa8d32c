// What the server says of a search that it does not understand, as it is shown beside the field.

/** Without the name of the parameter, which nobody typed, and with one name in place of all contexts. */
export const refusal = (message: string): string =>
  message
    .replace(/^query: (.)/u, (_, first: string) => first.toUpperCase())
    .replace(/contexts\.[\w.]+(?:, contexts\.[\w.]+)+/, "contexts.…");
