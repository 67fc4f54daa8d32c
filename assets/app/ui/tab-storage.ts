/** Stores something that must survive a reload of this tab and that no other tab may see; `undefined` deletes it. */
export function storeInTab(name: string, value: string | undefined): void {
  try {
    if (value === undefined) sessionStorage.removeItem(`mayday.${name}`);
    else sessionStorage.setItem(`mayday.${name}`, value);
  } catch {
    // The browser blocks storage: a reload loses it.
  }
}

export function storedInTab(name: string): string | undefined {
  try {
    return sessionStorage.getItem(`mayday.${name}`) ?? undefined;
  } catch {
    return undefined;
  }
}
