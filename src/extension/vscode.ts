// The only place that loads VS Code's API. Each import of it in the bundle would copy the whole API object once more while the extension is
// being activated; with one for every file that took longer than all the rest.
import * as vscode from 'vscode';

export { vscode };
