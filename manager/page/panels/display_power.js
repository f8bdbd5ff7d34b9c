// Whether displays are on.

/** @import * as T from '../types.js' */

/** Whether displays of the wall can be turned on and off. @param {Pick<T.WallState, 'wall' | 'receivers'>} state */
export function hasPower({ wall, receivers }) {
  return wall.power !== undefined || [...(wall.receivers ?? []), ...wall.tiles, ...receivers].some(({ power }) => power !== undefined);
}

/** The displays that were asked, by tile. @param {Pick<T.WallState, 'receivers'>} state @returns {T.DisplayPower[]} */
export function displaysOf({ receivers }) {
  return receivers.flatMap(({ power }) => power ?? []);
}
