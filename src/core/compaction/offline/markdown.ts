// Puts text of the transcript into Markdown so that it stays what it is: it can end neither its fence, its code span nor its line.
import { plainText, toWellFormed } from '../../util/text';

/** Text without anything that controls a terminal or the reading direction, and well-formed; otherwise as it is. */
export function harmless(text: string): string {
  return plainText(toWellFormed(text));
}

/** A fenced block around a text; the fence is longer than any row of backticks in it. */
export function fenced(text: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}\n${text}\n${fence}`;
}

/** A code span around one line. */
export function codeSpan(line: string): string {
  const run = longestRun(line);
  if (run === 0) return `\`${line}\``;
  const fence = '`'.repeat(run + 1);
  return `${fence} ${line} ${fence}`;
}

/** A text as it stands: one plain line as it is, everything else in a fence of its own. */
export function quoted(text: string): { readonly text: string; readonly isBlock: boolean } {
  const isBlock = text.includes('\n') || text.includes('```') || text.includes('~~~') || text.includes('<!--');
  return { text: isBlock ? fenced(text) : text, isBlock };
}

/** Several lines as one: line ends become spaces. */
export function inOneLine(text: string): string {
  return text.replace(/[\r\n\t]+/g, ' ').trim();
}

function longestRun(text: string): number {
  let longest = 0;
  let run = 0;
  for (let i = text.indexOf('`'); i >= 0 && i < text.length; i++) {
    if (text[i] === '`') {
      run++;
      if (run > longest) longest = run;
    } else {
      run = 0;
      const next = text.indexOf('`', i);
      if (next < 0) break;
      i = next - 1;
    }
  }
  return longest;
}
