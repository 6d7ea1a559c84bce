/** The live operator: watches Dynamo resources, carries out what lib/reconcile decides, answers admission reviews. */
export { ApiClient } from './api/client.ts';
export { loadClusterConfig } from './api/cluster-config.ts';
export { ApiError, ConfigError, ConnectionError, isForbidden, isNotFound } from './api/errors.ts';
export { Transport } from './api/transport.ts';
export { controllers } from './controllers/index.ts';
export { flagTable } from './flag-table.ts';
export type { FlagDefinition } from './go-flags.ts';
export { operatorExamples } from './operator-help.ts';
export { runOperator } from './run-operator.ts';
export { keepHeapSmall } from './small-heap.ts';
