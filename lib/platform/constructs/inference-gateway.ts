import type { Construct } from 'constructs';
import type { JsonObject } from '../../json/index.ts';
import { platformContext } from '../platform-context.ts';
import { renderGaie, type GaieValues } from '../gaie/index.ts';
import { inNamespace } from '../scope-of-kinds.ts';
import { RenderedConstruct } from './add-objects.ts';
import { releaseOptions, type ReleaseProps } from './release.ts';

/** Properties of `InferenceGateway`; the release name is that of the gateway's own release. */
export interface InferenceGatewayProps extends ReleaseProps {
  /** Values of the chart `dynamo-gaie`: the graph to serve and the image of the endpoint picker are required. */
  readonly values: NonNullable<GaieValues>;
}

/** An endpoint picker in front of one graph, with its pool and route. The Gateway API and its inference extension must exist. */
export class InferenceGateway extends RenderedConstruct {
  constructor(scope: Construct, id: string, props: InferenceGatewayProps) {
    const values: JsonObject = props.values;
    const context = platformContext(values, releaseOptions(scope, props));
    const rendered = renderGaie(values, context);
    super(
      scope,
      id,
      { ...rendered, objects: rendered.objects.map((object) => inNamespace(object, context.namespace)) },
      props.warnings,
    );
  }
}
