const key = "mayday.project";

/** The project that was opened last, to be opened again the next time. */
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
    // The browser blocks storage: the first project opens instead.
  }
}
