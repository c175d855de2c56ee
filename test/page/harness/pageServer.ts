// Builds the page and its stand-in host, and serves both from this machine under the policy that the product has.
import { build } from 'esbuild';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';

const NONCE = 'aGFybmVzcy1ub25jZQ';
const OUT = 'out/page';

export interface PageServer {
  readonly origin: string;
  close(): Promise<void>;
}

/** Builds into out/page and listens on a free port of 127.0.0.1. Run in the root of the repository. */
export async function startPageServer(): Promise<PageServer> {
  const common = { bundle: true, logLevel: 'warning', target: 'chrome128', jsx: 'automatic', jsxImportSource: 'preact' } as const;
  await build({ ...common, entryPoints: { main: 'webview-ui/main.tsx' }, outdir: OUT, format: 'esm', minify: true });
  await build({ ...common, entryPoints: { host: 'test/page/harness/fakeHost.ts' }, outdir: OUT, format: 'iife' });
  await build({ ...common, entryPoints: { vscode: 'test/page/harness/vscode.css' }, outdir: OUT });
  const files = new Map([
    ['/main.js', 'text/javascript'],
    ['/main.css', 'text/css'],
    ['/host.js', 'text/javascript'],
    ['/vscode.css', 'text/css'],
  ]);
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    const type = files.get(path);
    if (path === '/') {
      response.setHeader('content-type', 'text/html');
      response.end(html(`http://${request.headers.host ?? ''}`));
    } else if (type !== undefined) {
      response.setHeader('content-type', type);
      void readFile(join(OUT, path)).then((bytes) => response.end(bytes));
    } else {
      // Chromium asks for an icon of its own accord.
      response.statusCode = path === '/favicon.ico' ? 204 : 404;
      response.end();
    }
  });
  const port = await listen(server);
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      if (typeof address === 'object' && address !== null) resolve(address.port);
      else reject(new Error('The server has no port.'));
    });
  });
}

/** The product's static page (src/extension/panels/html.ts) with the stand-in host before the page's own script. */
function html(source: string): string {
  const policy = `default-src 'none'; img-src ${source}; font-src ${source}; style-src ${source} 'nonce-${NONCE}'; script-src 'nonce-${NONCE}'`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta property="csp-nonce" content="${NONCE}">
<link rel="stylesheet" href="${source}/vscode.css">
<link rel="stylesheet" href="${source}/main.css">
<title>Context Inspector</title>
</head>
<body data-surface="panel">
<div id="app"></div>
<script nonce="${NONCE}" src="${source}/host.js"></script>
<script type="module" nonce="${NONCE}" src="${source}/main.js"></script>
</body>
</html>
`;
}
