/** Objects of cdk8s-plus-28: what constructs accept of them, and how ours are handed out as such. */
export { handOut, handOutAccount, handOutNamespace, handOutSecret, nameOf, type Named } from './hand-out.ts';
