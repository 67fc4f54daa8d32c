import { Menu } from "@mantine/core";
import { Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import type { Opening } from "../../ui/Deferred.tsx";
import { Line } from "../../ui/Text.tsx";
import classes from "./Bar.module.css";
import { ViewsButton, type ViewsProps } from "./ViewsButton.tsx";
import { SaveView } from "./SaveView.tsx";
import { givenViews, useOwnViews } from "./views.ts";

/** Views that a person keeps for a project. */
const most = 30;

/** Queries to come back to: some that everybody has, and the person's own, kept in this browser. */
export default function ViewsMenu({ project, query, show, isPressed }: ViewsProps & Opening) {
  const [own, setOwn] = useOwnViews(project);
  const [naming, setNaming] = useState(false);
  const save = (name: string) => setOwn([{ name, query }, ...own.filter((view) => view.name !== name)].slice(0, most));
  return (
    <>
      <Menu position="bottom-start" width="18rem" closeOnItemClick defaultOpened={isPressed}>
        <Menu.Target>
          <ViewsButton />
        </Menu.Target>
        <Menu.Dropdown>
          {givenViews.map((view) => (
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
                aria-label={`Delete view ${view.name}`}
                closeMenuOnClick={false}
                onClick={() => setOwn(own.filter(({ name: other }) => other !== view.name))}
              >
                <Trash2 size="0.75rem" aria-hidden />
              </Menu.Item>
            </div>
          ))}
          <Menu.Divider />
          {/* Not a field in here: a menu holds items alone, and nothing else of it is told to who cannot see it. */}
          <Menu.Item leftSection={<Plus size="0.875rem" aria-hidden />} onClick={() => setNaming(true)}>
            Save this search…
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <SaveView opened={naming} close={() => setNaming(false)} query={query} save={save} />
    </>
  );
}
