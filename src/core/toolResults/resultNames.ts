// Names of files in the store. Ids come from a transcript, so from anyone: they are refused unless they are harmless as they stand (R46).

const SAFE_ID = /^[A-Za-z0-9_-]{1,200}$/;
/** Names that Windows takes for devices, whatever ending follows. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i;
const PREFIX_CHARS = 80;

/** True for an id that may be the name of a file: 1 to 200 of A-Z, a-z, 0-9, `_` and `-` (seed 2, validateToolUseID), and no device. */
export function isSafeResultId(id: string): boolean {
  return hasSafeForm(id) && !DEVICE.test(id);
}

/** The form alone, as seed 2 checks it. */
export function hasSafeForm(id: string): boolean {
  return SAFE_ID.test(id);
}

/** A prefix of our own programs as the harmless beginning of a name; `output` where nothing is left of it (R46). */
export function safePrefix(prefix: string): string {
  const safe = prefix.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, PREFIX_CHARS);
  return safe === '' || /^_+$/.test(safe) ? 'output' : safe;
}
