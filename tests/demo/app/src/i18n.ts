type Messages = Record<string, string>;

const arabic: Messages = { "cart.empty": "سلة التسوق فارغة" };

/** A text in the visitor's language; `strict` for texts that have no fallback. */
export function translate(messages: Messages, key: string, locale: string): string {
  const text = messages[key];
  if (text === undefined) throw new Error(`Missing translation "${key}" for ${locale}`);
  return text;
}

export function translateArabic(key: string): string {
  const text = arabic[key];
  if (text === undefined) throw new Error(`لم يتم العثور على ترجمة للمفتاح «${key}» في صفحة الدفع`);
  return text;
}

export function money(cents: number, currency: string, locale: string): string {
  const format = new Intl.NumberFormat(locale, { style: "currency", currency });
  return format.format(cents / 100);
}

export function deliveryDay(days: number | undefined, locale: string): string {
  const day = new Date(Date.now() + days! * 86_400_000);
  return new Intl.DateTimeFormat(locale, { dateStyle: "full" }).format(day);
}
