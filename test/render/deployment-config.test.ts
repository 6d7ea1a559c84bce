import { describe, expect, test } from 'vitest';
import type { ComponentSpec } from '../../lib/api/index.ts';
import { applyDeploymentConfig } from '../../lib/render/deployment-config.ts';

const withConfig = (value: string, more: ComponentSpec = {}): ComponentSpec => ({
  envs: [{ name: 'DYN_DEPLOYMENT_CONFIG', value }],
  ...more,
});

function apply(component: ComponentSpec): ComponentSpec | string {
  const outcome = applyDeploymentConfig(component, 'Web');
  return 'value' in outcome ? outcome.value : outcome.problems.map((problem) => problem.message).join();
}

const rewritten = (value: string): string | undefined => {
  const result = apply(withConfig(value, { componentType: 'frontend' }));
  return typeof result === 'string' ? result : result.envs?.[0]?.value;
};

describe('a frontend', () => {
  test.each([
    ['{"Web":{"port":8080,"b":1},"A":{}}', '{"A":{},"Web":{"b":1,"port":8000}}'],
    ['{ "Other": { "x": [3, 1, {"b":1,"a":2}] } }', '{"Other":{"x":[3,1,{"a":2,"b":1}]}}'],
    [
      '{"Web":{"a":"<&>","n":1.50,"big":1e21,"small":-0.0000001,"u":"é"}}',
      '{"Web":{"a":"\\u003c\\u0026\\u003e","big":1e+21,"n":1.5,"port":8000,"small":-1e-7,"u":"é"}}',
    ],
    ['null', 'null'],
  ])('has %s rewritten to %s', (before, after) => {
    expect(rewritten(before)).toBe(after);
  });

  test.each([
    ['', 'failed to unmarshal DYN_DEPLOYMENT_CONFIG: unexpected end of JSON input'],
    ['{', 'failed to unmarshal DYN_DEPLOYMENT_CONFIG: unexpected end of JSON input'],
    ['{"Web": {"port": 80', 'failed to unmarshal DYN_DEPLOYMENT_CONFIG: unexpected end of JSON input'],
    ['{]', 'failed to unmarshal DYN_DEPLOYMENT_CONFIG: the value is not valid JSON'],
    ['[1]', 'failed to unmarshal DYN_DEPLOYMENT_CONFIG: expected a JSON object, found a list'],
    [
      '{"Web":{"ServiceArgs":{"workers":"2"}}}',
      'failed to parse DYN_DEPLOYMENT_CONFIG: Web.ServiceArgs.workers must be an integer',
    ],
  ])('rejects %j', (value, message) => {
    expect(rewritten(value)).toBe(message);
  });
});

describe('any component', () => {
  test.each([
    ['{"Web":1}', 'Web must be an object'],
    ['{"Other":{"ServiceArgs":[]}}', 'Other.ServiceArgs must be an object'],
    ['{"Web":{"ServiceArgs":{"workers":1.5}}}', 'Web.ServiceArgs.workers must be an integer'],
    ['{"Web":{"ServiceArgs":{"resources":"2"}}}', 'Web.ServiceArgs.resources must be an object'],
    ['{"Web":{"ServiceArgs":{"resources":{"cpu":2}}}}', 'Web.ServiceArgs.resources.cpu must be a string'],
    ['{"Web":{"ServiceArgs":{"resources":{"memory":2}}}}', 'Web.ServiceArgs.resources.memory must be a string'],
    ['{"Web":{"ServiceArgs":{"resources":{"gpu":2}}}}', 'Web.ServiceArgs.resources.gpu must be a string'],
    ['{"Web":{"ServiceArgs":{"resources":{"custom":"x"}}}}', 'Web.ServiceArgs.resources.custom must be a map of strings'],
    ['{"Web":{"ServiceArgs":{"resources":{"custom":{"a":1}}}}}', 'Web.ServiceArgs.resources.custom must be a map of strings'],
    ['"x"', 'expected a JSON object, found a string'],
  ])('rejects %s', (value, message) => {
    expect(apply(withConfig(value))).toBe(`failed to parse DYN_DEPLOYMENT_CONFIG: ${message}`);
  });

  test('takes replicas and resources from its entry, in any case of letters', () => {
    const config = '{"Web":{"serviceargs":{"Workers":3,"Resources":{"CPU":"2","gpu":"1","Custom":{"a/b":"1"}}}}}';
    expect(apply(withConfig(config, { resources: { requests: { memory: '1Gi', custom: { 'x/y': '1' } } } }))).toMatchObject({
      replicas: 3,
      resources: {
        requests: { memory: '1Gi', cpu: '2', gpu: '1', custom: { 'a/b': '1' } },
        limits: { cpu: '2', gpu: '1', custom: { 'a/b': '1' } },
      },
    });
  });

  test('keeps its own replicas and is not touched by entries of others', () => {
    expect(apply(withConfig('{"Web":{"ServiceArgs":{"workers":3}}}', { replicas: 1 }))).toMatchObject({ replicas: 1 });
    const other = withConfig('{"web":{"ServiceArgs":{"workers":3}}}');
    expect(apply(other)).toEqual(other);
    const none: ComponentSpec = { envs: [{ name: 'A', value: '{' }] };
    expect(apply(none)).toBe(none);
  });

  test.each([
    '',
    '{',
    '{"Web":1}',
    '{"Web":{"ServiceArgs":[]}}',
    '{"Web":{"ServiceArgs":{"resources":{"cpu":2}}}}',
    '{"Web":{"ServiceArgs":{"resources":{"custom":{"a":1}}}}}',
  ])('rejects %j', (value) => {
    expect(apply(withConfig(value))).toMatch(/^failed to parse DYN_DEPLOYMENT_CONFIG: /);
  });
});
