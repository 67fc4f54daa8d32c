import { createSpotlight } from "@mantine/spotlight";

const [store, { open, close }] = createSpotlight();

/** The state of the palette: whether it is open, and which action is selected. */
export const paletteStore = store;
export const openPalette = open;
export const isPaletteOpen = (): boolean => store.getState().opened;

/** Keeps what is typed before the palette's field is there to take it; Escape closes it. Whether it took the key. */
export function keepTyped(event: Pick<KeyboardEvent, "key" | "target" | "preventDefault">): boolean {
  const { key } = event;
  if (!isPaletteOpen() || (event.target as Element).closest("[aria-modal]")) return false;
  if (key.length === 1) store.setState((state) => ({ ...state, query: state.query + key }));
  else if (key === "Escape") close();
  else if (key !== "Enter") return true;
  event.preventDefault();
  return true;
}

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
