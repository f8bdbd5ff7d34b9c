// Rates per second from the receivers' counters.

/** @typedef {{at_ns: number, frames: number, bytes: number}} Count */

export class ReceiverRates {
  /** @type {Map<string, Count>} */
  #before = new Map();

  /**
   * The rates since the last call; undefined at the first one, or when the receiver's counters restarted.
   * @param {string} name @param {number} at_ns wall time @param {Record<string, any>} stats
   * @returns {{fps: number, mbit_per_s: number} | undefined}
   */
  take(name, at_ns, { frames_shown, bytes_received }) {
    const now = { at_ns, frames: frames_shown ?? 0, bytes: bytes_received ?? 0 };
    const before = this.#before.get(name);
    this.#before.set(name, now);
    if (!before || now.at_ns <= before.at_ns || now.frames < before.frames || now.bytes < before.bytes) return undefined;
    const seconds = (now.at_ns - before.at_ns) / 1e9;
    return { fps: (now.frames - before.frames) / seconds, mbit_per_s: ((now.bytes - before.bytes) * 8) / 1e6 / seconds };
  }
}
