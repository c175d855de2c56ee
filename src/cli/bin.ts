#!/usr/bin/env node
// The command's file: CommonJS, so that `node dist/cli.js` works beside the extension's package.json. Everything else is loaded from here.
const entry: string = './node/cli.mjs';
void import(entry).then(({ main }: { main: () => Promise<void> }) => main());
