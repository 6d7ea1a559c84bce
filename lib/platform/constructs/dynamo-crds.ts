import type { Construct } from 'constructs';
import { crds } from '../../api/index.ts';
import { RenderedConstruct } from './add-objects.ts';

/** The CustomResourceDefinitions of the six Dynamo kinds. */
export class DynamoCrds extends RenderedConstruct {
  constructor(scope: Construct, id: string) {
    super(scope, id, { objects: crds(), issues: [], warnings: [] });
  }
}
