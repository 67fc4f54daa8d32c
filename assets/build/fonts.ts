// The Latin faces as the app needs them. The npm packages carry every weight, the shapes of every OpenType feature and,
// in the code face, hundreds of ligatures that no page shows: two and a half times what is left here.

import { mkdir, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import subsetFont from "subset-font";
import type { Plugin } from "vite";

const packages = new URL("../node_modules/@fontsource-variable/", import.meta.url);
/** Where `theme/fonts.css` finds them. */
const folder = new URL("../node_modules/.fonts/", import.meta.url);

/** The weights that style sheets name. */
const weights = { min: 400, max: 700 };
/** Every character of the basic plane: a face keeps those that it has. */
const characters = Array.from({ length: 0xd800 - 0x20 }, (_, at) => String.fromCharCode(at + 0x20)).join("");

interface Face {
  name: string;
  /** In the packages. */
  from: string;
  features: string[];
}
/** `features`: kerning and figures of one width; ligatures are switched off in code. */
const faces: [Face, ...Face[]] = [
  { name: "inter.woff2", from: "inter/files/inter-latin-wght-normal.woff2", features: ["kern", "tnum"] },
  { name: "code.woff2", from: "jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2", features: [] },
];

/** Makes the faces before any style sheet asks for them, and has every page fetch the first of them beside its scripts. */
export function fonts(): Plugin {
  return {
    name: "fonts",
    async buildStart() {
      await mkdir(folder, { recursive: true });
      await Promise.all(faces.map(make));
    },
    transformIndexHtml: {
      order: "post",
      handler: (_html, { bundle = {} }) =>
        Object.values(bundle)
          .filter((file) => file.type === "asset" && file.names.includes(faces[0].name))
          .map(({ fileName }) => ({
            tag: "link",
            attrs: { rel: "preload", as: "font", type: "font/woff2", crossorigin: true, href: `/${fileName}` },
            injectTo: "head",
          })),
    },
  };
}

async function make({ name, from, features }: Face): Promise<void> {
  const made = await subsetFont(await readFile(new URL(from, packages)), characters, {
    targetFormat: "woff2",
    variationAxes: { wght: weights },
    keepFeatures: features,
  });
  const path = fileURLToPath(new URL(name, folder));
  // The server of `npm run dev` watches it.
  const known = await readFile(path).catch(() => undefined);
  if (!known?.equals(made)) await writeFile(path, made);
}
