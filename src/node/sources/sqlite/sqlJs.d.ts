declare module 'sql.js' {
  const initSqlJs: (options?: { readonly wasmBinary?: Uint8Array }) => Promise<unknown>;
  export { initSqlJs as default };
}
