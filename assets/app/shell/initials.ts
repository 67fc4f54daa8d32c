/** One or two letters for a name: pictures are never loaded from elsewhere. */
export function initials(name: string): string {
  const words = name
    .trim()
    .split(/[\s._@-]+/u)
    .filter((word) => /[\p{L}\p{N}]/u.test(word));
  const letters = words.length > 1 ? [words[0], words[1]] : [words[0]];
  // The first visible one: names may begin with direction marks.
  return letters
    .map((word) => /[\p{L}\p{N}]/u.exec(word ?? "")?.[0] ?? "?")
    .join("")
    .toUpperCase();
}
