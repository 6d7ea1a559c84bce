/** Warns about image pull secrets without a readable registry host: no pod uses them, and nothing else would tell their owner. */
import type { KubernetesObject } from '../../api/index.ts';
import { listAt } from '../../json/index.ts';
import { dockerConfigType, kinds } from '../../reconcile/index.ts';
import type { ControllerContext } from '../controller.ts';

/** Warns about unusable pull secrets, those that exist and those that appear later, until the signal is aborted. */
export function warnOfUnusablePullSecrets({ cache, log, options }: ControllerContext, signal: AbortSignal): void {
  const warn = (secret: KubernetesObject): void => {
    if (secret['type'] !== dockerConfigType || listAt(secret, 'hosts').length > 0) return;
    const { namespace, name } = secret.metadata;
    log.info('Pull secret names no registry that can be read, it is not used', { namespace, name });
  };
  for (const secret of cache.list(kinds.secret, options.restrictedNamespace, { secretType: dockerConfigType })?.value ?? [])
    warn(secret);
  const stop = cache.onChange(({ watched, after }) => {
    if (watched.kind === kinds.secret.kind && after !== undefined) warn(after);
  });
  signal.addEventListener('abort', stop, { once: true });
}
