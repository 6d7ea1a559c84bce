import { formatPath, type Path } from '../../json/index.ts';
import { type RenderedObject, traceField } from '../../render/index.ts';
import { nameOf } from '../../api/index.ts';
import { checkObject } from '../../rejections/index.ts';
import { topicOf } from './topics.ts';

/** A rendered object that the API server will refuse, and what in the user's resource causes it. */
export interface Rejection {
  /** Id of its entry in the registry of findings. */
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  /** The field of the rendered object. */
  readonly field: Path;
  /** As the API server would answer: `spec.template.spec.containers[0].image: Required value`. */
  readonly message: string;
  /** Where the user can change it. */
  readonly path: Path;
}

/** Predicts which of the rendered objects the API server will refuse, and why. */
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
