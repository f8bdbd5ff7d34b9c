# Removes comments, indentation, empty lines and blanks around operators. For sed -E -f. Template literals of several
# lines would change.
/^ *\/\//d
/^ *\/\*.*\*\/$/d
/^ *\/\*\*?$/,/\*\/$/d
s/^ +//
s/ +\/\/ [^'"`]*$//
s/\/\*\* @type [^*]*\*\/ //g
s/ \{$/{/
s/^([a-z-]+): ([^:]*);$/\1:\2;/
/^$/d
# Strings stay. Lines with a template literal within another one stay as they are.
/\$\{[^}]*`/b
:behind
s/^(([^'"`]|'[^']*'|"[^"]*"|`[^`]*`)*(=>|[!=]==|=|\?|:|&&|\|\||>|<|\{|\}|,|;)) /\1/
tbehind
:before
s/^(([^'"`]|'[^']*'|"[^"]*"|`[^`]*`)*) (=>|[!=]==|=|\?|&&|\|\||>|<|\{|\})/\1\3/
tbefore
