/** The public API: graphs and what they are made of. The other areas have entry points of their own: `dynamo-cdk8s/platform`, `/gitops`, `/render` and so on. */
export * from './graph/index.ts';
