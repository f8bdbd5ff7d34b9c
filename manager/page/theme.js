// Sets dark or light before the first paint: the person's choice, else the system's.
try {
  const theme = localStorage.getItem('vitrail.theme');
  if (theme === 'dark' || theme === 'light') document.documentElement.dataset.theme = theme;
} catch {
  // Storage is forbidden: the system's theme applies.
}
