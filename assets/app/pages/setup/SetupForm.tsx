import { Button, Stack, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { api, ok } from "../../api/client.ts";
import { isStatus } from "../../api/error.ts";
import { setupQuery } from "../../api/instance.ts";
import { paths } from "../../paths.ts";
import { Alarm } from "../../ui/Alarm.tsx";
import { useForm } from "../../ui/form.ts";
import { keep } from "../../ui/kept.ts";
import { NewPassword } from "../../ui/NewPassword.tsx";
import { type FieldName, fields, problemsOf, tokenFrom } from "./check.ts";
import { TokenField } from "./TokenField.tsx";
import { TokenHelp } from "./TokenHelp.tsx";

const none = { setup_token: "", email: "", name: "", password: "", organization_name: "" };

export function SetupForm({ given, leaving }: { given: string; leaving: () => void }) {
  const [values, setValues] = useState({ ...none, setup_token: given });
  useEffect(() => {
    if (given !== "") setValues((now) => ({ ...now, setup_token: given }));
  }, [given]);
  const claim = useClaim(leaving);
  const wanted = {
    setup_token: values.setup_token.trim(),
    email: values.email.trim(),
    password: values.password,
    organization_name: values.organization_name.trim(),
    ...(values.name.trim() === "" ? {} : { name: values.name.trim() }),
  };
  const form = useForm<FieldName>({
    fields,
    check: () => problemsOf(wanted),
    send: () => claim(wanted),
    fieldOf: (error) => (isStatus(error, 403) ? "setup_token" : undefined),
  });
  const field = (name: FieldName) => ({
    name,
    value: values[name],
    error: form.problems[name],
    onChange: (event: { currentTarget: { value: string } }) => {
      const text = event.currentTarget.value;
      setValues((now) => ({ ...now, [name]: name === "setup_token" ? tokenFrom(text) : text }));
      form.changed(name);
    },
  });
  return (
    <form ref={form.ref} onSubmit={form.onSubmit} aria-busy={form.busy} noValidate>
      <Stack gap="md">
        <TokenField {...field("setup_token")} autoFocus={given === ""} />
        {given === "" && <TokenHelp />}
        <TextInput
          {...field("email")}
          label="E-mail"
          type="email"
          autoComplete="username"
          required
          withAsterisk={false}
          autoFocus={given !== ""}
        />
        <TextInput
          {...field("name")}
          label="Your name"
          description="Optional. Shown to others beside what you do."
          autoComplete="name"
        />
        <NewPassword {...field("password")} label="Password" />
        <TextInput
          {...field("organization_name")}
          label="Organization"
          description="Your company or team; projects belong to it."
          autoComplete="organization"
          required
          withAsterisk={false}
        />
        <Alarm error={form.failure} />
        <Button type="submit" size="sm" loading={form.busy}>
          Claim and sign in
        </Button>
      </Stack>
    </form>
  );
}

function useClaim(leaving: () => void) {
  const cache = useQueryClient();
  const navigate = useNavigate();
  return async (body: Parameters<typeof problemsOf>[0]) => {
    try {
      await ok(api.POST("/auth/setup", { body }));
    } catch (error) {
      // Somebody else was first.
      if (isStatus(error, 404)) cache.setQueryData(setupQuery.queryKey, { claimed: true, available: true });
      throw error;
    }
    leaving();
    keep("setup-token", undefined);
    cache.clear();
    await navigate({ href: paths.newProject, replace: true });
  };
}
