import { Stack, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { api, ok } from "../../api/client.ts";
import { isStatus } from "../../api/error.ts";
import { setupQuery } from "../../api/instance.ts";
import { paths } from "../../paths.ts";
import { Alarm } from "../../ui/Alarm.tsx";
import { BusyButton } from "../../ui/BusyButton.tsx";
import { useForm } from "../../ui/form.ts";
import { storeInTab } from "../../ui/tab-storage.ts";
import { NewPassword } from "../../ui/NewPassword.tsx";
import { problemsOf, tokenFrom } from "./check.ts";
import { TokenField } from "./TokenField.tsx";
import { TokenHelp } from "./TokenHelp.tsx";

const none = { setup_token: "", email: "", name: "", password: "", organization_name: "" };

export function SetupForm({ given, leaving }: { given: string; leaving: () => void }) {
  const claim = useClaim(leaving);
  const form = useForm({
    initialValues: { ...none, setup_token: given },
    validate: (values) => problemsOf(setupOf(values)),
    send: (values) => claim(setupOf(values)),
    fieldOf: (error) => (isStatus(error, 403) ? "setup_token" : undefined),
  });
  const { setFieldValue } = form;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each token; the form's functions are new each time
  useEffect(() => {
    if (given !== "" && given !== form.getValues().setup_token) setFieldValue("setup_token", given);
  }, [given]);
  return (
    <form ref={form.ref} onSubmit={form.onSubmit} aria-busy={form.busy} noValidate>
      <Stack gap="md">
        <TokenField
          {...form.field("setup_token")}
          autoFocus={given === ""}
          onChange={(event) => setFieldValue("setup_token", tokenFrom(event.currentTarget.value))}
        />
        {given === "" && <TokenHelp />}
        <TextInput
          {...form.field("email")}
          label="E-mail"
          type="email"
          autoComplete="username"
          required
          withAsterisk={false}
          autoFocus={given !== ""}
        />
        <TextInput
          {...form.field("name")}
          label="Your name"
          description="Optional. Shown beside your comments and changes."
          autoComplete="name"
        />
        <NewPassword {...form.field("password")} label="Password" />
        <TextInput
          {...form.field("organization_name")}
          label="Organization"
          description="Your company or team. Projects belong to it."
          autoComplete="organization"
          required
          withAsterisk={false}
        />
        <Alarm error={form.failure} />
        <BusyButton type="submit" size="sm" busy={form.busy} label="Claim and sign in" doing="Claiming…" />
      </Stack>
    </form>
  );
}

/** The values to send: trimmed except for the password, and without an empty name. */
function setupOf({ password, name, ...texts }: typeof none): Parameters<typeof problemsOf>[0] {
  return {
    setup_token: texts.setup_token.trim(),
    email: texts.email.trim(),
    organization_name: texts.organization_name.trim(),
    password,
    ...(name.trim() === "" ? {} : { name: name.trim() }),
  };
}

function useClaim(leaving: () => void) {
  const cache = useQueryClient();
  const navigate = useNavigate();
  return async (body: Parameters<typeof problemsOf>[0]) => {
    try {
      await ok(api.POST("/auth/setup", { body }));
    } catch (error) {
      // Somebody else claimed it first.
      if (isStatus(error, 404)) cache.setQueryData(setupQuery.queryKey, { claimed: true, available: true });
      throw error;
    }
    leaving();
    storeInTab("setup-token", undefined);
    cache.clear();
    await navigate({ href: paths.newProject, replace: true });
  };
}
