// Queries and changes before sign-in, and those of one's own account.

import { queryOptions } from "@tanstack/react-query";
import { api, ok } from "./client.ts";
import type { CreatePersonalToken, Profile, ProviderKind, Register, StartFlow } from "./schema.d.ts";

/** The account of the person who is signed in. */
export type Account = Profile;

/** How people sign in here. It changes only when the server restarts. */
export const methodsQuery = queryOptions({
  queryKey: ["methods"],
  queryFn: ({ signal }) => ok(api.GET("/auth/desktop/methods", { signal })),
  staleTime: 10 * 60_000,
  retry: false,
});

/** Who an invitation is for. */
export const invitationQuery = (token: string) =>
  queryOptions({
    queryKey: ["invitation", token],
    queryFn: ({ signal }) => ok(api.POST("/auth/invitation", { body: { token }, signal })),
    retry: false,
    gcTime: 0,
  });

export const register = (body: Register) => ok(api.POST("/auth/password/register", { body }));

/** `mailed` is false if the server cannot send mail. */
export const forgotPassword = (email: string) => ok(api.POST("/auth/password/forgot", { body: { email } }));

export const resetPassword = (token: string, password: string) =>
  ok(api.POST("/auth/password/reset", { body: { token, password } }));

export const confirmEmail = (token: string) => ok(api.POST("/auth/email/confirm", { body: { token } }));

/** Starts a sign-in through a provider; the response says where to go. */
export const startFlow = (provider: ProviderKind, body: StartFlow) =>
  ok(provider === "sso" ? api.POST("/auth/sso/start", { body }) : api.POST("/auth/github/start", { body }));

export const rename = (name: string) => ok(api.PATCH("/api/v1/me", { body: { name } }));

export const changePassword = (current_password: string, new_password: string, end_tokens: boolean) =>
  ok(api.POST("/auth/password/change", { body: { current_password, new_password, end_tokens } }));

export const changeEmail = (email: string, password: string) =>
  ok(api.POST("/api/v1/me/email", { body: { email, password } }));

export const unlink = (identity_id: number) =>
  ok(api.DELETE("/api/v1/me/identities/{identity_id}", { params: { path: { identity_id } } }));

export const sessionsQuery = queryOptions({
  queryKey: ["sessions"],
  queryFn: ({ signal }) => ok(api.GET("/api/v1/me/sessions", { signal })),
});

export const endSession = (session_id: number) =>
  ok(api.DELETE("/api/v1/me/sessions/{session_id}", { params: { path: { session_id } } }));

export const endOtherSessions = () => ok(api.DELETE("/api/v1/me/sessions"));

export const tokensQuery = queryOptions({
  queryKey: ["tokens"],
  queryFn: ({ signal }) => ok(api.GET("/api/v1/me/tokens", { signal })),
});

export const createToken = (body: CreatePersonalToken) => ok(api.POST("/api/v1/me/tokens", { body }));

export const revokeToken = (token_id: number) =>
  ok(api.DELETE("/api/v1/me/tokens/{token_id}", { params: { path: { token_id } } }));
