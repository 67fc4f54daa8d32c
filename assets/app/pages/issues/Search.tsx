import { ActionIcon, Combobox, TextInput, useCombobox } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Search as Glass, X } from "lucide-react";
import { type RefObject, useEffect, useState } from "react";
import { api, ok } from "../../api/client.ts";
import { useIdle } from "../../ui/use-idle.ts";
import { useMembers } from "./members.ts";
import { replaced, termAt } from "./query.ts";
import classes from "./Bar.module.css";
import { type Known, suggestions } from "./suggest.ts";

interface Props {
  project: number;
  value: string;
  environments: string[];
  input: RefObject<HTMLInputElement | null>;
  error: string | undefined;
  search: (query: string) => void;
  /** Gives the focus to the list. */
  leave: () => void;
}

/** The list's filter, with suggestions. Enter searches. */
export function Search({ project, value, environments, input, error, search, leave }: Props) {
  const [draft, setDraft] = useState(value);
  const [caret, setCaret] = useState(value.length);
  const [touched, setTouched] = useState(false);
  // A space behind what was taken stays, so that one can go on.
  useEffect(() => setDraft((now) => (now.trim() === value ? now : value)), [value]);
  const box = useCombobox({ onDropdownClose: () => box.resetSelectedOption() });
  const known = useKnown(project, environments, touched);
  const current = termAt(draft, caret);
  const offered = suggestions(current.text, known);

  const go = (query: string) => {
    box.closeDropdown();
    search(query.trim());
  };
  const take = (text: string) => {
    const next = replaced(draft, current, text);
    setDraft(next.query);
    setCaret(next.caret);
    if (next.query.endsWith(" ")) search(next.query.trim());
    requestAnimationFrame(() => input.current?.setSelectionRange(next.caret, next.caret));
  };
  const note = () => setCaret(input.current?.selectionStart ?? draft.length);

  return (
    <Combobox store={box} onOptionSubmit={take} transitionProps={{ duration: 0 }}>
      <Combobox.Target>
        <TextInput
          ref={input}
          className={classes.search ?? ""}
          aria-label="Search issues"
          placeholder="Search: words, level:error, release:1.0.0, -user:…"
          leftSection={<Glass size="0.875rem" aria-hidden />}
          rightSection={
            draft !== "" && (
              <Clear
                clear={() => {
                  setDraft("");
                  go("");
                  input.current?.focus();
                }}
              />
            )
          }
          value={draft}
          error={error}
          maxLength={1_000}
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="none"
          onChange={(event) => {
            setDraft(event.currentTarget.value);
            setCaret(event.currentTarget.selectionStart ?? event.currentTarget.value.length);
            box.openDropdown();
            box.resetSelectedOption();
          }}
          onFocus={() => {
            setTouched(true);
            box.openDropdown();
          }}
          onBlur={() => {
            box.closeDropdown();
          }}
          onKeyUp={note}
          onClick={note}
          onKeyDown={(event) => {
            if (event.key === "Enter" && box.getSelectedOptionIndex() < 0) go(draft);
            if (event.key === "Escape") {
              event.preventDefault();
              if (box.dropdownOpened && offered.length > 0) box.closeDropdown();
              else {
                setDraft(value);
                leave();
              }
            }
          }}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={offered.length === 0}>
        <Combobox.Options mah="50dvh" style={{ overflowY: "auto" }} aria-label="Suggestions">
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

function Clear({ clear }: { clear: () => void }) {
  return (
    <ActionIcon aria-label="Clear search" onClick={clear} size="sm">
      <X size="0.875rem" aria-hidden />
    </ActionIcon>
  );
}

/** Values to suggest; requested once somebody starts to search. */
function useKnown(project_id: number, environments: string[], wanted: boolean): Known {
  const isIdle = useIdle();
  // Somebody may be assigned by a key right away.
  const members = useMembers(project_id, isIdle || wanted);
  const releases = useQuery({
    queryKey: ["project", project_id, "releases", "newest"],
    queryFn: ({ signal }) => {
      const params = { path: { project_id }, query: { limit: 50 } };
      return ok(api.GET("/api/v1/projects/{project_id}/releases", { params, signal }));
    },
    enabled: wanted,
  });
  return { members, environments, releases: releases.data?.releases.map(({ version }) => version) ?? [] };
}
