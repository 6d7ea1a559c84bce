// Writes everything that is generated: types and validators of the custom resources, the validator of the platform's values, the page about profiles.
import { mkdirSync, writeFileSync } from 'node:fs';
import { generatedFiles } from './generate/files.ts';
import { platformValidatorFiles } from './generate/platform-validator.ts';
import { profilesPage } from './generate/profiles-page.ts';

const folders = { '../lib/api/generated/': await generatedFiles(), '../lib/platform/generated/': await platformValidatorFiles() };
for (const [folder, files] of Object.entries(folders)) {
  mkdirSync(new URL(folder, import.meta.url), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(new URL(`${folder}${name}`, import.meta.url), text);
}
writeFileSync(new URL('../docs/profiles.md', import.meta.url), await profilesPage());
