import { Stack, TextInput } from "@mantine/core";
import { useEffect, useRef } from "react";
import { isStatus } from "../../api/error.ts";
import type { Methods, ProviderKind } from "../../api/schema.d.ts";
import { ProviderButtons, useLeaving } from "../../sign-in/Providers.tsx";
import { providersOf } from "../../sign-in/providers.ts";
import { useForm } from "../../ui/form.ts";
import { storedInTab, storeInTab } from "../../ui/tab-storage.ts";
import { claimProblems, tokenFrom } from "./check.ts";
import { TokenField } from "./TokenField.tsx";
import { TokenHelp } from "./TokenHelp.tsx";

const named = "setup-organization";

type Claim = {
  setup_token: string;
  organization_name: string;
};

const trimmed = (values: Claim) => ({
  setup_token: values.setup_token.trim(),
  organization_name: values.organization_name.trim(),
});

/** Where password sign-in is off: the first account signs in through a provider. */
export function ClaimForm({ given, methods }: { given: string; methods: Methods }) {
  const providers = providersOf(methods);
  const { going, leave } = useLeaving();
  // Enter chooses the first, as browsers do.
  const chosen = useRef<ProviderKind>(undefined);
  const form = useForm<Claim>({
    initialValues: { setup_token: given, organization_name: storedInTab(named) ?? "" },
    validate: (values) => claimProblems(trimmed(values)),
    send: async (values) => {
      const wanted = trimmed(values);
      // Somebody who returns with an error need not type it again.
      storeInTab(named, wanted.organization_name);
      storeInTab("setup-token", wanted.setup_token);
      const provider = chosen.current ?? providers[0]?.provider;
      if (provider) await leave(provider, { ...wanted, purpose: "claim", redirect_to: "/" });
    },
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
          {...form.field("organization_name")}
          label="Organization"
          description="Your company or team. Projects belong to it."
          autoComplete="organization"
          required
          withAsterisk={false}
          autoFocus={given !== ""}
        />
        <p className="muted">You will sign in there, and that account will own this instance.</p>
        <ProviderButtons
          providers={providers}
          going={going}
          choose={(provider) => {
            chosen.current = provider;
          }}
          error={form.failure}
          verb="Claim with"
          type="submit"
        />
      </Stack>
    </form>
  );
}
