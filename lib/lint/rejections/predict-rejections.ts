import { formatPath, type Path } from '../../json/index.ts';
import { type RenderedObject, traceField } from '../../render/index.ts';
import { nameOf } from '../../api/index.ts';
import { checkObject } from '../../rejections/index.ts';
import { topicOf } from './topics.ts';

/** A rendered object that the API server will refuse, and the field of the user's resource that causes it. */
export interface Rejection {
  /** Id in the registry of lint rules. */
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  /** The field of the rendered object. */
  readonly field: Path;
  /** The message of the API server, such as `spec.template.spec.containers[0].image: Required value`. */
  readonly message: string;
  /** The field of the user's resource to change. */
  readonly path: Path;
}

/** Predicts which rendered objects the API server will refuse, and why. */
export function predictRejections(rendered: readonly RenderedObject[]): readonly Rejection[] {
  return rendered.flatMap((child) =>
    checkObject(child.object).map(({ field, message }) => ({
      id: topicOf(field),
      kind: child.object.kind,
      name: nameOf(child.object),
      field,
      message: `${formatPath(field)}: ${message}`,
      path: traceField(child, field),
    })),
  );
}
