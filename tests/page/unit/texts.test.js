import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { CallError } from '../../../manager/page/connection.js';
import { problemText, withoutCommands } from '../../../manager/page/problems.js';
import { kLanguages, languageOf, t } from '../../../manager/page/texts.js';
import { texts as english } from '../../../manager/page/texts/en.js';
import { visibleLiterals } from '../support/literals.js';

const kPage = fileURLToPath(new URL('../../../manager/page/', import.meta.url));
const kDocument = readFileSync(path.join(kPage, 'index.html'), 'utf8');
/** Texts that look like words but are not translated: names of the product and of languages, addresses, text for the manager. */
const kNoWords = /^( · Vitrail|English|Deutsch|rtsp:\/\/.*|filename |note:|px sans-serif|clock:|qr:|remote\/)$/;

const scripts = readdirSync(kPage, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.js') && !name.startsWith('texts/'))
  .map((name) => ({ name, script: readFileSync(path.join(kPage, name), 'utf8') }));

/** The {names} of a text, sorted. @param {import('../../../manager/page/texts.js').Text} text */
function placeholders(text) {
  const all = typeof text === 'string' ? [text] : [text.one, text.other];
  return [...new Set(all.flatMap((one) => one.match(/\{\w+\}/g) ?? []))].sort();
}

test('all languages have the same texts with the same values', async () => {
  for (const [name, { load }] of Object.entries(kLanguages)) {
    const { texts: table } = await load();
    assert.deepEqual(Object.keys(table), Object.keys(english), name);
    for (const [key, text] of Object.entries(english)) {
      const there = table[/** @type {keyof typeof table} */ (key)];
      assert.deepEqual(placeholders(there), placeholders(text), `${name} ${key}`);
      assert.equal(typeof there, typeof text, `${name} ${key}`);
    }
  }
});

test('the remote tells muting of a window from muting of the wall', async () => {
  for (const [name, { load }] of Object.entries(kLanguages)) {
    const { texts: table } = await load();
    assert.notEqual(table['sound.mute'], table['remote.muteAll'], name);
  }
});

test('every text is used', () => {
  const all = [kDocument, ...scripts.map(({ script }) => script)].join('\n');
  const dynamic = [...all.matchAll(/\bt\((?:\/\*.*?\*\/ \()?`([\w.]+)\$\{/g), ...all.matchAll(/: `([\w.]+)\$\{/g)].map(([, start]) => start);
  const unused = Object.keys(english).filter((key) => !all.includes(`'${key}'`) && !all.includes(`"${key}"`) && !dynamic.some((start) => key.startsWith(start)));
  assert.deepEqual(unused, []);
});

test('nobody reads words that are not in the tables', () => {
  const found = scripts.flatMap(({ name, script }) => visibleLiterals(script, name)).filter((where) => !kNoWords.test(where.replace(/^\S+:\d+ /, '')));
  assert.deepEqual(found, []);
  const text = kDocument.replace(/<noscript>.*<\/noscript>|<title>.*<\/title>|<h1.*<\/h1>|<!doctype html>/g, '').replace(/<[^>]*>/g, '').trim();
  assert.equal(text, '', 'in the document');
  assert.doesNotMatch(kDocument, / (aria-label|title|placeholder)=/);
});

test('words that people would read are found', () => {
  const found = (/** @type {string} */ script) => visibleLiterals(script, 'x.js').length;
  assert.equal(found("element('p', {}, 'hello')"), 1);
  assert.equal(found("button.title = on ? 'stop' : t('a')"), 1);
  assert.equal(found("store.say(`${name} is gone`)"), 1);
  assert.equal(found("element('p', {class: 'soft facts'}, t('a.b'))"), 0);
  assert.equal(found("throw new Error('there is no such thing')"), 0);
});

test('a text takes its values, and its number', () => {
  assert.equal(t('window.number', { number: 1234 }), 'Window 1234');
  assert.equal(t('windows', { count: 1 }), '1 window');
  assert.equal(t('windows', { count: 0 }), '0 windows');
});

test('the language is the first that the page knows', () => {
  assert.equal(languageOf(['fr-CA', 'de-AT', 'en-GB']), 'de');
  assert.equal(languageOf(['', 'fr']), 'en');
});

test('people are not told commands', () => {
  assert.equal(withoutCommands('window 21 is locked: `vitrail lock 21 --off` frees it'), 'window 21 is locked');
  assert.equal(withoutCommands('no place for it: remove some (`vitrail source rm`), or start it with a larger --uploads-quota'), 'no place for it: remove some');
  assert.equal(withoutCommands('17 of 25 frames are shown'), '17 of 25 frames are shown');
  assert.equal(problemText(new CallError('timeout', 'rpc')), t('error.timeout'));
});
