import { useParams } from "@tanstack/react-router";
import { useMany } from "../../api/instance.ts";
import { useOrganization } from "../../api/role.ts";
import type { Organization } from "../../api/schema.d.ts";
import { type OrganizationSection, paths } from "../../paths.ts";
import { Page } from "../../ui/Page.tsx";
import { Failed, Loading } from "../../ui/States.tsx";
import { oneLine } from "../../ui/visible.ts";
import { Forbidden } from "../errors/Missing.tsx";
import { AdminsNote } from "../../ui/settings/OnlyAdmins.tsx";
import { Sections } from "../../ui/settings/Sections.tsx";
import { Audit } from "./audit/Audit.tsx";
import { General } from "./General.tsx";
import { Keys } from "./keys/Keys.tsx";
import { Members } from "./members/Members.tsx";
import { sectionNames, sectionsOf } from "./names.ts";
import { SignIn } from "./sign-in/SignIn.tsx";

/** Who belongs to an organization, how they get in, and what they did. */
export default function OrganizationPage() {
  const { organizationId, section = "general" } = useParams({ strict: false }) as {
    organizationId: number;
    section?: OrganizationSection;
  };
  const { organization, found, error } = useOrganization(organizationId);
  const many = useMany();
  if (!found) return <Forbidden what="this organization" />;
  const title = organization ? oneLine(organization.name) : "Organization";
  return (
    <Page title={title} tab={`${sectionNames[section]} · ${title}`}>
      <Sections
        label="Organization"
        entries={sectionsOf(many).map((name) => ({
          name: sectionNames[name],
          to: paths.organization(organizationId, name),
        }))}
      >
        {organization ? (
          <Part organization={organization} section={section} key={organization.id} />
        ) : error ? (
          <Failed error={error} what="The organization" />
        ) : (
          <Loading />
        )}
      </Sections>
    </Page>
  );
}

/** What each part is called by who may not see it. */
const forAdmins: Partial<Record<OrganizationSection, string>> = {
  keys: "Seeing, making and revoking keys of the organization",
  "sign-in": "Seeing and checking how people sign in",
  audit: "Reading the audit log",
};

function Part({ organization, section }: { organization: Organization; section: OrganizationSection }) {
  const { id, role } = organization;
  const words = forAdmins[section];
  if (role === "member" && words !== undefined) {
    return (
      <>
        <h2>{sectionNames[section]}</h2>
        <AdminsNote organization={id} role={role} what={words} />
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
    case "sign-in":
      return <SignIn organization={id} />;
    case "audit":
      return <Audit organization={id} />;
  }
}
