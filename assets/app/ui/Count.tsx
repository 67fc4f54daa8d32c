import { exact, short } from "./format.ts";

/** A number short enough for its column; the exact one with its unit on hover. */
export function Count({ of, unit }: { of: number; unit: string }) {
  return (
    <span className="number" title={`${exact(of)} ${unit}`}>
      {short(of)}
    </span>
  );
}
