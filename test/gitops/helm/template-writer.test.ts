import { expect, test } from 'vitest';
import type { Json } from '../../../lib/json/index.ts';
import { caseSpace, Conditions } from '../../../lib/gitops/helm/conditions.ts';
import { fold } from '../../../lib/gitops/helm/fold-variants.ts';
import { Placeholders } from '../../../lib/gitops/helm/placeholders.ts';
import { TemplateWriter } from '../../../lib/gitops/helm/template-writer.ts';

const placeholders = new Placeholders({});

const absent = Symbol('absent');

/** The template of a value that is the first with `.Values.on` and the second without. */
function write(on: Json, off: Json | typeof absent = on): string {
  const space = caseSpace([{ name: 'on', tests: ['.Values.on', 'not .Values.on'] }]);
  const variants = [on, off].flatMap((value, i) => (typeof value === 'symbol' ? [] : [{ cases: 1n << BigInt(i), value }]));
  const when = variants.reduce((all, v) => all | v.cases, 0n);
  return new TemplateWriter(new Conditions(space), placeholders).document({ when, node: fold(variants) });
}

test('an object that is there in some cases is guarded as a whole', () => {
  expect(write({ kind: 'A' }, absent)).toBe('{{- if .Values.on }}\n---\nkind: A\n{{- end }}\n');
});

test('neighbours that come and go together share one condition', () => {
  expect(write({ kind: 'A', x: 1, w: { z: 2 }, last: true }, { kind: 'A', last: true })).toBe(`---
kind: A
{{- if .Values.on }}
x: 1
w:
  z: 2
{{- end }}
last: true
`);
});

test('the dash of an item stands alone where its first key is conditional', () => {
  expect(write({ list: [{ a: 1, name: 'n' }] }, { list: [{ name: 'n' }] })).toBe(`---
list:
  -
    {{- if .Values.on }}
    a: 1
    {{- end }}
    name: "n"
`);
});

test('empty maps and lists stay, where they are empty in some cases only as well', () => {
  expect(write({ a: {}, b: [] })).toBe('---\na: {}\nb: []\n');
  expect(write({ a: { x: 1 } }, { a: {} })).toBe('---\n{{- if .Values.on }}\na:\n  x: 1\n{{- else }}\na: {}\n{{- end }}\n');
  expect(write({ a: ['x', 'y'] }, { a: [] })).toBe(
    '---\n{{- if .Values.on }}\na:\n  - x\n  - "y"\n{{- else }}\na: []\n{{- end }}\n',
  );
});

test('strings are quoted where YAML could take them for something else', () => {
  expect(write({ a: 'null', b: 'n', c: 'Off', d: '~' })).toBe('---\na: "null"\nb: "n"\nc: "Off"\nd: "~"\n');
  expect(write({ a: 'yes', b: '1', c: 'x y', d: 'plain-word', e: '', f: '{{ .x }}' })).toBe(
    '---\na: "yes"\nb: "1"\nc: "x y"\nd: plain-word\ne: ""\nf: "{{ "{{" }} .x {{ "}}" }}"\n',
  );
});

test('text of several lines is a block; what a block cannot hold is quoted', () => {
  expect(write({ a: 'x\ny\n', b: 'x\n\n{{ y', c: 'x\n\n', d: ' x\ny', e: 'x\n\u0007' })).toBe(
    '---\na: |\n  x\n  y\nb: |-\n  x\n\n  {{ "{{" }} y\nc: "x\\n\\n"\nd: " x\\ny"\ne: "x\\n\\u0007"\n',
  );
  expect(write({ list: ['x\ny'] })).toBe('---\nlist:\n  - |-\n    x\n    y\n');
});

test('open values: whole, among others, merged, guarded', () => {
  const labels = placeholders.map('.Values.labels');
  expect(write({ a: labels })).toBe('---\n{{- with .Values.labels }}\na:\n  {{- toYaml . | nindent 2 }}\n{{- end }}\n');
  expect(write({ a: { own: 'x', ...labels } })).toBe(
    '---\na:\n  own: x\n  {{- with .Values.labels }}\n  {{- toYaml . | nindent 2 }}\n  {{- end }}\n',
  );
  expect(write({ a: { own: { b: 1 }, ...labels } })).toContain('a:\n  {{- toYaml (mergeOverwrite (fromJson ');
  expect(write({ a: [{ own: 'x' }, ...placeholders.list('.Values.list')] })).toBe(
    '---\na:\n  - own: x\n  {{- with .Values.list }}\n  {{- toYaml . | nindent 2 }}\n  {{- end }}\n',
  );
  const name = placeholders.string('.Values.name', '.Values.name');
  expect(write({ args: ['--v', `--name=${name}`], name })).toBe(`---
args:
  - "--v"
  {{- if .Values.name }}
  - {{ printf "--name=%s" .Values.name | quote }}
  {{- end }}
{{- if .Values.name }}
name: {{ .Values.name | quote }}
{{- end }}
`);
});

test('of three values the second is asked for among what the first leaves, the third is the rest', () => {
  const tests = ['eq .Values.n 1', 'eq .Values.n 2', 'eq .Values.n 3'];
  const switches = [
    { name: 'n', tests },
    { name: 'on', tests: ['.Values.on', 'not .Values.on'] },
  ];
  const space = caseSpace(switches);
  const variants = space.choices.map(([n = 0, on = 0], i) => ({
    cases: 1n << BigInt(i),
    value: { a: n === 0 ? 'first' : on === 0 ? 'second' : 'third' },
  }));
  expect(new TemplateWriter(new Conditions(space), placeholders).document({ when: space.all, node: fold(variants) })).toBe(`---
{{- if eq .Values.n 1 }}
a: first
{{- else if .Values.on }}
a: second
{{- else }}
a: third
{{- end }}
`);
});
