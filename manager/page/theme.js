// Dark or light before anything is painted: what the person chose, else what the system says.
try {
  const theme = localStorage.getItem('vitrail.theme');
  if (theme === 'dark' || theme === 'light') document.documentElement.dataset.theme = theme;
} catch {
  // Storage is forbidden: the system's choice holds.
}
