import type { Issue } from '../api/index.ts';
import type { Path } from '../json/index.ts';

/** A broken rule or a warning: the issue for people, and the very words the webhook answers with. */
export interface AdmissionIssue extends Issue {
  readonly text: string;
}

/** Writes a path as the webhook does: services in brackets, `spec.services[main].volumeMounts[0].mountPoint`. */
export function webhookPath(path: Path): string {
  let text = '';
  path.forEach((part, index) => {
    const service = index === 2 && path[1] === 'services';
    if (typeof part === 'number' || service) text += `[${part}]`;
    else text += text === '' ? part : `.${part}`;
  });
  return text;
}

/** An issue whose webhook text is the path and then the message: `spec.modelName is required`. */
export function broken(path: Path, code: string, message: string): AdmissionIssue {
  return { path, code, message, text: `${webhookPath(path)} ${message}` };
}

/** An issue about a whole object, which the webhook words with a colon: `spec.eppConfig: either ...`. */
export function wrong(path: Path, code: string, message: string): AdmissionIssue {
  return { path, code, message, text: `${webhookPath(path)}: ${message}` };
}

/** An issue whose webhook text does not follow from its path. */
export function worded(path: Path, code: string, text: string, message: string = text): AdmissionIssue {
  return { path, code, message, text };
}
