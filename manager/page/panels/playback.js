// Where something that plays is, from what its application said last.

/** @import * as T from '../types.js' */

/** Whether it goes on by itself. @param {T.Playback | undefined} playback */
export function moves(playback) {
  return playback !== undefined && !playback.paused && !playback.ended;
}

/**
 * Its position now, seconds.
 * @param {T.Playback} playback @param {number | null} wall_s wall time now, seconds; null: not known yet
 */
export function positionNow({ position_s, at_ns, duration_s, paused, ended, rate, loop }, wall_s) {
  const passed = wall_s === null || paused || ended ? 0 : Math.max(0, wall_s - at_ns / 1e9) * rate;
  const position = position_s + passed;
  if (!(duration_s > 0)) return Math.max(0, position);
  if (loop && position >= duration_s) return position % duration_s;
  return Math.min(Math.max(0, position), duration_s);
}
