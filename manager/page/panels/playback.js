// The current playback position, from the application's last report.

/** @import * as T from '../types.js' */

/** Whether the playback is advancing. @param {T.Playback | undefined} playback */
export function moves(playback) {
  return playback !== undefined && !playback.paused && !playback.ended;
}

/**
 * The current position in seconds.
 * @param {T.Playback} playback @param {number | null} wall_s current wall time in seconds; null: not yet known
 */
export function positionNow({ position_s, at_ns, duration_s, paused, ended, rate, loop }, wall_s) {
  const passed = wall_s === null || paused || ended ? 0 : Math.max(0, wall_s - at_ns / 1e9) * rate;
  const position = position_s + passed;
  if (!(duration_s > 0)) return Math.max(0, position);
  if (loop && position >= duration_s) return position % duration_s;
  return Math.min(Math.max(0, position), duration_s);
}
