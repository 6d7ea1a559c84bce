import { lauxlib, lua, lualib, to_luastring, to_jsstring } from 'fengari';
import { expect, test } from 'vitest';
import { healthScripts } from '../../lib/gitops/argocd-health.ts';

/** A plain value as a Lua literal. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return `{${value.map(literal).join(',')}}`;
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .map(([k, v]) => `[${JSON.stringify(k)}]=${literal(v)}`)
      .join(',')}}`;
  return JSON.stringify(value);
}

/** Runs a health script in a real Lua, as Argo CD does, and returns the status it gives. */
function health(kind: string, status: unknown): string {
  const state = lauxlib.luaL_newstate();
  lualib.luaL_openlibs(state);
  const program = `local obj = ${literal(status === undefined ? { kind } : { kind, status })}\nlocal function check()\n${healthScripts[kind] ?? ''}\nend\nreturn check().status`;
  if (lauxlib.luaL_dostring(state, to_luastring(program))) throw new Error(to_jsstring(lua.lua_tostring(state, -1)));
  return to_jsstring(lua.lua_tostring(state, -1));
}

const condition = (type: string, status: string) => ({ conditions: [{ type, status, reason: 'r', message: 'm' }] });

test.each([
  ['DynamoGraphDeployment', undefined, 'Progressing'],
  ['DynamoGraphDeployment', { state: 'pending', ...condition('Ready', 'False') }, 'Progressing'],
  ['DynamoGraphDeployment', { state: 'successful', ...condition('Ready', 'True') }, 'Healthy'],
  ['DynamoGraphDeployment', { state: 'failed' }, 'Degraded'],
  ['DynamoComponentDeployment', condition('Available', 'True'), 'Healthy'],
  ['DynamoComponentDeployment', condition('Available', 'False'), 'Progressing'],
  ['DynamoComponentDeployment', condition('Valid', 'False'), 'Degraded'],
  ['DynamoGraphDeploymentRequest', { state: '' }, 'Progressing'],
  ['DynamoGraphDeploymentRequest', { state: 'Profiling' }, 'Progressing'],
  ['DynamoGraphDeploymentRequest', { state: 'Ready' }, 'Healthy'],
  ['DynamoGraphDeploymentRequest', { state: 'Failed' }, 'Degraded'],
  ['DynamoGraphDeploymentRequest', { state: 'DeploymentDeleted' }, 'Degraded'],
  ['DynamoGraphDeploymentScalingAdapter', { selector: 'a=b' }, 'Healthy'],
  ['DynamoGraphDeploymentScalingAdapter', { replicas: 1 }, 'Progressing'],
  ['DynamoModel', condition('EndpointsReady', 'True'), 'Healthy'],
  ['DynamoModel', condition('EndpointsReady', 'False'), 'Progressing'],
  ['DynamoModel', condition('Valid', 'False'), 'Degraded'],
  ['DynamoWorkerMetadata', undefined, 'Healthy'],
])('Argo CD calls a %s with status %j %s', (kind, status, expected) => {
  expect(health(kind, status)).toBe(expected);
});
