// axe-core finds no violations in the states of the page, light and dark. Forced colours, which it cannot check, are tested here.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { axeFindings } from '../support/axe.js';
import { fixture, select, showPanel, showPeople } from '../support/fixture.js';
import { waitFor } from '../support/patience.js';
import { pdf } from '../support/pdf.js';
import { makeClip } from '../support/programs.js';

/** @typedef {import('playwright-core').Page} Page */

const kPanels = ['sources', 'arrange', 'sessions', 'inspector', 'stats', 'history'];

const made = fixture();

/** Opens a film, a document and a test card. */
async function threeWindows() {
  const film = await makeClip(path.join(made.wall.folder, 'harbour.mp4'), { seconds: 20 });
  const report = path.join(made.wall.folder, 'report.pdf');
  writeFileSync(report, pdf([[1, 0, 0], [0, 1, 0]]));
  return [
    await made.wall.play(film, { place: [10, 10, 160, 90], loop: true }),
    await made.wall.play(report, { place: [190, 20, 160, 90] }),
    await made.wall.play('test:160x90@5', { place: [440, 20, 160, 90] }),
  ];
}

/** @typedef {{page: Page, windows: number[]}} Shown */
/** The states of the page; each starts from the previous one. @type {[string, (shown: Shown) => Promise<unknown>][]} */
const kStates = [
  ['windows', async () => {}],
  ['one is selected', ({ page, windows }) => select(page, windows[0])],
  ['several are selected', ({ page }) => page.keyboard.press('Control+a')],
  ...kPanels.map((name) => /** @type {[string, (shown: Shown) => Promise<unknown>]} */ ([`the panel ${name}`, ({ page }) => showPanel(page, name)])),
  ['a playlist', async ({ page }) => {
    await made.wall.call('playlist_save', { name: 'lobby', items: [{ source: 'test:64x64@5', seconds: 5 }, { source: 'test:32x32@5' }] });
    const panel = await showPanel(page, 'sessions');
    await panel.getByText('2 items').click();
    await panel.getByRole('button', { name: /^test:32x32/ }).waitFor();
  }],
  ['a tour', async ({ page }) => {
    await made.wall.call('tour_start', { name: 'gates', sources: ['test:32x32@5'], rect: [380, 60, 32, 32], every_s: 3600 });
    await page.getByRole('button', { name: 'End: gates' }).click({ trial: true });
  }],
  ['a wallpaper and a logo', async ({ page }) => {
    await made.wall.call('tour_stop', { name: 'gates' });
    for (const verb of ['wallpaper', 'logo']) await made.wall.call(verb, { source: 'test:64x64@5' });
    const panel = await showPanel(page, 'arrange');
    await panel.getByRole('button', { name: 'Remove: test:64x64@5' }).nth(1).waitFor();
  }],
  ['two people', async ({ page }) => {
    await made.open({ name: 'Grace' });
    await page.locator('.person[title=Grace]').waitFor({ state: 'attached' });
  }],
  ['people and settings', ({ page }) => showPeople(page)],
  ['a menu', async ({ page, windows }) => {
    await page.keyboard.press('Escape');
    await page.locator(`#window-${windows[0]}`).click({ button: 'right' });
    await page.getByRole('menu').waitFor();
  }],
  ['a dialog', async ({ page }) => {
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
  }],
  ['the palette', async ({ page }) => {
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('harb');
    await page.locator('#found li').first().waitFor();
  }],
  ['figures on, pointing', async ({ page }) => {
    await page.keyboard.press('Escape');
    await made.wall.call('overlay', { on: true });
    await page.locator('#pointer-tool').click();
    await page.locator('.rate', { hasText: 'fps' }).first().waitFor({ state: 'attached' });
  }],
  ['drawing', async ({ page, windows }) => {
    await made.wall.call('annotate', { window: windows[0], points: [[20, 60], [120, 60]], opacity: 0.4, width: 20 });
    await made.wall.call('annotate', { points: [[300, 10], [320, 100]], arrow: true });
    await page.locator('vt-wall').focus();
    await page.keyboard.press('d');
    await page.getByRole('toolbar', { name: 'Draw' }).getByRole('button', { name: 'Erase my strokes' }).click();
    await page.locator(`#window-${windows[0]} .strokes path`).waitFor({ state: 'attached' });
  }],
  ['a text is written', async ({ page }) => {
    await page.locator('[data-action=draw-text]').focus();
    await page.keyboard.press('Enter');
    await page.locator('.text-field:focus').waitFor();
  }],
  ['somebody points with a magnifier', async ({ page }) => {
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await made.wall.call('pointer', { at: [300, 60], style: 'magnifier' });
    await page.locator('.pointer[data-style=magnifier]').waitFor({ state: 'attached' });
  }],
  ['a preview of a session', async ({ page }) => {
    const panel = await showPanel(page, 'sessions');
    await panel.getByRole('button', { name: 'Preview: Monday' }).click();
    await page.locator('#live', { hasText: 'Monday' }).waitFor({ state: 'attached' });
  }],
  ['a curtain is chosen', async ({ page }) => {
    await page.locator('vt-wall').focus();
    await page.keyboard.press('Shift+B');
    await page.getByRole('dialog').getByLabel('Line on the wall').waitFor();
  }],
  ['a blank wall, frozen', async ({ page }) => {
    await page.keyboard.press('Escape');
    await made.wall.call('freeze', { on: true });
    await made.wall.call('blank', { on: true, text: 'back at 11:15' });
    await page.locator('.blank-mark').waitFor();
  }],
  ['the wall as before', async ({ page }) => {
    await made.wall.call('blank', { on: false });
    await made.wall.call('freeze', { on: false });
    await page.locator('.blank-mark').waitFor({ state: 'hidden' });
  }],
];

for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
  test(`${colorScheme}: axe finds nothing on an empty wall`, async () => {
    assert.deepEqual(await axeFindings(await made.open({ colorScheme })), []);
  });

  for (const [where, options] of /** @type {const} */ ([
    ['on a desktop', {}],
    ['on a phone', { viewport: { width: 390, height: 844 }, hasTouch: true }],
  ])) {
    test(`${colorScheme}: nor ${where}, whatever is shown`, async () => {
      const windows = await threeWindows();
      await made.wall.call('partition', { action: 'grid', columns: 2, rows: 1 });
      await made.wall.call('session_save', { name: 'Monday' });
      await made.wall.call('layout_save', { name: 'Aside' });
      const page = await made.open({ ...options, colorScheme });
      for (const number of windows) await page.locator(`#window-${number}`).waitFor();
      const wrongs = [];
      for (const [state, reach] of kStates) {
        await reach({ page, windows });
        const findings = await axeFindings(page);
        // The field of a text covers windows until the text is written, as a menu does.
        const relevant = state === 'a text is written' ? findings.filter((finding) => !/^target-size: <div class="window/.test(finding)) : findings;
        wrongs.push(...relevant.map((finding) => `${state}: ${finding}`));
      }
      assert.deepEqual(wrongs, []);
      await made.wall.call('overlay', { on: false });
      await made.wall.call('annotate_clear');
      await made.wall.call('partition', { action: 'clear' });
      await made.wall.call('session_remove', { name: 'Monday' });
      await made.wall.call('layout_remove', { name: 'Aside' });
    });
  }
}

for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
  test(`${colorScheme}: nor while somebody drives a window, on a phone and in German, too`, async () => {
    made.wall.start('draw_c');
    const { window } = await waitFor(async () => (await made.wall.state()).windows[0], 'the application’s window');
    const ann = await made.wall.client('Ann');
    await ann.call('subscribe');
    await ann.call('drive', { window, action: 'take' });
    for (const [options, take] of /** @type {const} */ ([
      [{}, 'Take over'],
      [{ viewport: { width: 390, height: 844 }, hasTouch: true, locale: 'de-DE' }, 'Übernehmen'],
    ])) {
      const page = await made.open({ ...options, colorScheme });
      await page.locator(`#window-${window} .driver`).filter({ hasText: 'Ann' }).waitFor();
      // By keys: on a phone, another element may cover the window.
      await page.locator(`#window-${window}`).focus();
      await page.keyboard.press('Control+a');
      await page.locator(`#window-${window}[aria-selected=true]`).waitFor();
      const panel = await showPanel(page, 'inspector');
      await panel.getByRole('button', { name: take }).waitFor();
      assert.deepEqual(await axeFindings(page), [], 'the panel');
      await page.locator(`#window-${window}`).focus();
      await page.keyboard.press('Enter');
      await page.locator('.input-bar').getByRole('button', { name: take }).waitFor();
      assert.deepEqual(await axeFindings(page), [], 'input mode');
    }
    ann.close();
  });
}

test('with forced colours windows, tiles and what is selected can be told apart', async () => {
  const windows = await threeWindows();
  const page = await made.open({ forcedColors: 'active' });
  await page.locator('#tab-sources[aria-selected=true]').waitFor();
  await select(page, windows[0]);
  /** @param {string} selector @param {string} [pseudo] */
  const border = (selector, pseudo) => page.locator(selector).first().evaluate((node, part) => {
    const { borderTopWidth, borderTopStyle, borderTopColor } = getComputedStyle(node, part);
    return [borderTopWidth, borderTopStyle, borderTopColor].join(' ');
  }, pseudo ?? null);
  const [selected, other] = [await border(`#window-${windows[0]}`, '::after'), await border(`#window-${windows[2]}`, '::after')];
  for (const seen of [selected, other, await border('.tile')]) assert.doesNotMatch(seen, /none|^0px/);
  assert.notEqual(selected, other);
  const ground = (/** @type {string} */ selector) => page.locator(selector).first().evaluate((node) => getComputedStyle(node).backgroundColor);
  assert.notEqual(await ground('[role=tab][aria-selected=true]'), await ground('[role=tab][aria-selected=false]'));
  assert.notEqual(await ground('.chip-button[aria-pressed=true]'), await ground('.chip-button[aria-pressed=false]'));
  await waitFor(async () => (await axeFindings(page)).length === 0, 'axe finds nothing');
});
