import { ShopError } from "./errors";

interface Route {
  path: string;
  load: () => Promise<{ default: () => string }>;
}

export async function open(route: Route): Promise<string> {
  const page = await load(route);
  return page.default();
}

async function load(route: Route): Promise<{ default: () => string }> {
  await Promise.resolve();
  const file = `https://shop.example/assets${route.path}-D9kQ2xYa.js`;
  throw new TypeError(`Failed to fetch dynamically imported module: ${file}`);
}

export function params(pattern: string, path: string): Record<string, string> {
  const names = [...pattern.matchAll(/:(\w+)/g)].map(([, name]) => name!);
  const found = new RegExp(`^${pattern.replace(/:\w+/g, "([^/]+)")}$`).exec(path);
  if (!found) throw new ShopError("RouteError", `No route for ${path}`);
  return Object.fromEntries(names.map((name, index) => [name, found[index + 1]!]));
}
