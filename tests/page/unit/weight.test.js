import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

import ts from 'typescript';

const kPage = fileURLToPath(new URL('../../../manager/page/', import.meta.url));

/** @param {string} folder @returns {string[]} */
function filesIn(folder) {
  return readdirSync(folder).flatMap((name) => {
    const file = path.join(folder, name);
    if (statSync(file).isDirectory()) return filesIn(file);
    return /\.(html|js|css|svg)$/.test(name) ? [file] : [];
  });
}

/** The files of the page as the manager serves them. */
const kServed = new Map(filesIn(kPage).map((file) =>
  [file, /\.(js|css)$/.test(file) ? execFileSync('esbuild', ['--minify', '--charset=utf8', file]) : readFileSync(file)]));

/** The file's compressed size in bytes. @param {string} file */
function weight(file) {
  return gzipSync(kServed.get(file) ?? '').length;
}

test('the whole page weighs less than 130 KB compressed', () => {
  const bytes = [...kServed.keys()].reduce((sum, file) => sum + weight(file), 0);
  assert.ok(bytes < 130_000, `${bytes} bytes`);
});

test('the page that is served has the same modules: what they import and the elements that they define', () => {
  const parts = (/** @type {string} */ script) => [
    ts.preProcessFile(script).importedFiles.map(({ fileName }) => fileName),
    script.match(/customElements\.define\(["'][\w-]+["']/g)?.map((text) => text.replaceAll('"', "'")),
  ];
  for (const [file, script] of kServed) {
    if (file.endsWith('.js')) assert.deepEqual(parts(script.toString()), parts(readFileSync(file, 'utf8')), file);
  }
});

test('nothing in it comes from elsewhere, and no text becomes HTML', () => {
  for (const file of filesIn(kPage)) {
    const text = readFileSync(file, 'utf8');
    assert.doesNotMatch(text, /(?:src=|href=|from |import\(?|url\()\s*['"]?(?:https?:)?\/\//, file);
    assert.doesNotMatch(text, /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(/, file);
  }
});
