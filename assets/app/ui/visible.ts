// Makes deceptive characters in events visible. React escapes markup; what remains are characters that change how the
// text around them is read (the Trojan Source trick), or that are invisible.

/** Direction overrides and embeddings, isolates, and control characters except tab and newline. */
const deceiving = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufeff\u200b\u2060]/g;

/** The text with deceptive characters written out, such as `[U+202E]`. */
export const visible = (text: string): string =>
  text.replace(deceiving, (c) => `[U+${c.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}]`);

/** One line with white space collapsed, for titles, cells and names. */
export const oneLine = (text: string): string => visible(text.replace(/\s+/g, " ").trim());

/** Terminal escape sequences: colours, links and titles. */
const escapes = /\u001b(?:\[[\x20-\x3f]*[\x40-\x7e]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[\x40-\x5a\x5c-\x7e])/g;

/** The text without terminal escape sequences. */
export const plain = (text: string): string => (text.includes("\u001b") ? text.replace(escapes, "") : text);
