/** Acts as kube-proxy for one Service: forwards connections to its address to a port of this machine. */
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { onTestFinished } from 'vitest';
import { objectsAt, stringAt, type JsonObject } from '../../lib/json/index.ts';
import { succeeded } from '../control-plane/client.ts';
import type { Cluster } from '../control-plane/connect.ts';

/** Forwards the first port of a Service until the test ends, or until the function returned is called. */
export async function forwardService({ client }: Cluster, namespace: string, name: string, to: number): Promise<() => void> {
  const key = { apiVersion: 'v1', kind: 'Service', metadata: { namespace, name } };
  const service = succeeded<JsonObject>(await client.get<JsonObject>(key));
  const [port] = objectsAt(service, 'spec', 'ports').map((one) => Number(one['port']));
  const server = createServer((socket) => {
    const target = connect(to, '127.0.0.1');
    socket.on('error', () => target.destroy());
    target.on('error', () => socket.destroy());
    socket.pipe(target).pipe(socket);
  });
  server.listen(port, stringAt(service, 'spec', 'clusterIP'));
  await once(server, 'listening');
  const close = (): void => void server.close();
  onTestFinished(close);
  return close;
}
