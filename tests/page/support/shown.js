// The colours of a window on the wall, and of the same content as the browser captures it.
import { waitFor } from './patience.js';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('./wall.js').Wall} Wall */

const kTolerance = 8; // of levels: two codecs lie between the shared content and the wall

/** Waits until a point of the only window has this colour on the wall. x and y are fractions of its sides. @param {Wall} wall @param {number} x @param {number} y @param {readonly number[]} colour */
export async function seen(wall, x, y, colour) {
  let last = '';
  await waitFor(async () => {
    const [window] = (await wall.state()).windows;
    if (!window) return false;
    const { rect } = window;
    const at = (await wall.wallPixels()).at(Math.round(rect[0] + x * rect[2]), Math.round(rect[1] + y * rect[3]));
    last = at.join();
    return colour.every((level, i) => Math.abs(level - at[i]) <= kTolerance);
  }, `the wall shows ${colour}`).catch((error) => { throw new Error(`${error.message}; it shows ${last}`); });
}

/**
 * The colour of a point of what a page would share, at fractions of its sides. Expected colours come from the browser itself, because
 * the matrix that Chromium names for tabs differs from the one with which it converts them. @param {Page} page @param {number} x @param {number} y @returns {Promise<number[]>}
 */
export function ownLook(page, x, y) {
  return page.evaluate(async (at) => {
    const stream = await navigator.mediaDevices.getDisplayMedia({ video: true });
    const video = document.createElement('video');
    video.muted = true;
    video.srcObject = stream;
    await video.play();
    const canvas = new OffscreenCanvas(video.videoWidth, video.videoHeight);
    const drawing = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext('2d'));
    drawing.drawImage(video, 0, 0);
    for (const track of stream.getTracks()) track.stop();
    return [...drawing.getImageData(canvas.width * at.x, canvas.height * at.y, 1, 1).data.slice(0, 3)];
  }, { x, y });
}
