// A shell reader of the evaluation's own, so that it does not share the summarizer's mistakes. It knows words, quotes, operators and
// here-documents, and expands nothing.

export interface ShellPart {
  /** Words of one simple command, with the operator that stands before it. */
  readonly before: string;
  readonly words: readonly ShellWord[];
  /** Files that its output goes to. */
  readonly outputs: readonly { readonly word: ShellWord; readonly appends: boolean }[];
}

export interface ShellWord {
  readonly text: string;
  /** The shell would not change it. */
  readonly exact: boolean;
}

interface Draft {
  before: string;
  words: ShellWord[];
  outputs: { word: ShellWord; appends: boolean }[];
}

/** Splits a script into simple commands. Substitutions are passed over, and the word that holds one is not exact. */
export function shellParts(script: string): readonly ShellPart[] {
  const parts: Draft[] = [];
  let draft: Draft = { before: '', words: [], outputs: [] };
  let redirect: 'out' | 'append' | 'skip' | undefined;
  const documents: string[] = [];
  const end = (operator: string): void => {
    if (draft.words.length + draft.outputs.length > 0) parts.push(draft);
    draft = { before: operator, words: [], outputs: [] };
    redirect = undefined;
  };
  let at = 0;
  while (at < script.length) {
    const rest = script.slice(at, at + 3);
    const c = rest[0] ?? '';
    if (c === ' ' || c === '\t' || c === '\r') at++;
    else if (rest.startsWith('\\\n')) at += 2;
    else if (c === '\n') {
      at = pastDocuments(script, at + 1, documents.splice(0));
      end(';');
    } else if (c === '#' && /^|\s$/.test(script.slice(Math.max(0, at - 1), at)) && (at === 0 || /\s/.test(script[at - 1] ?? ''))) {
      while (at < script.length && script[at] !== '\n') at++;
    } else if (rest.startsWith('&>') || rest.startsWith('>&')) {
      redirect = 'skip';
      at += rest === '&>>' ? 3 : 2;
    } else if (rest.startsWith('&&') || rest.startsWith('||')) {
      end(rest.slice(0, 2));
      at += 2;
    } else if (c === '|' || c === ';' || c === '&' || c === '(' || c === ')') {
      end(c === '|' ? '|' : ';');
      at++;
    } else if (rest === '<<<') at += 3;
    else if (rest.startsWith('<<')) {
      at += rest === '<<-' ? 3 : 2;
      while (script[at] === ' ') at++;
      const [mark, next] = wordAt(script, at);
      documents.push(mark.text);
      at = Math.max(next, at + 1);
    } else if (rest.startsWith('<(') || rest.startsWith('>(')) at = pastParentheses(script, at + 2);
    else if (c === '<') {
      redirect = 'skip';
      at++;
    } else if (c === '>') {
      const last = draft.words.at(-1);
      const number = last !== undefined && /^\d$/.test(last.text) && script[at - 1] === last.text ? last.text : '';
      if (number !== '') draft.words.pop();
      redirect = number === '' || number === '1' ? (rest.startsWith('>>') ? 'append' : 'out') : 'skip';
      at += rest.startsWith('>>') || rest.startsWith('>|') ? 2 : 1;
      if (script[at] === '&') {
        redirect = 'skip';
        at++;
      }
    } else {
      const [word, next] = wordAt(script, at);
      at = Math.max(next, at + 1);
      if (redirect === undefined) draft.words.push(word);
      else if (redirect !== 'skip') draft.outputs.push({ word, appends: redirect === 'append' });
      redirect = undefined;
    }
  }
  end('');
  return parts;
}

function wordAt(script: string, start: number): [ShellWord, number] {
  let text = '';
  let exact = true;
  let at = start;
  while (at < script.length) {
    const c = script[at] ?? '';
    if (/[\s|&;()<>]/.test(c)) break;
    if (c === "'") {
      const close = script.indexOf("'", at + 1);
      const to = close < 0 ? script.length : close;
      text += script.slice(at + 1, to);
      at = to + 1;
    } else if (c === '"') {
      at++;
      while (at < script.length && script[at] !== '"') {
        if (script[at] === '\\') text += script[++at] ?? '';
        else if (script.startsWith('$(', at)) {
          exact = false;
          at = pastParentheses(script, at + 2);
          continue;
        } else {
          if (script[at] === '$' || script[at] === '`') exact = false;
          text += script[at] ?? '';
        }
        at++;
      }
      at++;
    } else if (c === '\\') {
      if (script[at + 1] !== '\n') text += script[at + 1] ?? '';
      at += 2;
    } else if (script.startsWith('$(', at)) {
      exact = false;
      at = pastParentheses(script, at + 2);
    } else if (c === '`') {
      exact = false;
      const close = script.indexOf('`', at + 1);
      at = close < 0 ? script.length : close + 1;
    } else {
      if (/[$*?[\]{}]/.test(c)) exact = false;
      text += c;
      at++;
    }
  }
  return [{ text, exact }, at];
}

function pastParentheses(script: string, start: number): number {
  let depth = 1;
  let at = start;
  const documents: string[] = [];
  while (at < script.length && depth > 0) {
    const c = script[at];
    if (c === '\\') at++;
    else if (c === "'") at = upTo(script, "'", at + 1);
    else if (c === '\n' && documents.length > 0) at = pastDocuments(script, at + 1, documents.splice(0)) - 1;
    else if (script.startsWith('<<', at) && script[at + 2] !== '<') {
      const mark = /^<<-?\s{0,3}['"]?([\w.]+)/.exec(script.slice(at, at + 60));
      if (mark?.[1] !== undefined) documents.push(mark[1]);
      at++;
    } else if (c === '(') depth++;
    else if (c === ')') depth--;
    at++;
  }
  return at;
}

function pastDocuments(script: string, start: number, marks: readonly string[]): number {
  let at = start;
  for (const mark of marks) {
    for (;;) {
      const end = upTo(script, '\n', at);
      const line = script.slice(at, end).trim();
      at = Math.min(end + 1, script.length);
      if (line === mark || at >= script.length) break;
    }
  }
  return at;
}

function upTo(script: string, mark: string, from: number): number {
  const at = script.indexOf(mark, from);
  return at < 0 ? script.length : at;
}
