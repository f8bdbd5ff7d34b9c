// Vitrail's programs as child processes of a test: ended by their handles; their output is kept for failure messages.
import { execFile, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { kPatienceMs } from './patience.js';

export const kRoot = fileURLToPath(new URL('../../../', import.meta.url));
export const kBin = process.env.VITRAIL_BIN ?? path.join(kRoot, 'build/bin');

/** A program that runs until it is ended. */
export class Program {
  /**
   * @param {string} name
   * @param {string[]} programArguments
   * @param {{ env: NodeJS.ProcessEnv, log: string }} options log: the file for its output
   */
  constructor(name, programArguments, { env, log }) {
    this.name = name;
    this.log = log;
    const output = openSync(log, 'a');
    this.child = spawn(path.join(kBin, name), programArguments, { env, stdio: ['ignore', output, output] });
    closeSync(output);
    this.ended = once(this.child, 'exit').catch(() => {});
  }

  get running() {
    return this.child.exitCode === null && this.child.signalCode === null && this.child.pid !== undefined;
  }

  output() {
    return readFileSync(this.log, 'utf8');
  }

  /** @param {NodeJS.Signals} [signal] */
  async end(signal = 'SIGTERM') {
    if (!this.running) return;
    this.child.kill(signal);
    const impatient = setTimeout(() => this.child.kill('SIGKILL'), 10_000);
    await this.ended;
    clearTimeout(impatient);
  }
}

/**
 * Runs one of Vitrail's programs and returns its output; throws if it fails.
 * @param {string} name
 * @param {string[]} programArguments
 * @param {NodeJS.ProcessEnv} env
 */
export async function run(name, programArguments, env) {
  const { stdout } = await promisify(execFile)(path.join(kBin, name), programArguments, { env, timeout: kPatienceMs });
  return stdout;
}

/**
 * A short film or picture from FFmpeg's test source.
 * @param {string} file its extension selects the format
 * @param {{ seconds?: number, size?: string, rate?: number, extra?: string[] }} [options]
 */
export async function makeClip(file, { seconds = 2, size = '320x180', rate = 15, extra = [] } = {}) {
  await promisify(execFile)('ffmpeg', ['-loglevel', 'error', '-y', '-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=${rate}`,
    '-t', String(seconds), ...extra, file]);
  return file;
}
