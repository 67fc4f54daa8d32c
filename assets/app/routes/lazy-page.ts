import { lazyRouteComponent } from "@tanstack/react-router";
import type { ComponentType } from "react";
import { reachable } from "../api/client.ts";
import { restyle } from "../ui/restyle.ts";

/** A page whose code is loaded when it is opened. Each attempt to open it loads what is still missing. */
export const lazyPage = <P>(load: () => Promise<{ default: ComponentType<P> }>) =>
  lazyRouteComponent(() => fetched(load));

/**
 * The code. If it cannot be loaded because the server does not answer, or a proxy does in its place, that is the error:
 * of any other, the router thinks that the server was updated, and reloads the document, which would then be lost.
 */
export async function fetched<T>(load: () => Promise<T>, ask: () => unknown = reachable): Promise<T> {
  try {
    await restyle();
    return await load();
  } catch (cause) {
    await ask();
    throw cause;
  }
}
