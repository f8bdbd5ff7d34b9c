// What of a window is seen on the wall, and what the browser itself sees of what it captures.
import { waitFor } from './patience.js';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('./wall.js').Wall} Wall */

const kTolerance = 8; // of levels: two coders are between what is shared and the wall

/** Waits until a point of the only window, as parts of its sides, has this colour on the wall. @param {Wall} wall @param {number} x @param {number} y @param {readonly number[]} colour */
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
 * A point of what a page would share, as parts of its sides. The colours are the browser's: Chromium names another matrix for tabs than
 * it converts them by. @param {Page} page @param {number} x @param {number} y @returns {Promise<number[]>}
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
