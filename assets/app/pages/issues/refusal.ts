// What the server says of a search that it does not understand, as it is shown below the field.

/**
 * Without the name of the parameter, which nobody typed, with one name in place of all contexts, unless it is about one,
 * and with what was typed in quotes: as code, it would stand out among the names of fields, which are not marked.
 */
export function refusal(message: string): string {
  const words = message.replace(/^query: (.)/u, (_, first: string) => first.toUpperCase());
  const short = /(?:field|got) `contexts\./iu.test(words)
    ? words
    : words.replace(/contexts\.[\w.]+(?:, contexts\.[\w.]+)+/, "contexts.…");
  return short.replace(/`([^`]+)`/g, "“$1”");
}
