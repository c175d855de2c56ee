// Splits a shell command line into its simple commands. Nothing is expanded: a word that the shell would change is marked as such, and what
// cannot be understood is left out, so that only certain things are said about files.

export interface Word {
  readonly text: string;
  /** False when the shell would expand it: a variable, a pattern, a substitution. */
  readonly literal: boolean;
}

export interface Redirect {
  readonly kind: 'write' | 'append';
  readonly target: Word;
}

export interface SimpleCommand {
  readonly words: readonly Word[];
  readonly redirects: readonly Redirect[];
  /** What stands before it: `||` makes its run uncertain. */
  readonly after: 'start' | ';' | '&&' | '||' | '|';
}

/** Simple commands of a line or script, in order. Quotes, here-documents, substitutions and comments are skipped over. */
export function parseShell(script: string): SimpleCommand[] {
  const commands: SimpleCommand[] = [];
  let words: Word[] = [];
  let redirects: Redirect[] = [];
  let after: SimpleCommand['after'] = 'start';
  let pendingRedirect: 'write' | 'append' | 'ignored' | undefined;
  const hereDocuments: string[] = [];
  const finish = (next: SimpleCommand['after']): void => {
    if (words.length > 0 || redirects.length > 0) commands.push({ words, redirects, after });
    words = [];
    redirects = [];
    after = next;
    pendingRedirect = undefined;
  };
  let i = 0;
  while (i < script.length) {
    const c = script[i];
    const two = script.slice(i, i + 2);
    if (c === ' ' || c === '\t' || c === '\r') i++;
    else if (two === '\\\n') i += 2;
    else if (c === '\n') {
      i = skipHereDocuments(script, i + 1, hereDocuments.splice(0));
      finish(';');
    } else if (c === '#' && (i === 0 || isSpace(script[i - 1]))) i = endOfLine(script, i);
    else if (two === '&&' || two === '||') {
      finish(two);
      i += 2;
    } else if (two === '&>') {
      pendingRedirect = 'ignored';
      i += script[i + 2] === '>' ? 3 : 2;
    } else if (c === '|') {
      finish('|');
      i += two === '|&' ? 2 : 1;
    } else if (c === ';' || c === '&' || c === '(' || c === ')') {
      finish(';');
      i++;
    } else if (c === '<') {
      if (two === '<(') i = skipSubstitution(script, i + 2);
      else if (script.startsWith('<<<', i)) i += 3;
      else if (two === '<<') i = readHereDocumentMark(script, i + 2, hereDocuments);
      else {
        pendingRedirect = 'ignored';
        i++;
      }
    } else if (c === '>') {
      const previous = words.at(-1);
      const descriptor = previous !== undefined && isDigit(script[i - 1]) && /^\d$/.test(previous.text) ? previous.text : undefined;
      if (descriptor !== undefined) words.pop();
      const isAppend = two === '>>';
      i += isAppend || two === '>|' ? 2 : 1;
      if (script[i] === '&') {
        pendingRedirect = 'ignored';
        i++;
      } else pendingRedirect = descriptor !== undefined && descriptor !== '1' ? 'ignored' : isAppend ? 'append' : 'write';
    } else {
      const [word, next] = readWord(script, i);
      i = next > i ? next : i + 1;
      if (pendingRedirect === undefined) words.push(word);
      else if (pendingRedirect !== 'ignored') redirects.push({ kind: pendingRedirect, target: word });
      pendingRedirect = undefined;
    }
  }
  finish(';');
  return commands;
}

function readWord(script: string, start: number): [Word, number] {
  let text = '';
  let literal = true;
  let i = start;
  while (i < script.length) {
    const c = script[i] ?? '';
    if (isSpace(c) || c === '\n' || WORD_ENDS.has(c)) break;
    if (c === '\\') {
      text += script[i + 1] === '\n' ? '' : (script[i + 1] ?? '');
      i += 2;
    } else if (c === "'") {
      const end = script.indexOf("'", i + 1);
      text += script.slice(i + 1, end < 0 ? script.length : end);
      i = end < 0 ? script.length : end + 1;
    } else if (c === '"') {
      const quoted = readDoubleQuoted(script, i + 1);
      text += quoted.text;
      literal &&= quoted.literal;
      i = quoted.end;
    } else if (c === '$' && script[i + 1] === '(') {
      literal = false;
      i = skipSubstitution(script, i + 2);
    } else if (c === '`') {
      literal = false;
      const end = script.indexOf('`', i + 1);
      i = end < 0 ? script.length : end + 1;
    } else {
      if (EXPANDED.has(c)) literal = false;
      text += c;
      i++;
    }
  }
  return [{ text, literal }, i];
}

function readDoubleQuoted(script: string, start: number): { readonly text: string; readonly literal: boolean; readonly end: number } {
  let text = '';
  let literal = true;
  let i = start;
  while (i < script.length) {
    const c = script[i] ?? '';
    if (c === '"') return { text, literal, end: i + 1 };
    if (c === '\\') {
      text += script[i + 1] ?? '';
      i += 2;
    } else if (c === '$' && script[i + 1] === '(') {
      literal = false;
      i = skipSubstitution(script, i + 2);
    } else {
      if (c === '$' || c === '`') literal = false;
      text += c;
      i++;
    }
  }
  return { text, literal, end: i };
}

/** Position after the `)` that closes a substitution opened just before `start`. Quotes and here-documents inside may hold parentheses. */
function skipSubstitution(script: string, start: number): number {
  let depth = 1;
  let i = start;
  const hereDocuments: string[] = [];
  while (i < script.length) {
    const c = script[i];
    if (c === '\\') i += 2;
    else if (c === "'") {
      const end = script.indexOf("'", i + 1);
      i = end < 0 ? script.length : end + 1;
    } else if (c === '<' && script[i + 1] === '<' && script[i + 2] !== '<') i = readHereDocumentMark(script, i + 2, hereDocuments);
    else if (c === '\n' && hereDocuments.length > 0) i = skipHereDocuments(script, i + 1, hereDocuments.splice(0));
    else {
      if (c === '(') depth++;
      if (c === ')') depth--;
      i++;
      if (depth === 0) return i;
    }
  }
  return i;
}

/** Reads the end mark of a here-document and remembers it; the document itself starts on the next line. */
function readHereDocumentMark(script: string, start: number, marks: string[]): number {
  let i = start;
  if (script[i] === '-' || script[i] === '~') i++;
  while (script[i] === ' ' || script[i] === '\t') i++;
  const [mark, end] = readWord(script, i);
  if (mark.text !== '') marks.push(mark.text);
  return end > i ? end : i + 1;
}

function skipHereDocuments(script: string, start: number, marks: readonly string[]): number {
  let i = start;
  for (const mark of marks) {
    while (i < script.length) {
      const end = endOfLine(script, i);
      const line = script.slice(i, end);
      i = end + 1;
      if (line.trim() === mark) break;
    }
  }
  return Math.min(i, script.length);
}

function endOfLine(script: string, from: number): number {
  const end = script.indexOf('\n', from);
  return end < 0 ? script.length : end;
}

function isSpace(c: string | undefined): boolean {
  return c === ' ' || c === '\t' || c === '\n' || c === '\r';
}

function isDigit(c: string | undefined): boolean {
  return c !== undefined && c >= '0' && c <= '9';
}

const WORD_ENDS: ReadonlySet<string> = new Set(['|', '&', ';', '(', ')', '<', '>']);
const EXPANDED: ReadonlySet<string> = new Set(['$', '*', '?', '[', '{', '}']);
