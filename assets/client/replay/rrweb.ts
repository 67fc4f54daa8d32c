import { record } from "@rrweb/record";
import { address } from "../address.ts";
import { attempt } from "../safe.ts";
import type { Recorded } from "./format.ts";
import { blocked, masked, scrubber } from "./scrub.ts";

/** Records the page with rrweb, masked, until what it returns is called; nothing where it cannot. */
export function watchPage(emit: (event: Recorded) => void, maskAllText: boolean): (() => void) | undefined {
  const scrub = scrubber({
    maskAllText,
    address: (href) => address(href),
    nodeOf: (id) => record.mirror.getNode(id),
  });
  const masking = (event: Recorded): void => {
    scrub(event);
    emit(event);
  };
  return attempt(() =>
    record({
      emit: masking as never,
      blockSelector: blocked,
      maskTextSelector: maskAllText ? "*" : masked,
      maskInputOptions: { input: true, textarea: true, select: true } as never,
      maskTextFn: (text) => text.replace(/\S/g, "*"),
      // No blobs, no workers, nothing of other origins.
      recordCanvas: false,
      recordCrossOriginIframes: false,
      inlineImages: false,
      collectFonts: false,
      slimDOMOptions: { script: true, comment: true, headFavicon: true, headMetaSocial: true, headMetaRobots: true },
      sampling: { mousemove: 100, scroll: 150, media: 800, input: "last" },
      // Whatever goes wrong in it is not the page's business.
      errorHandler: () => true,
    }),
  );
}

/** Tells of the whole page anew, at once. */
export const takePicture = (): void => void attempt(() => record.takeFullSnapshot(true));

/** Puts something of ours among the events. */
export const tell = (tag: string, payload: unknown): void => void attempt(() => record.addCustomEvent(tag, payload));
