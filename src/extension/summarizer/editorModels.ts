// The language models that VS Code offers to extensions (`vscode.lm`).
import type { EngineClient } from '../../node/engine/client';
import { DisposableStore, type Disposable } from '../../core/util/disposable';
import type { Settings } from '../config/settings';
import { HostError } from '../hostError';
import { vscode } from '../vscode';
import { tokenOf } from '../util/token';
import { askEditorModel } from './editorModel';

/** `vendor/id`, as the setting holds it. */
export function modelKey({ vendor, id }: Pick<vscode.LanguageModelChat, 'vendor' | 'id'>): string {
  return `${vendor}/${id}`;
}

/** Model for labels; '' while none is chosen. */
export function editorModelLabel(settings: Settings): string {
  return settings['vscodeLm.model'];
}

/** The chosen model. Throws HostError `noModel` where none is chosen and `modelGone` where VS Code does not offer it now. */
export async function chosenEditorModel(settings: Settings): Promise<vscode.LanguageModelChat> {
  const key = settings['vscodeLm.model'];
  if (key === '') throw new HostError('noModel');
  const slash = key.indexOf('/');
  const models = await vscode.lm.selectChatModels({ vendor: key.slice(0, slash), id: key.slice(slash + 1) });
  const model = models.find((candidate) => modelKey(candidate) === key);
  if (model === undefined) throw new HostError('modelGone');
  return model;
}

/**
 * Answers the engine's questions to the editor's models with the model that is chosen then. VS Code itself asks the user for leave at the first
 * use of a model.
 */
export function serveEditorModels(engine: EngineClient, settings: () => Settings, report: (problem: unknown) => void): Disposable {
  const store = new DisposableStore();
  const running = new Map<string, AbortController>();
  store.add(
    engine.on('model/asked', (question) => {
      const controller = new AbortController();
      const { callId } = question;
      running.set(callId, controller);
      const answer = (value: Parameters<typeof engine.request<'model/answer'>>[1]['answer']): void =>
        void engine.request('model/answer', { callId, answer: value }).catch(report);
      chosenEditorModel(settings())
        .then(
          (model) =>
            askEditorModel(
              {
                name: model.name,
                maxInputTokens: model.maxInputTokens,
                countTokens: (message: vscode.LanguageModelChatMessage) => model.countTokens(message),
                send: async (messages, signal) => (await model.sendRequest(messages, {}, tokenOf(signal))).text,
              },
              {
                message: (role, text) =>
                  role === 'user' ? vscode.LanguageModelChatMessage.User(text) : vscode.LanguageModelChatMessage.Assistant(text),
                codeOf: (error) => (error instanceof vscode.LanguageModelError ? error.code : undefined),
                timeoutMs: settings()['openai.timeoutSeconds'] * 1000,
              },
              question,
              controller.signal,
              (characters) => answer({ kind: 'received', characters }),
            ),
          () => ({ kind: 'failure', code: 'summarizerUnavailable', message: '' }) as const,
        )
        .then(answer, report)
        .finally(() => running.delete(callId));
    }),
  );
  store.add(engine.on('model/stopped', ({ callId }) => running.get(callId)?.abort()));
  store.add({
    dispose() {
      for (const controller of running.values()) controller.abort();
    },
  });
  return store;
}
