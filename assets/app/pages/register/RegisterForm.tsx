import { Button, Stack, TextInput } from "@mantine/core";
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { ApiError, isStatus } from "../../api/error.ts";
import { register } from "../../api/people.ts";
import { projectsQuery } from "../../api/queries.ts";
import type { InvitationPreview } from "../../api/schema.d.ts";
import { paths } from "../../paths.ts";
import { Alarm } from "../../ui/Alarm.tsx";
import { useForm } from "../../ui/form.ts";
import { NewPassword } from "../../ui/NewPassword.tsx";
import { done } from "../../ui/notify.tsx";
import { Password } from "../../ui/Password.tsx";
import { found, nameProblem, passwordProblem } from "../../ui/rules.ts";
import { oneLine } from "../../ui/visible.ts";
import { rememberProject } from "../projects/last.ts";

interface Props {
  token: string;
  forget: () => void;
  /** `has_account`: the password of that account joins it to the organization. */
  invitation: InvitationPreview;
}

/** Accepts an invitation with a password. */
export function RegisterForm({ token, forget, invitation: { email, has_account: known, organization_name } }: Props) {
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const cache = useQueryClient();
  const navigate = useNavigate();
  const form = useForm({
    fields: ["name", "password"] as const,
    check: () => {
      const missing = password === "" ? "Enter your password." : undefined;
      return found({ name: nameProblem(name), password: known ? missing : passwordProblem(password) });
    },
    send: async () => {
      try {
        await register({
          email,
          password,
          invitation_token: token,
          ...(name.trim() === "" ? {} : { name: name.trim() }),
        });
      } catch (error) {
        // A password that is shorter than any here may be is a wrong one, too.
        if (known && isStatus(error, 403, 422))
          throw new ApiError(422, "password: the password is wrong, or the invitation is not valid any more");
        throw error;
      }
      forget();
      cache.clear();
      done(`You have joined ${oneLine(organization_name)}`);
      await openProjectOf(cache, organization_name);
      await navigate({ to: paths.home, replace: true });
    },
  });
  const field = (which: "name" | "password", set: (text: string) => void) => ({
    name: which,
    value: which === "name" ? name : password,
    error: form.problems[which],
    onChange: (event: { currentTarget: { value: string } }) => {
      set(event.currentTarget.value);
      form.changed(which);
    },
  });
  const refused = isStatus(form.failure, 403);
  return (
    <form ref={form.ref} onSubmit={form.onSubmit} aria-busy={form.busy} noValidate>
      <Stack gap="md">
        {/* For password managers, which keep the password under it. */}
        <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
        {known ? (
          <>
            <p>You have an account here already. Enter its password to join.</p>
            <Password
              {...field("password", setPassword)}
              label="Your password"
              autoComplete="current-password"
              required
              withAsterisk={false}
              autoFocus
            />
          </>
        ) : (
          <>
            <TextInput
              {...field("name", setName)}
              label="Your name"
              description="Optional. Shown to others beside what you do."
              autoComplete="name"
              autoFocus
            />
            <NewPassword {...field("password", setPassword)} label="Password" />
          </>
        )}
        <Alarm
          error={form.failure}
          {...(refused ? { what: "The invitation may have been used or withdrawn meanwhile." } : {})}
        />
        <Button type="submit" size="sm" loading={form.busy}>
          {known ? "Join" : "Join and sign in"}
        </Button>
        {known && <Link to={paths.forgotPassword}>Forgot your password?</Link>}
      </Stack>
    </form>
  );
}

/** Who was in others already begins with a project of the organization that was joined. */
async function openProjectOf(cache: QueryClient, organization: string): Promise<void> {
  const projects = await cache.fetchQuery(projectsQuery).catch(() => []);
  const project = projects.find(({ organization: { name } }) => name === organization);
  if (project) rememberProject(project.id);
}
