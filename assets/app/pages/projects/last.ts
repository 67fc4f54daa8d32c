const key = "mayday.project";

/** The project that was looked at last, to open the next time. */
export function lastProject(): number | undefined {
  try {
    const id = Number(localStorage.getItem(key));
    return Number.isSafeInteger(id) && id > 0 ? id : undefined;
  } catch {
    return undefined;
  }
}

export function rememberProject(id: number): void {
  try {
    localStorage.setItem(key, String(id));
  } catch {
    // Storage is switched off: the first project opens instead.
  }
}
