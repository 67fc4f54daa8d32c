import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { methodsQuery } from "../../../api/people.ts";
import { meQuery } from "../../../api/queries.ts";
import { CameWith } from "../../../sign-in/CameWith.tsx";
import { FormBones } from "../../../ui/Bones.tsx";
import { Answer } from "../../../ui/States.tsx";
import { EmailPart } from "./EmailPart.tsx";
import { Identities } from "./Identities.tsx";
import { NameForm } from "./NameForm.tsx";
import { PasswordPart } from "./PasswordPart.tsx";

/** Who somebody is here, and how they sign in. */
export function Profile() {
  const account = useQuery({ ...meQuery, staleTime: 30_000 });
  const methods = useQuery(methodsQuery).data;
  const { error } = useSearch({ strict: false }) as { error?: string };
  return (
    <>
      <h2>Profile</h2>
      <CameWith code={error} />
      <Answer query={account} what="Your account" bones={<FormBones />}>
        {(found) =>
          found && (
            <>
              <NameForm account={found} />
              <EmailPart account={found} />
              {methods?.password_login !== false && <PasswordPart account={found} />}
              <Identities account={found} methods={methods} />
            </>
          )
        }
      </Answer>
    </>
  );
}
