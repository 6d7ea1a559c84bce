import { expect, test } from 'vitest';
import { objectAt, type JsonObject } from '../../lib/json/index.ts';
import { drawGraph, viewLiveGraph, type GraphObjects } from '../../lib/status/index.ts';

const labels = (service: string): JsonObject => ({
  'nvidia.com/dynamo-graph-deployment-name': 'qwen',
  'nvidia.com/dynamo-component': service,
});
const graph = (status: JsonObject, spec: JsonObject = {}): JsonObject => ({
  kind: 'DynamoGraphDeployment',
  metadata: { name: 'qwen', namespace: 'llm', uid: 'g' },
  spec: {
    services: { decode: { componentType: 'worker', replicas: 2 }, Frontend: { componentType: 'frontend', replicas: 1 } },
    ...spec,
  },
  status,
});
const counts = (kind: string, name: string, ready: number): JsonObject => ({
  componentKind: kind,
  componentName: name,
  replicas: ready,
  updatedReplicas: ready,
  readyReplicas: ready,
});
const worker = (name: string, status: JsonObject): JsonObject => ({
  kind: 'Pod',
  metadata: { name, uid: name, labels: labels('decode') },
  spec: { nodeName: 'gpu-1', containers: [{ name: 'main', resources: { limits: { 'nvidia.com/gpu': '4' } } }] },
  status,
});
const running = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
const readyCondition = [{ type: 'Ready', status: 'True', reason: 'all_resources_are_ready', message: 'All resources are ready' }];
const objects = (given: Partial<GraphObjects>): GraphObjects => ({
  graph: graph({}),
  components: [],
  pods: [],
  events: [],
  ...given,
});

const readyGraph = graph({
  state: 'successful',
  conditions: readyCondition,
  services: { decode: counts('Deployment', 'qwen-decode', 2), Frontend: counts('Deployment', 'qwen-frontend', 1) },
});
const brokenGraph = graph(
  {
    state: 'pending',
    conditions: [
      { type: 'Ready', status: 'False', reason: 'some_resources_are_not_ready', message: 'Resources not ready: qwen-decode' },
    ],
    services: { decode: counts('Deployment', 'qwen-decode', 1) },
    restart: { observedID: 'r1', phase: 'Restarting', inProgress: ['decode'] },
  },
  { restart: { id: 'r1' } },
);
const brokenPod = worker('qwen-decode-b', {
  phase: 'Pending',
  containerStatuses: [
    { name: 'main', restartCount: 3, state: { waiting: { reason: 'ImagePullBackOff', message: 'not found' } } },
  ],
});

test('a graph is ready only when its state and its condition say so', () => {
  expect(viewLiveGraph(objects({ graph: readyGraph })).isReady).toBe(true);
  expect(viewLiveGraph(objects({ graph: graph({ state: 'successful' }) })).isReady).toBe(false);
  expect(viewLiveGraph(objects({ graph: brokenGraph })).isReady).toBe(false);
});

test('a graph no operator has seen says so', () => {
  const view = viewLiveGraph(objects({}));
  expect([view.state, view.message]).toEqual(['unknown', 'no operator has reconciled this graph yet']);
  expect(view.components.map(({ name, isReady }) => [name, isReady])).toEqual([
    ['Frontend', false],
    ['decode', false],
  ]);
});

test('pods of other services and events of other objects are left out', () => {
  const pods = [
    worker('a', running),
    { kind: 'Pod', metadata: { name: 'f', uid: 'f', labels: labels('Frontend') }, status: running },
  ];
  const event = (uid: string): JsonObject => ({
    involvedObject: { kind: 'Pod', name: uid, uid },
    reason: 'BackOff',
    message: 'm',
    type: 'Warning',
    lastTimestamp: '2026-01-01T00:00:00Z',
  });
  const view = viewLiveGraph(objects({ graph: readyGraph, pods, events: [event('a'), event('stranger')] }));
  expect(view.components.map(({ name, pods: own }) => [name, own.map((pod) => pod.name)])).toEqual([
    ['Frontend', ['f']],
    ['decode', ['a']],
  ]);
  expect(view.events.map(({ object }) => object)).toEqual(['Pod/a']);
});

test('an event without a last time is as old as its first one, or as its object', () => {
  const about = { involvedObject: { kind: 'DynamoGraphDeployment', name: 'qwen', uid: 'g' }, type: 'Normal' };
  const events = [
    { ...about, reason: 'Created', metadata: { creationTimestamp: '2026-01-01T00:01:00Z' } },
    { ...about, reason: 'Last', eventTime: '2026-01-01T00:00:00Z', lastTimestamp: '2026-01-01T00:03:00Z' },
    {
      ...about,
      reason: 'First',
      eventTime: '2026-01-01T00:02:00.000001Z',
      metadata: { creationTimestamp: '2026-01-01T00:00:00Z' },
    },
  ];
  expect(viewLiveGraph(objects({ events })).events.map(({ reason, time }) => `${reason} ${time}`)).toEqual([
    'Last 2026-01-01T00:03:00Z',
    'First 2026-01-01T00:02:00.000001Z',
    'Created 2026-01-01T00:01:00Z',
  ]);
});

test('the newest five events come first', () => {
  const events = [1, 2, 3, 4, 5, 6, 7].map((minute) => ({
    involvedObject: { kind: 'DynamoGraphDeployment', name: 'qwen', uid: 'g' },
    reason: `R${minute}`,
    type: 'Normal',
    lastTimestamp: `2026-01-01T00:0${minute}:00Z`,
  }));
  expect(viewLiveGraph(objects({ events })).events.map(({ reason }) => reason)).toEqual(['R7', 'R6', 'R5', 'R4', 'R3']);
});

test('what every pod goes through is no news', () => {
  const event = (type: string, reason: string): JsonObject => ({ involvedObject: { kind: 'Pod', uid: 'a' }, type, reason });
  const events = [event('Normal', 'Scheduled'), event('Warning', 'FailedScheduling'), event('Normal', 'Pulled')];
  expect(viewLiveGraph(objects({ pods: [worker('a', running)], events })).events.map(({ reason }) => reason)).toEqual([
    'FailedScheduling',
  ]);
});

test('a graph is not ready before the operator has seen that it is to restart', () => {
  const asked = { ...readyGraph, spec: { ...objectAt(readyGraph, 'spec'), restart: { id: 'second' } } };
  const { isReady, message } = viewLiveGraph(objects({ graph: asked }));
  expect([isReady, message]).toEqual([false, 'restart second has not started yet']);
  const seen = { ...asked, status: { ...objectAt(asked, 'status'), restart: { observedID: 'second', phase: 'Completed' } } };
  expect(viewLiveGraph(objects({ graph: seen })).isReady).toBe(true);
});

test.each([
  [{ phase: 'Restarting', inProgress: ['b'] }, { id: 'r' }, ['done', 'in progress', 'waiting']],
  [
    { phase: 'Restarting', inProgress: ['b'] },
    { id: 'r', strategy: { order: ['c', 'b', 'a'] } },
    ['waiting', 'in progress', 'done'],
  ],
  [
    { phase: 'Restarting', inProgress: ['a', 'c'] },
    { id: 'r', strategy: { type: 'Parallel' } },
    ['in progress', 'done', 'in progress'],
  ],
  [{ phase: 'Completed' }, { id: 'r' }, [undefined, undefined, undefined]],
])('a restart %j under %j is shown per service', (restart, spec, expected) => {
  const restarting = graph({ restart }, { services: { a: {}, b: {}, c: {} }, restart: spec });
  expect(viewLiveGraph(objects({ graph: restarting })).components.map((component) => component.restart)).toEqual(expected);
});

test('draws a ready graph in one line a component', () => {
  const view = viewLiveGraph(objects({ graph: readyGraph, pods: [worker('qwen-decode-a', running)] }));
  expect(drawGraph(view, { colour: false, now: 0 })).toMatchInlineSnapshot(`
    "DynamoGraphDeployment/qwen in llm  successful, 4 GPUs
    ├─ Frontend  1 of 1 replica ready, Deployment/qwen-frontend
    └─ decode (worker)  2 of 2 replicas ready, 4 GPUs, Deployment/qwen-decode
       └─ Pod/qwen-decode-a  Running, on gpu-1, 4 GPUs
    "
  `);
});

test('draws what is wrong: message, condition, stuck pod, restart, events', () => {
  const component = {
    kind: 'DynamoComponentDeployment',
    metadata: { name: 'qwen-decode', uid: 'c', labels: labels('decode') },
    spec: { serviceName: 'decode' },
    status: {
      conditions: [
        { type: 'Valid', status: 'True', reason: 'ValidationPassed', message: 'ok' },
        { type: 'Available', status: 'False', reason: 'DeploymentNotReady', message: 'Deployment is not ready' },
      ],
    },
  };
  const event = {
    involvedObject: { kind: 'DynamoComponentDeployment', name: 'qwen-decode', uid: 'c' },
    type: 'Warning',
    reason: 'PodStuck',
    message: 'Pod qwen-decode-b: ImagePullBackOff: not found',
    count: 2,
    lastTimestamp: '2026-01-01T00:00:00Z',
  };
  const given = {
    graph: brokenGraph,
    components: [component],
    pods: [worker('qwen-decode-a', running), brokenPod],
    events: [event],
  };
  const view = viewLiveGraph(objects(given));
  expect(drawGraph(view, { colour: false, now: Date.parse('2026-01-01T00:03:00Z') })).toMatchInlineSnapshot(`
    "DynamoGraphDeployment/qwen in llm  pending, 8 GPUs
    ├─ Frontend  0 of 1 replica ready, not created yet, restart done
    └─ decode (worker)  1 of 2 replicas ready, 8 GPUs, Deployment/qwen-decode, restart in progress
       ├─ Available: DeploymentNotReady: Deployment is not ready
       ├─ Pod/qwen-decode-a  Running, on gpu-1, 4 GPUs
       └─ Pod/qwen-decode-b  Pending, on gpu-1, 4 GPUs, 3 restarts
          └─ ImagePullBackOff: container main: not found
    message: Resources not ready: qwen-decode
    restart r1: Restarting decode
    events:
        3m  PodStuck  DynamoComponentDeployment/qwen-decode: Pod qwen-decode-b: ImagePullBackOff: not found (2 times)
    "
  `);
});

test('colour changes nothing but adds colour', () => {
  const view = viewLiveGraph(objects({ graph: brokenGraph, pods: [brokenPod] }));
  const coloured = drawGraph(view, { colour: true, now: 0 });
  expect(coloured).toContain('\u001b[31mImagePullBackOff');
  expect(coloured.replaceAll(/\u001b\[\d+m/g, '')).toBe(drawGraph(view, { colour: false, now: 0 }));
});
