/** The value, which cannot be missing where this is called: a place inside a list, a field that a guard has seen. Throws when it is. */
export function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('a value that has to be there is missing');
  return value;
}
