import { copyFile, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from '../command';
import { HostError } from '../hostError';

/** Opens the bundled sample, in a folder of its own for our files, so that copies of it are not written into the installation. */
export const openSample: Command = async (services) => {
  const source = services.context.asAbsolutePath(join('dist', 'sample'));
  const names = await readdir(source).catch((cause: unknown) => {
    throw new HostError('noSample', { cause });
  });
  const name = names.filter((file) => file.endsWith('.jsonl')).sort()[0];
  if (name === undefined) throw new HostError('noSample');
  const folder = join(services.context.globalStorageUri.fsPath, 'sample');
  await mkdir(folder, { recursive: true });
  await copyFile(join(source, name), join(folder, name));
  await services.panels.open(join(folder, name));
};
