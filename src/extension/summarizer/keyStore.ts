import type { SecretStorage } from 'vscode';

/** API keys, one for each origin, in VS Code's secret storage and nowhere else. A key is only ever given out for the origin it was stored for. */
export class KeyStore {
  constructor(private readonly secrets: SecretStorage) {}

  async get(origin: string): Promise<string | undefined> {
    return this.secrets.get(secretName(origin));
  }

  async set(origin: string, key: string): Promise<void> {
    await this.secrets.store(secretName(origin), key);
  }

  async clear(origin: string): Promise<void> {
    await this.secrets.delete(secretName(origin));
  }
}

function secretName(origin: string): string {
  return `contextInspector.openai.apiKey ${origin}`;
}
