/** From a renderer to a template: a small part, of which each value is open, decides, or is fixed. */
import { describe, expect, test } from 'vitest';
import type { DecidingValue } from '../../../lib/gitops/helm/deciding-values.ts';
import { effectiveValue, givenValue, withoutValue } from '../../../lib/gitops/helm/effective-value.ts';
import { nest, operatorPath, valueExpression, type OpenValue } from '../../../lib/gitops/helm/open-values.ts';
import { Placeholders } from '../../../lib/gitops/helm/placeholders.ts';
import { joinPullSecrets, pullSecretPlaceholder } from '../../../lib/gitops/helm/pull-secrets.ts';
import { TemplateGenerator } from '../../../lib/gitops/helm/template-generator.ts';
import type { Json, JsonObject } from '../../../lib/json/index.ts';
import type { Part } from '../../../lib/platform/index.ts';

type Context = Parameters<Part['render']>[1];

/** A part of the platform that renders as told. */
function toyPart(render: Part['render']): Part {
  return { key: 'toy', defaults: {}, platformDefaults: {}, schema: {}, dead: {}, render };
}

/** A part with one object. */
function toy(fields: (values: JsonObject, context: Context) => JsonObject): Part {
  return toyPart((values, context) => {
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'toy' }, ...fields(values, context) };
    return { objects: [object], issues: [], warnings: [] };
  });
}

const head = '---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: toy\n  namespace: {{ .Release.Namespace | quote }}\n';

function template(
  part: Part,
  open: readonly OpenValue[] = [],
  decisions: readonly DecidingValue[] = [],
  values: JsonObject = {},
): string {
  return new TemplateGenerator(values, {}, open, new Placeholders([values, {}])).templates(part, decisions);
}

const open = (path: string, type: OpenValue['type'], more: Partial<OpenValue> = {}): OpenValue => ({
  path,
  type,
  description: 'open',
  ...more,
});
const onOff = (path: string): DecidingValue => ({
  path,
  type: 'boolean',
  description: 'decides',
  options: [
    { test: valueExpression(path), values: nest(path, true) },
    { test: `not ${valueExpression(path)}`, values: nest(path, false) },
  ],
});

describe('an open value', () => {
  const shown = toy(({ x }) => ({ data: { x: x ?? 'none' } }));

  test.each([
    ['a string', open('toy.x', 'string'), 'data:\n  x: {{ .Values.toy.x | quote }}\n'],
    ['a number', open('toy.x', 'number'), 'data:\n  x: {{ int64 .Values.toy.x }}\n'],
    ['a map', open('toy.x', 'map'), 'data:\n  {{- with .Values.toy.x }}\n  x:\n    {{- toYaml . | nindent 4 }}\n  {{- end }}\n'],
    [
      'a list',
      open('toy.x', 'list'),
      'data:\n  {{- with .Values.toy.x }}\n  x:\n    {{- toYaml . | nindent 4 }}\n  {{- end }}\n',
    ],
    ['an expression', open('toy.x', 'string', { expression: 'default "a" .b' }), 'data:\n  x: {{ default "a" .b | quote }}\n'],
    [
      'left out where it is unset',
      open('toy.x', 'string', { optional: true }),
      'data:\n  {{- if .Values.toy.x }}\n  x: {{ .Values.toy.x | quote }}\n  {{- end }}\n',
    ],
    [
      'left out where another expression is unset',
      open('toy.x', 'string', { optional: 'coalesce .a .b' }),
      'data:\n  {{- if coalesce .a .b }}\n  x: {{ .Values.toy.x | quote }}\n  {{- end }}\n',
    ],
    [
      'left out where its gate is closed',
      open('toy.x', 'string', { optional: true, gate: 'toy.on' }),
      'data:\n  {{- if and .Values.toy.on .Values.toy.x }}\n  x: {{ .Values.toy.x | quote }}\n  {{- end }}\n',
    ],
  ])('%s', (_, value, expected) => {
    expect(template(shown, [value])).toBe(`${head}${expected}`);
  });

  test('is rendered with its gate open', () => {
    const gated = toy(({ x, on }) => ({ data: on === true ? { x: x ?? '' } : {} }));
    expect(template(gated, [open('toy.x', 'string', { optional: true, gate: 'toy.on' })])).toContain('x: {{ .Values.toy.x');
  });

  test('takes the place of what the values say', () => {
    expect(template(shown, [open('toy.x', 'string')], [], { toy: { x: 'fixed' } })).not.toContain('fixed');
  });
});

describe('a deciding value', () => {
  test('puts what differs into conditions, and objects that come and go', () => {
    const part = toyPart((values) => {
      const make = (name: string): { apiVersion: string; kind: string; metadata: { name: string } } => ({
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name },
      });
      return { objects: values['on'] === true ? [make('a'), make('b')] : [make('b')], issues: [], warnings: [] };
    });
    const secret = (name: string): string =>
      `---\napiVersion: v1\nkind: Secret\nmetadata:\n  name: ${name}\n  namespace: {{ .Release.Namespace | quote }}\n`;
    expect(template(part, [], [onOff('toy.on')])).toBe(`{{- if .Values.toy.on }}\n${secret('a')}{{- end }}\n${secret('b')}`);
  });

  test('wins over what the values say, and the part is always on', () => {
    const part = toy(({ on, enabled, fixed }) => ({
      data: { on: on ?? 'none', enabled: enabled ?? 'none', fixed: fixed ?? 'none' },
    }));
    expect(template(part, [], [onOff('toy.on')], { toy: { on: 'given', enabled: false, fixed: 'f' } })).toBe(
      `${head}data:\n  {{- if .Values.toy.on }}\n  "on": true\n  {{- else }}\n  "on": false\n  {{- end }}\n  enabled: true\n  fixed: f\n`,
    );
  });

  test('is seen by the context too', () => {
    const part = toy((_, { values }) => ({ data: { seen: givenValue('other.on', values) ?? 'none' } }));
    expect(template(part, [], [onOff('other.on')])).toContain('seen: true\n  {{- else }}\n  seen: false');
  });
});

describe('what depends on open values is computed by the chart', () => {
  const cases: readonly (readonly [what: string, compute: (context: Context, tag: string) => Json, expected: string])[] = [
    [
      'an image',
      ({ image }, tag) => image(`r/x:${tag}`),
      ' {{ include "dynamo.image" (list $ (printf "r/x:%s" .Values.toy.tag)) | quote }}',
    ],
    ['a fixed image', ({ image }) => image('r/x:1'), ' {{ include "dynamo.image" (list $ "r/x:1") | quote }}'],
    ['a tag', ({ tagOf }, tag) => tagOf(`x:${tag}`), ' {{ include "dynamo.tag" (printf "x:%s" .Values.toy.tag) | quote }}'],
    ['a checksum', ({ checksum }, tag) => checksum(tag), ' {{ (.Values.toy.tag) | sha256sum | quote }}'],
    ['a short checksum', ({ checksum }, tag) => checksum(tag, 8), ' {{ (.Values.toy.tag) | sha256sum | trunc 8 | quote }}'],
    ['a port', ({ portOf }, tag) => portOf(tag, 80), ' {{ int64 (include "dynamo.port" (list (.Values.toy.tag) 80)) }}'],
    ['a port that is known', ({ portOf }, tag) => portOf(`${tag}:4222`, 80), ' 4222'],
    [
      'a Secret',
      ({ secretData }, tag) => secretData({ key: tag }),
      '\n    data:\n      key: {{ (.Values.toy.tag) | b64enc | quote }}',
    ],
  ];

  test.each(cases)('%s', (_, compute, expected) => {
    const part = toy(({ tag }, context) => ({ data: { x: compute(context, typeof tag === 'string' ? tag : '') } }));
    expect(template(part, [open('toy.tag', 'string')])).toBe(`${head}data:\n  x:${expected}\n`);
  });

  test('names of parts come from the release', () => {
    const part = toy((_, { values, release }) => ({
      data: {
        release,
        nats: givenValue('nats.fullnameOverride', values) ?? '',
        op: givenValue('dynamo-operator.fullnameOverride', values) ?? '',
      },
    }));
    expect(template(part)).toContain(
      'release: {{ .Release.Name | quote }}\n  nats: {{ include "dynamo.nats.fullname" . | quote }}\n  op: {{ include "dynamo.dynamo-operator.fullname" . | quote }}\n',
    );
  });
});

test('objects that cannot be rendered stop the making of the chart, with the reason', () => {
  const issues = [{ path: ['toy', 'x'], code: 'wrong', message: 'must be right' }];
  const failing = toyPart(() => ({ objects: [], issues, warnings: [] }));
  expect(() => template(failing)).toThrow('toy cannot be rendered with placeholders: toy.x: must be right');
  expect(template(toyPart(() => ({ objects: [], issues: [], warnings: [] })))).toBe('');
});

test('objects get the namespace of the release, those without one and those with their own do not', () => {
  const part = toyPart(() => ({
    objects: [
      { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: 'everywhere' } },
      { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'there', namespace: 'there' } },
    ],
    issues: [],
    warnings: [],
  }));
  expect(template(part)).not.toContain('.Release.Namespace');
});

test('fixed objects of the home namespace go to that of the release, others stay', () => {
  const generator = new TemplateGenerator({}, {}, [], new Placeholders({}));
  const made = (namespace: string): string =>
    generator.fixed([{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'x', labels: { a: 'b' }, namespace } }], 'home');
  expect(made('home')).toBe(
    '---\napiVersion: v1\nkind: Secret\nmetadata:\n  name: x\n  labels:\n    a: b\n  namespace: {{ .Release.Namespace | quote }}\n',
  );
  expect(made('there')).toContain('namespace: there\n');
});

describe('pull secrets', () => {
  const join = (own: (p: Placeholders) => readonly Json[]): string | undefined => {
    const p = new Placeholders({});
    const value = joinPullSecrets({ spec: { imagePullSecrets: [...own(p), ...pullSecretPlaceholder(p)], other: [1, 'a'] } }, p);
    expect(value).toMatchObject({ spec: { other: [1, 'a'] } });
    const list = givenValue('spec.imagePullSecrets', value as JsonObject);
    return p.whole(list ?? null)?.expression;
  };

  test.each([
    ['none of its own', () => [], '(list)'],
    ['a fixed one', () => [{ name: 'x' }], '((list (dict "name" "x")))'],
    ['an open one', (p: Placeholders) => [{ name: p.string('.Values.s') }], '((list (dict "name" (.Values.s))))'],
    ['an open list', (p: Placeholders) => p.list('.Values.secrets'), '((default list .Values.secrets))'],
    [
      'several',
      (p: Placeholders) => [...p.list('.Values.secrets'), { name: 'x' }],
      '(concat (default list .Values.secrets) (list (dict "name" "x")))',
    ],
  ] as const)('of a pod with %s are joined with those of every pod', (_, own, expected) => {
    expect(join(own)).toBe(`include "dynamo.pullSecrets" (list $ ${expected}) | fromJsonArray`);
  });

  test('lists without those of every pod stay as they are', () => {
    const p = new Placeholders({});
    const value = { a: [{ name: 'x' }], b: { c: [[1]] }, d: null };
    expect(joinPullSecrets(value, p)).toEqual(value);
  });
});

test('the value at a path, with and without the defaults of its part', () => {
  const user = { nats: { config: { cluster: { enabled: true } } }, platform: { a: 1 } };
  expect(effectiveValue('nats.config.cluster.enabled', user)).toBe(true);
  expect(effectiveValue('nats.config.cluster.replicas', user)).toBe(3);
  expect(givenValue('nats.config.cluster.replicas', user)).toBeUndefined();
  expect(effectiveValue('platform.a', user)).toBe(1);
  expect(givenValue('platform.a.b', user)).toBeUndefined();
  expect(withoutValue('nats.config.cluster.enabled', user)).toEqual({ nats: { config: { cluster: {} } }, platform: { a: 1 } });
  expect(withoutValue('platform', user)).toEqual({ nats: user.nats });
  expect(withoutValue('platform.a.b', user)).toEqual(user);
  expect(withoutValue('none.x', user)).toEqual(user);
});

test('paths and their expressions: the name of the operator block has a hyphen', () => {
  expect(valueExpression('nats.enabled')).toBe('.Values.nats.enabled');
  expect(valueExpression(operatorPath('natsAddr'))).toBe('$operator.natsAddr');
  expect(nest('a.b', 1)).toEqual({ a: { b: 1 } });
});
