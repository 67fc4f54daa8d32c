// Nothing that a person enters leaves the page. rrweb masks while it reads the page; this checks the result, and also
// covers what rrweb treats as the page's own: values in attributes, shadow roots, addresses.

import {
  type Attribute,
  EventType,
  type Mutation,
  type Node as Recording,
  NodeType,
  type Recorded,
  Source,
} from "./format.ts";

/** Elements whose content is masked: marked by the page, or accepting text. */
export const masked =
  '[data-mayday-mask], textarea, [role="textbox"], [contenteditable]:not([contenteditable="false"])';
/** Elements of which only the size is recorded. */
export const blocked = "[data-mayday-block]";

export interface Rules {
  maskAllText: boolean;
  /** Removes possible secrets. */
  address(url: string): string;
  /** The page's node with this id. */
  nodeOf(id: number): Node | null;
}

/** Attributes that are displayed or read out. */
const spoken = /^(?:alt|title|placeholder|label|summary|content|aria-(?:label|description|valuetext|roledescription))$/;
const addresses = /^(?:href|src|action|formaction|poster|data|cite|xlink:href|rr_src)$/;
/** Inputs whose value is a label from the page. */
const labelled = /^(?:button|submit|reset|image)$/i;

export const mask = (text: string): string => text.replace(/\S/g, "*");

/** Masks an event in place. */
export function scrubber({ maskAllText, address, nodeOf }: Rules): (event: Recorded) => void {
  /** Whether an element or one of its ancestors is masked; a shadow root belongs to its host. */
  const isIn = (from: Node | null): boolean => {
    for (let each = from; each; each = each.parentNode || (each as ShadowRoot).host || null) {
      if ((each as Element).matches?.(masked)) return true;
    }
    return false;
  };

  /** `hide`: whether the element's text is masked; `tag` and `type` describe the element. */
  const attribute = (name: string, value: Attribute, tag: string, type: string, hide: boolean): Attribute => {
    if (typeof value !== "string") return value;
    if (name === "value" && /^(?:input|textarea|select)$/.test(tag) && !labelled.test(type)) return mask(value);
    if (hide && (spoken.test(name) || name === "value")) return mask(value);
    if (name === "srcset") return "";
    return addresses.test(name) && !/^(?:data:|#)/.test(value) ? address(value) : value;
  };

  /** A person's choices: checked boxes and selected options. */
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
