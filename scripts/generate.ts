// Writes all generated files: types and validators of the custom resources, the validator of the platform values, and the pages about profiles, lint rules
// and intended differences from the original operator.
import { mkdirSync, writeFileSync } from 'node:fs';
import { generatedFiles } from './generate/files.ts';
import { lintErrorsPage } from './generate/lint-errors-page.ts';
import { liveDifferencesPage } from './generate/live-differences-page.ts';
import { platformValidatorFiles } from './generate/platform-validator.ts';
import { profilesPage } from './generate/profiles-page.ts';
import { rulePages } from './generate/rule-pages.ts';

const folders = {
  '../lib/api/generated/': await generatedFiles(),
  '../lib/platform/generated/': await platformValidatorFiles(),
  '../docs/rules/': await rulePages(),
};
for (const [folder, files] of Object.entries(folders)) {
  mkdirSync(new URL(folder, import.meta.url), { recursive: true });
  for (const [name, content] of Object.entries(files)) writeFileSync(new URL(`${folder}${name}`, import.meta.url), content);
}
writeFileSync(new URL('../docs/profiles.md', import.meta.url), await profilesPage());
writeFileSync(new URL('../docs/live-differences.md', import.meta.url), await liveDifferencesPage());
if (process.env['DYNAMO_CORPUS'] !== undefined)
  writeFileSync(new URL('../docs/lint-errors-in-examples.md', import.meta.url), await lintErrorsPage());
