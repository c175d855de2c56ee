/** Processor time in milliseconds: of this thread where Node can tell (from 22.19 on), else of the whole process. */
export function cpuMs(): number {
  const { user, system } = ownThread() ?? process.cpuUsage();
  return (user + system) / 1000;
}

interface Usage {
  readonly user: number;
  readonly system: number;
}

function ownThread(): Usage | undefined {
  // Not in the types of the oldest Node that we run on.
  const measure: unknown = Reflect.get(process, 'threadCpuUsage');
  if (typeof measure !== 'function') return undefined;
  const usage: unknown = Reflect.apply(measure, process, []);
  return isUsage(usage) ? usage : undefined;
}

function isUsage(value: unknown): value is Usage {
  return (
    typeof value === 'object' &&
    value !== null &&
    'user' in value &&
    'system' in value &&
    typeof value.user === 'number' &&
    typeof value.system === 'number'
  );
}
