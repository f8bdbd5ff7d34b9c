// Error texts for people. The manager's sentences are written for consoles too: commands are removed from them.

import { CallError } from './connection.js';
import { t } from './texts.js';

/** @import { Right } from './rights.js' */

/** @param {string} sentence */
export function withoutCommands(sentence) {
  const command = sentence.search(/`|(?<![\w-])--[a-z]/);
  if (command < 0) return sentence;
  const clause = Math.max(...[...sentence.slice(0, command).matchAll(/[:;(]|,(?=\s)/g)].map(({ index }) => index ?? 0), 0);
  return clause > 0 ? sentence.slice(0, clause).trimEnd() : sentence.replaceAll('`', '');
}

/** @param {unknown} error @param {Right} [right] of the person who sent the request */
export function problemText(error, right = 'admin') {
  if (error instanceof CallError && error.code === 'unauthorized' && right !== 'admin') return t(`role.refused.${right}`);
  if (error instanceof CallError && error.code === 'timeout') return t('error.timeout');
  return withoutCommands(error instanceof Error ? error.message : String(error));
}
