import { getEventListeners, once } from 'node:events';
import { describe, expect, onTestFinished, test } from 'vitest';
import { onAbort } from '../../lib/runtime/on-abort.ts';

describe('onAbort', () => {
  test('calls every function once, in the order they came', () => {
    const controller = new AbortController();
    const called: string[] = [];
    const run = (): number => called.push('same');
    onAbort(controller.signal, () => called.push('first'));
    onAbort(controller.signal, run);
    onAbort(controller.signal, run);
    controller.abort();
    controller.abort();
    expect(called).toEqual(['first', 'same', 'same']);
  });

  test('does not call a function that was cancelled, also by another one during the abort', () => {
    const controller = new AbortController();
    const called: string[] = [];
    onAbort(controller.signal, () => called.push('cancelled before'))();
    onAbort(controller.signal, () => {
      called.push('cancels');
      cancelLast();
    });
    const cancelLast = onAbort(controller.signal, () => called.push('cancelled during'));
    controller.abort();
    expect(called).toEqual(['cancels']);
  });

  test('keeps one listener on the signal, however many wait', () => {
    const { signal } = new AbortController();
    for (let count = 0; count < 1000; count += 1) onAbort(signal, () => undefined);
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  });

  test('calls the others also if one throws, and reports the error as that of a listener', async () => {
    // The listeners of the test runner would fail the run.
    const runners = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException');
    onTestFinished(() => {
      for (const listener of runners) process.on('uncaughtException', listener);
    });
    const reported = once(process, 'uncaughtException');
    const controller = new AbortController();
    const called: string[] = [];
    const error = new Error('thrown by the first');
    onAbort(controller.signal, () => {
      throw error;
    });
    onAbort(controller.signal, () => called.push('second'));
    controller.abort();
    expect(called).toEqual(['second']);
    expect(await reported).toContain(error);
  });
});
