import type { Issue } from '../api/index.ts';
import type { Path } from '../json/index.ts';

/** A broken rule or a warning. */
export interface AdmissionIssue extends Issue {
  /** The message as the webhook returns it, with the field path in it. */
  readonly text: string;
}

/** Formats a path as the webhook does, with the service name in brackets: `spec.services[main].volumeMounts[0].mountPoint`. */
export function webhookPath(path: Path): string {
  let formatted = '';
  path.forEach((part, index) => {
    const isService = index === 2 && path[1] === 'services';
    if (typeof part === 'number' || isService) formatted += `[${part}]`;
    else formatted += formatted === '' ? part : `.${part}`;
  });
  return formatted;
}

/** An issue that the webhook reports as path, space, message: `spec.modelName is required`. */
export function fieldIssue(path: Path, code: string, message: string): AdmissionIssue {
  return { path, code, message, text: `${webhookPath(path)} ${message}` };
}

/** An issue that the webhook reports as path, colon, message: `spec.eppConfig: either ...`. */
export function objectIssue(path: Path, code: string, message: string): AdmissionIssue {
  return { path, code, message, text: `${webhookPath(path)}: ${message}` };
}

/** An issue for which the webhook has a specific text, which need not contain the path. */
export function issueWithText(path: Path, code: string, text: string, message: string = text): AdmissionIssue {
  return { path, code, message, text };
}
