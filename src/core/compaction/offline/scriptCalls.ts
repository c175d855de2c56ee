// Codex can run small JavaScript programs that call its tools. This finds the commands and patches in their string literals without running
// or fully parsing anything.

export interface ScriptReading {
  readonly commands: readonly { readonly command: string; readonly folder: string | undefined }[];
  /** Literals that hold a patch envelope. */
  readonly patches: readonly string[];
}

/** Reads the literals after `cmd:` and `workdir:` and those with a patch. A literal with inserted expressions is no certain command. */
export function readScript(script: string): ScriptReading {
  const commands: { command: string; folder: string | undefined }[] = [];
  const patches: string[] = [];
  let i = 0;
  // Up to here no quote of a kind closes what it opens, so that nothing is searched twice.
  const open = new Map<string, number>();
  while (i < script.length) {
    const c = script[i];
    if (c === '/' && script[i + 1] === '/') {
      const end = script.indexOf('\n', i);
      i = end < 0 ? script.length : end;
    } else if (c === '"' || c === "'" || c === '`') {
      if (i < (open.get(c) ?? 0)) {
        i++;
        continue;
      }
      const literal = readLiteral(script, i);
      if (literal.openTo !== undefined) open.set(c, literal.openTo);
      const key = keyBefore(script, i);
      if (literal.text.includes('*** Begin Patch')) patches.push(literal.text);
      else if (key === 'cmd' && literal.isWhole) commands.push({ command: literal.text, folder: undefined });
      else if (key === 'workdir' && literal.isWhole) {
        const last = commands.at(-1);
        if (last?.folder === undefined && last !== undefined) last.folder = literal.text;
      }
      i = literal.end;
    } else i++;
  }
  return { commands, patches };
}

/** Name before the colon that a literal follows: `cmd: "…"` or `"cmd": "…"`. */
function keyBefore(script: string, at: number): string {
  const before = script.slice(Math.max(0, at - 24), at);
  return /([A-Za-z_]+)["']?\s{0,4}:\s{0,4}$/.exec(before)?.[1] ?? '';
}

interface Literal {
  readonly text: string;
  readonly isWhole: boolean;
  readonly end: number;
  /** Where the search for its end gave up. */
  readonly openTo: number | undefined;
}

function readLiteral(script: string, start: number): Literal {
  const quote = script[start];
  let text = '';
  let isWhole = true;
  let from = start + 1;
  let i = from;
  for (; i < script.length; i++) {
    const c = script[i];
    if (c === quote) return { text: text + script.slice(from, i), isWhole, end: i + 1, openTo: undefined };
    if (c === '\n' && quote !== '`') break;
    if (c === '$' && script[i + 1] === '{' && quote === '`') isWhole = false;
    if (c === '\\') {
      const next = script[i + 1] ?? '';
      text += script.slice(from, i) + (ESCAPES.get(next) ?? next);
      i++;
      from = i + 1;
    }
  }
  return { text: '', isWhole: false, end: start + 1, openTo: i };
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['\n', ''],
]);
