import { Button, Menu, TextInput } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { Bookmark, ChevronDown, X } from "lucide-react";
import { useState } from "react";
import { Line } from "../../ui/Text.tsx";
import classes from "./Bar.module.css";

interface Saved {
  name: string;
  query: string;
}

const given: Saved[] = [
  { name: "Mine", query: "is:unresolved is:mine" },
  { name: "Getting worse", query: "is:escalating" },
  { name: "Came back", query: "is:regressed" },
  { name: "New this week", query: "is:new" },
];
/** Views that a person keeps for a project. */
const most = 30;

/** Queries to come back to: some that everybody has, and the person's own, kept in this browser. */
export function SavedViews({ project, query, show }: { project: number; query: string; show: (query: string) => void }) {
  const [own, setOwn] = useLocalStorage<Saved[]>({ key: `mayday.views.${project}`, defaultValue: [] });
  const [name, setName] = useState("");
  const save = () => {
    const clean = name.trim();
    if (clean === "") return;
    setOwn([{ name: clean, query }, ...own.filter((view) => view.name !== clean)].slice(0, most));
    setName("");
  };
  return (
    <Menu position="bottom-start" width="18rem" closeOnItemClick>
      <Menu.Target>
        <Button
          variant="default"
          size="sm"
          leftSection={<Bookmark size="0.875rem" aria-hidden />}
          rightSection={<ChevronDown size="0.875rem" aria-hidden />}
        >
          Views
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {given.map((view) => (
          <Menu.Item key={view.name} onClick={() => show(view.query)} title={view.query}>
            {view.name}
          </Menu.Item>
        ))}
        {own.length > 0 && <Menu.Label>Yours, in this browser</Menu.Label>}
        {own.map((view) => (
          <div key={view.name} className={classes.saved}>
            <Menu.Item onClick={() => show(view.query)} title={view.query}>
              <Line text={view.name} />
            </Menu.Item>
            <Menu.Item
              className={classes.forget ?? ""}
              aria-label={`Forget the view ${view.name}`}
              closeMenuOnClick={false}
              onClick={() => setOwn(own.filter(({ name: other }) => other !== view.name))}
            >
              <X size="0.75rem" aria-hidden />
            </Menu.Item>
          </div>
        ))}
        <Menu.Divider />
        <form
          className={classes.save}
          onSubmit={(event) => {
            event.preventDefault();
            save();
          }}
        >
          <TextInput
            size="xs"
            aria-label="Name of the view"
            placeholder="Save this search as…"
            value={name}
            maxLength={60}
            onChange={(event) => setName(event.currentTarget.value)}
            onKeyDown={(event) => event.stopPropagation()}
          />
          <Button type="submit" variant="default" disabled={name.trim() === ""}>
            Save
          </Button>
        </form>
      </Menu.Dropdown>
    </Menu>
  );
}
