/** Stores something that survives a reload of this tab, and that no other tab sees; `undefined` deletes it. */
export function storeInTab(name: string, value: string | undefined): void {
  try {
    if (value === undefined) sessionStorage.removeItem(`mayday.${name}`);
    else sessionStorage.setItem(`mayday.${name}`, value);
  } catch {
    // The browser blocks storage, so a reload loses it.
  }
}

export function storedInTab(name: string): string | undefined {
  try {
    return sessionStorage.getItem(`mayday.${name}`) ?? undefined;
  } catch {
    return undefined;
  }
}
