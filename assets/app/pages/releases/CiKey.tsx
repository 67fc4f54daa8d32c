import { Link } from "@tanstack/react-router";
import { useRights } from "../../api/role.ts";
import { paths } from "../../paths.ts";
import { kinds } from "../settings/key-kinds.ts";

interface Props {
  project: number;
  /** Of a command that does not name the server itself. */
  origin?: string;
}

/** What a command needs in its environment: the key, where to create it, and where CI stores it. */
export function CiKey({ project, origin }: Props) {
  const { mayAdminister } = useRights(project);
  const keys = (label: string) => <Link to={paths.settings(project, "keys")}>{label}</Link>;
  const create = mayAdminister ? keys("create one") : <>an owner or admin {keys("creates one")}</>;
  if (origin !== undefined) {
    return (
      <p className="muted">
        It needs <code>MAYDAY_URL={origin}</code> and, as <code>MAYDAY_KEY</code>, a project key for “{kinds.ci.word}”:{" "}
        {create}.
      </p>
    );
  }
  return (
    <p className="muted">
      <code>MAYDAY_KEY</code> is a project key for “{kinds.ci.word}”: {create}. <CiSecret />
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

/** What `mayday sourcemaps upload` is and does. */
export const AboutCommand = () => (
  <>
    <code>mayday</code> is the program that this server runs. It checks each script against its source map, says which
    would not resolve, and uploads nothing if one would not.
  </>
);
