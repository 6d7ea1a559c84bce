// The baseline of the webhook: a plain HTTPS server of Node that reads the JSON of a review and allows everything.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';

const folder = '/tmp/k8s-webhook-server/serving-certs';
const certificate = { cert: readFileSync(`${folder}/tls.crt`), key: readFileSync(`${folder}/tls.key`) };
createServer(certificate, (request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const { kind, apiVersion, request: asked } = JSON.parse(Buffer.concat(chunks).toString());
    const body = JSON.stringify({ kind, apiVersion, response: { uid: asked.uid, allowed: true } });
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
    response.end(body);
  });
}).listen(9443, '127.0.0.1');
