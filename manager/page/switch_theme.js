// Switches between dark, light and the system's theme; theme.js applies the choice when the page loads.

/** Switches to the next theme and returns it. @returns {'light' | 'dark' | 'system'} */
export function switchTheme() {
  const root = document.documentElement;
  const systemDark = matchMedia('(prefers-color-scheme: dark)').matches;
  /** @type {('light' | 'dark')[]} */
  const [first, second] = systemDark ? ['light', 'dark'] : ['dark', 'light'];
  const next = root.dataset.theme === undefined ? first : root.dataset.theme === first ? second : undefined;
  if (next) root.dataset.theme = next;
  else delete root.dataset.theme;
  try {
    if (next) localStorage.setItem('vitrail.theme', next);
    else localStorage.removeItem('vitrail.theme');
  } catch {
    // Storage is forbidden: the choice holds until the page is left.
  }
  return next ?? 'system';
}
