import { ActionIcon, Popover, TextInput } from "@mantine/core";
import { CircleHelp, Search as Glass, X } from "lucide-react";
import { type ReactNode, type RefObject, useEffect, useState } from "react";
import classes from "./Bar.module.css";

interface Props {
  value: string;
  input: RefObject<HTMLInputElement | null>;
  /** Why the server refuses it. */
  error: ReactNode;
  search: (query: string | undefined) => void;
}

/** The search field. Enter searches, Escape discards the typed text. */
export function Search({ value, input, error, search }: Props) {
  const [draft, setDraft] = useState(value);
  useEffect(() => setDraft(value), [value]);
  const go = (query: string) => search(query.trim() === "" ? undefined : query.trim());
  const clear = () => {
    setDraft("");
    go("");
    input.current?.focus();
  };
  return (
    <div className={classes.search}>
      <TextInput
        ref={input}
        aria-label="Search logs"
        placeholder="Search: words, level:error, logger:db, -user:…"
        leftSection={<Glass size="0.875rem" aria-hidden />}
        rightSection={
          draft !== "" && (
            <ActionIcon aria-label="Clear search" onClick={clear} size="sm">
              <X size="0.875rem" aria-hidden />
            </ActionIcon>
          )
        }
        value={draft}
        error={error}
        maxLength={2_000}
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="none"
        onChange={(event) => setDraft(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") go(draft);
          if (event.key === "Escape") {
            event.preventDefault();
            setDraft(value);
            event.currentTarget.blur();
          }
        }}
      />
      <Help />
    </div>
  );
}

const language: [written: string, finds: string][] = [
  ["disk full", "both words, in any order"],
  ['"disk full"', "the exact phrase"],
  ["time*", "words that start with this"],
  ["timeout OR refused", "either word"],
  ["-health", "entries without this word"],
  ["(a b) OR c", "parentheses group terms"],
  ["level:warn,error", "any of these levels"],
  ["logger:shop.db", "a field: logger, user, account, trace, span, environment, release, file, function, template"],
  ["attributes.order_id:1234", "an attribute, by its path"],
  ['logger:"shop db"', "a value with spaces"],
  ["-user:42", "entries without this value"],
];

function Help() {
  return (
    <Popover position="bottom-end" trapFocus returnFocus transitionProps={{ duration: 0 }} shadow="md" width="26rem">
      <Popover.Target>
        <ActionIcon size="lg" aria-label="How to search">
          <CircleHelp size="1rem" aria-hidden />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown className={classes.help ?? ""} aria-label="How to search" tabIndex={0}>
        <table>
          <thead className="unseen">
            <tr>
              <th>Query</th>
              <th>Finds</th>
            </tr>
          </thead>
          <tbody>
            {language.map(([written, finds]) => (
              <tr key={written}>
                <td>
                  <code>{written}</code>
                </td>
                <td>{finds}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <p>Words match the message. Case does not matter.</p>
      </Popover.Dropdown>
    </Popover>
  );
}
