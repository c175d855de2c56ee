import type { FormatId } from '../../../core/model/transcript';

/** Where an agent's programs run: theirs are the environment, the home folder and the system on this side of a remote connection. */
export interface Machine {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly home: string;
}

/** What may be a session. What is not known of it here is read from its beginning. */
export interface Candidate {
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
  /** Undefined: the content tells. */
  readonly format?: FormatId | undefined;
  /** Working folder, where the place tells it. */
  readonly cwd?: string | undefined;
  readonly title?: string | undefined;
  readonly sessionId?: string | undefined;
  /** Session that this one is a sub-agent of: its path, or its id; undefined where the id stands in the lines. */
  readonly parent?: { readonly path: string } | { readonly sessionId: string | undefined } | undefined;
}

/** One search of the places of an agent. */
export interface Search {
  /** Working folders that sessions are to belong to, with their real paths; undefined when any will do. */
  readonly folders: readonly string[] | undefined;
  readonly signal: AbortSignal | undefined;
  /** The search has looked at as much as it may. */
  readonly isFull: boolean;
  /** Takes a candidate. `isOfFolder`: its place proves that it belongs to one of the folders. */
  add(candidate: Candidate, isOfFolder: boolean): void;
  /** Takes files whose content tells what they are. */
  addFiles(paths: readonly string[], more?: Partial<Candidate>, isOfFolder?: boolean): Promise<void>;
}

/** One agent: where its sessions lie, and how they are listed. */
export interface AgentPlaces {
  readonly id: FormatId;
  /** Folders that are looked in, whether they exist or not. */
  roots(machine: Machine): readonly string[];
  /** Lists what lies in one of the roots. A folder that cannot be read only has no sessions. */
  list(root: string, search: Search): Promise<void>;
}

/** Value of an environment variable; undefined when it is empty or not set. */
export function envOf({ env }: Machine, name: string): string | undefined {
  const value = env[name];
  return value === undefined || value === '' ? undefined : value;
}
