/** Same shape as VS Code's LogOutputChannel. Never gets text of a transcript or a key. */
export interface Logger {
  trace(message: string): void;
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}
