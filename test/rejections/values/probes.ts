/** Probes and life-cycle handlers. */
import type { Json, JsonObject } from '../../../lib/json/index.ts';
import { ports } from './names.ts';

const handlers: readonly JsonObject[] = [
  {},
  { exec: { command: ['true'] } },
  { exec: {} },
  { exec: { command: [] } },
  ...ports.map((port) => ({ httpGet: { port } })),
  { httpGet: { port: 80, scheme: 'HTTPS', path: '/x', host: 'h', httpHeaders: [{ name: 'X-A', value: 'b' }] } },
  { httpGet: { port: 80, scheme: 'ftp' } },
  { httpGet: { port: 80, httpHeaders: [{ name: 'X A', value: 'b' }] } },
  { httpGet: { port: 80, path: '' } },
  ...ports.map((port) => ({ tcpSocket: { port } })),
  { exec: { command: ['true'] }, httpGet: { port: 80 } },
  { exec: { command: ['true'] }, tcpSocket: { port: 80 } },
  { httpGet: { port: 80 }, tcpSocket: { port: 80 }, exec: { command: ['a'] } },
];
const probeOnly: readonly JsonObject[] = [
  { grpc: { port: 9003, service: 'x' } },
  { grpc: { port: 0, service: '' } },
  { grpc: { port: 70000 } },
  { grpc: { port: 1 }, httpGet: { port: 1 } },
];
const numbers: readonly JsonObject[] = [
  'initialDelaySeconds',
  'timeoutSeconds',
  'periodSeconds',
  'successThreshold',
  'failureThreshold',
  'terminationGracePeriodSeconds',
].flatMap((key) => [-1, 0, 1, 2, 100].map((value) => ({ tcpSocket: { port: 80 }, [key]: value })));
export const probes: readonly Json[] = [...handlers, ...probeOnly, ...numbers];
export const lifecycles: readonly Json[] = [
  {},
  ...handlers.slice(0, 8).map((preStop) => ({ preStop })),
  ...handlers.slice(0, 4).map((postStart) => ({ postStart })),
  ...[-1, 0, 1, 60, 61, 600].map((seconds) => ({ preStop: { sleep: { seconds } } })),
  { stopSignal: 'SIGTERM' },
];
