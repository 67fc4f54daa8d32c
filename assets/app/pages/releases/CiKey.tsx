import { Link } from "@tanstack/react-router";
import { useRights } from "../../api/role.ts";
import { paths } from "../../paths.ts";
import { kinds } from "../settings/key-kinds.ts";

interface Props {
  project: number;
  /** Of a command that does not name the server itself. */
  origin?: string;
}

/** What a command for CI needs in its environment: the key, where to create it, and where to store it. */
export function CiKey({ project, origin }: Props) {
  const { mayAdminister } = useRights(project);
  const keys = (label: string) => <Link to={paths.settings(project, "keys")}>{label}</Link>;
  return (
    <p className="muted">
      {origin !== undefined && (
        <>
          It needs <code>MAYDAY_URL={origin}</code> and <code>MAYDAY_KEY</code> in its environment.{" "}
        </>
      )}
      <code>MAYDAY_KEY</code> is a project key for “{kinds.ci.word}”:{" "}
      {mayAdminister ? keys("create one") : <>an owner or admin {keys("creates one")}</>}. <CiSecret />
    </p>
  );
}

/** Where the key is stored. */
export const CiSecret = () => (
  <>
    Store it in your CI as a secret named <code>MAYDAY_KEY</code>: on GitHub under Settings → Secrets and variables →
    Actions, on GitLab under Settings → CI/CD → Variables, masked.
  </>
);
