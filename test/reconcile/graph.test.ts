import { expect, test } from 'vitest';
import { objectAt, valueAt } from '../../lib/json/index.ts';
import { graphOf, platformStore, resourceKey, setStatus, settle } from './cluster.ts';
import { decide, pass } from './shell.ts';

test('a new graph is created in one pass, with one write of its status', () => {
  const store = platformStore();
  store.create(graphOf('life'));
  const result = pass(store, resourceKey('Deployment', 'life'));
  expect(result.writes.map(({ verb, target }) => `${verb} ${target.kind} ${target.name}`)).toMatchInlineSnapshot(`
    [
      "patch DynamoGraphDeployment life",
      "create ServiceAccount planner-serviceaccount",
      "create RoleBinding planner-serviceaccount-binding",
      "create ServiceAccount life-k8s-service-discovery",
      "create Role life-k8s-service-discovery-role",
      "create RoleBinding life-k8s-service-discovery-binding",
      "copySecret Secret mpi-run-ssh-secret",
      "create DynamoComponentDeployment life-frontend",
      "create DynamoComponentDeployment life-decode",
      "create DynamoComponentDeployment life-prefill",
      "status DynamoGraphDeployment life",
    ]
  `);
  expect(result.events).toMatchInlineSnapshot(`
    [
      {
        "message": "Created ServiceAccount life-k8s-service-discovery",
        "reason": "CreateServiceAccount",
        "type": "Normal",
      },
      {
        "message": "Created Role life-k8s-service-discovery-role",
        "reason": "CreateRole",
        "type": "Normal",
      },
      {
        "message": "Created RoleBinding life-k8s-service-discovery-binding",
        "reason": "CreateRoleBinding",
        "type": "Normal",
      },
      {
        "message": "Created DynamoComponentDeployment life-frontend, life-decode, life-prefill",
        "reason": "CreateDynamoComponentDeployment",
        "type": "Normal",
      },
    ]
  `);
  const { passes } = settle(store);
  expect(passes.flatMap(({ writes }) => writes).length).toMatchInlineSnapshot(`19`);
  expect(store.get(resourceKey('Deployment', 'life'))?.['status']).toMatchInlineSnapshot(`
    {
      "conditions": [
        {
          "lastTransitionTime": "2026-01-01T00:00:00Z",
          "message": "All resources are ready",
          "reason": "all_resources_are_ready",
          "status": "True",
          "type": "Ready",
        },
      ],
      "services": {
        "Frontend": {
          "availableReplicas": 1,
          "componentKind": "Deployment",
          "componentName": "life-frontend",
          "readyReplicas": 1,
          "replicas": 1,
          "updatedReplicas": 1,
        },
        "decode": {
          "availableReplicas": 1,
          "componentKind": "Deployment",
          "componentName": "life-decode",
          "readyReplicas": 1,
          "replicas": 1,
          "updatedReplicas": 1,
        },
        "prefill": {
          "availableReplicas": 1,
          "componentKind": "Deployment",
          "componentName": "life-prefill",
          "readyReplicas": 1,
          "replicas": 1,
          "updatedReplicas": 1,
        },
      },
      "state": "successful",
    }
  `);
  expect(store.get(resourceKey('ComponentDeployment', 'life-decode'))?.['status']).toMatchInlineSnapshot(`
    {
      "conditions": [
        {
          "lastTransitionTime": "2026-01-01T00:00:00Z",
          "message": "DynamoComponentDeployment spec is valid",
          "observedGeneration": 1,
          "reason": "ValidationPassed",
          "status": "True",
          "type": "Valid",
        },
        {
          "lastTransitionTime": "2026-01-01T00:00:00Z",
          "message": "Deployment is ready",
          "reason": "DeploymentReady",
          "status": "True",
          "type": "Available",
        },
      ],
      "observedGeneration": 1,
      "service": {
        "availableReplicas": 1,
        "componentKind": "Deployment",
        "componentName": "life-decode",
        "readyReplicas": 1,
        "replicas": 1,
        "updatedReplicas": 1,
      },
    }
  `);
});

test('services whose objects would have one name are refused once, and nothing is written for them', () => {
  const store = platformStore();
  const worker = { componentType: 'worker', replicas: 1, extraPodSpec: { mainContainer: { image: 'i' } } };
  store.create(graphOf('g', { services: { Worker: worker, worker, other: worker } }));
  const { passes } = settle(store);
  const problem = 'spec.services[worker]: its objects would be called g-worker like those of service Worker: rename one of them';
  expect(passes.flatMap(({ events }) => events)).toEqual([{ type: 'Warning', reason: 'ValidationFailed', message: problem }]);
  expect(passes.flatMap(({ writes }) => writes.map(({ verb }) => verb))).toEqual(['patch', 'status']);
  expect(valueAt(store.get(resourceKey('Deployment', 'g')), 'status', 'conditions', 0, 'message')).toBe(
    `Validation failed: ${problem}`,
  );
});

test('only a status with other counts may wait, not a decision without writes nor one with others', () => {
  const store = platformStore();
  const key = resourceKey('Deployment', 'life');
  store.create(graphOf('life'));
  expect(decide(store, key).canWait).toBeUndefined();
  settle(store);
  expect(decide(store, key)).toEqual({ steps: [], told: [], events: [] });
  const component = store.get(resourceKey('ComponentDeployment', 'life-decode')) ?? {};
  const status = objectAt(component, 'status');
  setStatus(store, component, { ...status, service: { ...objectAt(status, 'service'), replicas: 2 } });
  expect(decide(store, key)).toMatchObject({ steps: [[{ verb: 'status' }]], canWait: true });
  store.patch(key, [{ op: 'replace', path: '/spec/services/decode/replicas', value: 2 }]);
  expect(decide(store, key).canWait).toBeUndefined();
});
