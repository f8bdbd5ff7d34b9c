// Shares one screen or camera: captures it, encodes it in the browser and sends it to vitrail-guest. While the encoder or
// the connection is behind, older frames are dropped in favour of the newest.

import { sendSound } from './share_sound.js';
import { t } from './texts.js';
import { chunkMessage, encodedSize, encoderConfigs, firstSupported, videoMessage } from './video_chunks.js';

const kFps = 30;
const kMostEncoding = 2; // frames in the encoder's queue
const kMostUnsent = 1 << 20; // bytes
const kLookMs = 100; // period of the retry for a newest frame that could not be sent

/** Events: `change` (started, paused, resumed); `end` with the reason, or "", as detail. */
export class Share extends EventTarget {
  title;
  paused = false;
  /** The guest is ready for frames. */
  open = false;
  #stream;
  #socket;
  #secret;
  /** @type {VideoEncoder} */
  #encoder;
  /** @type {VideoEncoderConfig | undefined} */
  #config;
  /** The newest frame, sent or not. @type {VideoFrame | null} */
  #newest = null;
  #late = false;
  #wantsKey = true;
  #timestamp = 0;
  #timer = 0;
  #over = false;

  /** @param {MediaStream} stream @param {string} title @param {string} url of vitrail-guest @param {string} secret */
  constructor(stream, title, url, secret) {
    super();
    this.title = title;
    this.#stream = stream;
    this.#secret = secret;
    this.#encoder = new VideoEncoder({ output: (chunk, more) => this.#send(chunk, more), error: (error) => this.stop(error.message) });
    this.#socket = new WebSocket(url, ['vitrail-guest']);
    this.#socket.onopen = () => this.#socket.send(JSON.stringify({ type: 'hello', secret: this.#secret }));
    this.#socket.onmessage = (event) => this.#hear(JSON.parse(event.data));
    this.#socket.onclose = () => this.stop(this.open ? '' : t('share.unreachable'));
    // The person pressed the browser's “stop sharing”, or the shared window was closed.
    this.#track.addEventListener('ended', () => this.stop());
  }

  get #track() {
    return this.#stream.getVideoTracks()[0];
  }

  /** @param {boolean} on */
  pause(on) {
    this.paused = on;
    this.#late = !on;
    this.dispatchEvent(new Event('change'));
  }

  /** @param {string} [why] */
  stop(why = '') {
    if (this.#over) return;
    this.#over = true;
    clearInterval(this.#timer);
    for (const track of this.#stream.getTracks()) track.stop();
    this.#socket.close();
    if (this.#encoder.state !== 'closed') this.#encoder.close();
    this.#newest?.close();
    this.#newest = null;
    this.dispatchEvent(new CustomEvent('end', { detail: why }));
  }

  /** @param {{type: string, reason?: string}} word */
  #hear({ type, reason }) {
    if (type === 'ready') void this.#capture();
    else if (type === 'key_frame') this.#wantsKey = this.#late = true;
    else if (type === 'close') this.stop(reason);
  }

  async #capture() {
    this.open = true;
    for (const track of this.#stream.getAudioTracks()) {
      void sendSound(track, () => !this.paused && this.#socket.bufferedAmount <= kMostUnsent, (message) => this.#sendNow(message));
    }
    this.dispatchEvent(new Event('change'));
    this.#timer = window.setInterval(() => this.#late && this.#encode(), kLookMs);
    for await (const frame of framesOf(this.#track)) {
      if (this.#over) return frame.close();
      this.#newest?.close();
      this.#newest = frame;
      this.#config ??= await this.#choose(frame);
      if (this.#over) return;
      this.#encode();
    }
    this.stop();
  }

  /** @param {VideoFrame} frame */
  async #choose(frame) {
    const config = await firstSupported(encoderConfigs(encodedSize(frame.displayWidth, frame.displayHeight), kFps));
    if (!config) this.stop(t('share.noEncoder'));
    else if (!this.#over) this.#encoder.configure(config);
    return config;
  }

  /** Encodes the newest frame, unless the encoder or the connection is behind. */
  #encode() {
    this.#late = true;
    if (this.paused || !this.#newest || !this.#config || this.#encoder.encodeQueueSize >= kMostEncoding || this.#socket.bufferedAmount > kMostUnsent) return;
    this.#late = false;
    this.#follow(this.#newest);
    // A repeated frame needs a new, larger timestamp.
    this.#timestamp = Math.max(this.#timestamp + 1, Math.round(performance.now() * 1000));
    const frame = new VideoFrame(this.#newest, { timestamp: this.#timestamp });
    this.#encoder.encode(frame, { keyFrame: this.#wantsKey });
    this.#wantsKey = false;
    frame.close();
  }

  /** Reconfigures the encoder with the same codec when the frame size changes. @param {VideoFrame} frame */
  #follow({ displayWidth, displayHeight }) {
    const size = encodedSize(displayWidth, displayHeight);
    const now = /** @type {VideoEncoderConfig} */ (this.#config);
    if (now.width === size.width && now.height === size.height) return;
    const kind = now.codec.slice(0, 3);
    this.#config = encoderConfigs(size, kFps).find(({ codec }) => codec.startsWith(kind)) ?? now;
    this.#encoder.configure(this.#config);
  }

  /** @param {EncodedVideoChunk} chunk @param {EncodedVideoChunkMetadata} [more] its decoderConfig comes with the first chunk of a configuration */
  #send(chunk, more) {
    if (more?.decoderConfig) this.#sendNow(videoMessage(more.decoderConfig));
    this.#sendNow(chunkMessage(chunk));
  }

  /** @param {string | Uint8Array} message */
  #sendNow(message) {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(message);
  }
}

/** The frames of a track as they arrive. @param {MediaStreamTrack} track @returns {AsyncGenerator<VideoFrame>} */
async function* framesOf(track) {
  const { MediaStreamTrackProcessor } = /** @type {any} */ (window);
  if (MediaStreamTrackProcessor) {
    const reader = new MediaStreamTrackProcessor({ track }).readable.getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
    return;
  }
  // Browsers without MediaStreamTrackProcessor need a playing <video>; in a hidden tab they deliver frames rarely.
  const video = document.createElement('video');
  video.muted = true;
  video.srcObject = new MediaStream([track]);
  await video.play();
  while (track.readyState === 'live') {
    await new Promise((shown) => video.requestVideoFrameCallback(shown));
    yield new VideoFrame(video);
  }
}
