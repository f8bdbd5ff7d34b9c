// Runs axe-core in a page: its findings against WCAG 2.2 and good practice, as readable lines.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** @typedef {import('playwright-core').Page} Page */

const kSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

// These two rules are off by default.
const kOptions = { resultTypes: ['violations'], rules: { 'label-content-name-mismatch': { enabled: true }, 'target-size': { enabled: true } } };

/** @param {Page} page @returns {Promise<string[]>} */
export async function axeFindings(page) {
  const session = await page.context().newCDPSession(page);
  // The page's policy forbids page.evaluate() of source text; the debugger protocol is exempt.
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
