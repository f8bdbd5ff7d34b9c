# Removes comments, indentation and some blanks. For sed -E -f. Template literals of several lines would change.
/^ *\/\//d
/^ *\/\*.*\*\/$/d
/^ *\/\*\*?$/,/\*\/$/d
s/^ +//
s/ +\/\/ [^'"`]*$//
s/\/\*\* @type [^*]*\*\/ //g
s/ \{$/{/
s/^([a-z-]+): ([^:]*);$/\1:\2;/
