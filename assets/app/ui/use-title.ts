import { useEffect } from "react";

/** Names the browser's tab while the caller is shown. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title === "" ? "Mayday" : `${title} · Mayday`;
  }, [title]);
}
