# Leaves out the comments that are lines of their own: a quarter of what browsers would have to fetch. sed -E -f
/^ *\/\//d
/^ *\/\*.*\*\/$/d
/^ *\/\*\*?$/,/\*\/$/d
