// The sound of a share: encoded as Opus by the browser and sent to vitrail-guest. Video does not wait for it.

import { soundMessage } from './video_chunks.js';

const kBitsPerSecond = 128_000;
const kMostChannels = 2;

/**
 * Sends sound until the track ends; returns at once if the browser cannot encode it.
  * @param {MediaStreamTrack} track @param {() => boolean} wanted while false, sound is discarded @param {(message: Uint8Array) => void} send
 */
export async function sendSound(track, wanted, send) {
  const { MediaStreamTrackProcessor } = /** @type {any} */ (window);
  if (!MediaStreamTrackProcessor || !('AudioEncoder' in window)) return;
  const encoder = new AudioEncoder({ output: (chunk) => send(soundMessage(chunk)), error: () => track.stop() });
  const reader = new MediaStreamTrackProcessor({ track }).readable.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    const data = /** @type {AudioData} */ (next.value);
    if (encoder.state === 'unconfigured' && !await configure(encoder, data)) track.stop();
    if (encoder.state === 'configured' && wanted()) encoder.encode(data);
    data.close();
  }
  if (encoder.state !== 'closed') encoder.close();
}

/** @param {AudioEncoder} encoder @param {AudioData} data the first block, for its format @returns {Promise<boolean>} false: the browser has no encoder for it */
async function configure(encoder, { sampleRate, numberOfChannels }) {
  const config = { codec: 'opus', sampleRate, numberOfChannels, bitrate: kBitsPerSecond };
  const { supported } = await AudioEncoder.isConfigSupported(config).catch(() => ({ supported: false }));
  if (!supported || numberOfChannels > kMostChannels) return false;
  encoder.configure(config);
  return true;
}
