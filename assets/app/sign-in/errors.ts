// Explains errors of sign-ins at a provider, with advice.

import { isStatus, messageOf } from "../api/error.ts";

export interface ErrorWords {
  title: string;
  next: string;
  /** The visitor can fix it; the others need an administrator. */
  retry?: boolean;
}

const admin = "Ask an administrator of this instance";

const words: Record<string, ErrorWords> = {
  not_configured: { title: "This sign-in method is not set up.", next: `${admin} how to sign in.` },
  unreachable: {
    title: "The sign-in provider did not respond.",
    next: "Try again in a minute. If it keeps happening, tell an administrator that the server cannot reach the provider.",
    retry: true,
  },
  provider_refused: {
    title: "The provider refused the sign-in.",
    next: `${admin} whether you are allowed to use this application at the provider, and whether the client ID and the callback URL are correct.`,
    retry: true,
  },
  cancelled: {
    title: "The sign-in was cancelled at the provider.",
    next: "Nothing has changed. You can try again.",
    retry: true,
  },
  not_signed_in: {
    title: "You are not signed in.",
    next: "Sign in, then begin again what you came from.",
    retry: true,
  },
  flow_expired: {
    title: "The sign-in took too long.",
    next: "It must be finished within a few minutes. Try again.",
    retry: true,
  },
  wrong_browser: {
    title: "The sign-in was started in another browser.",
    next: "Start and finish it in the same browser, with cookies allowed.",
    retry: true,
  },
  invalid_answer: {
    title: "The provider's response could not be verified.",
    next: `Try again. If it keeps happening, ${admin.toLowerCase()} to check the sign-in settings, which show the step that fails.`,
    retry: true,
  },
  email_missing: {
    title: "The provider did not share your e-mail address.",
    next: "Add an address to your account there, or allow this application to see it, then try again.",
    retry: true,
  },
  email_unverified: {
    title: "Your e-mail address is not verified at the provider.",
    next: "Verify it there, then try again.",
    retry: true,
  },
  domain_not_allowed: {
    title: "Your e-mail domain is not allowed here.",
    next: `Use your work account, or ${admin.toLowerCase()} to allow the domain.`,
    retry: true,
  },
  not_invited: {
    title: "You do not have an account here yet.",
    next: "Ask an admin of your organization to invite this e-mail address, then sign in again.",
  },
  account_disabled: {
    title: "Your account is disabled.",
    next: "An administrator of your organization can enable it again.",
  },
  account_removed: {
    title: "Your account was removed from the organization.",
    next: "An administrator can invite you again.",
  },
  identity_conflict: {
    title: "That account is linked to somebody else.",
    next: "Either it is linked to another account here, or your account is linked to another one there. Sign in the way you did before. Under Account you can see and unlink what is linked.",
  },
  not_claimed: {
    title: "Nobody has claimed this instance yet.",
    next: "The administrator of the server creates the first account with the setup token.",
  },
  setup_token: {
    title: "The setup token is wrong.",
    next: "Paste the token that the server printed when it started, and try again.",
    retry: true,
  },
  rate_limited: { title: "Too many attempts.", next: "Wait a few minutes, then try again.", retry: true },
  internal: {
    title: "The server failed while signing you in.",
    next: `Try again. If it keeps happening, ${admin.toLowerCase()}: the server's log says why.`,
    retry: true,
  },
};

/** The explanation of an error code; an unknown code is shown as it is. */
export function errorWords(code: string): ErrorWords {
  if (Object.hasOwn(words, code)) return words[code] as ErrorWords;
  const name = /^[a-z_]{1,40}$/.test(code) ? ` (${code})` : "";
  return {
    title: `The sign-in failed${name}.`,
    next: `Try again. If it keeps happening, ${admin.toLowerCase()}.`,
    retry: true,
  };
}

/** The code in the server's refusal to start a sign-in: `The sign-in provider does not answer (unreachable). …`. */
export function refusedCode(error: unknown): string | undefined {
  if (!isStatus(error, 409)) return undefined;
  const code = /\(([a-z_]{1,40})\)/.exec(messageOf(error))?.[1];
  return code !== undefined && Object.hasOwn(words, code) ? code : undefined;
}

export const errorCodes = Object.keys(words);
