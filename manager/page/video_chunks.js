// Messages to vitrail-guest (sail/PROTOCOL.md, "Guests"): frame sizes, codecs, and chunks of video and sound. Pure.

const kHeaderBytes = 12;
const kVideoChunk = 1;
const kSoundChunk = 2;
const kKeyFlag = 1;
const kWidest = 3840;
const kHighest = 2160;
const kBitsPerPixel = 0.12;
const kMostBitsPerSecond = 25_000_000;

/** Describes the codec of the following chunks. VP8 streams do not carry their colour space, so it is included. @param {VideoDecoderConfig} config */
export function videoMessage({ codec, colorSpace }) {
  const { matrix, fullRange } = colorSpace ?? {};
  const known = matrix && matrix !== 'rgb' && typeof fullRange === 'boolean';
  return JSON.stringify({ type: 'video', codec, ...(known && { color_space: { matrix, full_range: fullRange } }) });
}

/** A chunk of video with its header. @param {EncodedVideoChunk} chunk */
export function chunkMessage(chunk) {
  return withHeader(chunk, kVideoChunk, chunk.type === 'key' ? kKeyFlag : 0);
}

/** A chunk of sound with its header. @param {EncodedAudioChunk} chunk */
export function soundMessage(chunk) {
  return withHeader(chunk, kSoundChunk, 0);
}

/** @param {EncodedVideoChunk | EncodedAudioChunk} chunk @param {number} kind @param {number} flags */
function withHeader(chunk, kind, flags) {
  const message = new Uint8Array(kHeaderBytes + chunk.byteLength);
  const header = new DataView(message.buffer);
  header.setUint8(0, kind);
  header.setUint8(1, flags);
  header.setBigInt64(4, BigInt(Math.max(0, Math.round(chunk.timestamp))), true);
  chunk.copyTo(message.subarray(kHeaderBytes));
  return message;
}

/** The encoded size: within the limits, of the same aspect ratio, with even sides because chroma is subsampled 2 × 2. @param {number} width @param {number} height */
export function encodedSize(width, height) {
  const scale = Math.min(1, kWidest / width, kHighest / height);
  const [even, high] = [width, height].map((side) => Math.max(2, 2 * Math.round((side * scale) / 2)));
  return { width: even, height: high };
}

/**
 * Encoder configurations, best first. H.264 uses the level that the size needs, and Annex B, which carries the parameter sets in-band.
 * @param {{width: number, height: number}} size @param {number} fps @returns {VideoEncoderConfig[]}
 */
export function encoderConfigs({ width, height }, fps) {
  const bitrate = Math.min(kMostBitsPerSecond, Math.round(width * height * fps * kBitsPerPixel));
  /** @type {Omit<VideoEncoderConfig, 'codec'>} */
  const common = { width, height, framerate: fps, bitrate, latencyMode: 'realtime' };
  const level = width * height <= 1920 * 1088 ? '28' : '33';
  return [
    { ...common, codec: `avc1.42e0${level}`, avc: { format: 'annexb' } },
    { ...common, codec: 'vp8' },
  ];
}

/** The first configuration that this browser can encode. @param {VideoEncoderConfig[]} configs @returns {Promise<VideoEncoderConfig | undefined>} */
export async function firstSupported(configs) {
  for (const config of configs) {
    const { supported } = await VideoEncoder.isConfigSupported(config).catch(() => ({ supported: false }));
    if (supported) return config;
  }
  return undefined;
}
