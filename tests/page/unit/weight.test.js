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

/** The file as the manager serves it. @param {string} file */
function served(file) {
  const script = fileURLToPath(new URL('../../../manager/page_comments.sed', import.meta.url));
  return /\.(js|css)$/.test(file) ? execFileSync('sed', ['-E', '-f', script, file]) : readFileSync(file);
}

test('the whole page weighs less than 130 KB compressed', () => {
  const bytes = filesIn(kPage).reduce((sum, file) => sum + gzipSync(served(file)).length, 0);
  assert.ok(bytes < 130_000, `${bytes} bytes`);
});

test('the page that is served is the same program without comments', () => {
  const program = (/** @type {string} */ script) => ts.transpileModule(script, { compilerOptions: { removeComments: true, target: ts.ScriptTarget.ES2022 } }).outputText;
  for (const file of filesIn(kPage)) {
    if (file.endsWith('.js')) assert.equal(program(served(file).toString()), program(readFileSync(file, 'utf8')), file);
  }
});

test('the remote weighs less than 40 KB compressed, with all that it imports', () => {
  const found = new Set(['remote/index.html', 'remote/remote.css', 'style.css', 'icon.svg', 'theme.js'].map((name) => path.join(kPage, name)));
  const follow = (/** @type {string} */ file) => {
    found.add(file);
    for (const [, name] of readFileSync(file, 'utf8').matchAll(/^import .* from '(.*)';$/gm)) {
      const next = path.resolve(path.dirname(file), name);
      if (!found.has(next)) follow(next);
    }
  };
  follow(path.join(kPage, 'remote/remote.js'));
  const bytes = [...found].reduce((sum, file) => sum + gzipSync(served(file)).length, 0);
  assert.ok(bytes < 40_000, `${bytes} bytes`);
});

test('nothing in it comes from elsewhere, and no text becomes HTML', () => {
  for (const file of filesIn(kPage)) {
    const text = readFileSync(file, 'utf8');
    assert.doesNotMatch(text, /(?:src=|href=|from |import\(?|url\()\s*['"]?(?:https?:)?\/\//, file);
    assert.doesNotMatch(text, /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(/, file);
  }
});
