import { Duration, Size } from 'cdk8s';
import { Probe } from 'cdk8s-plus-28';
import { DynamoGraph, type DynamoChart } from '../../lib/graph/index.ts';

const probe = (command: string, delay: number | undefined, period: number, timeout: number, failureThreshold: number) =>
  Probe.fromCommand(['/bin/sh', '-c', command], {
    initialDelaySeconds: delay === undefined ? undefined : Duration.seconds(delay),
    periodSeconds: Duration.seconds(period),
    timeoutSeconds: Duration.seconds(timeout),
    failureThreshold,
  });

/** A backend of one's own: two scripts, no GPU. */
export const helloWorld = (chart: DynamoChart) => {
  const graph = new DynamoGraph(chart, 'hello-world', { backend: 'vllm' });
  const script = (file: string) => ({
    workingDir: '/workspace/examples/custom_backend/hello_world/',
    container: { command: ['python3', file] },
  });
  graph.addFrontend({
    cpu: 1,
    memory: Size.gibibytes(2),
    livenessProbe: probe('echo ok', 10, 10, 2, 3),
    readinessProbe: probe('echo ok', 10, 10, 2, 3),
    ...script('client.py'),
  });
  graph.addComponent('HelloWorldWorker', {
    type: 'worker',
    cpu: 1,
    memory: Size.gibibytes(4),
    livenessProbe: probe('exit 0', undefined, 5, 2, 3),
    readinessProbe: probe('exit 0', 60, 60, 30, 10),
    ...script('hello_world.py'),
  });
};
