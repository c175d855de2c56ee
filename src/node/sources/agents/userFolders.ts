import { join } from 'node:path';
import { envOf, type Machine } from './place';

/** Products that keep extensions' data as VS Code does. */
const DESKTOP = ['Code', 'Code - Insiders', 'VSCodium', 'VSCodium - Insiders', 'Code - OSS', 'Cursor', 'Windsurf', 'Trae', 'Antigravity'];
const SERVERS = [
  '.vscode-server',
  '.vscode-server-insiders',
  '.vscodium-server',
  '.cursor-server',
  '.windsurf-server',
  '.vscode-remote',
  '.vscode-server-oss',
];

/** `User` folders of VS Code and its kin: the desktop's, a server's (SSH, WSL, containers), a portable one. */
export function codeUserFolders(machine: Machine): readonly string[] {
  const { home } = machine;
  const portable = envOf(machine, 'VSCODE_PORTABLE');
  return [
    ...(portable === undefined ? [] : [join(portable, 'user-data', 'User')]),
    ...DESKTOP.map((name) => join(configFolder(machine), name, 'User')),
    ...SERVERS.map((name) => join(home, name, 'data', 'User')),
    join(home, '.local', 'share', 'code-server', 'User'),
  ];
}

/** Where desktop programs keep settings: `%APPDATA%`, `~/Library/Application Support`, `$XDG_CONFIG_HOME`. */
export function configFolder(machine: Machine): string {
  const { home, platform } = machine;
  if (platform === 'win32') return envOf(machine, 'APPDATA') ?? join(home, 'AppData', 'Roaming');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  return envOf(machine, 'XDG_CONFIG_HOME') ?? join(home, '.config');
}

/** Where command lines that follow XDG keep data, on every system. */
export function dataFolder(machine: Machine): string {
  return envOf(machine, 'XDG_DATA_HOME') ?? join(machine.home, '.local', 'share');
}
