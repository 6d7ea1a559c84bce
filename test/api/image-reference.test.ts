import { expect, test } from 'vitest';
import { malformedImage } from '../../lib/api/index.ts';

const digest = 'a'.repeat(64);

// Verdicts of ParseNormalizedNamed of github.com/distribution/reference, which the kubelet calls.
test.each([
  'nats',
  'nats:2.11.1-alpine',
  'library/nats',
  'nvcr.io/nvidia/ai-dynamo/kubernetes-operator:0.9.1',
  'localhost/op',
  'localhost:5000/op:1',
  '[::1]:5000/op:1',
  'REGISTRY/op',
  'registry.example.com:5000/a/b__c/d-e--f.g:_x.Y-1',
  `r.io/op@sha256:${digest}`,
  `r.io/op:1@sha256:${digest}`,
  `r.io/op@sha512:${digest}${digest}`,
  `r.io/${'a'.repeat(255)}`,
  `op:${'t'.repeat(128)}`,
])('%s is an image reference', (reference) => {
  expect(malformedImage(reference)).toBeUndefined();
});

test.each([
  ['', 'must not be empty'],
  ['r.io/my op:1', 'must not contain a space'],
  ['r.io/op:1\n', 'must not contain a space'],
  ['https://r.io/op:1', 'must not start with a URL scheme'],
  ['r.io/op:1:2', "must not have a second ':'"],
  ['r.io/op:sha256:abc', "must not have a second ':'"],
  ['r.io/op:', "must have a tag after its ':'"],
  ['r.io/op:-1', 'must have a tag of at most 128'],
  [`op:${'t'.repeat(129)}`, 'must have a tag of at most 128'],
  ['r.io/op:1+2', 'must have a tag of at most 128'],
  ['r.io/Op:1', 'must not have upper-case letters'],
  ['Op:1', 'must not have upper-case letters'],
  ['team/sub/Op', 'must not have upper-case letters'],
  ['r.io//op', "must have a name before and after each '/'"],
  ['/op', "must have a name before and after each '/'"],
  ['r.io/op/', "must have a name before and after each '/'"],
  [':1', "must have a name before and after each '/'"],
  ['r.io/-op', "not '-op'"],
  ['r.io/op_', "not 'op_'"],
  ['r.io/a..b', "not 'a..b'"],
  ['r.io/a___b', "not 'a___b'"],
  ['r.io/a._b', "not 'a._b'"],
  ['r.io/${IMAGE}', 'must not have upper-case letters'],
  ['r.io/{{image}}', "not '{{image}}'"],
  ['-r.io/op', "not '-r.io'"],
  ['r..io/op', "not 'r..io'"],
  ['r.io:port/op', "not 'r.io:port'"],
  ['r_x.io/op', "not 'r_x.io'"],
  [`r.io/${'a'.repeat(256)}`, 'must have at most 255 characters'],
  [digest, 'must have a name, not a digest alone'],
  ['r.io/op@sha256:abc', "must have a digest after its '@'"],
  [`r.io/op@sha256:${'A'.repeat(64)}`, "must have a digest after its '@'"],
  [`r.io/op@md5:${digest}`, "must have a digest after its '@'"],
  [`r.io/op@sha256:${digest}@sha256:${digest}`, "must not have a second '@'"],
])('rejects %j', (reference, reason) => {
  expect(malformedImage(reference)).toContain(reason);
});
