import { expect, test } from 'vitest';
import { folderReadme } from '../../lib/gitops/readme.ts';
import { deployment, environment, toyInput } from './toy-platform.ts';

const two = toyInput([environment('test', deployment('x:1', 1), []), environment('production', deployment('x:2', 1), [])]);

test('a README gives way to one that is there, and says what must be there first', () => {
  expect(folderReadme('plain', toyInput(), ['cert-manager must be installed'])).toMatchObject({
    path: 'README.md',
    optional: true,
  });
  expect(folderReadme('plain', toyInput(), ['a must be there', 'b too']).text).toContain(
    '## Prerequisites\n\n- a must be there\n- b too\n\n',
  );
  expect(folderReadme('flux', toyInput(), []).text).toContain('Kubernetes 1.28 or newer.\n');
});

test('commands name the folders that are there', () => {
  const plain = folderReadme('plain', toyInput(), []).text;
  expect(plain).toContain('kubectl apply --server-side -f 1-platform\n');
  expect(plain).toContain('kubectl apply --server-side -f 2-graphs\n');
  expect(folderReadme('plain', { ...two, graphs: [] }, []).text).toContain('-f environments/NAME/1-platform\n');
  expect(folderReadme('plain', { ...two, graphs: [] }, []).text).not.toContain('2-graphs');
  const kustomize = folderReadme('kustomize', two, []).text;
  expect(kustomize).toContain('overlay per environment under `overlays/`: test, production.');
  expect(kustomize).toContain('transformers: [PATH/overlays/test/names]');
});
