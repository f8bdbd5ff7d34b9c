// The sound of a wall: SDL's "disk" driver writes a receiver's output to a file. Node's test functions are registered here, so a file
// creates one instance at its top.
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
  /** Options for fixture(): a wall with loudspeakers. */
  options = { keys: { audio: { receiver: 'node1' } }, variables: { SDL_AUDIODRIVER: 'disk', SDL_DISKAUDIOFILE: this.#file } };

  constructor() {
    after(() => rmSync(this.#folder, { recursive: true, force: true }));
  }

  /** The last half second of one loudspeaker. @param {number} [channel] */
  heard(channel = 0) {
    if (!existsSync(this.#file)) return new Float32Array();
    const bytes = readFileSync(this.#file);
    const frames = Math.floor(bytes.length / (4 * kChannels));
    const samples = new Float32Array(bytes.buffer, bytes.byteOffset, frames * kChannels);
    return samples.slice(-kLastSamples * kChannels).filter((_, i) => i % kChannels === channel);
  }

  /** The amplitude of a frequency in the best twentieth of that half second, because a busy machine leaves gaps. @param {number} hz @param {number} [channel] */
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
