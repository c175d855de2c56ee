import { join } from 'node:path';
import { createVSIX } from '@vscode/vsce';
import { ROOT } from '../../../scripts/vscode-host.mjs';

const FOLDER = join(ROOT, 'test/e2e/support/standInModel');

/** Key of the one model that the extension offers, as `contextInspector.vscodeLm.model` names it. */
export const STAND_IN_MODEL = 'stand-in/one';
export const STAND_IN_NAME = 'Stand-in One';

/** Packs the extension that offers a language model to the editor; answers the package's path. */
export async function packStandInModel(folder: string): Promise<string> {
  const packagePath = join(folder, 'stand-in-model.vsix');
  await createVSIX({ cwd: FOLDER, packagePath, dependencies: false, allowMissingRepository: true, skipLicense: true });
  return packagePath;
}
