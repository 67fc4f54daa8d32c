import type { Plugin } from "vite";

const FILE = /@rrweb[\\/]record[\\/]dist[\\/]record\.js$/;
/** The code with which rrweb calls everything it runs in the page: mutation observers, listeners, wrapped functions. */
const CALL = `  const rrwebWrapped = (...rest) => {
    try {
      return cb(...rest);`;
const METERED = `  const rrwebWrapped = (...rest) => {
    try {
      return errorHandler && errorHandler.around ? errorHandler.around(() => cb(...rest), rest) : cb(...rest);`;

/** Makes the function `around` of rrweb's error handler run these calls, so that they can be measured. */
export function meteredSource(source: string): string {
  const parts = source.split(CALL);
  if (parts.length !== 2) throw new Error("rrweb calls what it runs in another way than it did; see metered.ts");
  return parts.join(METERED);
}

export function metered(): Plugin {
  let isMetered = false;
  return {
    name: "metered",
    transform: {
      filter: { id: FILE },
      handler(source) {
        isMetered = true;
        return { code: meteredSource(source), map: null };
      },
    },
    buildEnd(error) {
      if (!error && !isMetered) this.error("rrweb is in another file than it was; see metered.ts");
    },
  };
}
