import type { KubernetesObject } from '../api/index.ts';

const waiting = `local hs = { status = "Progressing", message = "waiting for the operator" }
if obj.status == nil then return hs end
`;

const condition = `local function condition(type)
  if obj.status.conditions == nil then return nil end
  for _, c in ipairs(obj.status.conditions) do
    if c.type == type then return c end
  end
  return nil
end
`;

/** Lua health checks per kind: what Argo CD shows as healthy, progressing or degraded. */
export const healthScripts: Readonly<Record<string, string>> = {
  DynamoGraphDeployment: `${waiting}${condition}local ready = condition("Ready")
if ready ~= nil and ready.message ~= nil then hs.message = ready.message end
if obj.status.state == "successful" then
  hs.status = "Healthy"
elseif obj.status.state == "failed" then
  hs.status = "Degraded"
end
return hs
`,
  DynamoComponentDeployment: `${waiting}${condition}local valid = condition("Valid")
if valid ~= nil and valid.status == "False" then
  return { status = "Degraded", message = valid.message }
end
local available = condition("Available")
if available ~= nil then
  hs.message = available.message
  if available.status == "True" then hs.status = "Healthy" end
end
return hs
`,
  DynamoGraphDeploymentRequest: `${waiting}local state = obj.status.state
if state == nil or state == "" then return hs end
hs.message = state
if state == "Ready" then
  hs.status = "Healthy"
elseif state == "Failed" or state == "DeploymentDeleted" then
  hs.status = "Degraded"
end
return hs
`,
  DynamoGraphDeploymentScalingAdapter: `${waiting}if obj.status.selector ~= nil and obj.status.selector ~= "" then
  return { status = "Healthy", message = "adapter follows its service" }
end
return hs
`,
  DynamoModel: `${waiting}${condition}local valid = condition("Valid")
if valid ~= nil and valid.status == "False" then
  return { status = "Degraded", message = valid.message }
end
local endpoints = condition("EndpointsReady")
if endpoints ~= nil then
  hs.message = endpoints.message
  if endpoints.status == "True" then hs.status = "Healthy" end
end
return hs
`,
  DynamoWorkerMetadata: `return { status = "Healthy", message = "written by a worker" }
`,
};

/**
 * Patch of the ConfigMap `argocd-cm` with one health check per Dynamo kind.
 * See https://argo-cd.readthedocs.io/en/stable/operator-manual/health/.
 */
export function healthChecks(namespace: string): KubernetesObject {
  const data = Object.fromEntries(
    Object.entries(healthScripts).map(([kind, script]) => [`resource.customizations.health.nvidia.com_${kind}`, script]),
  );
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'argocd-cm', namespace, labels: { 'app.kubernetes.io/part-of': 'argocd' } },
    data,
  };
}
