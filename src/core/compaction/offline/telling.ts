// Picks the one line of an output that tells how it went or what went wrong.

/** Head and tail of an output that are looked at; what tells stands at one of the ends. */
const HEAD = 4_000;
const TAIL = 6_000;
const MAX_LINE = 240;
const MAX_TAIL_LINES = 30;

/** The last line that states a result: a test runner's count, a build's verdict, a commit; undefined when no line does. */
export function resultLine(output: string): string | undefined {
  const commit = commitLine(output);
  if (commit !== undefined) return commit;
  const lines = linesOf(output.slice(-TAIL));
  for (let i = lines.length - 1; i >= Math.max(0, lines.length - MAX_TAIL_LINES); i--) {
    const line = lines[i] ?? '';
    if (RESULT.test(line) && !isNoise(line)) return line;
  }
  return lines.length === 1 && output.length <= MAX_LINE && !isNoise(lines[0] ?? '') ? lines[0] : undefined;
}

/** True for the line with which git names a new commit: `[main 1a2b3c4] Subject`. */
export function isCommitLine(line: string): boolean {
  return COMMIT.test(line);
}

function commitLine(output: string): string | undefined {
  if (!output.includes(' changed')) return undefined;
  return linesOf(output.slice(-TAIL)).findLast(isCommitLine) ?? linesOf(output.slice(0, HEAD)).find(isCommitLine);
}

/** The line that names an error: the message of an exception, else the first complaint, else the last line; undefined for an empty output. */
export function errorLine(output: string): string | undefined {
  const tail = linesOf(output.slice(-TAIL)).filter((line) => !isNoise(line));
  if (output.includes('Traceback (most recent call last)')) {
    const raised = tail.findLast((line) => EXCEPTION.test(line));
    if (raised !== undefined) return raised;
  }
  const head = linesOf(output.slice(0, HEAD)).filter((line) => !isNoise(line));
  const lines = [...head, ...tail];
  for (const kind of [STATED, LOCATED, FAILURE]) {
    const line = lines.find((one) => kind.test(one));
    if (line !== undefined) return line;
  }
  return tail.find((line) => COMPLAINT.test(line)) ?? tail.at(-1);
}

/** True when the end of an output says that something failed, although the exit code may not. */
export function reportsFailure(output: string): boolean {
  return linesOf(output.slice(-TAIL))
    .slice(-MAX_TAIL_LINES)
    .some((line) => FAILURE.test(line));
}

/** Lines without colour codes, cut to a readable length, empty ones left out. */
function linesOf(text: string): string[] {
  const plain = text.includes('\u001b') ? text.replace(COLOUR, '') : text;
  return plain
    .split(/[\n\r]/)
    .map((line) => shortened(line.trim()))
    .filter((line) => line !== '');
}

/** Cuts a line at a space, so that no name or number is cut in two. */
export function shortened(line: string, max = MAX_LINE): string {
  if (line.length <= max) return line;
  const space = line.lastIndexOf(' ', max);
  return `${line.slice(0, space > max / 2 ? space : max).trimEnd()} …`;
}

/** Tags and frames around an output, which tell nothing. */
function isNoise(line: string): boolean {
  return (
    line.startsWith('<') || /^[-=_*#~\s.|+]+$/.test(line) || line.startsWith('npm ERR! A complete log') || line.startsWith('note: run with')
  );
}

const COLOUR = /\u001b\[[0-9;?]*[A-Za-z]/g;
const RESULT =
  /\b\d+ (?:passed|failed|passing|failing|skipped|tests?|errors?|warnings?|problems?|issues?|files? changed|insertions?)\b|\btests? (?:passed|failed)\b|^(?:ok|FAIL|PASS|FAILED|OK|---)\s|^(?:BUILD|Build) \w+|test result:|\bbuilt in\b|\bcompiled\b|\bCompiled\b|✓|✗|✖|\bsuccess(?:ful(?:ly)?)?\b|\bSuccess(?:ful(?:ly)?)?\b| -> |https:\/\/\S+\/(?:pull|issues)\/\d+/;
const COMMIT = /^\[\S+(?: \([a-z-]+\))? [0-9a-f]{7,40}\] /;
const EXCEPTION = /^[A-Za-z_][\w.]*(?:Error|Exception|Exit|Interrupt)\b/;
/** Lines that call themselves an error. */
const STATED = /^(?:error|fatal|panic|exception|uncaught|Error|ERROR|E )\b|\berror(?:\[\w+\]|\s?TS\d+)?:|\b\w+Error:|: error\b|\bpanic:/;
/** A compiler's or linter's `file:line:` in front. */
const LOCATED = /^[\w./\\-]+:\d+(?::\d+)?:\s/;
const COMPLAINT =
  /\b(?:error|fatal|exception|failed|failure|cannot|can't|could not|couldn't|not found|no such file|denied|not permitted|undefined|unrecognized|unknown|invalid|unexpected|refused|timed out)\b/i;
const FAILURE =
  /\b[1-9]\d* (?:failed|failing|errors?)\b|^(?:FAIL|FAILED|--- FAIL)\b|\bBUILD FAILED\b|\bBuild failed\b|test result: FAILED|\bexit status [1-9]/;
