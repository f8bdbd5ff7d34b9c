// Accessibility: names for screen readers, keyboard only, the width of a phone, dark and light; and the size of the page.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';

import { fixture, select, showPanel } from '../support/fixture.js';
import { waitFor } from '../support/patience.js';

/** @typedef {import('playwright-core').Page} Page */

const made = fixture();
const kPanels = ['sources', 'arrange', 'sessions', 'inspector', 'stats', 'history'];

/** Focusable elements without an accessible name, as the browser computes it. @param {Page} page */
async function nameless(page) {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  const bad = nodes.filter(({ ignored, role, name, properties = [] }) => !ignored && role?.value !== 'RootWebArea' && role?.value !== 'generic' && !name?.value &&
    properties.some((property) => property.name === 'focusable' && property.value.value));
  const wrongs = [];
  for (const { backendDOMNodeId } of bad) {
    const { outerHTML } = await session.send('DOM.getOuterHTML', { backendNodeId: backendDOMNodeId });
    wrongs.push(outerHTML.slice(0, 120));
  }
  await session.detach();
  return wrongs;
}

test('every control has a name', async () => {
  const number = await made.wall.play('test:160x90@5', { place: [10, 10, 160, 90] });
  const page = await made.open();
  await showPanel(page, 'inspector');
  await select(page, number);
  for (const name of kPanels) {
    await showPanel(page, name);
    assert.deepEqual(await nameless(page), [], `in ${name}`);
  }
});

test('by keyboard alone: a source onto the wall, then moved by numbers', async () => {
  const page = await made.open();
  await showPanel(page, 'sources'); // the first panel of a page on a wide display
  const panel = page.locator('vt-sources');
  await panel.getByRole('button', { name: 'Test cards' }).waitFor();
  const press = (/** @type {string} */ key) => page.keyboard.press(key);
  /** Presses Shift+Tab until an element with this attribute has the focus. @param {string} attribute */
  const tabBack = async (attribute) => {
    for (let i = 0; i < 60; ++i) {
      if (await page.evaluate((name) => document.activeElement?.hasAttribute(name), attribute)) return;
      await press('Shift+Tab');
    }
    assert.fail(`Shift and Tab do not reach ${attribute}`);
  };
  /** Presses Tab until the focused element has this label. @param {RegExp} label */
  const tabTo = async (label) => {
    for (let i = 0; i < 60; ++i) {
      const said = await page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.closest('label')?.textContent ?? document.activeElement?.textContent ?? '');
      if (label.test(said)) return;
      await press('Tab');
    }
    assert.fail(`Tab does not reach ${label}`);
  };
  await tabTo(/^Test cards$/);
  await press('Enter');
  await panel.locator('.source').first().waitFor();
  await tabTo(/^Play /);
  await press('Enter');
  const { window, rect } = await waitFor(async () => (await made.wall.state()).windows[0], 'it plays');
  await tabBack('data-window');
  await press('Shift+ArrowRight');
  await waitFor(async () => (await made.wall.window(window)).rect[0] !== rect[0], 'it moved by arrows');
  await tabTo(/^Sources$/);
  for (const name of ['arrange', 'sessions', 'inspector']) {
    await press('ArrowRight');
    await page.locator(`vt-${name}`).waitFor();
  }
  await tabTo(/^X$/);
  await press('Control+A');
  await page.keyboard.type('77');
  await press('Enter');
  await waitFor(async () => (await made.wall.window(window)).rect[0] === 77, 'it moved by numbers');
});

test('on a phone the panels are a sheet, and nothing is wider than the page', async () => {
  await made.wall.play('test:160x90@5', { place: [10, 10, 160, 90] });
  const page = await made.open({ viewport: { width: 390, height: 780 }, hasTouch: true });
  for (const name of kPanels) {
    await showPanel(page, name);
    const wide = await page.evaluate(() => [...document.querySelectorAll('#panels *, .top *')]
      .filter((node) => node.checkVisibility() && !node.closest('.unseen, svg') && node.getBoundingClientRect().right > innerWidth + 1).map((node) => node.outerHTML.slice(0, 100)));
    assert.deepEqual(wide, [], `in ${name}`);
    const panel = await page.locator(`vt-${name}`).boundingBox();
    assert.ok(panel && panel.y > 200, 'the wall stays above it');
  }
});

/** Contrast ratio of two colours, as defined by WCAG 2.2. @param {number[]} a @param {number[]} b */
function contrast(a, b) {
  const light = (/** @type {number[]} */ rgb) => {
    const [r, g, bl] = rgb.map((value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * bl;
  };
  const [high, low] = [light(a), light(b)].sort((x, y) => y - x);
  return (high + 0.05) / (low + 0.05);
}

for (const colorScheme of /** @type {const} */ (['dark', 'light'])) {
  test(`${colorScheme}: text can be read`, async () => {
    const page = await made.open({ colorScheme });
    await showPanel(page, 'sources');
    const [text, soft, ground] = await page.evaluate(() => {
      const probe = document.createElement('i');
      document.body.append(probe);
      const rgb = (/** @type {string} */ name) => {
        probe.style.color = `var(--${name})`;
        return getComputedStyle(probe).color.match(/\d+/g)?.slice(0, 3).map(Number) ?? [];
      };
      return [rgb('text'), rgb('text-soft'), rgb('surface')];
    });
    assert.equal(contrast(ground, [0, 0, 0]) < 3, colorScheme === 'dark', 'the page follows the system');
    assert.ok(contrast(text, ground) > 7);
    assert.ok(contrast(soft, ground) > 4.5);
  });
}

test('the page weighs less than 130 KB compressed, all panels open', async () => {
  const page = await made.open();
  for (const name of kPanels) await showPanel(page, name);
  const paths = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname));
  const assets = new Set(['/', ...paths.filter((name) => /\.(js|css|svg)$/.test(name))]);
  let total = 0;
  for (const name of assets) total += gzipSync(Buffer.from(await (await fetch(new URL(name, made.wall.url))).arrayBuffer())).length;
  const paint = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime);
  console.log(`the page: ${assets.size} files, ${(total / 1000).toFixed(1)} kB compressed; first paint after ${paint?.toFixed(0)} ms`);
  for (const name of kPanels) assert.ok(assets.has(`/panels/${name}.js`), name);
  assert.ok(total < 130_000, `${total} bytes`);
});
