import { Button, Checkbox, Group, Modal, Stack, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { messageOf } from "../../api/error.ts";

interface Props {
  opened: boolean;
  close: () => void;
  query: string;
  save: (name: string, shared: boolean) => Promise<void>;
}

/** Asks for a name to keep a search by. */
export function SaveView({ opened, close, query, save }: Props) {
  const [name, setName] = useState("");
  const [shared, setShared] = useState(false);
  const [busy, setBusy] = useState(false);
  const [why, setWhy] = useState<string>();
  const clean = name.trim();
  const leave = () => {
    setName("");
    setShared(false);
    setWhy(undefined);
    close();
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (clean === "" || busy) return;
    setBusy(true);
    try {
      await save(clean, shared);
      leave();
    } catch (error) {
      setWhy(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Modal opened={opened} onClose={leave} title="Save this search">
      <form onSubmit={(event) => void submit(event)}>
        <Stack gap="sm">
          <TextInput
            label="Name of the view"
            description={
              <>
                For{" "}
                <bdi className="mono" style={{ overflowWrap: "anywhere" }}>
                  {query === "" ? "all issues" : query}
                </bdi>
              </>
            }
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
