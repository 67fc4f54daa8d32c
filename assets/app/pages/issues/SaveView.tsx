import { Button, Group, Modal, Stack, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";

interface Props {
  opened: boolean;
  close: () => void;
  query: string;
  save: (name: string) => void;
}

/** Asks for a name to keep a search by. */
export function SaveView({ opened, close, query, save }: Props) {
  const [name, setName] = useState("");
  const clean = name.trim();
  const leave = () => {
    setName("");
    close();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (clean === "") return;
    save(clean);
    leave();
  };
  return (
    <Modal opened={opened} onClose={leave} title="Save this search">
      <form onSubmit={submit}>
        <Stack gap="sm">
          <TextInput
            label="Name of the view"
            description={
              <>
                Kept in this browser, for{" "}
                <bdi className="mono" style={{ overflowWrap: "anywhere" }}>
                  {query === "" ? "all issues" : query}
                </bdi>
              </>
            }
            value={name}
            maxLength={60}
            onChange={(event) => setName(event.currentTarget.value)}
            autoComplete="off"
            data-autofocus
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={leave}>
              Cancel
            </Button>
            <Button type="submit" disabled={clean === ""}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
