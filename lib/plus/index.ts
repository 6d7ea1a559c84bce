/** Interoperability with cdk8s-plus-28: constructs accept its objects as references and expose their own objects as its constructs. */
export { plusConstruct, plusServiceAccount, plusNamespace, plusSecret, referencedName, type Named } from './plus-construct.ts';
