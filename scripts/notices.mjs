// Third-party notices: the licences of every package in the bundles, by the metafiles of esbuild.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folders of the packages whose files are in the bundles. */
function packages(metafiles) {
  const folders = new Set();
  for (const { inputs } of metafiles)
    for (const file of Object.keys(inputs)) {
      const match = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file);
      if (match) folders.add(match[1]);
    }
  return [...folders];
}

/** The content of the notices file: name, version, licence and licence text of each package, sorted by name. */
export function notices(metafiles) {
  const entries = packages(metafiles).map((folder) => {
    const { name, version, license = 'see its text' } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const licences = readdirSync(folder)
      .filter((file) => /^(?:licen[cs]e|notice|copying)/i.test(file))
      .map((file) => readFileSync(join(folder, file), 'utf8').trim());
    return { title: `${name} ${version} (${license})`, text: licences.join('\n\n') || `Licence: ${license}` };
  });
  entries.sort((a, b) => (a.title < b.title ? -1 : 1));
  const unique = entries.filter(({ title }, index) => title !== entries[index - 1]?.title);
  const head = 'dynamo-cdk8s contains code of these packages.\n';
  return [head, ...unique.map(({ title, text }) => `${'-'.repeat(78)}\n${title}\n\n${text}\n`)].join('\n');
}
