/** Something to wait at: `ring` lets everybody go on who waits now. */
export class Bell {
  #ringers: (() => void)[] = [];

  wait(): Promise<void> {
    return new Promise((resolve) => this.#ringers.push(resolve));
  }

  ring(): void {
    const ringers = this.#ringers;
    this.#ringers = [];
    for (const resolve of ringers) resolve();
  }
}
