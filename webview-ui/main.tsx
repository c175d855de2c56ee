import { render } from 'preact';
import { Page } from './components/Page';
import { StoreContext } from './context';
import { registerControls } from './controls';
import type { Surface } from './panel';
import { connect, type VsCodeApi } from './rpc';
import { createStore } from './store';
import './styles/base.css';
import './styles/layout.css';
import './styles/gauge.css';
import './styles/messages.css';
import './styles/compaction.css';
import './styles/fields.css';
import './styles/pivot.css';
import './styles/micro.css';
import './styles/history.css';
import './styles/boundaries.css';
import './styles/report.css';
import './styles/timeline.css';
import './styles/contrast.css';

declare function acquireVsCodeApi(): VsCodeApi;

start();

function start(): void {
  // A mark of this document: whoever watches the page can tell a redrawn page from a reloaded one.
  document.documentElement.dataset['documentId'] = crypto.randomUUID();
  registerControls();
  const api = acquireVsCodeApi();
  const store = createStore(api, connect(api));
  const root = document.getElementById('app') ?? document.body.appendChild(document.createElement('div'));
  render(
    <StoreContext.Provider value={store}>
      <Page surface={surfaceOf(document.body.dataset['surface'])} />
    </StoreContext.Provider>,
    root,
  );
  store.open();
}

function surfaceOf(name: string | undefined): Surface {
  return name === 'editor' || name === 'sidebar' ? name : 'panel';
}
