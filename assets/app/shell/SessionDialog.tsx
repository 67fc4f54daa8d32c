import { memo } from "react";
import { useSessionEnded } from "../api/session.ts";
import { useFirstInput } from "../ui/first-input.ts";
import { useComponent } from "../ui/use-component.ts";
import { useSignOut } from "./sign-out.ts";

const load = () => import("./SignInAgain.tsx");

/** Lets the person sign in again after the session has ended, in a dialog over the page, which keeps what was typed. */
export const SessionDialog = memo(function SessionDialog() {
  const isEnded = useSessionEnded();
  const leave = useSignOut();
  // Loaded in advance, because when it is needed, a newer server may no longer have this file.
  const hasInput = useFirstInput();
  const SignInAgain = useComponent(load, hasInput || isEnded);
  return SignInAgain && <SignInAgain isOpen={isEnded} leave={() => void leave()} />;
});
