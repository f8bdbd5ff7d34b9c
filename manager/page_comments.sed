# Removes comments and indentation. For sed -E -f. Template literals of several lines would change.
/^ *\/\//d
/^ *\/\*.*\*\/$/d
/^ *\/\*\*?$/,/\*\/$/d
s/^ +//
s/ +\/\/ [^'"`]*$//
s/\/\*\* @type [^*]*\*\/ //g
