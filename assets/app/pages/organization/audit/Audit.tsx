import { Button, Select } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { auditQuery } from "../../../api/organization-queries.ts";
import { organizationQuery } from "../../../api/queries.ts";
import type { OrganizationSearch } from "../route.ts";
import { counted } from "../../../ui/format.ts";
import { TableBones } from "../../../ui/Bones.tsx";
import { Answer, Empty } from "../../../ui/States.tsx";
import { oneLine } from "../../../ui/visible.ts";
import classes from "../../../ui/settings/Settings.module.css";
import { nameOf } from "../members/people.ts";
import own from "./Audit.module.css";
import { AuditTable } from "./AuditTable.tsx";
import { groups } from "./words.ts";

/** The audit log, newest first. */
export function Audit({ organization }: { organization: number }) {
  const search = useSearch({ strict: false }) as OrganizationSearch;
  const navigate = useNavigate();
  const members = useQuery(organizationQuery(organization)).data?.members ?? [];
  const query = useInfiniteQuery(auditQuery(organization, search));
  const show = (change: OrganizationSearch) =>
    void navigate({
      to: "/organizations/$organizationId/settings/$section",
      params: { organizationId: organization, section: "audit" },
      search: { action: search.action, actor: search.actor, ...change },
      replace: true,
    });
  const filtered = search.action !== undefined || search.actor !== undefined;
  const people = members.map((member) => ({ value: String(member.id), label: oneLine(nameOf(member)) }));
  return (
    <>
      <h2>Audit log</h2>
      <div className={own.filters}>
        <Select
          aria-label="Action"
          data={[...groups]}
          value={search.action ?? ""}
          allowDeselect={false}
          onChange={(value) => show({ action: value || undefined })}
        />
        <Select
          aria-label="Actor"
          searchable
          data={[{ value: "", label: "Everyone" }, ...people]}
          value={search.actor ?? ""}
          allowDeselect={false}
          onChange={(value) => show({ actor: value || undefined })}
        />
        {query.data?.pages[0] && (
          <span className="muted number">{counted(query.data.pages[0].total, "entry", "entries")}</span>
        )}
      </div>
      <Answer query={query} what="The audit log" bones={<TableBones rows={10} />}>
        {({ pages }) => {
          const entries = pages.flatMap((page) => page.entries);
          if (entries.length === 0)
            return <NoEntries filtered={filtered} clear={() => show({ action: undefined, actor: undefined })} />;
          return (
            <div className={query.isPlaceholderData ? own.old : undefined}>
              <AuditTable entries={entries} />
              {query.hasNextPage && (
                <Button
                  variant="default"
                  mt="sm"
                  loading={query.isFetchingNextPage}
                  onClick={() => void query.fetchNextPage()}
                >
                  Show older entries
                </Button>
              )}
              {query.isFetchNextPageError && (
                <p className={classes.bad}>The older entries could not be loaded. Try again.</p>
              )}
            </div>
          );
        }}
      </Answer>
    </>
  );
}

function NoEntries({ filtered, clear }: { filtered: boolean; clear: () => void }) {
  const action = filtered ? (
    <Button variant="default" onClick={clear}>
      Clear filters
    </Button>
  ) : undefined;
  return (
    <Empty title={filtered ? "No matching entries" : "No entries yet"} action={action}>
      <p>{filtered ? "Try other filters." : "Sign-ins, invitations and changes will appear here."}</p>
    </Empty>
  );
}
