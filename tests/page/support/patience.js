// Waits for conditions, never for a fixed time, so that slow machines only take longer.

/** The timeout of every wait in tests, in milliseconds. */
export const kPatienceMs = 1000 * Number(process.env.VITRAIL_TEST_PATIENCE_S ?? 30);

const kPauseMs = 20;

/**
 * Waits for the first true value of the condition; throws at the timeout. Exceptions of the condition
 * count as false; the last one is the cause of the timeout error.
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
