import { Checkbox, Modal, TextInput } from "@mantine/core";
import { isStatus } from "../../api/error.ts";
import type { View } from "../../api/schema.d.ts";
import { type ViewContent, keptWords, leftWords } from "../../issue-search/views.ts";
import { useForm } from "../../ui/form.ts";
import { required } from "../../ui/rules.ts";
import { DialogForm } from "../../ui/settings/DialogForm.tsx";

interface Props {
  opened: boolean;
  close: () => void;
  /** Gives the focus to what is there once the dialog is gone. */
  closed: () => void;
  /** What is kept, or was. */
  search: ViewContent;
  save: (name: string, shared: boolean) => Promise<void>;
  /** The view to change; without one, a new view is created. The caller keys the dialog by view. */
  view?: Pick<View, "name" | "shared"> | undefined;
  /** Another person's view must stay shared. */
  isOwn?: boolean;
}

const fresh = { name: "", shared: false };

/** Asks for a name to keep a search by, or for another one. */
export function SaveView({ opened, close, closed, search, save, view = fresh, isOwn = true }: Props) {
  const form = useForm({
    initialValues: { name: view.name, shared: view.shared },
    validate: { name: (name) => required(name) },
    send: async ({ name, shared }) => {
      await save(name.trim(), shared);
      if (view === fresh) form.reset();
      close();
    },
    // A view that is gone is not about its name.
    fieldOf: (error) => (isStatus(error, 404) ? undefined : "name"),
  });
  const leave = () => {
    form.reset();
    close();
  };
  return (
    <Modal
      opened={opened}
      onClose={leave}
      returnFocus={false}
      onExitTransitionEnd={closed}
      title={view === fresh ? "Save this search" : "Edit view"}
    >
      <DialogForm form={form} cancel={leave} label="Save" doing="Saving…">
        <TextInput
          {...form.field("name")}
          label="Name of the view"
          description={<ViewWords search={search} />}
          maxLength={60}
          autoComplete="off"
          data-autofocus
        />
        <Checkbox
          {...form.field("shared", { type: "checkbox" })}
          label="Share it with everybody in this project"
          disabled={!isOwn}
        />
      </DialogForm>
    </Modal>
  );
}

/** What a view keeps of the list: its query and order, and its limits if it has any. */
function ViewWords({ search }: { search: ViewContent }) {
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
