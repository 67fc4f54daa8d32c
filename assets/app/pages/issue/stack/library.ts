import { counted } from "../../../ui/format.ts";

/** Where package managers put the code of others; the first group is its name. */
const places: RegExp[] = [
  /.*(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\//,
  /(?:^|\/)(?:site|dist)-packages\/([^/.]+)/,
  /(?:^|\/)gems\/([^/]+?)-\d[^/]*\//,
  /(?:^|\/)pkg\/mod\/(?:[^/]+\/)*?([^/@]+)@v/,
  /(?:^|\/)vendor\/([\w.-]+\/[\w.-]+)\//,
  /(?:^|\/)registry\/src\/[^/]+\/([^/]+?)-\d[^/]*\//,
  /^(node):/,
];

/** The package of a file, recognized by its path; `undefined` if unknown. */
export function libraryOf(file: string | null | undefined): string | undefined {
  if (!file) return undefined;
  for (const place of places) {
    const name = place.exec(file)?.[1];
    if (name) return name === "node" ? "Node.js" : name;
  }
  return undefined;
}

/** `3 frames of react-dom and scheduler`; two names at most. */
export function libraryWords(count: number, names: (string | undefined)[]): string {
  const known = [...new Set(names.filter((name) => name !== undefined))];
  if (known.length === 0) return counted(count, "library frame");
  const frames = counted(count, "frame");
  if (known.length <= 2) return `${frames} of ${known.join(" and ")}`;
  return `${frames} of ${known.slice(0, 2).join(", ")} and ${known.length - 2} more`;
}
