import { createSpotlight } from "@mantine/spotlight";

const [store, { open }] = createSpotlight();

/** Of the palette: whether it is open, and which of its actions is marked. */
export const paletteStore = store;
export const openPalette = open;

/**
 * Sets the mark right after the list has changed under it. It stays on the action that the person moved it to; else it
 * is on the first one, which Enter runs.
 */
export function settleMark(hasMoved: boolean): void {
  const list = document.getElementById(store.getState().listId);
  const actions = [...(list?.querySelectorAll("[data-action]") ?? [])];
  const marked = actions.findIndex((action) => action.hasAttribute("data-selected"));
  const wanted = hasMoved && marked >= 0 ? marked : 0;
  // The palette marks the element itself, which moves along when others come before it.
  actions[marked]?.removeAttribute("data-selected");
  actions[wanted]?.setAttribute("data-selected", "true");
  store.updateState((state) => ({ ...state, selected: wanted }));
}
