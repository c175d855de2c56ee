// Types of mutant-list.mjs for its test.
export interface Edit {
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}
export interface Patch {
  readonly does: string;
  readonly edits: readonly Edit[];
}
export interface Mutant {
  readonly line: number;
  readonly name: string;
  readonly patches: readonly Patch[];
}
export interface Tests {
  readonly unit: readonly string[];
  readonly golden: readonly string[];
  readonly cases: readonly string[];
  readonly property: readonly string[];
}
export function readMutants(root: string): readonly Mutant[];
export function readComponents(root: string): Readonly<Record<string, Tests>>;
export function componentOf(mutant: Pick<Mutant, 'name'>): string;
export function edited(text: string, edit: Omit<Edit, 'file'>): string | undefined;
export function patchedFiles(patch: Pick<Patch, 'edits'>, read: (file: string) => string): ReadonlyMap<string, string>;
export function sharedNames(root: string): ReadonlyMap<number, string> | undefined;
export function listProblems(
  mutants: readonly Mutant[],
  components: Readonly<Record<string, Tests>>,
  names: ReadonlyMap<number, string> | undefined,
): readonly string[];
