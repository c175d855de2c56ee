// The only file that knows the toolkit. The rest of the page uses the components below, so another set of controls is a change here alone.
// The page's HTML must hold <meta property="csp-nonce" content="…">: the toolkit reads it for the one style element that it adds.
import {
  provideVSCodeDesignSystem,
  vsCodeButton,
  vsCodeDivider,
  vsCodeDropdown,
  vsCodeOption,
  vsCodeTextArea,
  vsCodeTextField,
} from '@vscode/webview-ui-toolkit';
import { h, type ComponentChildren, type VNode } from 'preact';

/** Registers the custom elements; called once, before the page is drawn. */
export function registerControls(): void {
  provideVSCodeDesignSystem().register(
    vsCodeButton(),
    vsCodeDivider(),
    vsCodeDropdown(),
    vsCodeOption(),
    vsCodeTextArea(),
    vsCodeTextField(),
  );
}

interface Common {
  readonly children?: ComponentChildren;
  readonly testId?: string;
}

export interface ButtonProps extends Common {
  readonly primary?: boolean;
  readonly disabled?: boolean;
  readonly title?: string;
  readonly onClick: () => void;
}

/** A push button; secondary unless `primary`. */
export function Button({ primary = false, disabled = false, title, onClick, testId, children }: ButtonProps): VNode {
  return element(
    'vscode-button',
    { appearance: primary ? 'primary' : 'secondary', disabled, title, 'data-testid': testId, onClick: disabled ? undefined : onClick },
    children,
  );
}

export interface DropdownProps<Value extends string> extends Common {
  readonly id: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly text: string }[];
  readonly disabled?: boolean;
  readonly onChange: (value: Value) => void;
}

/** A drop-down list. The label beside it points at `id`. */
export function Dropdown<Value extends string>({ id, value, options, disabled = false, testId, onChange }: DropdownProps<Value>): VNode {
  const onChanged = (event: Event): void => {
    const chosen = options.find((option) => option.value === valueOf(event));
    if (chosen !== undefined && chosen.value !== value) onChange(chosen.value);
  };
  const items = options.map((option) =>
    element('vscode-option', { key: option.value, value: option.value, selected: option.value === value }, option.text),
  );
  return element(
    'vscode-dropdown',
    { id, disabled, 'aria-labelledby': `${id}-label`, 'current-value': value, 'data-testid': testId, onChange: onChanged },
    items,
  );
}

export interface TextProps extends Common {
  readonly value: string;
  readonly placeholder?: string;
  readonly disabled?: boolean;
  readonly onInput: (value: string) => void;
}

/** Several lines of text, with its label. */
export function TextArea({ value, placeholder = '', disabled = false, onInput, testId, children }: TextProps): VNode {
  return element(
    'vscode-text-area',
    {
      value,
      placeholder,
      disabled,
      rows: 3,
      resize: 'vertical',
      'data-testid': testId,
      onInput: (event: Event) => onInput(valueOf(event)),
    },
    children,
  );
}

/** One line of text, with its label. */
export function TextField({ value, disabled = false, onInput, testId, children }: TextProps): VNode {
  return element(
    'vscode-text-field',
    { value, disabled, size: 6, 'data-testid': testId, onInput: (event: Event) => onInput(valueOf(event)) },
    children,
  );
}

/** A small count beside a heading. Not the toolkit's badge, whose template has a style attribute, which the page's policy refuses. */
export function Badge({ children }: Common): VNode {
  return element('span', { class: 'badge' }, children);
}

/** A line between two parts. */
export function Divider(): VNode {
  return element('vscode-divider', {});
}

function element(name: string, props: Record<string, unknown>, children?: ComponentChildren): VNode {
  return h(name, props, children);
}

function valueOf(event: Event): string {
  const target: unknown = event.target;
  if (typeof target !== 'object' || target === null || !('value' in target)) return '';
  return typeof target.value === 'string' ? target.value : '';
}
