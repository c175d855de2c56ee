/** What a tool does, as far as its name says; agents name the same work differently. */
export type ToolClass = 'read' | 'search' | 'run' | 'web' | 'write' | 'other';

/** Names without case, spaces and signs, of the agents that are read here. */
const NAMES: Readonly<Record<Exclude<ToolClass, 'other'>, readonly string[]>> = {
  read: ['read', 'readfile', 'readmanyfiles', 'readfiles', 'view', 'viewfile', 'viewimage', 'cat', 'openfile', 'notebookread', 'inspect'],
  search: [
    'grep',
    'greptool',
    'glob',
    'search',
    'searchfilecontent',
    'searchfiles',
    'codebasesearch',
    'filesearch',
    'findfiles',
    'find',
    'ls',
    'list',
    'listdir',
    'listdirectory',
    'listfiles',
    'listcodedefinitionnames',
    'grepsearch',
    'semanticsearch',
    'toolsearch',
  ],
  run: [
    'bash',
    'bashoutput',
    'shell',
    'shellcommand',
    'exec',
    'execcommand',
    'execbash',
    'executebash',
    'executecommand',
    'localshell',
    'localshellcall',
    'runshellcommand',
    'runcommand',
    'runinterminal',
    'getterminaloutput',
    'terminal',
    'writestdin',
    'powershell',
    'developershell',
    'run',
  ],
  web: ['webfetch', 'websearch', 'fetch', 'fetchwebpage', 'browseraction', 'googlewebsearch', 'webfetchtool'],
  write: [
    'write',
    'writefile',
    'writetofile',
    'createfile',
    'edit',
    'editfile',
    'multiedit',
    'notebookedit',
    'replace',
    'replaceinfile',
    'strreplace',
    'strreplaceeditor',
    'strreplacebasededittool',
    'replacestringinfile',
    'inserteditintofile',
    'applydiff',
    'applypatch',
    'texteditor',
    'developertexteditor',
    'patch',
  ],
};

const CLASSES: ReadonlyMap<string, ToolClass> = new Map(
  (Object.keys(NAMES) as (keyof typeof NAMES)[]).flatMap((kind) => NAMES[kind].map((name) => [name, kind] as const)),
);

/** Class of a tool by its name; `other` for all that is not known, which includes questions to people and sub-agents. */
export function toolClass(name: string): ToolClass {
  return (
    CLASSES.get(
      name
        .slice(0, 128)
        .toLowerCase()
        .replace(/[^a-z0-9]/g, ''),
    ) ?? 'other'
  );
}
