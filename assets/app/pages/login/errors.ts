// What failed on the way through a provider, in words, with what to do.

import { isStatus, messageOf } from "../../api/error.ts";

export interface ErrorWords {
  title: string;
  next: string;
  /** A visitor can mend it; the others need an administrator. */
  retry?: boolean;
}

const admin = "Ask an administrator of this instance";

const words: Record<string, ErrorWords> = {
  not_configured: { title: "This way to sign in is not set up here.", next: `${admin} how you are meant to sign in.` },
  unreachable: {
    title: "The sign-in service did not answer.",
    next: "Try again in a minute. If it stays so, tell an administrator: the server cannot reach the provider.",
    retry: true,
  },
  provider_refused: {
    title: "The provider refused the sign-in.",
    next: `${admin} whether you may use this application there, and whether the client id and the callback address are right.`,
    retry: true,
  },
  cancelled: {
    title: "The sign-in was cancelled at the provider.",
    next: "Nothing has changed. Start again when you want to.",
    retry: true,
  },
  flow_expired: {
    title: "The sign-in took too long.",
    next: "It has to be finished within some minutes. Start again.",
    retry: true,
  },
  wrong_browser: {
    title: "The sign-in was begun in another browser.",
    next: "Start and finish it in the same browser, with cookies allowed.",
    retry: true,
  },
  invalid_answer: {
    title: "The provider's answer could not be trusted.",
    next: `Try once more. If it stays so, ${admin.toLowerCase()} to check the sign-in settings: the page there says which step fails.`,
    retry: true,
  },
  email_missing: {
    title: "The provider told no e-mail address of yours.",
    next: "Add one to your account there, or allow this application to see it, and try again.",
    retry: true,
  },
  email_unverified: {
    title: "Your e-mail address is not verified at the provider.",
    next: "Verify it there, then try again.",
    retry: true,
  },
  domain_not_allowed: {
    title: "E-mail addresses of your domain may not sign in here.",
    next: `Use your work account, or ${admin.toLowerCase()} to allow the domain.`,
    retry: true,
  },
  not_invited: {
    title: "There is no account for you here yet.",
    next: "Ask somebody of the organization to invite you by this e-mail address, then sign in again.",
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
    title: "That account belongs to somebody else here.",
    next: "It is linked to another account here, or yours to another one there. Sign in the way you did before; under Account you see what is linked, and can unlink it.",
  },
  not_claimed: {
    title: "Nobody has claimed this instance yet.",
    next: "Whoever runs the server makes the first account with the setup token.",
  },
  setup_token: {
    title: "The setup token was not right.",
    next: "Paste the token that the server printed when it started, and try again.",
    retry: true,
  },
  rate_limited: { title: "There were too many attempts.", next: "Wait a few minutes, then try again.", retry: true },
  internal: {
    title: "The server failed while signing you in.",
    next: `Try again. If it stays so, ${admin.toLowerCase()}: the server's log says why.`,
    retry: true,
  },
};

/** What a code of the server means; a code that nobody knows is named. */
export function errorWords(code: string): ErrorWords {
  if (Object.hasOwn(words, code)) return words[code] as ErrorWords;
  const name = /^[a-z_]{1,40}$/.test(code) ? ` (${code})` : "";
  return {
    title: `The sign-in failed${name}.`,
    next: `Try again. If it stays so, ${admin.toLowerCase()}.`,
    retry: true,
  };
}

/** The code in the server's refusal to begin: `The sign-in provider does not answer (unreachable). …`. */
export function refusedCode(error: unknown): string | undefined {
  if (!isStatus(error, 409)) return undefined;
  const code = /\(([a-z_]{1,40})\)/.exec(messageOf(error))?.[1];
  return code !== undefined && Object.hasOwn(words, code) ? code : undefined;
}

export const errorCodes = Object.keys(words);
