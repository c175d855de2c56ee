import assert from 'node:assert/strict';
import type { WindowState } from '../../../src/core/protocol/viewModel';
import { Crossings, type NotificationLevel } from '../../../src/extension/notifications/crossing';

function told(level: NotificationLevel, ...states: readonly WindowState[]): readonly WindowState[] {
  const crossings = new Crossings();
  return states.filter((state) => crossings.observe('a', state, level));
}

describe('Crossings', () => {
  it('says nothing about what a session was when it was first seen', () => {
    assert.deepEqual(told('warning', 'blocked'), []);
    assert.deepEqual(told('warning', 'autoCompact', 'autoCompact'), []);
  });

  it('tells each crossing upwards once', () => {
    assert.deepEqual(told('warning', 'normal', 'warning', 'normal', 'warning', 'autoCompact', 'blocked', 'normal', 'blocked'), [
      'warning',
      'autoCompact',
      'blocked',
    ]);
  });

  it('keeps to the level', () => {
    const rising = ['normal', 'warning', 'error', 'autoCompact', 'blocked'] as const;
    assert.deepEqual(told('autoCompact', ...rising), ['autoCompact', 'blocked']);
    assert.deepEqual(told('blocked', ...rising), ['blocked']);
    assert.deepEqual(told('off', ...rising), []);
  });

  it('keeps sessions apart', () => {
    const crossings = new Crossings();
    crossings.observe('a', 'normal', 'warning');
    assert.equal(crossings.observe('b', 'blocked', 'warning'), false);
    assert.equal(crossings.observe('a', 'blocked', 'warning'), true);
  });
});
