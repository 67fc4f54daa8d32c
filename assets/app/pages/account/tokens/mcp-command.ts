/**
 * The command that connects Claude Code to the MCP server. Claude Code stores the header, so the token need not stay
 * in the environment.
 */
export const mcpCommand = (origin: string, token: string): string =>
  `claude mcp add --transport http mayday ${origin}/mcp --header "Authorization: Bearer ${token}"`;
