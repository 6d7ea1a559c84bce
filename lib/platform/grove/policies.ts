import { objectAt, type JsonObject } from '../../json/index.ts';
import { atPath, templateString } from '../go-values.ts';
import type { GroveRelease } from './release.ts';

/** The NetworkPolicy and PodDisruptionBudget that the secure profile adds. */
export function policies({ values, labels: labelsOf, context: { switches } }: GroveRelease): readonly JsonObject[] {
  const labels = labelsOf('deployment');
  const podSelector = { matchLabels: objectAt(atPath(values, 'deployment.labels')) };
  const ports = ['webhooks', 'metrics'].map((name) => ({ port: atPath(values, `config.server.${name}.port`), protocol: 'TCP' }));
  const policy = {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: 'grove-operator', labels },
    // The API server calls the webhooks, and no label selects it.
    spec: { podSelector, policyTypes: ['Ingress'], ingress: [{ ports }] },
  };
  const budget = {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'grove-operator', labels },
    spec: { maxUnavailable: 1, selector: podSelector },
  };
  return [
    ...(switches['network-policies'] ? [policy] : []),
    ...(switches['spread-replicas'] && Number(templateString(atPath(values, 'replicaCount'))) > 1 ? [budget] : []),
  ];
}
