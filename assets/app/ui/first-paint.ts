import { useEffect } from "react";

/** Ends what early.js set before the styles came: these follow a change of the scheme. */
export function useStyledPaint(): void {
  useEffect(() => {
    const { style } = document.documentElement;
    style.removeProperty("background-color");
    style.removeProperty("color-scheme");
  }, []);
}
