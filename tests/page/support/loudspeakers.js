// What is heard at a wall: SDL's "disk" driver writes what a receiver plays to a file. Node's test functions are registered here, so a
// file makes one at its top.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after } from 'node:test';

const kRate = 48000;
const kChannels = 2;
const kLastSamples = kRate / 2;
const kPiece = kRate / 20;

export class Loudspeakers {
  #folder = mkdtempSync(path.join(tmpdir(), 'vitrail-heard-'));
  #file = path.join(this.#folder, 'heard.raw');
  /** Of the wall that has them, for fixture(). */
  options = { keys: { audio: { receiver: 'node1' } }, variables: { SDL_AUDIODRIVER: 'disk', SDL_DISKAUDIOFILE: this.#file } };

  constructor() {
    after(() => rmSync(this.#folder, { recursive: true, force: true }));
  }

  /** The last half second of one of them. @param {number} [channel] */
  heard(channel = 0) {
    if (!existsSync(this.#file)) return new Float32Array();
    const bytes = readFileSync(this.#file);
    const frames = Math.floor(bytes.length / (4 * kChannels));
    const samples = new Float32Array(bytes.buffer, bytes.byteOffset, frames * kChannels);
    return samples.slice(-kLastSamples * kChannels).filter((_, i) => i % kChannels === channel);
  }

  /** How strong a frequency is in the best twentieth of a second of that, since a busy machine leaves gaps; a sine's amplitude. @param {number} hz @param {number} [channel] */
  strength(hz, channel = 0) {
    const samples = this.heard(channel);
    let best = 0;
    for (let begin = 0; begin + kPiece <= samples.length; begin += kPiece) {
      let [real, imaginary] = [0, 0];
      for (let i = begin; i < begin + kPiece; ++i) {
        const angle = (2 * Math.PI * hz * i) / kRate;
        real += samples[i] * Math.cos(angle);
        imaginary += samples[i] * Math.sin(angle);
      }
      best = Math.max(best, (2 * Math.hypot(real, imaginary)) / kPiece);
    }
    return best;
  }
}
