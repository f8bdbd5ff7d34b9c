// axe-core, run in a page: what it finds against WCAG 2.2 and good practice, as lines to read.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** @typedef {import('playwright-core').Page} Page */

const kSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

// These two are off by themselves.
const kOptions = { resultTypes: ['violations'], rules: { 'label-content-name-mismatch': { enabled: true }, 'target-size': { enabled: true } } };

/** @param {Page} page @returns {Promise<string[]>} */
export async function axeFindings(page) {
  const session = await page.context().newCDPSession(page);
  // (page.evaluate() compiles text, which the page's policy forbids; the debugger may.)
  const run = async (/** @type {string} */ expression) => {
    const { result, exceptionDetails } = await session.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  };
  await run(`${kSource}; undefined`);
  const { violations } = await run(`axe.run(document, ${JSON.stringify(kOptions)})`);
  await session.detach();
  return violations.flatMap((/** @type {any} */ { id, nodes }) => nodes.map((/** @type {any} */ { html, failureSummary }) => `${id}: ${html.slice(0, 160)} — ${failureSummary.replace(/\s+/g, ' ')}`));
}
