import { createSpotlight } from "@mantine/spotlight";

const [store, { open }] = createSpotlight();

/** The state of the palette: whether it is open, and which action is selected. */
export const paletteStore = store;
export const openPalette = open;

/**
 * Sets the selection after the list has changed: on the action that the person moved to, or else on the first one,
 * which Enter runs.
 */
export function settleMark(hasMoved: boolean): void {
  const list = document.getElementById(store.getState().listId);
  const actions = [...(list?.querySelectorAll("[data-action]") ?? [])];
  const marked = actions.findIndex((action) => action.hasAttribute("data-selected"));
  const wanted = hasMoved && marked >= 0 ? marked : 0;
  // The palette marks the element itself, which moves when others are inserted before it.
  actions[marked]?.removeAttribute("data-selected");
  actions[wanted]?.setAttribute("data-selected", "true");
  store.updateState((state) => ({ ...state, selected: wanted }));
}
