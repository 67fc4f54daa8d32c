import { readdir, readFile, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Plugin } from "vite";

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

/** File types worth compressing; woff2 and images are compressed already. */
const compressible = /\.(?:css|html|js|json|map|mjs|svg|txt|webmanifest|xml)$/;

/**
 * Writes `file.br` and `file.gz` beside every compressible file of the build, those that Vite only copies
 * (`publicDir`) among them, so that the server compresses nothing while it answers. Both outputs depend on the bytes alone: neither format
 * carries a time or a name here, so the same sources give the same files.
 */
export function precompress(): Plugin {
  let copied = "";
  return {
    name: "precompress",
    apply: "build",
    configResolved({ publicDir, build }) {
      if (build.copyPublicDir) copied = publicDir;
    },
    writeBundle: {
      order: "post",
      async handler(options, bundle) {
        const folder = options.dir;
        if (folder === undefined) throw new Error("precompress: the build has no output folder");
        const files = [...Object.keys(bundle), ...(await namesIn(copied))]
          .filter((name) => compressible.test(name))
          .sort();
        const sizes = await Promise.all(files.map((name) => compressBeside(join(folder, name))));
        const total = sizes.reduce((sum, size) => sum + size, 0);
        this.info(`${files.length} files compressed, ${total} bytes as brotli`);
      },
    },
  };
}

/** The files of a folder, as paths within it; none if the configuration names no folder. */
async function namesIn(folder: string): Promise<string[]> {
  if (folder === "") return [];
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

/** Compresses one file both ways and returns the size of the brotli one in bytes. */
async function compressBeside(path: string): Promise<number> {
  const bytes = await readFile(path);
  const [br, gz] = await Promise.all([
    brotli(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
    gzipped(bytes, { level: constants.Z_BEST_COMPRESSION }),
  ]);
  await Promise.all([writeFile(`${path}.br`, br), writeFile(`${path}.gz`, gz)]);
  return br.length;
}
