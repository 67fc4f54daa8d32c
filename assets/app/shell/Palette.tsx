import { useMediaQuery } from "@mantine/hooks";
import { Spotlight } from "@mantine/spotlight";
import { Search } from "lucide-react";
import { type FocusEvent, type KeyboardEvent, memo, useLayoutEffect, useRef, useSyncExternalStore } from "react";
import { useLate } from "../ui/use-late.ts";
import classes from "./Palette.module.css";
import { fitting, type PaletteGroup } from "./palette-filter.ts";
import { paletteStore, settleMark } from "./palette-store.ts";
import { icon, usePaletteActions } from "./use-palette-actions.ts";
import { usePaletteSearch } from "./use-palette-search.ts";

/** Where the field has no room for the whole of its words. */
const narrow = "(max-width: 48em)";

/** ⌘K: every page, project, release and person, actions that work anywhere, and the search for issues. */
export default memo(function Palette({ help }: { help: () => void }) {
  // In the store, because what is typed before this code is loaded is kept there.
  const query = useSyncExternalStore(paletteStore.subscribe, () => paletteStore.getState().query);
  useFocusBack();
  const words = query.trim();
  const known = usePaletteActions(words, help);
  const search = usePaletteSearch(words);
  const groups = fitting(words, [...search.groups, ...known]);
  const mark = useMark(groups, query);
  const isNarrow = useMediaQuery(narrow, matchMedia(narrow).matches, { getInitialValueInEffect: false });
  return (
    <Spotlight.Root
      store={paletteStore}
      query={query}
      onQueryChange={mark.reset}
      onSpotlightOpen={() => paletteStore.setState((state) => ({ ...state, query: "" }))}
      returnFocus={false}
      shortcut={null}
      // The field stays in place, however long the list is.
      centered={false}
      scrollable
      overlayProps={{ blur: 0 }}
      attributes={{ content: { "aria-label": "Go to" } }}
      // A long word without spaces stays inside.
      styles={{ actionBody: { minWidth: 0, overflowWrap: "anywhere" } }}
      maxHeight="60dvh"
    >
      <Spotlight.Search
        leftSection={<Search {...icon} />}
        placeholder={isNarrow ? "Search or go to a page" : "Search issues, releases and people, or go to a page"}
        aria-label="Go to"
        onKeyDown={mark.onKeyDown}
        onFocus={mark.onFocus}
      />
      {groups.length > 0 && (
        <Spotlight.ActionsList>
          {groups.map(({ group, actions }) => (
            <Spotlight.ActionsGroup key={group} label={group}>
              {actions.map(({ id, found: _, last: __, ...action }) => (
                <Spotlight.Action key={id} highlightQuery {...action} />
              ))}
            </Spotlight.ActionsGroup>
          ))}
        </Spotlight.ActionsList>
      )}
      <Foot searching={search.searching} isEmpty={groups.length === 0} />
    </Spotlight.Root>
  );
});

/** How long a closing palette waits for what was chosen to take the focus, in milliseconds. */
const yielding = 10;

/** Gives the focus back to what had it when the palette was opened, or else to the page. */
function useFocusBack(): void {
  const opened = useSyncExternalStore(paletteStore.subscribe, () => paletteStore.getState().opened);
  useLayoutEffect(() => {
    if (!opened) return;
    const before = document.activeElement;
    return () => {
      const inside = document.activeElement;
      setTimeout(() => {
        const { activeElement, body } = document;
        if (activeElement !== inside && activeElement !== body) return;
        if (before instanceof HTMLElement && before !== body) before.focus({ preventScroll: true });
        if (before === body || document.activeElement !== before)
          document.getElementById("main")?.focus({ preventScroll: true });
      }, yielding);
    };
  }, [opened]);
}

/** The keys, and the state of the search. */
function Foot({ searching, isEmpty }: { searching: boolean; isEmpty: boolean }) {
  const late = useLate(searching);
  return (
    <Spotlight.Footer className={classes.foot ?? ""}>
      <span role="status">{late ? "Searching…" : isEmpty && !searching ? "Nothing found" : ""}</span>
      <span className={classes.keys}>
        <kbd>↑</kbd> <kbd>↓</kbd> choose · <kbd>Enter</kbd> open · <kbd>Esc</kbd> close
      </span>
    </Spotlight.Footer>
  );
}

/** Keeps the selection in place when search results arrive while somebody types. */
function useMark(groups: PaletteGroup[], query: string) {
  const hasMoved = useRef(false);
  const listed = groups.flatMap(({ actions }) => actions.map(({ id }) => id)).join("\n");
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each change of the list
  useLayoutEffect(() => {
    if (query !== "") settleMark(hasMoved.current);
  }, [listed, query]);
  return {
    reset: () => {
      hasMoved.current = false;
    },
    // What was typed before is continued, and Enter runs the first that it found.
    onFocus: ({ currentTarget: field }: FocusEvent<HTMLInputElement>) => {
      if (query === "") return;
      field.setSelectionRange(query.length, query.length);
      settleMark(hasMoved.current);
    },
    onKeyDown: ({ key }: KeyboardEvent) => {
      if (key === "ArrowDown" || key === "ArrowUp") hasMoved.current = true;
    },
  };
}
