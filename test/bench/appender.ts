// Writes lines to a file as an agent does: from a process of its own. Gets `{ path, line }` by message and answers when it began to write, by the
// clock that all processes share, in nanoseconds as text.
import { appendFileSync } from 'node:fs';

process.on('message', ({ path, line }: { readonly path: string; readonly line: string }) => {
  const began = process.hrtime.bigint();
  appendFileSync(path, line);
  process.send?.(String(began));
});
