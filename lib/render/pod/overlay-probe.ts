import type { HTTPGetAction, Probe } from '../../api/index.ts';

/**
 * Merges a user's probe into the default one, field by field. A handler of another type does not replace the default handler, so the result has both.
 * A numeric port does not replace the named default port.
 */
export function overlayProbe(base: Probe | undefined, user: Probe | undefined): Probe | undefined {
  if (base === undefined || user === undefined) return user ?? base;
  const { httpGet, grpc } = user;
  return {
    ...base,
    ...user,
    ...(base.httpGet && httpGet && { httpGet: overlayHttpGet(base.httpGet, httpGet) }),
    ...(base.grpc && grpc && { grpc: { port: grpc.port || base.grpc.port, service: grpc.service || base.grpc.service } }),
  };
}

function overlayHttpGet(base: HTTPGetAction, user: HTTPGetAction): HTTPGetAction {
  return { ...base, ...user, port: typeof user.port === 'string' && user.port !== '' ? user.port : base.port };
}
