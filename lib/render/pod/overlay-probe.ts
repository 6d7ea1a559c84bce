import type { HTTPGetAction, Probe } from '../../api/index.ts';

/**
 * A user's probe laid over the default one, member by member. Handlers are united, so another kind of handler leaves two of them; a port
 * given as a number does not replace the name of the default port.
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
