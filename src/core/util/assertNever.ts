/** Makes the compiler list the cases that a switch forgot; throws when data got past the compiler. */
export function assertNever(value: never): never {
  throw new Error(`unexpected value: ${String(value)}`);
}
