import tseslint from 'typescript-eslint';

const noEffects = [
  { group: ['vscode'], message: 'Only src/extension talks to VS Code.' },
  { group: ['node:*', 'fs', 'path', 'os'], message: 'Core takes effects through ports.' },
];

export default tseslint.config(
  { ignores: ['dist/**', 'out/**', 'node_modules/**', 'test/fixtures/**'] },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      'no-console': 'error',
      eqeqeq: 'error',
      'no-restricted-syntax': ['error', { selector: 'ExportDefaultDeclaration', message: 'Name what you export.' }],
    },
  },
  {
    files: ['src/core/**/*.ts'],
    rules: {
      'no-restricted-imports': ['error', { patterns: noEffects }],
      'no-restricted-globals': ['error', 'process', 'setTimeout', 'setInterval'],
    },
  },
  {
    files: ['webview-ui/**/*.ts', 'webview-ui/**/*.tsx'],
    rules: {
      'no-restricted-imports': ['error', { patterns: noEffects }],
      'no-restricted-properties': ['error', { property: 'innerHTML' }, { property: 'outerHTML' }],
    },
  },
  {
    files: ['src/node/**/*.ts', 'src/cli/**/*.ts'],
    rules: { 'no-restricted-imports': ['error', { patterns: [noEffects[0]] }] },
  },
  {
    files: ['test/**/*.ts', 'test/**/*.tsx'],
    rules: { 'no-console': 'off', '@typescript-eslint/no-floating-promises': 'error', '@typescript-eslint/no-unused-expressions': 'off' },
  },
);
