// An esbuild plugin that imports each name from the file that defines it. esbuild assigns whole files to chunks, so an import through the index of a
// folder would load the whole folder at the start of every command.
import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const statement = /^import (type )?\{([^}]*)\} from '(\.[^']*\/index\.ts)';$/gm;
const lazy = /const \{([^}:]*)\} = await import\('(\.[^']*\/index\.ts)'\)/g;
const reexport = /^export \{([^}]*)\} from '(\.[^']*)';$/gm;
const definingFiles = new Map();

const undiciStatement = /^import \{([^}]*)\} from 'undici';$/gm;
/** The files of undici that define the names in use. Its index also loads fetch, web sockets, caches and mocks: 7 MB of memory. */
const undiciFiles = {
  Client: join(import.meta.dirname, 'undici-client.cjs'),
  Pool: 'undici/lib/dispatcher/pool.js',
  buildConnector: 'undici/lib/core/connect.js',
};

/** The names that an index re-exports, and the file that defines each. */
function definingFilesOf(index) {
  const known = definingFiles.get(index);
  if (known !== undefined) return known;
  const found = new Map();
  for (const [, names = '', file = ''] of readFileSync(index, 'utf8').matchAll(reexport))
    for (const name of listed(names)) found.set(name, resolve(dirname(index), file));
  definingFiles.set(index, found);
  return found;
}

function listed(names) {
  return names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type '));
}

function direct(path, source) {
  const definingFile = (name, index) => {
    const file = definingFilesOf(resolve(dirname(path), index)).get(name.split(' as ')[0]);
    return file === undefined ? index : `./${relative(dirname(path), file)}`;
  };
  return source
    .replaceAll(statement, (whole, isType, names, index) =>
      isType
        ? whole
        : listed(names)
            .map((name) => `import { ${name} } from '${definingFile(name, index)}';`)
            .join(' '),
    )
    .replaceAll(lazy, (whole, names, index) => {
      const files = new Set(listed(names).map((name) => definingFile(name, index)));
      return files.size === 1 ? whole.replace(index, [...files][0]) : whole;
    })
    .replaceAll(undiciStatement, (whole, names) =>
      listed(names).every((name) => Object.hasOwn(undiciFiles, name))
        ? listed(names)
            .map((name) => `import ${name} from '${undiciFiles[name]}';`)
            .join(' ')
        : whole,
    );
}

/** The plugin, for files of lib/. */
export const directImports = {
  name: 'direct-imports',
  setup(build) {
    build.onLoad({ filter: /\/lib\/.*\.ts$/ }, ({ path }) => ({
      contents: direct(path, readFileSync(path, 'utf8')),
      loader: 'ts',
    }));
  },
};
