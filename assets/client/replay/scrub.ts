// Nothing that a person enters leaves the page. rrweb masks it while it reads the page; this looks at what came out of
// that, which also covers what rrweb takes for the page's own: values in attributes, shadow roots, addresses.

import {
  type Attribute,
  EventType,
  type Mutation,
  type Node as Recording,
  NodeType,
  type Recorded,
  Source,
} from "./format.ts";

/** Whose content is masked: what the page marks, and what takes text. */
export const masked =
  '[data-mayday-mask], textarea, [role="textbox"], [contenteditable]:not([contenteditable="false"])';
/** Of what only the size is recorded. */
export const blocked = "[data-mayday-block]";

export interface Rules {
  maskAllText: boolean;
  /** Without what may be secret in it. */
  address(url: string): string;
  /** The page's own node. */
  nodeOf(id: number): Node | null;
}

/** Attributes that are shown or read out. */
const spoken = /^(?:alt|title|placeholder|label|summary|content|aria-(?:label|description|valuetext|roledescription))$/;
const addresses = /^(?:href|src|action|formaction|poster|data|cite|xlink:href|rr_src)$/;
/** Inputs whose value is a label that the page gave them. */
const labelled = /^(?:button|submit|reset|image)$/i;

export const mask = (text: string): string => text.replace(/\S/g, "*");

/** Masks an event in place. */
export function scrubber({ maskAllText, address, nodeOf }: Rules): (event: Recorded) => void {
  /** Whether an element of the page, or one around it, is masked; shadow roots belong to their hosts. */
  const isIn = (from: Node | null): boolean => {
    for (let each = from; each; each = each.parentNode || (each as ShadowRoot).host || null) {
      if ((each as Element).matches?.(masked)) return true;
    }
    return false;
  };

  /** `hide`: whether the element's words are masked; `tag` and `type` say what it is. */
  const attribute = (name: string, value: Attribute, tag: string, type: string, hide: boolean): Attribute => {
    if (typeof value !== "string") return value;
    if (name === "value" && /^(?:input|textarea|select)$/.test(tag) && !labelled.test(type)) return mask(value);
    if (hide && (spoken.test(name) || name === "value")) return mask(value);
    if (name === "srcset") return "";
    return addresses.test(name) && !/^(?:data:|#)/.test(value) ? address(value) : value;
  };

  /** The choices of a person: which box is ticked, which option is selected. */
  const isChoice = (name: string, tag: string): boolean =>
    (name === "checked" && tag === "input") || (name === "selected" && tag === "option");

  const attributes = (all: Record<string, Attribute>, tag: string, type: string, hide: boolean): void => {
    for (const name of Object.keys(all)) {
      if (isChoice(name, tag)) delete all[name];
      else all[name] = attribute(name, all[name]!, tag, type, hide);
    }
  };

  const node = (each: Recording, inMasked: boolean): void => {
    let hide = inMasked;
    if (each.type === NodeType.Element) {
      const tag = each.tagName || "";
      const own = (each.attributes ||= {});
      hide ||= isMarked(tag, own);
      attributes(own, tag, String(own.type || ""), hide || maskAllText);
    } else if (each.type === NodeType.Comment) each.textContent = "";
    else if (each.type === NodeType.Text && each.textContent && !each.isStyle && (hide || maskAllText))
      each.textContent = mask(each.textContent);
    for (const child of each.childNodes || []) node(child, hide || each.tagName === "textarea");
  };

  const mutation = ({ texts = [], attributes: changes = [], adds = [] }: Mutation): void => {
    for (const text of texts) {
      const own = nodeOf(text.id);
      const isStyle = own?.parentNode?.nodeName === "STYLE";
      if (text.value && !isStyle && (maskAllText || !own || isIn(own))) text.value = mask(text.value);
    }
    for (const change of changes) {
      const own = nodeOf(change.id) as HTMLInputElement | null;
      const tag = own?.nodeName.toLowerCase() || "input";
      attributes(change.attributes, tag, own?.type || "", maskAllText || isIn(own));
    }
    for (const { parentId, node: added } of adds) node(added, isIn(nodeOf(parentId)));
  };

  return ({ type, data }) => {
    if (type === EventType.FullSnapshot) node(data.node as Recording, false);
    else if (type === EventType.Meta) data.href = address(String(data.href));
    else if (type !== EventType.Incremental) return;
    else if (data.source === Source.Mutation) mutation(data as unknown as Mutation);
    else if (data.source === Source.Input) {
      if (typeof data.text === "string") data.text = mask(data.text);
      data.isChecked = false;
    }
  };
}

function isMarked(tag: string, own: Record<string, Attribute>): boolean {
  const editable = own.contenteditable;
  return (
    "data-mayday-mask" in own ||
    tag === "textarea" ||
    own.role === "textbox" ||
    (editable !== undefined && editable !== "false")
  );
}
