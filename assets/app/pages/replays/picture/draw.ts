// A picture of a recorded page, for lists. The page is built in the same kind of document as in the player, where
// nothing runs or is fetched; its appearance is copied to an SVG image, in which browsers neither run nor fetch
// anything. So a list contains images instead of a page for each row.

import { paths } from "../../../paths.ts";
import type { Beginning } from "./beginning.ts";

/** Milliseconds until the frame's document has to be there, and the page in it. */
const patience = 10_000;

/** An image of a recorded page, as the address of a blob. */
export async function draw({ events, width, height }: Beginning): Promise<string | undefined> {
  const [{ makeReplayer }, frame] = await Promise.all([import("../../replay/player/library.ts"), openFrame()]);
  try {
    const root = frame.contentDocument?.body;
    if (!root) return undefined;
    const replayer = makeReplayer(root, events);
    await within((done) => {
      replayer.on("fullsnapshot-rebuilded", done);
      replayer.pause(0);
    });
    const page = replayer.iframe.contentDocument;
    const image = page ? svgOf(page, width, height) : undefined;
    replayer.destroy();
    return image && URL.createObjectURL(new Blob([image], { type: "image/svg+xml" }));
  } finally {
    frame.remove();
  }
}

/** The document for replays, out of sight. */
async function openFrame(): Promise<HTMLIFrameElement> {
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-same-origin");
  frame.setAttribute("aria-hidden", "true");
  frame.tabIndex = -1;
  frame.style.cssText = "position:fixed;width:0;height:0;border:0;visibility:hidden";
  await within((done) => {
    frame.addEventListener("load", done);
    frame.src = paths.replayFrame;
    document.body.append(frame);
  });
  return frame;
}

/** Waits until `begin`'s function is called, but not for ever. */
function within(begin: (done: () => void) => void): Promise<void> {
  return new Promise((done, fail) => {
    const timer = setTimeout(() => fail(new Error("The picture of a replay takes too long")), patience);
    begin(() => {
      clearTimeout(timer);
      done();
    });
  });
}

/** Names that are valid in XML as they are. */
const plainName = /^[A-Za-z_][\w.-]*$/;
/** Characters that cannot be represented in XML. */
const unwritable = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\p{Surrogate}]/gu;

function svgOf(page: Document, width: number, height: number): string {
  const ground = groundOf(page);
  const root = page.documentElement.cloneNode(true) as HTMLElement;
  for (const each of root.querySelectorAll("*")) {
    if (!plainName.test(each.localName)) each.remove();
    else tidy(each);
  }
  tidy(root);
  const written = new XMLSerializer().serializeToString(root).replace(unwritable, "");
  const size = `width="${width}" height="${height}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} viewBox="0 0 ${width} ${height}"><rect ${size} fill="${ground}"/><foreignObject ${size}>${written}</foreignObject></svg>`;
}

/** Removes attributes that XML cannot have: frameworks write `@click` and `:class`. */
function tidy(element: Element): void {
  for (const { name, namespaceURI } of [...element.attributes])
    if (namespaceURI === null && !plainName.test(name)) element.removeAttribute(name);
}

/** The background colour (white by default), which the root and body elements propagate to the whole window. */
function groundOf(page: Document): string {
  const colours = [page.documentElement, page.body].map((each) => each && getComputedStyle(each).backgroundColor);
  return colours.find((colour) => colour && !/^rgba\(.*, 0\)$|^transparent$/.test(colour)) ?? "white";
}
