import { memo } from "react";
import { useSessionEnded } from "../api/session.ts";
import { useFirstInput } from "../ui/first-input.ts";
import { useComponent } from "../ui/use-component.ts";
import { useSignOut } from "./sign-out.ts";

const load = () => import("./SignInAgain.tsx");

/** When the session has ended: sign in again over the page, which keeps what was typed. */
export const SessionDialog = memo(function SessionDialog() {
  const isEnded = useSessionEnded();
  const leave = useSignOut();
  // Loaded ahead: once it is needed, the server may be a newer one that no longer has this file.
  const hasInput = useFirstInput();
  const SignInAgain = useComponent(load, hasInput || isEnded);
  return SignInAgain && <SignInAgain isOpen={isEnded} leave={() => void leave()} />;
});
