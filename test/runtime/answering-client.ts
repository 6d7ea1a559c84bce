import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { onTestFinished } from 'vitest';
import { ApiClient } from '../../lib/runtime/api/client.ts';
import type { ClusterConfig } from '../../lib/runtime/api/cluster-config.ts';
import { Transport, type TransportOptions } from '../../lib/runtime/api/transport.ts';

/** A client of an API server that answers as the test says; both end with the test. */
export async function answeringClient(
  answer: RequestListener,
  options: Partial<TransportOptions> = {},
  user: Partial<ClusterConfig> = {},
): Promise<ApiClient> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const config = { server: `http://127.0.0.1:${port}`, insecureSkipTlsVerify: false, namespace: 'n', ...user };
  const transport = new Transport(config, { userAgent: 'manager/test', ...options });
  onTestFinished(async () => {
    await transport.close();
    server.closeAllConnections();
    server.close();
  });
  return new ApiClient(transport);
}
