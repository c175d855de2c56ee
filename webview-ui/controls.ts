// The only file that knows the toolkit. The rest of the page uses the components below, so another set of controls is a change here alone.
// The page's HTML must hold <meta property="csp-nonce" content="…">: the toolkit reads it for the one style element that it adds.
import {
  provideVSCodeDesignSystem,
  vsCodeButton,
  vsCodeDivider,
  vsCodeDropdown,
  vsCodeOption,
  vsCodeTextArea,
} from '@vscode/webview-ui-toolkit';
import { h, type ComponentChildren, type VNode } from 'preact';
import { useState } from 'preact/hooks';

/** Registers the custom elements; called once, before the page is drawn. */
export function registerControls(): void {
  provideVSCodeDesignSystem().register(vsCodeButton(), vsCodeDivider(), vsCodeDropdown(), vsCodeOption(), vsCodeTextArea());
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

export interface NumberProps extends Common {
  readonly value: number;
  readonly disabled?: boolean;
  readonly onValue: (value: number) => void;
}

/** Largest number that a field takes. */
const MAX_NUMBER = 999_999_999;

/**
 * A whole number of 0 or more, with its label. The field keeps what is typed until it loses the focus, then it shows `value` again. Native,
 * since the toolkit has none: arrow keys count up and down in it.
 */
export function NumberField({ value, disabled = false, onValue, testId, children }: NumberProps): VNode {
  const [typed, setTyped] = useState<string | undefined>(undefined);
  const onInput = (event: Event): void => {
    const text = valueOf(event);
    setTyped(text);
    const wanted = numberIn(text);
    if (wanted !== undefined && wanted !== value) onValue(wanted);
  };
  const isWrong = typed !== undefined && numberIn(typed) === undefined;
  return element('label', { class: 'number-field' }, [
    element('span', { key: 'label' }, children),
    element('input', {
      key: 'input',
      type: 'number',
      min: 0,
      max: MAX_NUMBER,
      step: 1,
      value: typed ?? String(value),
      disabled,
      'aria-invalid': isWrong,
      'data-testid': testId,
      onInput,
      onBlur: () => setTyped(undefined),
    }),
  ]);
}

export interface ChoiceProps<Value extends string> {
  readonly name: string;
  readonly label: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly text: string }[];
  readonly disabled?: boolean;
  readonly testId?: string;
  readonly onChange: (value: Value) => void;
}

/** One of a few, all of them seen: native radio buttons beside each other, so one tab stop and arrow keys between them. */
export function Choice<Value extends string>({
  name,
  label,
  value,
  options,
  disabled = false,
  testId,
  onChange,
}: ChoiceProps<Value>): VNode {
  return element('fieldset', { class: 'choice', 'data-testid': testId, disabled }, [
    element('legend', { key: 'legend', class: 'choice-label' }, label),
    ...options.map((option) =>
      element('label', { key: option.value, class: option.value === value ? 'choice-option is-chosen' : 'choice-option' }, [
        element('input', {
          key: 'input',
          type: 'radio',
          name,
          value: option.value,
          checked: option.value === value,
          onChange: () => onChange(option.value),
        }),
        element('span', { key: 'text' }, option.text),
      ]),
    ),
  ]);
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

function numberIn(text: string): number | undefined {
  const value = Number(text);
  return /^\d{1,9}$/.test(text.trim()) ? value : undefined;
}

function valueOf(event: Event): string {
  const target: unknown = event.target;
  if (typeof target !== 'object' || target === null || !('value' in target)) return '';
  return typeof target.value === 'string' ? target.value : '';
}
