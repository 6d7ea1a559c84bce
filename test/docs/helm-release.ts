/** A stand-in for the original's chart: its templates are the objects recorded from `helm template`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RecordedObject, Recording } from '../platform/recorded.ts';

/** What Helm made up at install time, where the recording only says that it varies. */
const madeUp = '5f0c6f0e0d0b4d0ca6b7a8f3c2e1d0f95f0c6f0e0d0b4d0ca6b7a8f3c2e1d0f9';

/** Writes the chart of a recorded release; `helm install --no-hooks` of it gives the cluster the original would leave, but for what hooks do. */
export function writeRecordedChart(folder: string, { objects = [] }: Recording): void {
  const documents = objects.map((object) => JSON.stringify(object).replaceAll('"(varies)"', JSON.stringify(madeUp)));
  mkdirSync(join(folder, 'templates'), { recursive: true });
  writeFileSync(join(folder, 'Chart.yaml'), 'apiVersion: v2\nname: dynamo-platform\nversion: 0.9.0\n');
  writeFileSync(join(folder, 'objects.yaml'), documents.join('\n---\n'));
  // A file, so that Helm does not read templates into the scripts of hooks.
  writeFileSync(join(folder, 'templates', 'objects.yaml'), '{{ .Files.Get "objects.yaml" }}\n');
}

/** A recording as the chart of a published release has it: its image, and no flag that the image does not know. */
export function ofRelease(recording: Recording, tag: '0.9.0' | '0.9.1'): Recording {
  const objects = recording.objects?.map((object): RecordedObject => {
    if (object.kind !== 'Deployment' || !object.metadata.name.endsWith('-controller-manager')) return object;
    const text = JSON.stringify(object)
      .replace(/"--epp-cluster-role-name=[^"]*",/, '')
      .replace(/"--operator-version=[^"]*"/, `"--operator-version=${tag}"`)
      .replace(/(\/kubernetes-operator):[^"]*"/, `$1:${tag}"`);
    return JSON.parse(text);
  });
  return { ...recording, ...(objects === undefined ? {} : { objects }) };
}
