import { Stack, TextInput } from "@mantine/core";
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { ApiError, isStatus } from "../../api/error.ts";
import { register } from "../../api/people.ts";
import { projectsQuery } from "../../api/queries.ts";
import type { InvitationPreview } from "../../api/schema.d.ts";
import { rememberProject } from "../../navigation/last-project.ts";
import { paths } from "../../paths.ts";
import { Alarm } from "../../ui/Alarm.tsx";
import { BusyButton } from "../../ui/BusyButton.tsx";
import { useForm } from "../../ui/form.ts";
import { NewPassword } from "../../ui/NewPassword.tsx";
import { done } from "../../ui/notify.ts";
import { Password } from "../../ui/Password.tsx";
import { nameProblem, passwordMissing, passwordProblem } from "../../ui/rules.ts";
import { oneLine } from "../../ui/visible.ts";

interface Props {
  token: string;
  forget: () => void;
  /** `has_account`: the password of that account joins it to the organization. */
  invitation: InvitationPreview;
}

/** Accepts an invitation with a password. */
export function RegisterForm({ token, forget, invitation: { email, has_account: known, organization_name } }: Props) {
  const cache = useQueryClient();
  const navigate = useNavigate();
  const form = useForm({
    initialValues: { name: "", password: "" },
    validate: { name: nameProblem, password: known ? passwordMissing : passwordProblem },
    send: async ({ name, password }) => {
      const named = name.trim() === "" ? {} : { name: name.trim() };
      try {
        await register({ email, password, invitation_token: token, ...named });
      } catch (error) {
        // A password that is too short for anybody is a wrong one, too.
        if (known && isStatus(error, 403, 422))
          throw new ApiError(422, "password: the password is wrong, or the invitation is no longer valid");
        throw error;
      }
      forget();
      cache.clear();
      done(`You have joined ${oneLine(organization_name)}`);
      await openProjectOf(cache, organization_name);
      await navigate({ to: paths.home, replace: true });
    },
  });
  const refused = isStatus(form.failure, 403);
  return (
    <form ref={form.ref} onSubmit={form.onSubmit} aria-busy={form.busy} noValidate>
      <Stack gap="md">
        {/* Password managers store the password under it. */}
        <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
        {known ? (
          <>
            <p>You already have an account here. Enter its password to join.</p>
            <Password
              {...form.field("password")}
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
              {...form.field("name")}
              label="Your name"
              description="Optional. Shown beside your comments and changes."
              autoComplete="name"
              autoFocus
            />
            <NewPassword {...form.field("password")} label="Password" />
          </>
        )}
        <Alarm
          error={form.failure}
          {...(refused ? { what: "The invitation may have been used or revoked in the meantime." } : {})}
        />
        <BusyButton
          type="submit"
          size="sm"
          busy={form.busy}
          label={known ? "Join" : "Join and sign in"}
          doing="Joining…"
        />
        {known && <Link to={paths.forgotPassword}>Forgot your password?</Link>}
      </Stack>
    </form>
  );
}

/** Somebody who belongs to other organizations as well starts with a project of the one they joined. */
async function openProjectOf(cache: QueryClient, organization: string): Promise<void> {
  const projects = await cache.fetchQuery(projectsQuery).catch(() => []);
  const project = projects.find(({ organization: { name } }) => name === organization);
  if (project) rememberProject(project.id);
}
