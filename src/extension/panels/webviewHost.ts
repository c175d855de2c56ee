import { randomBytes } from 'node:crypto';
import { emit, isFrame, serve, type Port } from '../../core/protocol/channel';
import type { PageEvents, PageRequests } from '../../core/protocol/contract';
import { checkPageRequest } from '../../core/protocol/guards';
import { DisposableStore, type Disposable } from '../../core/util/disposable';
import { HostError } from '../hostError';
import { hostMessage } from '../l10n/hostMessages';
import type { Services } from '../services';
import type { SessionLease } from '../sessions/sessionHub';
import type { SharedSession } from '../sessions/sharedSession';
import { guardedPort } from './guardedPort';
import { pageHandlers } from './handlers';
import { pageHtml, type Surface } from './html';
import { vscode } from '../vscode';

/** What a page may open or continue after a run; the page knows it only by the new session's id. */
export interface WrittenCopy {
  readonly path: string;
  readonly resume: string | null;
}

/**
 * The host's side of one page: its endpoint, the session that it shows, its focused row, and the copies written from it. A page that is not
 * ready (hidden, loading) gets nothing but its waiting row or preview later; when it comes back it asks for the whole view.
 */
export class WebviewHost implements Disposable {
  readonly #store = new DisposableStore();
  readonly #port: Port;
  #lease: SessionLease | undefined;
  #listening = new DisposableStore();
  #path: string | undefined;
  #isReady = false;
  /** Ids of requests for the whole view that are being answered. */
  readonly #opening = new Set<number>();
  /** What the page gets to see as soon as it is ready; the newest of each kind. */
  readonly #waiting = new Map<string, () => void>();
  /** Focused row, as the page told. */
  selection: string | undefined;
  readonly copies = new Map<string, WrittenCopy>();

  constructor(
    private readonly webview: vscode.Webview,
    readonly surface: Surface,
    private readonly services: Services,
    path: string | undefined,
  ) {
    this.#path = path;
    const root = vscode.Uri.joinPath(services.context.extensionUri, 'dist', 'webview');
    webview.options = { enableScripts: true, enableCommandUris: false, localResourceRoots: [root] };
    this.#port = this.#observed(guardedPort(webviewPort(webview), { now: Date.now, sentence: (code) => hostMessage(code) ?? code }));
    this.#store.add(serve<PageRequests>(this.#port, pageHandlers(this, services), checkPageRequest));
    this.#store.add(
      services.pins.onDidChange((changed) => {
        if (changed === this.#path) this.#send('pins/changed', { messageIds: this.pinned });
      }),
    );
    this.#store.add(services.onDidChangeUiSettings((settings) => this.#send('settings/changed', settings)));
    webview.html = pageHtml({
      cspSource: webview.cspSource,
      nonce: randomBytes(16).toString('base64url'),
      scriptUri: webview.asWebviewUri(vscode.Uri.joinPath(root, 'main.js')).toString(),
      styleUri: webview.asWebviewUri(vscode.Uri.joinPath(root, 'main.css')).toString(),
      surface: this.surface,
      language: vscode.env.language,
    });
  }

  get path(): string | undefined {
    return this.#path;
  }

  /** Ids of the pinned messages of the page's session. */
  get pinned(): readonly string[] {
    return this.#path === undefined ? [] : this.services.pins.of(this.#path);
  }

  get session(): SharedSession | undefined {
    return this.#lease?.session;
  }

  /** The session behind a handle that the page sent; rejects a handle of any other session. */
  expect(handle: string): SharedSession {
    const session = this.#lease?.session;
    if (session?.view?.handle !== handle) throw new HostError('otherSession');
    return session;
  }

  /** Opens the page's session. Rejects with what `session/open` rejects with, or with `noSession`. */
  async open(): Promise<SharedSession> {
    if (this.#path === undefined) throw new HostError('noSession');
    if (this.#lease?.session.path !== this.#path) await this.#acquire(this.#path);
    const session = this.#lease?.session;
    if (session === undefined) throw new HostError('noSession');
    await session.open();
    return session;
  }

  /** Shows another file; a page that is ready changes at once. */
  async show(path: string | undefined): Promise<void> {
    if (path === this.#path && this.#lease?.session.path === path) return;
    this.#path = path;
    this.selection = undefined;
    if (path === undefined) {
      this.#setLease(undefined);
      return;
    }
    const session = await this.open();
    if (session.view === undefined || this.#path !== path) return;
    this.#send('session/replaced', session.view);
    this.#send('pins/changed', { messageIds: this.pinned });
  }

  /** Sends a row or a preview to show, now or when the page is ready. */
  tell<K extends 'preview/show' | 'row/reveal'>(name: K, value: PageEvents[K]): void {
    if (this.#isReady) this.#send(name, value);
    else this.#waiting.set(name, () => this.#send(name, value));
  }

  /** The page was hidden; VS Code throws it away. */
  hidden(): void {
    this.#isReady = false;
  }

  dispose(): void {
    this.#store.dispose();
    this.#setLease(undefined);
    this.services.pages.remove(this);
  }

  async #acquire(path: string): Promise<void> {
    const lease = await this.services.hub.acquire(path);
    if (this.#path === path && this.#lease?.session.path !== path) this.#setLease(lease);
    else lease.dispose();
  }

  #setLease(lease: SessionLease | undefined): void {
    this.#listening.dispose();
    this.#listening = new DisposableStore();
    this.#lease?.dispose();
    this.#lease = lease;
    if (lease === undefined) return;
    const { session } = lease;
    const { pages } = this.services;
    const forward = <K extends 'session/patched' | 'session/replaced'>(name: K) => {
      return (value: PageEvents[K]): void => {
        this.#send(name, value);
        pages.changed();
      };
    };
    this.#listening.add(session.onDidPatch(forward('session/patched')));
    this.#listening.add(session.onDidReplace(forward('session/replaced')));
    this.#listening.add(session.onProgress((progress) => this.#send('compaction/progress', progress)));
    pages.changed();
  }

  #send<K extends keyof PageEvents>(name: K, value: PageEvents[K]): void {
    if (this.#isReady) emit<PageEvents, K>(this.#port, name, value);
  }

  /** Sees when the page asks for the whole view and when it has got it: from then on it can follow events. */
  #observed(port: Port): Port {
    return {
      post: (frame) => {
        port.post(frame);
        if ((frame.k !== 'res' && frame.k !== 'err') || !this.#opening.delete(frame.id)) return;
        // A page that could not show its session is there all the same, and may be given another one.
        this.#isReady = true;
        if (frame.k === 'err') return;
        for (const send of this.#waiting.values()) send();
        this.#waiting.clear();
      },
      onFrame: (listener) =>
        port.onFrame((frame) => {
          if (isFrame(frame) && frame.k === 'req' && frame.name === 'session/open') this.#opening.add(frame.id);
          listener(frame);
        }),
    };
  }
}

function webviewPort(webview: vscode.Webview): Port {
  return {
    post: (frame) => void webview.postMessage(frame).then(undefined, () => undefined),
    onFrame: (listener) => webview.onDidReceiveMessage(listener),
  };
}
