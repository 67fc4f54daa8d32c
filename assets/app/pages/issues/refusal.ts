// What the server says of a search that it does not understand, as it is shown beside the field.

/**
 * Without the name of the parameter, which nobody typed, and with one name in place of all contexts, unless it is about
 * one.
 */
export function refusal(message: string): string {
  const words = message.replace(/^query: (.)/u, (_, first: string) => first.toUpperCase());
  return /(?:field|got) `contexts\./iu.test(words)
    ? words
    : words.replace(/contexts\.[\w.]+(?:, contexts\.[\w.]+)+/, "contexts.…");
}
