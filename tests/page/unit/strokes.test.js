import assert from 'node:assert/strict';
import { test } from 'node:test';

import { fittingFont, kTextLetters, linesOf, placedOn, shapeOf, simplified, textShape } from '../../../manager/page/wall/strokes.js';

/** @typedef {import('../../../manager/page/types.js').Point} Point */

const kRed = { colour: '#ff0000', opacity: 100 };

test('a stroke has its place in the window of any size', () => {
  const stroke = { ...kRed, points: [0, 0, 65535, 65535], width: 6553.5 };
  assert.deepEqual(shapeOf(stroke, [400, 200]), { data: 'M0,0L400,200', wide: 20 });
  assert.deepEqual(shapeOf(stroke, [40, 20]), { data: 'M0,0L40,20', wide: 2 });
  assert.equal(shapeOf(stroke, [4, 2]).wide, 1, 'never invisible');
});

test('what is drawn on a window is where it was drawn', () => {
  const stroke = { ...kRed, ...placedOn([[150, 70], [250, 120]], 10, [100, 50, 400, 200]) };
  assert.deepEqual(shapeOf(stroke, [400, 200]), { data: 'M50,20L150,70', wide: 10 });
  assert.equal(placedOn([[0, 0]], 500, [0, 0, 400, 200]).width, 65535, 'at most the window’s height');
});

test('an arrow has a head at its last point', () => {
  const stroke = { ...kRed, ...placedOn([[0, 50], [100, 50]], 2, [0, 0, 200, 100]), arrow: true };
  assert.equal(shapeOf(stroke, [200, 100]).data, 'M0,50L100,50M91.3,55L100,50L91.3,45');
  const dot = { ...kRed, ...placedOn([[100, 50], [100, 50]], 2, [0, 0, 200, 100]), arrow: true };
  assert.equal(shapeOf(dot, [200, 100]).data, 'M100,50L100,50', 'a dot has no direction');
});

test('points that are on the line are left out', () => {
  assert.deepEqual(simplified([[0, 0], [10, 0.5], [20, 0], [20, 10]], 1), [[0, 0], [20, 0], [20, 10]]);
  assert.deepEqual(simplified([[5, 5]], 1), [[5, 5]]);
  /** @type {Point[]} */
  const circle = Array.from({ length: 721 }, (_, i) => [100 * Math.cos((i * Math.PI) / 360), 100 * Math.sin((i * Math.PI) / 360)]);
  const few = simplified(circle, 0.5);
  assert.ok(few.length > 20 && few.length < 60, `${few.length} points`);
});

test('a text has its place and its size in the window', () => {
  const stroke = { ...kRed, ...placedOn([[150, 70], [150, 70]], 18, [100, 50, 400, 200]), text: ['one', 'two'] };
  assert.deepEqual(textShape(stroke, [400, 200]), { x: 50, baselines: [35, 53], font: 17 });
  assert.deepEqual(textShape(stroke, [800, 400]), { x: 100, baselines: [70, 106], font: 34 });
});

test('a wide line gets smaller letters, as at the receivers', () => {
  assert.equal(fittingFont('iiii', 17, 30), 17);
  assert.equal(fittingFont('WWWW', 17, 92), 8.5, 'twice as wide as 4 letters of 12, without the last gap of 2');
  assert.equal(fittingFont('😀', 17, 10), 17, 'one letter');
});

test('a text is written in lines that the manager accepts', () => {
  assert.deepEqual(linesOf('  Exit on the left '), ['Exit on the left']);
  assert.deepEqual(linesOf('   '), []);
  assert.deepEqual(linesOf(`${'a'.repeat(20)} ${'b'.repeat(20)} c`), ['a'.repeat(20), `${'b'.repeat(20)} c`]);
  assert.deepEqual(linesOf('x'.repeat(50)), ['x'.repeat(30), 'x'.repeat(20)], 'a long word is divided');
  const words = `${'w'.repeat(15)} `.repeat(9).slice(0, kTextLetters);
  assert.ok(linesOf(words).length <= 8);
  assert.equal(linesOf(words).join('').replaceAll(' ', ''), words.replaceAll(' ', ''), 'no letter is lost');
  assert.ok(linesOf('😀'.repeat(kTextLetters / 2)).every((line) => Buffer.byteLength(line) <= 120));
});
