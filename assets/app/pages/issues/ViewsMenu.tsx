import { Menu } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useLocation, useNavigate } from "@tanstack/react-router";
import { Pencil, Plus, Trash2, Upload, Users, X } from "lucide-react";
import { useState } from "react";
import { meQuery } from "../../api/queries.ts";
import { useRights } from "../../api/role.ts";
import type { View } from "../../api/schema.d.ts";
import {
  changeView,
  deleteView,
  givenViews,
  saveView,
  takeOver,
  useBrowserViews,
  useViews,
  viewSearch,
  viewWords,
} from "../../issue-search/views.ts";
import { limitsOf } from "../../navigation/limits.ts";
import { useCarried } from "../../navigation/use-carried.ts";
import { paths } from "../../paths.ts";
import type { Opening } from "../../ui/Deferred.tsx";
import { counted } from "../../ui/format.ts";
import { done, problem } from "../../ui/notify.ts";
import { Line } from "../../ui/Text.tsx";
import classes from "./Bar.module.css";
import { SaveView } from "./SaveView.tsx";
import { ViewsButton, type ViewsProps } from "./ViewsButton.tsx";

/** A menu of views: built-in ones, the person's own, and shared ones of others. */
export default function ViewsMenu({ project, query, show, isPressed }: ViewsProps & Opening) {
  const cache = useQueryClient();
  const navigate = useNavigate();
  const { data: me } = useQuery(meQuery);
  const { mayAdminister } = useRights(project);
  const [naming, setNaming] = useState(false);
  const [changing, setChanging] = useState<{ view: View; opened: boolean }>();
  const sort = useLocation({ select: ({ search }) => (search as { sort?: View["sort"] }).sort });
  const isOwn = ({ owner }: View) => me?.kind === "user" && owner?.id === me.id;
  const limits = limitsOf(useCarried("issues"));
  const views = useViews(project, limits);
  const open = (view: View) => void navigate({ to: paths.issues(project), search: viewSearch(view, limits) });
  const remove = (view: View) =>
    deleteView(cache, project, view).catch((error: unknown) => problem("The view could not be deleted", error));
  const { environment = null, period = null } = limits;
  const search = { query, environment, period, ...(sort && { sort }) };
  const save = (name: string, shared: boolean) => saveView(cache, project, { name, shared, ...search });
  const line = (view: View) => (
    <ViewItem
      key={view.id}
      view={view}
      open={open}
      {...((isOwn(view) || mayAdminister) && { remove, rename: () => setChanging({ view, opened: true }) })}
    />
  );
  const [own, others] = [views.filter(isOwn), views.filter((view) => !isOwn(view))];
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
          {own.length > 0 && <Menu.Label>Yours</Menu.Label>}
          {own.map(line)}
          {others.length > 0 && <Menu.Label>Shared by others</Menu.Label>}
          {others.map(line)}
          <Menu.Divider />
          <FromBrowser project={project} />
          {/* Not a field in here: a menu holds items alone, and nothing else of it is told to who cannot see it. */}
          <Menu.Item leftSection={<Plus size="0.875rem" aria-hidden />} onClick={() => setNaming(true)}>
            Save this search…
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <SaveView opened={naming} close={() => setNaming(false)} search={search} save={save} />
      {changing && (
        <SaveView
          key={`${changing.view.id} ${changing.view.name} ${changing.view.shared}`}
          {...changing}
          close={() => setChanging({ ...changing, opened: false })}
          search={changing.view}
          isOwn={isOwn(changing.view)}
          save={(name, shared) => changeView(cache, project, changing.view, { name, shared })}
        />
      )}
    </>
  );
}

interface ViewItemProps {
  view: View;
  open: (view: View) => void;
  remove?: (view: View) => Promise<void>;
  rename?: () => void;
}

function ViewItem({ view, open, remove, rename }: ViewItemProps) {
  const { name, shared, owner } = view;
  const by = shared && owner ? `, shared by ${owner.name}` : "";
  return (
    <div className={classes.saved}>
      <Menu.Item
        onClick={() => open(view)}
        title={`${viewWords(view)}${by}`}
        leftSection={shared ? <Users size="0.75rem" role="img" aria-label="Shared:" /> : undefined}
      >
        <Line text={name} />
      </Menu.Item>
      {rename && (
        <Menu.Item className={classes.forget ?? ""} aria-label={`Rename view ${name}`} onClick={rename}>
          <Pencil size="0.75rem" aria-hidden />
        </Menu.Item>
      )}
      {remove && (
        <Menu.Item
          className={classes.forget ?? ""}
          aria-label={`Delete view ${name}`}
          closeMenuOnClick={false}
          onClick={() => void remove(view)}
        >
          <Trash2 size="0.75rem" aria-hidden />
        </Menu.Item>
      )}
    </div>
  );
}

/** Offers to move views from this browser to the server, until that is done or declined. */
function FromBrowser({ project }: { project: number }) {
  const cache = useQueryClient();
  const [kept, setKept] = useBrowserViews(project);
  const [busy, setBusy] = useState(false);
  if (kept.length === 0) return null;
  const take = async () => {
    setBusy(true);
    const { left, why } = await takeOver(kept, (view) => saveView(cache, project, view));
    setKept(left);
    setBusy(false);
    const taken = kept.length - left.length;
    if (taken > 0) done(`${counted(taken, "view")} of this browser ${taken === 1 ? "is" : "are"} yours everywhere now`);
    if (left.length > 0) problem(`${counted(left.length, "view")} could not be taken over`, why);
  };
  return (
    <>
      <Menu.Item
        leftSection={<Upload size="0.875rem" aria-hidden />}
        title={kept.map(({ name }) => name).join(", ")}
        disabled={busy}
        onClick={() => void take()}
      >
        Take over {counted(kept.length, "view")} of this browser
      </Menu.Item>
      <Menu.Item leftSection={<X size="0.875rem" aria-hidden />} disabled={busy} onClick={() => setKept([])}>
        Drop {kept.length === 1 ? "it" : "them"}
      </Menu.Item>
    </>
  );
}
