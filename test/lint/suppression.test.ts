import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../lib/json/index.ts';
import { lintGraph, suppressAnnotation } from '../../lib/lint/index.ts';
import { frontend, graph, vllmModel, worker } from '../../lib/lint/sample.ts';

const small = worker('vllm', [...vllmModel, '--tensor-parallel-size', '4'], {
  sharedMemory: { size: '8Gi' },
  resources: { limits: { gpu: '2' } },
});

function annotated(text: string): JsonObject {
  return graph({ Frontend: frontend(), Worker: small }, {}, { annotations: { [suppressAnnotation]: text } });
}

function ids(resource: JsonObject, context = {}): readonly string[] {
  return lintGraph(resource, context).map((f) => f.id);
}

describe('the annotation', () => {
  test('takes a finding away with a reason', () => {
    expect(ids(annotated('DYN-GPU-001=two ranks per GPU'))).toEqual([]);
  });

  test('takes several away, reasons may hold semicolons', () => {
    const text = 'DYN-GPU-001=MPS; two ranks per GPU; DYN-SCALE-001=no';
    expect(ids(annotated(text))).toEqual([]);
  });

  test.each([
    ['an id that does not exist', 'DYN-GPU-999=why', ['DYN-GPU-001', 'DYN-SUP-001']],
    ['a missing reason', 'DYN-GPU-001', ['DYN-GPU-001', 'DYN-SUP-002']],
    ['an empty reason', 'DYN-GPU-001= ', ['DYN-GPU-001', 'DYN-SUP-002']],
    ['a missing reason before a semicolon', 'DYN-GPU-001;', ['DYN-GPU-001', 'DYN-SUP-002']],
    ['an empty reason before a semicolon', 'DYN-GPU-001=; ', ['DYN-GPU-001', 'DYN-SUP-002']],
    ['nothing at a semicolon at the end', 'DYN-GPU-001=why; ', []],
    ['an entry without use', 'DYN-GPU-001=why; DYN-MEM-001=why', ['DYN-SUP-003']],
  ])('has %s reported', (_what, text, want) => {
    expect(ids(annotated(text))).toEqual(want);
  });

  test('is not called useless where a rule needs to know more', () => {
    expect(ids(annotated('DYN-GPU-001=why; DYN-GPU-006=nodes differ'))).toEqual([]);
  });
});

test('code suppresses as the annotation does', () => {
  const plain = graph({ Frontend: frontend(), Worker: small });
  expect(ids(plain, { suppressions: [{ id: 'DYN-GPU-001', reason: 'MPS' }] })).toEqual([]);
  expect(ids(plain)).toEqual(['DYN-GPU-001']);
});
