type Child = Node | string | false | undefined;
type Attributes = Record<string, string | number | boolean | undefined>;

/**
 * Makes an element. Strings become text nodes, never markup, so text from the server or from the
 * address can be handed in as it is. Attributes that are `false` or `undefined` are left out.
 */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === undefined) continue;
    element.setAttribute(name, value === true ? "" : String(value));
  }
  append(element, children);
  return element;
}

/** Replaces all that is inside an element. */
export function fill(element: Element, ...children: Child[]): void {
  element.replaceChildren();
  append(element, children);
}

function append(element: Element, children: Child[]): void {
  for (const child of children) {
    if (child !== false && child !== undefined) element.append(child);
  }
}
