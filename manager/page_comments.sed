# Removes comments that are separate lines, a quarter of the page's bytes. For sed -E -f.
/^ *\/\//d
/^ *\/\*.*\*\/$/d
/^ *\/\*\*?$/,/\*\/$/d
