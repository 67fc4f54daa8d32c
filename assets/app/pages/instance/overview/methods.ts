import type { Methods } from "../../../api/schema.d.ts";
import { providersOf } from "../../../sign-in/providers.ts";

/** The ways to sign in, as people call them. */
export const methodNames = (methods: Methods): string[] => [
  ...(methods.password_login ? ["e-mail and password"] : []),
  ...providersOf(methods).map(({ name }) => name),
];
