import { Combobox, useCombobox } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { KeyboardEvent } from "react";
import { replaced, termAt } from "../../issue-search/query.ts";
import classes from "./Bar.module.css";
import { facetValuesQuery, needsFacets } from "./facet-values.ts";
import { SearchField, type SearchFieldProps } from "./SearchField.tsx";
import { type Known, suggestions } from "./suggest.ts";

export interface SearchBoxProps extends SearchFieldProps {
  project: number;
  known: Omit<Known, "facets">;
  /** Puts the query of the list back, and gives the focus to the list. */
  leave: () => void;
}

/** The field with suggestions. */
export default function SearchBox({ project, known, leave, ...field }: SearchBoxProps) {
  const { draft, setDraft, input } = field;
  const box = useCombobox({ onDropdownClose: () => box.resetSelectedOption() });
  const current = termAt(draft.text, draft.caret);
  const facets = useQuery({ ...facetValuesQuery(project), enabled: box.dropdownOpened && needsFacets(current.text) });
  const offered = suggestions(current.text, { ...known, facets: facets.data ?? {} });
  const go = (query: string) => {
    box.closeDropdown();
    field.go(query);
  };
  const take = (text: string) => {
    const next = replaced(draft.text, current, text);
    setDraft({ text: next.query, caret: next.caret });
    if (next.query.endsWith(" ")) field.go(next.query);
    requestAnimationFrame(() => input.current?.setSelectionRange(next.caret, next.caret));
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === "Enter" && box.getSelectedOptionIndex() < 0) go(draft.text);
    if (event.key !== "Escape") return;
    event.preventDefault();
    if (box.dropdownOpened && offered.length > 0) box.closeDropdown();
    else leave();
  };
  return (
    <Combobox store={box} onOptionSubmit={take} transitionProps={{ duration: 0 }}>
      <Combobox.Target withExpandedAttribute>
        <SearchField
          {...field}
          go={go}
          onChange={() => {
            box.openDropdown();
            box.resetSelectedOption();
          }}
          onFocus={() => box.openDropdown()}
          onBlur={() => box.closeDropdown()}
          onKeyDown={press}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={offered.length === 0}>
        <Combobox.Options mah="70dvh" style={{ overflowY: "auto" }} aria-label="Suggestions">
          {offered.map(({ text, about }) => (
            <Combobox.Option key={text} value={text} className={classes.option ?? ""}>
              <bdi className="mono">{text}</bdi>
              <span className="muted cut">{about}</span>
            </Combobox.Option>
          ))}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}
