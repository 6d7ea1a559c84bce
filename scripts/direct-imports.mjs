// Folder indexes are boundaries for people. esbuild assigns whole files to chunks, so an import through an index would load the whole folder at
// the start of every command; this plugin lets the bundle import each name from the file that has it.
import { readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';

const statement = /^import (type )?\{([^}]*)\} from '(\.[^']*\/index\.ts)';$/gm;
const lazy = /const \{([^}:]*)\} = await import\('(\.[^']*\/index\.ts)'\)/g;
const reexport = /^export \{([^}]*)\} from '(\.[^']*)';$/gm;
const homes = new Map();

/** The names that an index passes on, and the file of each. */
function homesOf(index) {
  const known = homes.get(index);
  if (known !== undefined) return known;
  const found = new Map();
  for (const [, names = '', file = ''] of readFileSync(index, 'utf8').matchAll(reexport))
    for (const name of listed(names)) found.set(name, resolve(dirname(index), file));
  homes.set(index, found);
  return found;
}

function listed(names) {
  return names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type '));
}

function direct(path, source) {
  const home = (name, index) => {
    const file = homesOf(resolve(dirname(path), index)).get(name.split(' as ')[0]);
    return file === undefined ? index : `./${relative(dirname(path), file)}`;
  };
  return source
    .replaceAll(statement, (whole, isType, names, index) =>
      isType
        ? whole
        : listed(names)
            .map((name) => `import { ${name} } from '${home(name, index)}';`)
            .join(' '),
    )
    .replaceAll(lazy, (whole, names, index) => {
      const files = new Set(listed(names).map((name) => home(name, index)));
      return files.size === 1 ? whole.replace(index, [...files][0]) : whole;
    });
}

/** Imports every name that comes through an index of lib/ from the file that has it. */
export const directImports = {
  name: 'direct-imports',
  setup(build) {
    build.onLoad({ filter: /\/lib\/.*\.ts$/ }, ({ path }) => ({
      contents: direct(path, readFileSync(path, 'utf8')),
      loader: 'ts',
    }));
  },
};
