import { showableLength, storableText } from '../domain/text.ts';

/**
 * The text of a growing answer. The pieces that it gives out join to `text` exactly, and every one of them can be
 * stored: half a surrogate pair is held back until the other half comes.
 */
export class LiveText {
  #text = '';
  #held = '';

  get text(): string {
    return this.#text;
  }

  /** What may be shown now; possibly nothing. */
  add(received: string): string {
    const growing = this.#held + received;
    const length = showableLength(growing);
    this.#held = growing.slice(length);
    return this.#show(growing.slice(0, length));
  }

  /** The text is whole: half a pair at its end will stay half, and is replaced. */
  end(): string {
    const rest = this.#held;
    this.#held = '';
    return this.#show(rest);
  }

  #show(piece: string): string {
    const shown = storableText(piece);
    this.#text += shown;
    return shown;
  }
}
