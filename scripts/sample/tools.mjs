// The agent's tools on the made-up project: they really read, search and edit it, so that results and later reads agree with each other.
import { CWD } from './session.mjs';

/** Bars of the drift per session, as a person would paste them: a PNG of 1200 × 1000, which a provider counts as 1,600 tokens. */
const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAABLAAAAPoAQAAAADmIDp2AAACSElEQVR42u3OsQ3AIAwAMP5/mk4dWKq0KhAF+wK3BgAAAAAAAAAAAAAAAAAA5NdvWlpaWlpaWlpaWlpaWl' +
  'paWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpahVtjREtLS0tLS0tLS0tLS0tLS0tLS0tLS0tLS0tL' +
  'S0tLS0tLS0tLS0tLS0tLS0tLS0tLS0tLS0tLS0tLS0tLS0tLS0tLS0tLS0tLS0tLS0tLS0tLq2brKaKlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpa' +
  'WlpaWlpaWlpaWlpaWVoRWPaGlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpae1pfY1oaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlp' +
  'aWlpaWlpaWlpaWlpaWlpaWlpaWlp5Wr9E9HS0tLS0tLS0tLS0tLS0tLS0tLS0tLS0tLS0tLS0tLS0tKq1JoR0dLS0tLS0tLS0tLS0tLS0tJ615of0dLS0tLS0tLS0tLS0t' +
  'LS0tLS0tLS0tLS0tLS0qrZWh3R0tLS0tLS0tLS0tLS0tLS0tLS0tLSOqu1N6KlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWl' +
  'paWlpaWlpaWlpaWlpaWlpRVs9US0tLS0Ii0AAAAAAAAAWOYC0KBqcEaIOlYAAAAASUVORK5CYII=';

export const picture = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PICTURE } };

/**
 * @param {Map<string, string>} files
 * @param {ReturnType<import('./random.mjs').createRandom>} random
 */
export function createTools(files, random) {
  const textOf = (path) => {
    const text = files.get(path);
    if (text === undefined) throw new Error(`The story reads ${path}, which is not in the project.`);
    return text;
  };
  const numbered = (lines, from) => lines.map((line, index) => `${String(from + index).padStart(6)}\t${line}`).join('\n');

  return {
    read(path, offset = 1, limit = 2000) {
      const lines = textOf(path).split('\n').slice(0, -1);
      const whole = offset === 1 && limit >= lines.length;
      const input = { file_path: `${CWD}/${path}`, ...(whole ? {} : { offset, limit }) };
      return { name: 'Read', input, result: numbered(lines.slice(offset - 1, offset - 1 + limit), offset) };
    },

    readPicture(path) {
      return { name: 'Read', input: { file_path: `${CWD}/${path}` }, result: [picture] };
    },

    grep(pattern, path = 'src') {
      const expression = new RegExp(pattern);
      const hits = [...files].flatMap(([file, text]) => {
        if (!file.startsWith(path)) return [];
        return text.split('\n').flatMap((line, index) => (expression.test(line) ? [`${file}:${index + 1}:${line}`] : []));
      });
      return { name: 'Grep', input: { pattern, path, output_mode: 'content', '-n': true }, result: hits.join('\n') || 'No matches found' };
    },

    edit(path, from, to) {
      const text = textOf(path);
      if (text.split(from).length !== 2) throw new Error(`The story edits a text that is not exactly once in ${path}: ${from}`);
      files.set(
        path,
        text.replace(from, () => to),
      );
      const at = text.slice(0, text.indexOf(from)).split('\n').length;
      const around = files
        .get(path)
        .split('\n')
        .slice(Math.max(0, at - 4), at + to.split('\n').length + 3);
      return {
        name: 'Edit',
        input: { file_path: `${CWD}/${path}`, old_string: from, new_string: to, replace_all: false },
        result: `The file ${CWD}/${path} has been updated. Lines around the change:\n${numbered(around, Math.max(1, at - 3))}`,
      };
    },

    write(path, text) {
      files.set(path, text);
      return { name: 'Write', input: { file_path: `${CWD}/${path}`, content: text }, result: `File created at ${CWD}/${path}` };
    },

    bash(command, description, result, isError = false) {
      return { name: 'Bash', input: { command, description }, result, ...(isError ? { isError } : {}) };
    },

    /** Table of the drift command; `over` is the factor by which pictures are counted too high. */
    drift(from, to, over) {
      const rows = ['turn  id            blocks  reported   counted     error   share'];
      let worst = 0;
      for (let turn = from; turn <= to; turn++) {
        const image = turn % 9 === 0;
        const reported = image ? random.integer(1_640, 2_300) : random.integer(90, 2_900);
        const noise = Math.round((reported * random.integer(-38, 38)) / 1000);
        const counted = image ? Math.round(reported * over) + noise : reported + noise;
        worst = Math.max(worst, Math.abs(counted - reported));
        const share = (((counted - reported) / reported) * 100).toFixed(1);
        const columns = [String(turn).padStart(4), random.hex(12), image ? 'txt+img' : 'txt    '];
        const numbers = [reported, counted, counted - reported].map((value) => String(value).padStart(8));
        rows.push([...columns, ...numbers, `${share.padStart(7)}%`].join('  '));
      }
      rows.push(`worst turn: ${worst} tokens`);
      return rows.join('\n');
    },

    /** Bytes of a file as xxd shows them. */
    hexdump(lines) {
      const rows = [];
      for (let row = 0; row < lines; row++) {
        const bytes = row === 0 ? '89504e470d0a1a0a0000000d49484452' : random.hex(32);
        const text = [...Buffer.from(bytes, 'hex')].map((byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : '.')).join('');
        rows.push(`${(row * 16).toString(16).padStart(8, '0')}: ${bytes.match(/.{4}/g).join(' ')}  ${text}`);
      }
      return rows.join('\n');
    },

    log(subjects) {
      return subjects.map((subject, index) => `${random.hex(9)} ${String(index * 3 + 1).padStart(2)} days ago  ${subject}`).join('\n');
    },

    /** A mocha run of the project; `failing` are the titles that fail. */
    tests(failing = [], extra = []) {
      const kinds = ['text', 'thinking', 'tool_use', 'tool_result', 'image', 'document', 'tool_reference', 'search_result'];
      const rows = ['', '  count'];
      let passing = 0;
      for (const kind of kinds) {
        rows.push(`    ${kind}`);
        for (const length of [17, 35, 53, 71, 89, 107]) {
          passing++;
          rows.push(`      ✔ counts ${length} characters (${random.integer(0, 3)}ms)`);
        }
      }
      for (const title of extra) {
        passing++;
        rows.push(`    ✔ ${title} (${random.integer(1, 19)}ms)`);
      }
      failing.forEach((title, index) => rows.push(`    ${index + 1}) ${title}`));
      rows.push('', `  ${passing} passing (${random.integer(180, 420)}ms)`);
      if (failing.length > 0) rows.push(`  ${failing.length} failing`, '');
      failing.forEach((title, index) => {
        const [actual, expected] = [random.integer(61_000, 88_000), 27_605];
        rows.push(`  ${index + 1}) ${title}:`, '', '      AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:');
        rows.push('', `      ${actual} !== ${expected}`, '', '      + expected - actual', `      -${actual}`, `      +${expected}`, '');
        for (const at of ['count.test.js:188:14', 'support.js:41:9', 'node_modules/mocha/lib/runnable.js:366:21'])
          rows.push(`      at ${CWD}/out/test/${at}`);
      });
      return rows.join('\n');
    },
  };
}
