import { Button, Modal, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { meQuery } from "../api/queries.ts";
import { sessionKnown, useSessionEnded } from "../api/session.ts";
import { LoginForm } from "../pages/login/LoginForm.tsx";
import { useSignOut } from "./sign-out.ts";

/** When the session has ended: sign in again over the page, which keeps what was typed. */
export function SessionDialog() {
  const ended = useSessionEnded();
  const cache = useQueryClient();
  const me = useQuery({ ...meQuery, enabled: false }).data;
  const leave = useSignOut();
  const back = async () => {
    sessionKnown();
    await cache.invalidateQueries();
  };
  return (
    <Modal opened={ended} onClose={() => void leave()} title="Your session has ended" withCloseButton={false} closeOnClickOutside={false} closeOnEscape={false}>
      <Text size="sm" mb="sm">
        Sign in again to go on where you were.
      </Text>
      <LoginForm email={me?.email} onSignedIn={() => void back()} />
      <Button variant="subtle" color="gray" mt="sm" fullWidth onClick={() => void leave()}>
        Leave, and sign in as somebody else
      </Button>
    </Modal>
  );
}
