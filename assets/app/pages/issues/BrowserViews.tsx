import { Menu } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { Upload, X } from "lucide-react";
import { useState } from "react";
import { saveView, takeOver, useBrowserViews } from "../../issue-search/views.ts";
import { counted } from "../../ui/format.ts";
import { done, problem } from "../../ui/notify.ts";

/** Offers to save views of this browser on the server, until that is done or they are discarded. */
export function BrowserViews({ project }: { project: number }) {
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
    if (taken > 0) done(`${counted(taken, "view")} saved to the server`);
    if (left.length > 0) problem(`${counted(left.length, "view")} could not be saved`, why);
  };
  const discard = () => {
    setKept([]);
    done(`${counted(kept.length, "view")} discarded`, () => setKept(kept));
  };
  return (
    <>
      <Menu.Item
        leftSection={<Upload size="0.875rem" aria-hidden />}
        title={kept.map(({ name }) => name).join(", ")}
        disabled={busy}
        onClick={() => void take()}
      >
        Save {counted(kept.length, "view")} of this browser to the server
      </Menu.Item>
      <Menu.Item leftSection={<X size="0.875rem" aria-hidden />} disabled={busy} onClick={discard}>
        Discard {kept.length === 1 ? "it" : "them"}
      </Menu.Item>
    </>
  );
}
