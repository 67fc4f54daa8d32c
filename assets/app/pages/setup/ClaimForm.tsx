import { Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import type { Methods } from "../../api/schema.d.ts";
import { keep, kept } from "../../ui/kept.ts";
import type { Problems } from "../../ui/form.ts";
import { Providers } from "../login/Providers.tsx";
import { providersOf } from "../login/providers.ts";
import { claimProblems, type FieldName, tokenFrom } from "./check.ts";
import { TokenField } from "./TokenField.tsx";
import { TokenHelp } from "./TokenHelp.tsx";

const named = "setup-organization";

/** Where passwords are off: the first account is one of a provider's. */
export function ClaimForm({ given, methods }: { given: string; methods: Methods }) {
  const [typed, setToken] = useState<string>();
  const [organization, setOrganization] = useState(() => kept(named) ?? "");
  const [problems, setProblems] = useState<Problems<FieldName>>({});
  const token = (typed ?? given).trim();
  const forget = (field: FieldName) => setProblems({ ...problems, [field]: undefined });
  const body = () => {
    const wanted = { setup_token: token, organization_name: organization.trim() };
    const found = claimProblems(wanted);
    setProblems(found);
    if (Object.keys(found).length > 0) return undefined;
    // Who comes back with an error need not type it again.
    keep(named, wanted.organization_name);
    keep("setup-token", token);
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
        description="Your company or team; projects belong to it."
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
      <p className="muted">You sign in there now, and own this instance with that account.</p>
      <Providers providers={providersOf(methods)} body={body} verb="Claim with" />
    </Stack>
  );
}
