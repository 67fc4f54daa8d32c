import { Menu } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useLocation, useNavigate } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useRef, useState } from "react";
import { meQuery } from "../../api/queries.ts";
import { useRights } from "../../api/role.ts";
import type { View } from "../../api/schema.d.ts";
import { changeView, givenViews, keeps, saveView, useViews, viewSearch } from "../../issue-search/views.ts";
import { limitsOf } from "../../navigation/limits.ts";
import { useCarried } from "../../navigation/use-carried.ts";
import { paths } from "../../paths.ts";
import type { Opening } from "../../ui/Deferred.tsx";
import { BrowserViews } from "./BrowserViews.tsx";
import { DeleteView } from "./DeleteView.tsx";
import { SaveView } from "./SaveView.tsx";
import { removeForAll, removeView, updateView } from "./view-acts.ts";
import { ViewItem } from "./ViewItem.tsx";
import { ViewsButton, type ViewsProps } from "./ViewsButton.tsx";

/** A menu of views: built-in ones, the person's own, and shared ones of others. */
export default function ViewsMenu({ project, query, show, isPressed }: ViewsProps & Opening) {
  const cache = useQueryClient();
  const navigate = useNavigate();
  const { data: me } = useQuery(meQuery);
  const { mayAdminister } = useRights(project);
  const [naming, setNaming] = useState(false);
  const [changing, setChanging] = useState<{ view: View; opened: boolean }>();
  const [deleting, setDeleting] = useState<{ view: View; opened: boolean }>();
  // The entry that opened a dialog is gone with the menu by then.
  const button = useRef<HTMLButtonElement>(null);
  const focusButton = () => button.current?.focus();
  const sort = useLocation({ select: ({ search }) => (search as { sort?: View["sort"] }).sort });
  const isOwn = ({ owner }: View) => me?.kind === "user" && owner?.id === me.id;
  const limits = limitsOf(useCarried("issues"));
  const views = useViews(project, limits);
  const open = (view: View) => void navigate({ to: paths.issues(project), search: viewSearch(view, limits) });
  // Only its owner can save it again just as it was, so only they are not asked.
  const remove = (view: View) =>
    isOwn(view) ? void removeView(cache, project, view) : setDeleting({ view, opened: true });
  const { environment = null, period = null } = limits;
  const search = { query, environment, period, ...(sort && { sort }) };
  const save = (name: string, shared: boolean) => saveView(cache, project, { name, shared, ...search });
  const line = (view: View) => (
    <ViewItem
      key={view.id}
      view={view}
      open={open}
      {...((isOwn(view) || mayAdminister) && {
        remove: () => remove(view),
        edit: () => setChanging({ view, opened: true }),
        update: keeps(view, search) ? undefined : () => void updateView(cache, project, view, search),
      })}
    />
  );
  const [own, others] = [views.filter(isOwn), views.filter((view) => !isOwn(view))];
  return (
    <>
      <Menu position="bottom-start" width="20rem" closeOnItemClick defaultOpened={isPressed}>
        <Menu.Target>
          <ViewsButton ref={button} />
        </Menu.Target>
        <Menu.Dropdown>
          {givenViews.map((view) => (
            <Menu.Item key={view.name} onClick={() => show(view.query)} title={view.query}>
              {view.name}
            </Menu.Item>
          ))}
          {own.length > 0 && <Menu.Label>Yours</Menu.Label>}
          {own.map(line)}
          {others.length > 0 && <Menu.Label>Shared by others</Menu.Label>}
          {others.map(line)}
          <Menu.Divider />
          <BrowserViews project={project} />
          {/* Not a field in here: a menu holds items alone, and nothing else of it is told to who cannot see it. */}
          <Menu.Item leftSection={<Plus size="0.875rem" aria-hidden />} onClick={() => setNaming(true)}>
            Save this search…
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <SaveView opened={naming} close={() => setNaming(false)} closed={focusButton} search={search} save={save} />
      {changing && (
        <SaveView
          key={`${changing.view.id} ${changing.view.name} ${changing.view.shared}`}
          {...changing}
          close={() => setChanging({ ...changing, opened: false })}
          closed={focusButton}
          search={changing.view}
          isOwn={isOwn(changing.view)}
          save={(name, shared) => changeView(cache, project, changing.view, { name, shared })}
        />
      )}
      {deleting && (
        <DeleteView
          {...deleting}
          close={() => setDeleting({ ...deleting, opened: false })}
          closed={focusButton}
          run={() => removeForAll(cache, project, deleting.view)}
        />
      )}
    </>
  );
}
