import { etcd } from './etcd/index.ts';
import { grove } from './grove/index.ts';
import { kai } from './kai/index.ts';
import { nats } from './nats/index.ts';
import { operator } from './operator/index.ts';
import type { Part } from './part.ts';

/** Every part with a block of values, in the order in which their objects are printed. */
export const parts: readonly Part[] = [operator, nats, etcd, grove, kai];
