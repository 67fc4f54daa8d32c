import { MantineProvider, localStorageColorSchemeManager } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { setNonce } from "get-nonce";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { makeCache } from "./api/cache.ts";
import { earlyList } from "./api/early.ts";
import { issuesQuery } from "./api/queries.ts";
import { makeRouter } from "./routes.ts";
import "./theme/index.css";
import { theme, variables } from "./theme/theme.ts";
import { useFirstInput } from "./ui/first-input.ts";
import { useComponent } from "./ui/use-component.ts";

const place = document.getElementById("app");
if (!place) throw new Error("index.html has no #app");

// The page's policy allows only style elements with the response's nonce.
const nonce = document.querySelector<HTMLElement>("[nonce]")?.nonce ?? "";
setNonce(nonce);

const cache = makeCache();
const list = earlyList();
if (list) void cache.prefetchQuery(issuesQuery(list.project, list.filters, 0));
const router = makeRouter(cache);
// The key is read by early.js, too.
const colorScheme = localStorageColorSchemeManager({ key: "mayday.color-scheme" });

const loadMessages = () => import("./ui/Messages.tsx");
const loadTips = () => import("./ui/Tips.tsx");

/** Overlays above every page. */
function Overlays() {
  const hasInput = useFirstInput();
  const Messages = useComponent(loadMessages, hasInput);
  const Tips = useComponent(loadTips, hasInput);
  return (
    <>
      {Messages && <Messages />}
      {Tips && <Tips />}
    </>
  );
}

createRoot(place).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={variables}
      defaultColorScheme="auto"
      colorSchemeManager={colorScheme}
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={cache}>
        <Overlays />
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
