import { useParams } from "@tanstack/react-router";
import { useOrganization } from "../../api/role.ts";
import type { Organization } from "../../api/schema.d.ts";
import { Forbidden } from "../../errors/Missing.tsx";
import { sectionOf } from "../../navigation/lookup.ts";
import { SettingsArea } from "../../navigation/SettingsArea.tsx";
import type { OrganizationSection } from "../../paths.ts";
import { FormBones } from "../../ui/Bones.tsx";
import { Failed, Loading } from "../../ui/States.tsx";
import { AdminsNote } from "../../ui/settings/OnlyAdmins.tsx";
import { Audit } from "./audit/Audit.tsx";
import { Connections } from "./connections/Connections.tsx";
import { General } from "./General.tsx";
import { Keys } from "./keys/Keys.tsx";
import { Members } from "./members/Members.tsx";
import { SignIn } from "./sign-in/SignIn.tsx";

/** The pages of an organization: members, sign-in, and audit log. */
export default function OrganizationPage() {
  const { organizationId, section = "general" } = useParams({ strict: false }) as {
    organizationId: number;
    section?: OrganizationSection;
  };
  const { organization, found, error } = useOrganization(organizationId);
  if (!found) return <Forbidden what="this organization" />;
  return (
    <SettingsArea section={`organization-${section}`}>
      {organization ? (
        <Part organization={organization} section={section} key={organization.id} />
      ) : error ? (
        <Failed error={error} what="The organization" />
      ) : (
        <Loading bones={<FormBones />} />
      )}
    </SettingsArea>
  );
}

function Part({ organization, section }: { organization: Organization; section: OrganizationSection }) {
  const { id, role } = organization;
  const { label, adminsOnly } = sectionOf(`organization-${section}`);
  if (role === "member" && adminsOnly !== undefined) {
    return (
      <>
        <h2>{label}</h2>
        <AdminsNote organization={id} role={role} what={adminsOnly} />
      </>
    );
  }
  switch (section) {
    case "general":
      return <General organization={organization} />;
    case "members":
      return <Members organization={organization} />;
    case "keys":
      return <Keys organization={id} />;
    case "connections":
      return <Connections organization={id} role={role} />;
    case "sign-in":
      return <SignIn organization={id} />;
    case "audit":
      return <Audit organization={id} />;
  }
}
