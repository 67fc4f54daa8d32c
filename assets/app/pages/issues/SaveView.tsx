import { Button, Checkbox, Group, Modal, Stack, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { messageOf } from "../../api/error.ts";
import type { View } from "../../api/schema.d.ts";
import { type Kept, keptWords, leftWords } from "../../issue-search/views.ts";

interface Props {
  opened: boolean;
  close: () => void;
  /** What is kept, or was. */
  search: Kept;
  save: (name: string, shared: boolean) => Promise<void>;
  /** The view to change; without one, a new view is created. The caller keys the dialog by view. */
  view?: Pick<View, "name" | "shared"> | undefined;
  /** Another person's view must stay shared. */
  isOwn?: boolean;
}

const fresh = { name: "", shared: false };

/** Asks for a name to keep a search by, or for another one. */
export function SaveView({ opened, close, search, save, view = fresh, isOwn = true }: Props) {
  const [name, setName] = useState(view.name);
  const [shared, setShared] = useState(view.shared);
  const [busy, setBusy] = useState(false);
  const [why, setWhy] = useState<string>();
  const clean = name.trim();
  const leave = () => {
    setName(view.name);
    setShared(view.shared);
    setWhy(undefined);
    close();
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (clean === "" || busy) return;
    setBusy(true);
    try {
      await save(clean, shared);
      setWhy(undefined);
      if (view === fresh) leave();
      else close();
    } catch (error) {
      setWhy(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Modal opened={opened} onClose={leave} title={view === fresh ? "Save this search" : "Rename view"}>
      <form onSubmit={(event) => void submit(event)}>
        <Stack gap="sm">
          <TextInput
            label="Name of the view"
            description={<Keeps search={search} />}
            value={name}
            error={why}
            maxLength={60}
            onChange={(event) => setName(event.currentTarget.value)}
            autoComplete="off"
            data-autofocus
          />
          <Checkbox
            label="Share it with everybody in this project"
            checked={shared}
            disabled={!isOwn}
            onChange={(event) => setShared(event.currentTarget.checked)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={leave}>
              Cancel
            </Button>
            <Button type="submit" loading={busy} disabled={clean === ""}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

/** What a view keeps of the list: its query and order, and its limits if it has any. */
function Keeps({ search }: { search: Kept }) {
  const kept = keptWords(search);
  return (
    <>
      For{" "}
      <bdi className="mono" style={{ overflowWrap: "anywhere" }}>
        {search.query === "" ? "all issues" : search.query}
      </bdi>
      {kept !== "" && <bdi style={{ overflowWrap: "anywhere" }}> {kept}</bdi>}. {leftWords(search)}
    </>
  );
}
