// Finds visible texts in the page's scripts that do not come from its tables of texts.
import ts from 'typescript';

const kSentence = /\p{L}{2,}[ ’]\p{L}|\p{L}{3,}[.:…]? |^\p{Lu}\p{Ll}|[“”…]/u; // several words, or a capitalised word
const kWord = /\p{L}{2}/u;
const kMachineCalls = new Set(['closest', 'querySelector', 'querySelectorAll', 'matches', 'matchMedia', 'get', 'test', 'includes', 'Error', 'proof']);
const kMachineKeys = new Set(['class', 'style', 'keys', 'headers', 'points', 'unit', 'Authorization']);
const kReadKeys = new Set(['title', 'aria-label', 'aria-valuetext', 'placeholder', 'alt', 'label', 'hint', 'facts', 'textContent']);
const kChord = /^((Ctrl|Alt|Shift)\+)*(Ctrl|Shift|Arrow(Left|Right|Up|Down)|Page(Up|Down)|Space|Escape|Enter|Delete|Backspace|Home|End)?$/;

/** @param {ts.Node} node */
function nameOf(node) {
  if (ts.isPropertyAccessExpression(node)) return node.name.text;
  return ts.isIdentifier(node) || ts.isStringLiteral(node) ? node.text : '';
}

/** Whether even a single word would be visible at this position. @param {ts.Node} at @param {ts.Node} parent */
function isShown(at, parent) {
  if (ts.isPropertyAssignment(parent)) return parent.initializer === at && kReadKeys.has(nameOf(parent.name));
  if (ts.isBinaryExpression(parent)) return parent.right === at && kReadKeys.has(nameOf(parent.left));
  if (!ts.isCallExpression(parent)) return false;
  const index = parent.arguments.indexOf(/** @type {ts.Expression} */ (at));
  return (nameOf(parent.expression) === 'element' && index >= 2) || (nameOf(parent.expression) === 'setText' && index === 1) || (nameOf(parent.expression) === 'say' && index === 0);
}

/** The purpose of a text, by its position in the syntax tree. @param {ts.Node} node @returns {'machine' | 'shown' | 'unknown'} */
function purpose(node) {
  let whole = true; // the node is the complete value, not a part of it
  for (let at = node; at.parent && !ts.isStatement(at); at = at.parent) {
    const { parent } = at;
    if (whole && isShown(at, parent)) return 'shown';
    whole &&= ts.isConditionalExpression(parent) || ts.isTemplateExpression(parent) || ts.isTemplateSpan(parent) || ts.isBinaryExpression(parent) || ts.isParenthesizedExpression(parent);
    if (ts.isThrowStatement(parent) || ts.isCaseClause(parent) || ts.isElementAccessExpression(parent) || ts.isImportDeclaration(parent)) return 'machine';
    if (ts.isPropertyAssignment(parent) && (parent.name === at || kMachineKeys.has(nameOf(parent.name)))) return 'machine';
    if (ts.isBinaryExpression(parent) && /^([=!]==|in)$/.test(parent.operatorToken.getText())) return 'machine';
    if ((ts.isCallExpression(parent) || ts.isNewExpression(parent)) && kMachineCalls.has(nameOf(parent.expression))) return 'machine';
    if (ts.isCallExpression(parent) && nameOf(parent.expression) === 't') return 'machine';
    if (ts.isConditionalExpression(parent) && parent.condition === at) return 'machine';
  }
  return 'unknown';
}

/** @param {string} script @param {string} name the file's name @returns {string[]} "file:line text" */
export function visibleLiterals(script, name) {
  const source = ts.createSourceFile(name, script, ts.ScriptTarget.ES2022, true);
  /** @type {string[]} */
  const found = [];
  const visit = (/** @type {ts.Node} */ node) => {
    const isText = ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddle(node) || ts.isTemplateTail(node);
    if (isText && kWord.test(node.text) && !kChord.test(node.text)) {
      const use = purpose(node);
      if (use !== 'machine' && (use === 'shown' ? kWord : kSentence).test(node.text)) found.push(`${name}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1} ${node.text}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}
