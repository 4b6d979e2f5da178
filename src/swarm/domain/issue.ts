/** One problem of an input. `path` is made of input field names and list positions, from "input" on. */
export interface InputIssue {
  readonly path: readonly string[];
  readonly code:
    | 'REQUIRED'
    | 'OUT_OF_RANGE'
    | 'DUPLICATE'
    | 'UNKNOWN'
    | 'MALFORMED'
    | 'NOT_APPLICABLE'
    | 'NO_PRICE'
    | 'NO_ROUTE';
  /** A full sentence that names the fault and the cure. */
  readonly message: string;
}

type Path = readonly string[];

/** Gathers all problems of an input, so that a caller hears of them at once. */
export class IssueList {
  readonly found: InputIssue[] = [];

  add(path: Path, code: InputIssue['code'], message: string): void {
    this.found.push({ path, code, message });
  }

  /** A whole or broken number within bounds; null and undefined are absent and fine. */
  inRange(path: Path, value: number | null | undefined, min: number, max: number): void {
    if (value === null || value === undefined || (value >= min && value <= max)) return;
    this.add(path, 'OUT_OF_RANGE', `${path.at(-1)} is ${value}; give a number from ${min} to ${max}.`);
  }

  /** A text of 1 to `max` UTF-16 units that is not only white space; null and undefined are absent and fine. */
  text(path: Path, value: string | null | undefined, max: number): void {
    if (value === null || value === undefined) return;
    if (value.trim() === '') this.add(path, 'REQUIRED', `${path.at(-1)} is empty; write something or leave it out.`);
    if (value.length > max) {
      this.add(path, 'OUT_OF_RANGE', `${path.at(-1)} has ${value.length} characters; at most ${max} are taken.`);
    }
    this.storable(path, value);
  }

  /** The database takes neither a NUL nor half a surrogate pair. */
  storable(path: Path, value: string): void {
    if (!value.includes('\u0000') && value.isWellFormed()) return;
    this.add(path, 'MALFORMED', `${path.at(-1)} holds a NUL or half a surrogate pair; send well-formed text.`);
  }
}
