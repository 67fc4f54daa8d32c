/**
 * The client as a script, with the global `mayday`:
 *
 *     <script src="https://HOST/client.js" data-key="pk_…" data-release="1.4.2" crossorigin async></script>
 *
 * Errors from before it has loaded are reported too where a page keeps them, first of all scripts:
 *
 *     <script>maydayQueue=[];for(const type of["error","unhandledrejection"])
 *       addEventListener(type,(event)=>maydayQueue.push(event))</script>
 */
import { client } from "./browser.ts";
import { attempt } from "./safe.ts";
import type { BreadcrumbSource, Mayday, Replay, ScriptMayday } from "./types.ts";

type Loaded = Mayday & Partial<ScriptMayday>;

function install(page: { mayday?: Loaded }): void {
  const mayday: Loaded = client;
  page.mayday = mayday;
  const tag = 'script[src*="client.js"]';
  const scripts = [document.currentScript, document.querySelector(`${tag}[data-key]`), document.querySelector(tag)];
  // A module loader runs it without a current script.
  const isOurs = ({ dataset, src }: HTMLScriptElement) => dataset.key || /client\.js/.test(src);
  const script = scripts.find((each) => attempt(() => isOurs(each as HTMLScriptElement))) as HTMLScriptElement;
  const { key, release, environment, url, sampleRate, breadcrumbs, tracing, storage, replay, replayMask } =
    script.dataset;
  const call =
    <Name extends keyof Replay>(name: Name) =>
    (...args: unknown[]) =>
      (import(/* @vite-ignore */ new URL("client-replay.js", script.src).href) as Promise<Replay>).then(
        (recorder) => (recorder[name] as (...args: unknown[]) => never)(...args),
        // Without the recorder nothing is recorded.
        () => (name === "replay" ? { state: "off" } : false) as never,
      );
  mayday.replay = call("replay");
  mayday.startReplay = call("startReplay");
  mayday.stopReplay = call("stopReplay");
  mayday.optOutOfReplay = call("optOutOfReplay");
  client.init({
    key: key!,
    url: url || script.src,
    release,
    environment,
    ...(sampleRate && { sampleRate: Number(sampleRate) }),
    ...(breadcrumbs != null && { breadcrumbs: breadcrumbs.split(/\W+/) as BreadcrumbSource[] }),
    tracing: tracing !== "false",
    storage: storage !== "false",
  });
  if (replay != null)
    void mayday.startReplay({ mode: replay === "error" ? replay : "always", maskAllText: replayMask === "all" });
}

attempt(() => install(globalThis as { mayday?: Loaded }));
