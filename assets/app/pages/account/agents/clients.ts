// Snippets that connect common agents to the MCP server, as in docs/mcp.md.

import { mcpCommand } from "../tokens/mcp-command.ts";

/** The variable from which agents read the token, so that it is in no file. */
export const variable = "MAYDAY_TOKEN";

export interface Client {
  id: string;
  name: string;
  /** The file or place to put the text. */
  where: string;
  text: (origin: string) => string;
}

const json = (value: object) => JSON.stringify(value, undefined, 2);

export const clients: readonly Client[] = [
  {
    id: "claude-code",
    name: "Claude Code",
    where: "Run this in a terminal; Claude Code keeps the token.",
    text: (origin) => mcpCommand(origin, `$${variable}`),
  },
  {
    id: "codex",
    name: "Codex",
    where: `Add this to ~/.codex/config.toml. Codex reads the token from ${variable}.`,
    text: (origin) => `[mcp_servers.mayday]\nurl = "${origin}/mcp"\nbearer_token_env_var = "${variable}"`,
  },
  {
    id: "opencode",
    name: "opencode",
    where: `Add this to opencode.json. opencode reads the token from ${variable}.`,
    text: (origin) =>
      json({
        mcp: {
          mayday: {
            type: "remote",
            url: `${origin}/mcp`,
            oauth: false,
            headers: { Authorization: `Bearer {env:${variable}}` },
          },
        },
      }),
  },
  {
    id: "other",
    name: "Other",
    where: "Most clients have a file like this. They need streamable HTTP and a header with the token.",
    text: (origin) =>
      json({
        mcpServers: {
          mayday: { type: "http", url: `${origin}/mcp`, headers: { Authorization: `Bearer \${${variable}}` } },
        },
      }),
  },
];
