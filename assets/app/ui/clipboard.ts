/**
 * Copies text. Over plain http, browsers have a clipboard API only on localhost; elsewhere `shown`, if given, is
 * selected, so that one key press copies it. Returns whether the text was copied.
 */
export async function copy(text: string, shown?: HTMLElement | null): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    if (shown) getSelection()?.selectAllChildren(shown);
    return false;
  }
}
