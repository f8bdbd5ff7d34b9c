// CPU time of programs, with or without their child processes, from /proc.
import { readFileSync, readdirSync } from 'node:fs';

const kTicksPerSecond = 100; // the unit of /proc/*/stat on Linux

/** @typedef {{ pid: number, name: string, parent: number, seconds: number }} Process */

/** All processes of this machine. @returns {Process[]} */
export function processes() {
  const all = [];
  for (const folder of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = readFileSync(`/proc/${folder}/stat`, 'utf8');
      const [, name, rest] = /** @type {RegExpMatchArray} */ (stat.match(/\((.*)\) (.*)/s));
      const fields = rest.split(' ');
      all.push({ pid: Number(folder), name, parent: Number(fields[1]), seconds: (Number(fields[11]) + Number(fields[12])) / kTicksPerSecond });
    } catch {
      // The process has ended in the meantime.
    }
  }
  return all;
}

/** CPU seconds of a process so far, and of its descendants. @param {number} pid @param {boolean} [withChildren] */
export function cpuSeconds(pid, withChildren = true) {
  const all = processes();
  const family = new Set([pid]);
  for (let before = 0; withChildren && before < family.size;) {
    before = family.size;
    for (const { pid: one, parent } of all) if (family.has(parent)) family.add(one);
  }
  return all.filter((one) => family.has(one.pid)).reduce((sum, { seconds }) => sum + seconds, 0);
}
