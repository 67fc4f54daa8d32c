import { Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import type { Methods } from "../../api/schema.d.ts";
import { Providers } from "../../sign-in/Providers.tsx";
import { providersOf } from "../../sign-in/providers.ts";
import { storedInTab, storeInTab } from "../../ui/tab-storage.ts";
import { claimProblems, type Problems, tokenFrom } from "./check.ts";
import { TokenField } from "./TokenField.tsx";
import { TokenHelp } from "./TokenHelp.tsx";

const named = "setup-organization";

/** Where password sign-in is off: the first account signs in through a provider. */
export function ClaimForm({ given, methods }: { given: string; methods: Methods }) {
  const [typed, setToken] = useState<string>();
  const [organization, setOrganization] = useState(() => storedInTab(named) ?? "");
  const [problems, setProblems] = useState<Problems>({});
  const token = (typed ?? given).trim();
  const forget = (field: keyof Problems) => setProblems({ ...problems, [field]: undefined });
  const body = () => {
    const wanted = { setup_token: token, organization_name: organization.trim() };
    const found = claimProblems(wanted);
    setProblems(found);
    if (Object.keys(found).length > 0) return undefined;
    // Somebody who returns with an error need not type it again.
    storeInTab(named, wanted.organization_name);
    storeInTab("setup-token", token);
    return { ...wanted, purpose: "claim" as const, redirect_to: "/" };
  };
  return (
    <Stack gap="md">
      <TokenField
        value={token}
        error={problems.setup_token}
        autoFocus={given === ""}
        onChange={(event) => {
          setToken(tokenFrom(event.currentTarget.value));
          forget("setup_token");
        }}
      />
      {given === "" && <TokenHelp />}
      <TextInput
        label="Organization"
        description="Your company or team. Projects belong to it."
        autoComplete="organization"
        required
        withAsterisk={false}
        value={organization}
        error={problems.organization_name}
        autoFocus={given !== ""}
        onChange={(event) => {
          setOrganization(event.currentTarget.value);
          forget("organization_name");
        }}
      />
      <p className="muted">You will sign in there, and that account will own this instance.</p>
      <Providers providers={providersOf(methods)} body={body} verb="Claim with" />
    </Stack>
  );
}
