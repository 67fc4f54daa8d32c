import { bytes, exact } from "./format.ts";

/** A size as people read it; the exact number of bytes on hover. */
export function Bytes({ of, signed = false }: { of: number; signed?: boolean }) {
  const sign = of < 0 ? "−" : signed && of > 0 ? "+" : "";
  return (
    <span className="number" title={`${exact(of)} bytes`}>
      {sign}
      {bytes(Math.abs(of))}
    </span>
  );
}
