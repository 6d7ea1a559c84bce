/** What the API server refuses of objects: its own validation for the kinds and fields that can be reached, pure. */
export { checkObject, refusedFields } from './check-object.ts';
