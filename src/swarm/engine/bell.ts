/**
 * Something to wait at: `ring` lets everybody go on who waits now, and whoever waits next when nobody did, so that a
 * ring between a look and a wait is not lost. A wait may end without need; the caller looks again.
 */
export class Bell {
  #ringers: (() => void)[] = [];
  #hasRung = false;

  wait(): Promise<void> {
    if (this.#hasRung) {
      this.#hasRung = false;
      return Promise.resolve();
    }
    return new Promise((resolve) => this.#ringers.push(resolve));
  }

  ring(): void {
    this.#hasRung = true;
    const ringers = this.#ringers;
    this.#ringers = [];
    for (const resolve of ringers) resolve();
  }
}
