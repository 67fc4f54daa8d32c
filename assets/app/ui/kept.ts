/** Something that a reload of this tab must not lose, and that no other tab sees; nothing drops it. */
export function keep(name: string, value: string | undefined): void {
  try {
    if (value === undefined) sessionStorage.removeItem(`mayday.${name}`);
    else sessionStorage.setItem(`mayday.${name}`, value);
  } catch {
    // Storage is switched off: a reload loses it.
  }
}

export function kept(name: string): string | undefined {
  try {
    return sessionStorage.getItem(`mayday.${name}`) ?? undefined;
  } catch {
    return undefined;
  }
}
