// How video and sound go to a guest (sail/PROTOCOL.md, "Guests"): sizes, codecs, and chunks as messages. Pure.

const kHeaderBytes = 12;
const kVideoChunk = 1;
const kSoundChunk = 2;
const kKeyFlag = 1;
const kWidest = 3840;
const kHighest = 2160;
const kBitsPerPixel = 0.12;
const kMostBitsPerSecond = 25_000_000;

/** How the chunks that come are coded. VP8 does not say itself what its colours mean. @param {VideoDecoderConfig} config */
export function videoMessage({ codec, colorSpace }) {
  const { matrix, fullRange } = colorSpace ?? {};
  const told = matrix && matrix !== 'rgb' && typeof fullRange === 'boolean';
  return JSON.stringify({ type: 'video', codec, ...(told && { color_space: { matrix, full_range: fullRange } }) });
}

/** A chunk of video with its header. @param {EncodedVideoChunk} chunk */
export function chunkMessage(chunk) {
  return withHeader(chunk, kVideoChunk, chunk.type === 'key' ? kKeyFlag : 0);
}

/** Likewise, of sound. @param {EncodedAudioChunk} chunk */
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

/** As large as it is encoded: in its shape, sides even, since colours are of two by two pixels. @param {number} width @param {number} height */
export function encodedSize(width, height) {
  const scale = Math.min(1, kWidest / width, kHighest / height);
  const [even, high] = [width, height].map((side) => Math.max(2, 2 * Math.round((side * scale) / 2)));
  return { width: even, height: high };
}

/**
 * What to ask the browser's encoder for, best first. Of H.264 the level that such a size needs, each picture with what decodes it.
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

/** The first that this browser has an encoder for. @param {VideoEncoderConfig[]} configs @returns {Promise<VideoEncoderConfig | undefined>} */
export async function firstSupported(configs) {
  for (const config of configs) {
    const { supported } = await VideoEncoder.isConfigSupported(config).catch(() => ({ supported: false }));
    if (supported) return config;
  }
  return undefined;
}
