// Whether keys without Ctrl (letters and signs) trigger actions; kept in this browser. People who use speech input, or press
// keys by accident, turn them off.

const kKey = 'vitrail.single-keys';

export class SingleKeys {
  on = true;

  constructor() {
    try {
      this.on = localStorage.getItem(kKey) !== 'off';
    } catch {
      // Storage is forbidden: single keys are on until they are turned off.
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
