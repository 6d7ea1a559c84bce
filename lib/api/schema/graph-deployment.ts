import { createdClaim } from '../cel-rules.ts';
import { backendFramework, componentSpec, replicaStatus } from './component-spec.ts';
import { envVar } from './container.ts';
import { boolean, list, map, object, quantity, required, string } from './dsl.ts';
import { condition } from './meta.ts';

const claim = object(
  'PersistentVolumeClaimEntry',
  'A claim that components of the graph can mount.',
  {
    name: required(string('Name of the claim.')),
    create: boolean('Create the claim. Otherwise it must exist.'),
    storageClass: string('Storage class of the claim. Required if `create` is true.'),
    size: quantity('Size of the claim, such as `100Gi`. Required if `create` is true.'),
    volumeAccessMode: string('Access mode of the claim, such as `ReadWriteMany`. Required if `create` is true.'),
  },
  {
    celRules: [createdClaim],
  },
);

/** Spec of a DynamoGraphDeployment. */
export const spec = object('DynamoGraphDeploymentSpec', 'The components of a graph and their common settings.', {
  backendFramework,
  services: map(componentSpec, {
    maxProperties: 25,
    description: 'Components of the graph by name. The names cannot be changed after creation.',
  }),
  envs: list(envVar, { description: "Environment of every component. A component's own `envs` take precedence." }),
  pvcs: list(claim, { maxItems: 100, description: 'Claims that components can mount.' }),
  restart: object('Restart', 'Requests a restart of the components.', {
    id: required(string('Any string. A new value requests a restart.', { minLength: 1 })),
    strategy: object('RestartStrategy', 'Order in which components restart.', {
      type: string('One component after another, or all together.', { default: 'Sequential', enum: ['Sequential', 'Parallel'] }),
      order: list(string(), { description: 'Names of all services in the order to restart them. Empty means alphabetical.' }),
    }),
  }),
});

/** Status of a DynamoGraphDeployment. */
export const status = object('DynamoGraphDeploymentStatus', 'Observed state of the graph.', {
  state: string('`pending`, `successful` or `failed`.'),
  conditions: list(condition, { description: 'Conditions of the graph; `Ready` summarizes them.' }),
  services: map(replicaStatus, { description: 'Replica counts of the components by service name.' }),
  restart: object('RestartStatus', 'Progress of the requested restart.', {
    observedID: string('The `restart.id` being processed or processed last.'),
    phase: string('`Pending`, `Restarting`, `Completed` or `Failed`.'),
    inProgress: list(string(), { description: 'Services that are restarting now.' }),
  }),
});
