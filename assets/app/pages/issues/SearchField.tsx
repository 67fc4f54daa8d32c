import { ActionIcon, Input } from "@mantine/core";
import { useMergedRef } from "@mantine/hooks";
import { Search as Glass, X } from "lucide-react";
import type { ComponentProps, RefObject } from "react";
import classes from "./Bar.module.css";

/** The text of the field, and the caret. */
export interface Draft {
  text: string;
  caret: number;
}

export interface SearchFieldProps {
  draft: Draft;
  setDraft: (draft: Draft) => void;
  /** Runs a query. */
  go: (query: string) => void;
  /** Somebody is about to type. */
  touch: () => void;
  input: RefObject<HTMLInputElement | null>;
  /** The id of what says why the search was refused, if it was. */
  refusal: string | undefined;
}

/** The suggestions add theirs. */
type Handlers = Pick<ComponentProps<"input">, "ref" | "onChange" | "onClick" | "onFocus" | "onBlur" | "onKeyDown">;

/** The list's filter. Enter searches. */
export function SearchField({
  draft,
  setDraft,
  go,
  touch,
  input,
  refusal,
  ref,
  ...handlers
}: SearchFieldProps & Handlers) {
  const merged = useMergedRef(input, ref);
  const note = () => setDraft({ text: draft.text, caret: input.current?.selectionStart ?? draft.text.length });
  const clear = () => {
    setDraft({ text: "", caret: 0 });
    go("");
    input.current?.focus();
  };
  return (
    <Input
      {...handlers}
      ref={merged}
      className={classes.search ?? ""}
      aria-label="Search issues"
      placeholder="Search: words, level:error, release:1.0.0, -user:…"
      leftSection={<Glass size="0.875rem" aria-hidden />}
      rightSection={draft.text !== "" && <Clear clear={clear} />}
      rightSectionPointerEvents="all"
      value={draft.text}
      error={refusal !== undefined}
      withAria={false}
      aria-invalid={refusal !== undefined || undefined}
      aria-describedby={refusal}
      maxLength={1_000}
      spellCheck={false}
      autoComplete="off"
      autoCapitalize="none"
      onChange={(event) => {
        const { value, selectionStart } = event.currentTarget;
        setDraft({ text: value, caret: selectionStart ?? value.length });
        handlers.onChange?.(event);
      }}
      onFocus={(event) => {
        touch();
        handlers.onFocus?.(event);
      }}
      onKeyUp={note}
      onClick={(event) => {
        note();
        handlers.onClick?.(event);
      }}
    />
  );
}

function Clear({ clear }: { clear: () => void }) {
  return (
    <ActionIcon aria-label="Clear search" onClick={clear} size="sm">
      <X size="0.875rem" aria-hidden />
    </ActionIcon>
  );
}
