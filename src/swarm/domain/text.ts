/**
 * A text that the database takes: it holds neither NUL (shown as U+2400, its picture, so that nothing goes missing
 * unseen) nor a lone surrogate (which no UTF-8 can express). Keeps the length in UTF-16 units.
 */
export function storableText(text: string): string {
  const withoutNul = text.includes('\u0000') ? text.replaceAll('\u0000', '\u2400') : text;
  return withoutNul.isWellFormed() ? withoutNul : withoutNul.toWellFormed();
}

/** How much of a growing text may be shown: all but a high surrogate at its end, whose other half is still to come. */
export function showableLength(text: string): number {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.length - 1 : text.length;
}
