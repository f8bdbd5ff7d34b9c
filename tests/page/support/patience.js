// Waiting for conditions, never for a time: a slow machine only takes longer.

/** How long anything may take before a test gives up, milliseconds. */
export const kPatienceMs = 1000 * Number(process.env.VITRAIL_TEST_PATIENCE_S ?? 30);

const kPauseMs = 20;

/**
 * The first true value of the condition; throws when none comes in time. What the condition throws
 * counts as false, and the last of it is told.
 * @template T
 * @param {() => T | Promise<T>} condition
 * @param {string} what
 * @returns {Promise<NonNullable<T>>}
 */
export async function waitFor(condition, what) {
  const end = Date.now() + kPatienceMs;
  for (;;) {
    let last;
    try {
      const value = await condition();
      if (value) return value;
    } catch (error) {
      last = error;
    }
    if (Date.now() > end) throw new Error(`not in ${kPatienceMs / 1000} s: ${what}`, { cause: last });
    await new Promise((resolve) => setTimeout(resolve, kPauseMs));
  }
}
