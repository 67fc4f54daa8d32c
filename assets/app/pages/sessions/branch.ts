// The page of the branch that an agent pushed.

import type { ConnectionKind } from "../../api/schema.d.ts";

/** What stands between a repository's page and the name of a branch. */
const forms: Partial<Record<ConnectionKind, string>> = { github: "tree", gitlab: "-/tree", gitea: "src/branch" };

/** Hosts that are known without a connection. */
const hosts = new Map<string, ConnectionKind>([
  ["github.com", "github"],
  ["gitlab.com", "gitlab"],
  ["gitea.com", "gitea"],
  ["codeberg.org", "gitea"],
]);

/**
 * The page of a repository that is cloned from an address by https or ssh; a host that is cloned from by ssh has its pages at the
 * usual port.
 */
function repositoryPage(address: string): URL | undefined {
  const [, scpHost, scpPath] = /^(?:[^@/:]+@)?([^@/:]+):(?!\/\/)\/*(.+)$/.exec(address) ?? [];
  const written = scpHost === undefined ? address : `ssh://${scpHost}/${scpPath}`;
  if (!/^(?:https|ssh):\/\//i.test(written) || !URL.canParse(written)) return undefined;
  const { protocol, host, hostname, pathname } = new URL(written);
  const path = pathname.replace(/\/+$/, "").replace(/\.git$/, "");
  const page = `https://${protocol === "https:" ? host : hostname}${path}`;
  return path.length > 1 && URL.canParse(page) ? new URL(page) : undefined;
}

interface Page {
  of: "branch" | "repository";
  url: string;
}

/**
 * The page of a branch, or of its repository where the code host is not known; `kind` is that of the connection to it. Nothing if
 * the repository is cloned from a disk, or without encryption.
 */
export function branchPage(address: string, kind: ConnectionKind | undefined, branch: string): Page | undefined {
  const page = repositoryPage(address);
  if (page === undefined) return undefined;
  const known = kind ?? hosts.get(page.hostname);
  const form = known && forms[known];
  const name = branch.split("/").map(encodeURIComponent).join("/");
  if (form === undefined) return { of: "repository", url: page.href };
  return { of: "branch", url: `${page.href}/${form}/${name}` };
}
