/** Words that mean the same to every shell. */
const PLAIN = /^[\w@%+=:,./ -]+$/;
const CONTROL = /\p{Cc}/u;

/**
 * True for a command that may be typed into a terminal of this system. Ours hold an id that we made and at most a path in marks of POSIX shells,
 * which those of Windows read otherwise.
 */
export function isSafeInTerminal(command: string, platform: NodeJS.Platform = process.platform): boolean {
  return !CONTROL.test(command) && (platform !== 'win32' || PLAIN.test(command));
}
