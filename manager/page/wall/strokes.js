// Strokes on windows and on the wall: their shape, and the layer that draws them.

import { svg } from '../panels/svg.js';

/** @import * as T from '../types.js' */

const kUnits = 65535; // the width and height of the window or wall in a stroke's points
const kHead = 5; // length of an arrow's head, in widths of the line
const kLetters = 8.5 / 9; // size of the font, in heights of a line of text; as the receivers have it
const kBaseline = 7.5 / 9; // from the top of a line of text
const kAdvance = 6 / 9; // a line is at most this wide for a letter, in its heights
const kGap = 1 / 9; // there is none after the last letter
const kLineLetters = 30; // at most 120 bytes
export const kTextLetters = 120; // fits 8 lines

/** @param {number} value */
const short = (value) => Math.round(value * 10) / 10;

/** The stroke's line as the data of an SVG path, and its width. Pure. @param {T.Stroke} stroke @param {T.Size} size of the window or wall, wall pixels */
export function shapeOf({ points, width, arrow }, [w, h]) {
  /** @type {T.Point[]} */
  const line = [];
  for (let i = 0; i + 1 < points.length; i += 2) line.push([short((points[i] * w) / kUnits), short((points[i + 1] * h) / kUnits)]);
  const wide = short(Math.max((width * h) / kUnits, 1));
  const data = `M${line.join('L')}`;
  const tip = line[line.length - 1];
  const from = arrow && line.findLast(([x, y]) => Math.hypot(tip[0] - x, tip[1] - y) > wide);
  if (!from) return { data, wide };
  const back = Math.atan2(from[1] - tip[1], from[0] - tip[0]);
  const sides = [back - Math.PI / 6, back + Math.PI / 6].map((angle) => [short(tip[0] + kHead * wide * Math.cos(angle)), short(tip[1] + kHead * wide * Math.sin(angle))]);
  return { data: `${data}M${sides[0]}L${tip}L${sides[1]}`, wide };
}

/** The left edge of a text, the baselines of its lines, and the size of the font. Pure. @param {T.Stroke} stroke @param {T.Size} size of the window or wall, wall pixels */
export function textShape({ points, width, text = [] }, [w, h]) {
  const high = (width * h) / kUnits;
  const top = (points[1] * h) / kUnits;
  return { x: short((points[0] * w) / kUnits), baselines: text.map((_, line) => short(top + (line + kBaseline) * high)), font: short(high * kLetters) };
}

/** The size of the font in which a line of text is not wider than at the receivers. Pure. @param {string} line @param {number} font the usual size @param {number} width of the line in this size */
export function fittingFont(line, font, width) {
  const widest = (([...line].length * kAdvance - kGap) * font) / kLetters;
  return short(width > widest ? (font * widest) / width : font);
}

/** The words in lines that the manager accepts. Pure. @param {string} text at most kTextLetters long */
export function linesOf(text) {
  return text.trim().match(new RegExp(`\\S.{0,${kLineLetters - 1}}(?!\\S)|\\S{1,${kLineLetters}}`, 'gu')) ?? [];
}

/** A stroke through points of the wall on a window or on the wall. @param {T.Point[]} line @param {number} width wall pixels @param {T.Rect} rect of the window or wall @returns {Pick<T.Stroke, 'points' | 'width'>} */
export function placedOn(line, width, [x, y, w, h]) {
  return { points: line.flatMap(([px, py]) => [((px - x) / w) * kUnits, ((py - y) / h) * kUnits]), width: Math.min((width / h) * kUnits, kUnits) };
}

/** The line without points that are within `tolerance` of it, by the algorithm of Douglas and Peucker. Pure. @param {T.Point[]} line @param {number} tolerance @returns {T.Point[]} */
export function simplified(line, tolerance) {
  const [from, to] = [line[0], line[line.length - 1]];
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  let [farthest, most] = [0, tolerance];
  for (let i = 1; i < line.length - 1; ++i) {
    const [x, y] = [line[i][0] - from[0], line[i][1] - from[1]];
    const along = Math.min(Math.max((x * dx + y * dy) / (dx * dx + dy * dy || 1), 0), 1);
    const far = Math.hypot(x - along * dx, y - along * dy);
    if (far > most) [farthest, most] = [i, far];
  }
  if (farthest === 0) return line.length > 1 ? [from, to] : line;
  return [...simplified(line.slice(0, farthest + 1), tolerance), ...simplified(line.slice(farthest), tolerance).slice(1)];
}

/** Draws the strokes of a window or of the wall. */
export class StrokeLayer {
  node = svg('svg', { class: 'strokes', 'aria-hidden': 'true', preserveAspectRatio: 'none' });
  /** @type {Map<T.Stroke, Node>} */
  #paths = new Map();
  #size = '';

  /** Writes only what changed. @param {T.Stroke[]} strokes bottom to top @param {T.Size} size wall pixels */
  render(strokes, size) {
    const before = this.#size === String(size) ? this.#paths : new Map();
    if (before.size === strokes.length && strokes.every((stroke) => before.has(stroke))) return;
    this.#size = String(size);
    this.node.setAttribute('viewBox', `0 0 ${size[0]} ${size[1]}`);
    this.#paths = new Map(strokes.map((stroke) => [stroke, before.get(stroke) ?? pathOf(stroke, size)]));
    this.node.replaceChildren(...this.#paths.values());
  }
}

/** @param {string} line @param {number} font */
function widthOf(line, font) {
  const context = /** @type {CanvasRenderingContext2D} */ (document.createElement('canvas').getContext('2d'));
  context.font = `700 ${font}px sans-serif`;
  return context.measureText(line).width;
}

/** @param {T.Stroke} stroke @param {string[]} text @param {T.Size} size */
function textOf(stroke, text, size) {
  const { x, baselines, font } = textShape(stroke, size);
  const lines = text.map((line, index) => svg('tspan', { x, y: baselines[index], 'font-size': fittingFont(line, font, widthOf(line, font)) }, new Text(line)));
  return svg('text', { fill: stroke.colour, 'fill-opacity': stroke.opacity / 100 }, ...lines);
}

/** @param {T.Stroke} stroke @param {T.Size} size */
function pathOf(stroke, size) {
  if (stroke.text) return textOf(stroke, stroke.text, size);
  const { data, wide } = shapeOf(stroke, size);
  return svg('path', { d: data, stroke: stroke.colour, 'stroke-width': wide, 'stroke-opacity': stroke.opacity / 100 });
}
