import { showableLength } from '../domain/text.ts';

/** The text of an attempt that is being made, or was made a moment ago. */
export interface LiveText {
  readonly key: string;
  readonly attempt: number;
  text: string;
  /** The attempt is over; its text is kept until its agent's row is in the database. */
  isEnded: boolean;
}

/** How far one follower has read an agent's text. */
interface Position {
  readonly attempt: number;
  offset: number;
  hasLast: boolean;
}

export interface LivePiece {
  readonly index: number;
  readonly key: string;
  readonly attempt: number;
  readonly offset: number;
  readonly text: string;
  readonly isLast: boolean;
}

/** One reader's place in each text. Holds positions only, never text, so a reader that does not read costs little. */
export class LiveReader {
  readonly #positions = new Map<number, Position>();
  /** Agents whose end went by unread: the rest of their text stands in the database. */
  readonly missed = new Set<number>();
  readonly #isWanted: (index: number) => boolean;

  constructor(isWanted: (index: number) => boolean) {
    this.#isWanted = isWanted;
  }

  /** What is new in a text; undefined when nothing is. */
  read(index: number, live: LiveText): LivePiece | undefined {
    if (!this.#isWanted(index)) return undefined;
    const position = this.positionOf(index, live.attempt);
    const end = live.isEnded ? live.text.length : showableLength(live.text);
    if (end <= position.offset && (!live.isEnded || position.hasLast)) return undefined;
    const { key, attempt } = live;
    const piece = { index, key, attempt, offset: position.offset, text: live.text.slice(position.offset, end) };
    position.offset = end;
    position.hasLast = live.isEnded;
    return { ...piece, isLast: live.isEnded };
  }

  /** The text is about to be forgotten. */
  noteEnd(index: number, live: LiveText): void {
    if (this.#isWanted(index) && !this.positionOf(index, live.attempt).hasLast) this.missed.add(index);
  }

  positionOf(index: number, attempt: number): Position {
    const known = this.#positions.get(index);
    if (known?.attempt === attempt) return known;
    const fresh = { attempt, offset: 0, hasLast: false };
    this.#positions.set(index, fresh);
    return fresh;
  }
}

/** Live text of one swarm, kept only while it is not in the database. Readers look at it at their own pace. */
export class LiveOutput {
  readonly #texts = new Map<number, LiveText>();
  readonly #readers = new Set<LiveReader>();

  begin(index: number, key: string, attempt: number): void {
    this.#texts.set(index, { key, attempt, text: '', isEnded: false });
  }

  append(index: number, attempt: number, piece: string): void {
    const live = this.#texts.get(index);
    if (live !== undefined && live.attempt === attempt) live.text += piece;
  }

  end(index: number): void {
    const live = this.#texts.get(index);
    if (live !== undefined) live.isEnded = true;
  }

  /** The agent's row holds it now. */
  forget(index: number): void {
    const live = this.#texts.get(index);
    if (live === undefined || !live.isEnded) return;
    for (const reader of this.#readers) reader.noteEnd(index, live);
    this.#texts.delete(index);
  }

  textOf(index: number): string | undefined {
    const live = this.#texts.get(index);
    return live?.text.slice(0, showableLength(live.text));
  }

  addReader(reader: LiveReader): void {
    this.#readers.add(reader);
  }

  removeReader(reader: LiveReader): void {
    this.#readers.delete(reader);
  }

  /** What is new for this reader. */
  readAll(reader: LiveReader): LivePiece[] {
    const pieces: LivePiece[] = [];
    for (const [index, live] of this.#texts) {
      const piece = reader.read(index, live);
      if (piece !== undefined) pieces.push(piece);
    }
    return pieces;
  }
}
