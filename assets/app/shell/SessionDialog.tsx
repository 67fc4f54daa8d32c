import { Modal } from "@mantine/core";
import { lazy, Suspense, useEffect } from "react";
import { useSessionEnded } from "../api/session.ts";
import { useFirstInput } from "../ui/first-input.ts";
import { Loading } from "../ui/States.tsx";
import { useSignOut } from "./sign-out.ts";

const load = () => import("./SignInAgain.tsx");
const SignInAgain = lazy(load);

/** When the session has ended: sign in again over the page, which keeps what was typed. */
export function SessionDialog() {
  const ended = useSessionEnded();
  const leave = useSignOut();
  // Loaded ahead: once it is needed, the server may be a newer one that no longer has this file.
  const hasInput = useFirstInput();
  useEffect(() => {
    if (hasInput) void load().catch(() => undefined);
  }, [hasInput]);
  return (
    <Modal
      opened={ended}
      onClose={() => void leave()}
      title="Your session has ended"
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Suspense fallback={<Loading rows={3} />}>
        <SignInAgain leave={() => void leave()} />
      </Suspense>
    </Modal>
  );
}
