import * as component from './component-deployment.ts';
import type { Schema } from './dsl.ts';
import * as request from './graph-deployment-request.ts';
import * as adapter from './graph-deployment-scaling-adapter.ts';
import * as graph from './graph-deployment.ts';
import * as model from './model.ts';
import * as worker from './worker-metadata.ts';

/** A column of `kubectl get`. A type, not an interface, so that it is assignable to `Json`. */
export type PrinterColumn = {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'date';
  readonly jsonPath: string;
  readonly description?: string;
  /** A column with a priority above 0 is shown only by `kubectl get -o wide`. */
  readonly priority?: number;
};

/** One of the six kinds: its names, its schema, and what the API server serves for it. */
export interface KindDefinition {
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortName: string;
  readonly doc: string;
  readonly spec: Schema;
  /** Present if the kind has a status subresource. */
  readonly status?: Schema;
  /** Present if the kind has a scale subresource. */
  readonly scale?: { readonly specReplicasPath: string; readonly statusReplicasPath: string; readonly labelSelectorPath: string };
  readonly columns: readonly PrinterColumn[];
  /**
   * Whether Helm keeps the CRD when the chart is uninstalled.
   * https://helm.sh/docs/howto/charts_tips_and_tricks/#tell-helm-not-to-uninstall-a-resource
   */
  readonly keep: boolean;
}

/** API group of every kind. */
export const group = 'nvidia.com';
/** The only version of every kind. */
export const version = 'v1alpha1';
/** `apiVersion` of every kind. */
export const apiVersion = `${group}/${version}`;

const age: PrinterColumn = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' };
const backend: PrinterColumn = {
  name: 'Backend',
  type: 'string',
  jsonPath: '.spec.backendFramework',
  description: 'Inference engine',
};

/** Every kind of the group, graphs first. */
export const kinds = [
  {
    kind: 'DynamoGraphDeployment',
    plural: 'dynamographdeployments',
    singular: 'dynamographdeployment',
    shortName: 'dgd',
    doc: 'A graph of components that together serve a model.',
    spec: graph.spec,
    status: graph.status,
    columns: [
      {
        name: 'Ready',
        type: 'string',
        jsonPath: '.status.conditions[?(@.type=="Ready")].status',
        description: 'Whether the whole graph is ready',
      },
      backend,
      age,
      {
        name: 'Message',
        type: 'string',
        jsonPath: '.status.conditions[?(@.type=="Ready")].message',
        description: 'What the graph is waiting for, or why it failed',
        priority: 1,
      },
    ],
    keep: true,
  },
  {
    kind: 'DynamoComponentDeployment',
    plural: 'dynamocomponentdeployments',
    singular: 'dynamocomponentdeployment',
    shortName: 'dcd',
    doc: 'One component of a graph, created by the operator for each service.',
    spec: component.spec,
    status: component.status,
    columns: [
      {
        name: 'DynamoComponent',
        type: 'string',
        jsonPath: '.spec.dynamoComponent',
        description: 'Always empty; kept for compatibility',
      },
      {
        name: 'Available',
        type: 'string',
        jsonPath: ".status.conditions[?(@.type=='Available')].status",
        description: 'Whether the workload is available',
      },
      backend,
      age,
    ],
    keep: true,
  },
  {
    kind: 'DynamoGraphDeploymentRequest',
    plural: 'dynamographdeploymentrequests',
    singular: 'dynamographdeploymentrequest',
    shortName: 'dgdr',
    doc: 'A request to profile a model and to deploy the graph that profiling generates.',
    spec: request.spec,
    status: request.status,
    columns: [
      { name: 'Model', type: 'string', jsonPath: '.spec.model' },
      { name: 'Backend', type: 'string', jsonPath: '.status.backend' },
      { name: 'State', type: 'string', jsonPath: '.status.state' },
      { name: 'DGD-State', type: 'string', jsonPath: '.status.deployment.state' },
      age,
    ],
    keep: true,
  },
  {
    kind: 'DynamoGraphDeploymentScalingAdapter',
    plural: 'dynamographdeploymentscalingadapters',
    singular: 'dynamographdeploymentscalingadapter',
    shortName: 'dgdsa',
    doc: 'The replica count of one service of a graph, with a scale subresource for autoscalers.',
    spec: adapter.spec,
    status: adapter.status,
    scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas', labelSelectorPath: '.status.selector' },
    columns: [
      { name: 'DGD', type: 'string', jsonPath: '.spec.dgdRef.name', description: 'Graph' },
      { name: 'SERVICE', type: 'string', jsonPath: '.spec.dgdRef.serviceName', description: 'Service of the graph' },
      { name: 'REPLICAS', type: 'integer', jsonPath: '.status.replicas', description: 'Observed replicas' },
      { ...age, name: 'AGE' },
    ],
    keep: true,
  },
  {
    kind: 'DynamoModel',
    plural: 'dynamomodels',
    singular: 'dynamomodel',
    shortName: 'dm',
    doc: 'A model or adapter and the endpoints that serve it.',
    spec: model.spec,
    status: model.status,
    columns: [
      { name: 'BaseModel', type: 'string', jsonPath: '.spec.baseModelName', description: 'Base model' },
      { name: 'Type', type: 'string', jsonPath: '.spec.modelType', description: 'Base model or kind of adapter' },
      { name: 'Ready', type: 'integer', jsonPath: '.status.readyEndpoints', description: 'Ready endpoints' },
      { name: 'Total', type: 'integer', jsonPath: '.status.totalEndpoints', description: 'Endpoints' },
      age,
    ],
    keep: true,
  },
  {
    kind: 'DynamoWorkerMetadata',
    plural: 'dynamoworkermetadatas',
    singular: 'dynamoworkermetadata',
    shortName: 'dwm',
    doc: 'Metadata that a worker pod publishes for service discovery.',
    spec: worker.spec,
    columns: [age],
    keep: false,
  },
] as const satisfies readonly KindDefinition[];

/** Name of one of the six kinds. */
export type Kind = (typeof kinds)[number]['kind'];
