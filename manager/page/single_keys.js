// Whether keys without Ctrl (letters and signs) do anything: kept in this browser. Who speaks to the computer, or types on it by
// accident, turns them off.

const kKey = 'vitrail.single-keys';

export class SingleKeys {
  on = true;

  constructor() {
    try {
      this.on = localStorage.getItem(kKey) !== 'off';
    } catch {
      // Storage is forbidden: they are on until they are turned off.
    }
  }

  /** @param {boolean} on */
  turn(on) {
    this.on = on;
    try {
      localStorage.setItem(kKey, on ? 'on' : 'off');
    } catch {
      // The choice holds until the page is left.
    }
  }
}
