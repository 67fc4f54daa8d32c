import type { SpotlightActionData } from "@mantine/spotlight";

export interface PaletteAction extends SpotlightActionData {
  id: string;
  label: string;
  /** Found by the server, so it is not filtered by name. */
  found?: boolean;
  /** Contains whatever was typed, so it comes after everything that matches. */
  last?: boolean;
}

export interface PaletteGroup {
  group: string;
  actions: PaletteAction[];
}

/**
 * How well an action matches: 0 if its name contains the text as typed, 1 if every word occurs, 2 if it is what remains,
 * `undefined` if it does not.
 */
function rank(action: PaletteAction, text: string, words: string[]): 0 | 1 | 2 | undefined {
  if (action.last) return 2;
  if (action.found) return 0;
  const label = action.label.toLowerCase();
  if (label.includes(text)) return 0;
  const all = [label, action.description, action.keywords].flat().join(" ").toLowerCase();
  return words.every((word) => all.includes(word)) ? 1 : undefined;
}

/** The actions that match the typed words. Groups keep their order, after those with a better match. */
export function fitting(query: string, groups: readonly PaletteGroup[]): PaletteGroup[] {
  const text = query.trim().toLowerCase();
  const words = text.split(/\s+/);
  const ranked = groups.flatMap(({ group, actions }) => {
    const fit = actions.flatMap((action) => {
      const at = rank(action, text, words);
      return at === undefined ? [] : { action, at };
    });
    if (fit.length === 0) return [];
    const sorted = fit.toSorted((one, other) => one.at - other.at);
    return { group, actions: sorted.map(({ action }) => action), best: sorted[0]?.at ?? 1 };
  });
  return ranked.toSorted((one, other) => one.best - other.best).map(({ group, actions }) => ({ group, actions }));
}
