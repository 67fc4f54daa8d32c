import { record } from "@rrweb/record";
import { address } from "../address.ts";
import { attempt } from "../safe.ts";
import type { Effort } from "./effort.ts";
import { EventType, type Mutation, type Recorded, Source } from "./format.ts";
import type { Meter } from "./meter.ts";
import { blocked, masked, scrubber } from "./scrub.ts";

/** Milliseconds of changes that are told of together where every one of them costs too much. */
const TOGETHER = 500;
/** Not recorded: whatever is told of makes rrweb tell of the changes it holds back. */
const FLUSH = "flush";

export interface Watched {
  stop(): void;
  /** How much is recorded from now on; after pictures alone, it begins with one. */
  set(effort: Effort): void;
  /** Tells of the changes that are held back, at once. */
  flush(): void;
  /** Tells of the whole page anew, at once. */
  picture(): void;
  /** Puts something of ours among the events. */
  tell(tag: string, payload: unknown): void;
}

/** Records the page with rrweb, masked; nothing where it cannot. */
export function watchPage(
  emit: (event: Recorded) => void,
  maskAllText: boolean,
  meter: Pick<Meter, "run" | "aside">,
): Watched | undefined {
  let effort: Effort = "usual";
  let timer: ReturnType<typeof setInterval> | undefined;
  const scrub = scrubber({
    maskAllText,
    address: (href) => address(href),
    nodeOf: (id) => record.mirror.getNode(id),
  });
  const masking = (event: Recorded): void => {
    if (event.data.tag !== FLUSH && !(effort === "pictures" && isRule(event))) {
      if (event.data.source === Source.Mutation) keepLast(event.data as unknown as Mutation);
      scrub(event);
      emit(event);
    }
    // Told of something, rrweb no longer holds anything back.
    if (effort === "coalesced") record.freezePage();
  };
  const around = (act: () => unknown, [, observer]: unknown[]): unknown => {
    if (effort !== "pictures" || !isObserver(observer)) return meter.run(act);
    observer.disconnect();
    return undefined;
  };
  const tell = (tag: string, payload: unknown): void =>
    meter.run(() => void attempt(() => record.addCustomEvent(tag, payload)));
  const start = () =>
    meter.aside(() =>
      attempt(() => record({ ...options(maskAllText), emit: masking as never, errorHandler: asHandler(around) })),
    );
  const flush = (): void => {
    if (effort === "coalesced") tell(FLUSH, 0);
  };

  let stop = start();
  const restart = (): void => {
    stop?.();
    stop = start();
  };
  return (
    stop && {
      stop() {
        clearInterval(timer);
        stop?.();
      },
      set(next) {
        flush();
        clearInterval(timer);
        const before = effort;
        effort = next;
        if (before === "pictures") restart();
        if (next === "coalesced") {
          timer = setInterval(flush, TOGETHER);
          record.freezePage();
        } else tell(FLUSH, 0);
      },
      flush,
      picture() {
        // rrweb would listen to each frame once more with every picture, and nobody has told it of nodes that are gone.
        if (effort === "pictures") restart();
        else meter.aside(() => attempt(() => record.takeFullSnapshot(true)));
      },
      tell,
    }
  );
}

const options = (maskAllText: boolean) => ({
  blockSelector: blocked,
  maskTextSelector: maskAllText ? "*" : masked,
  maskInputOptions: { input: true, textarea: true, select: true } as never,
  maskTextFn: (text: string) => text.replace(/\S/g, "*"),
  // No blobs, no workers, nothing of other origins.
  recordCanvas: false,
  recordCrossOriginIframes: false,
  inlineImages: false,
  collectFonts: false,
  slimDOMOptions: { script: true, comment: true, headFavicon: true, headMetaSocial: true, headMetaRobots: true },
  sampling: { mousemove: 100, scroll: 150, media: 800, input: "last" as const },
});

/** Whatever goes wrong in rrweb is not the page's business; `around` is what `metered.ts` has it call. */
const asHandler = (around: (act: () => unknown, given: unknown[]) => unknown) => Object.assign(() => true, { around });

const isObserver = (given: unknown): given is MutationObserver =>
  typeof (given as MutationObserver | undefined)?.takeRecords === "function";

/** Whether an event tells of a style sheet's rules, which change with the page. */
const isRule = ({ type, data }: Recorded): boolean =>
  type === EventType.Incremental && (data.source === Source.StyleSheetRule || data.source === Source.StyleDeclaration);

/** Of several texts that one node had in turn, the last one is what it shows. */
function keepLast(mutation: Mutation): void {
  const { texts = [] } = mutation;
  if (texts.length > 1) mutation.texts = [...new Map(texts.map((text) => [text.id, text])).values()];
}
