import type { SpotlightActionData } from "@mantine/spotlight";

export interface PaletteAction extends SpotlightActionData {
  id: string;
  label: string;
  /** The server has found it: whether the words stand in its name is not asked again. */
  found?: boolean;
}

export interface PaletteGroup {
  group: string;
  actions: PaletteAction[];
}

/** How well an action fits: 0 its name has the text as it was typed, 1 every word is somewhere, `undefined` not at all. */
function rank(action: PaletteAction, text: string, words: string[]): 0 | 1 | undefined {
  if (action.found) return 0;
  const label = action.label.toLowerCase();
  if (label.includes(text)) return 0;
  const all = [label, action.description, action.keywords].flat().join(" ").toLowerCase();
  return words.every((word) => all.includes(word)) ? 1 : undefined;
}

/** What fits the words that were typed. Groups keep their order, after those with something that fits better. */
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
