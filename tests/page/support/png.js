// Reads the PNG files that `vitrail snapshot` writes: 8 bits a channel, RGB or RGBA, not interlaced.
import { inflateSync } from 'node:zlib';

/** A picture: `channels` bytes a pixel, rows from the top without padding. */
export class Picture {
  /**
   * @param {number} width
   * @param {number} height
   * @param {number} channels
   * @param {Uint8Array} bytes
   */
  constructor(width, height, channels, bytes) {
    this.width = width;
    this.height = height;
    this.channels = channels;
    this.bytes = bytes;
  }

  /**
   * Red, green and blue of a pixel.
   * @param {number} x
   * @param {number} y
   * @returns {[number, number, number]}
   */
  at(x, y) {
    const start = (y * this.width + x) * this.channels;
    return [this.bytes[start], this.bytes[start + 1], this.bytes[start + 2]];
  }

  /**
   * How many pixels of a rectangle satisfy the condition.
   * @param {[number, number, number, number]} rect
   * @param {(rgb: [number, number, number]) => boolean} condition
   */
  count([left, top, width, height], condition) {
    let found = 0;
    for (let y = top; y < top + height; ++y) {
      for (let x = left; x < left + width; ++x) if (condition(this.at(x, y))) ++found;
    }
    return found;
  }

  /**
   * How many pixels of a rectangle differ from another picture's.
   * @param {Picture} other
   * @param {[number, number, number, number]} rect
   */
  differences(other, [left, top, width, height] = [0, 0, this.width, this.height]) {
    let found = 0;
    for (let y = top; y < top + height; ++y) {
      for (let x = left; x < left + width; ++x) {
        const [a, b] = [this.at(x, y), other.at(x, y)];
        if (a[0] !== b[0] || a[1] !== b[1] || a[2] !== b[2]) ++found;
      }
    }
    return found;
  }
}

const kSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** @type {Record<number, number>} */
const kChannels = { 2: 3, 6: 4 };

/**
 * @param {Buffer} file
 * @returns {Picture}
 */
export function readPng(file) {
  if (!file.subarray(0, 8).equals(kSignature)) throw new Error('no PNG file');
  const width = file.readUInt32BE(16);
  const height = file.readUInt32BE(20);
  const [depth, colour, , , interlaced] = file.subarray(24, 29);
  const channels = kChannels[colour];
  if (depth !== 8 || !channels || interlaced) throw new Error('a kind of PNG that is not read here');
  const parts = [];
  for (let at = 8; at + 12 <= file.length; at += 12 + file.readUInt32BE(at)) {
    const length = file.readUInt32BE(at);
    if (file.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(file.subarray(at + 8, at + 8 + length));
  }
  const filtered = inflateSync(Buffer.concat(parts));
  return new Picture(width, height, channels, unfilter(filtered, width * channels, height, channels));
}

/**
 * @param {Uint8Array} filtered
 * @param {number} rowBytes
 * @param {number} height
 * @param {number} step bytes a pixel
 */
function unfilter(filtered, rowBytes, height, step) {
  const bytes = new Uint8Array(rowBytes * height);
  for (let y = 0; y < height; ++y) {
    const kind = filtered[y * (rowBytes + 1)];
    const from = y * (rowBytes + 1) + 1;
    const to = y * rowBytes;
    for (let i = 0; i < rowBytes; ++i) {
      const left = i >= step ? bytes[to + i - step] : 0;
      const up = y > 0 ? bytes[to + i - rowBytes] : 0;
      const upLeft = y > 0 && i >= step ? bytes[to + i - rowBytes - step] : 0;
      bytes[to + i] = filtered[from + i] + predicted(kind, left, up, upLeft);
    }
  }
  return bytes;
}

/**
 * @param {number} kind
 * @param {number} left
 * @param {number} up
 * @param {number} upLeft
 */
function predicted(kind, left, up, upLeft) {
  switch (kind) {
    case 0: return 0;
    case 1: return left;
    case 2: return up;
    case 3: return (left + up) >> 1;
    case 4: return paeth(left, up, upLeft);
    default: throw new Error(`PNG filter ${kind}`);
  }
}

/**
 * The neighbour nearest to left + up - upLeft (PNG specification, 9.4).
 * @param {number} left
 * @param {number} up
 * @param {number} upLeft
 */
function paeth(left, up, upLeft) {
  const guess = left + up - upLeft;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - upLeft)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : upLeft;
}
