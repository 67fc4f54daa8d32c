/**
 * Copies text. Plain http on another host than localhost has no clipboard API; there `shown`, if
 * any, is selected, so that one key press copies it. Tells whether it was copied.
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
