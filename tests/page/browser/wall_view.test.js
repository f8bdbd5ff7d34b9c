// What the page shows of a wall: tiles, receivers, windows with their pictures; and that it comes back.
import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import path from 'node:path';
import { after, afterEach, before, test } from 'node:test';

import { Browser } from '../support/browser.js';
import { waitFor } from '../support/patience.js';
import { makePicture } from '../support/programs.js';
import { Wall } from '../support/wall.js';
import { WallPage } from '../support/wall_page.js';

/** @type {Wall} */
let wall;
/** @type {Browser} */
let browser;

before(async () => {
  wall = await Wall.start();
  browser = await Browser.start();
});

after(async () => {
  await browser?.close();
  await wall?.close();
});

afterEach(async () => {
  for (const { window } of (await wall.state()).windows) await wall.call('close', { window });
});
