import { combinedJsonSchema, jsonSchemas } from '../api/index.ts';
import type { JsonObject } from '../json/index.ts';
import { stringifyJson } from '../manifest/index.ts';

/** Files an editor checks YAML of Dynamo with, and what tells VS Code and JetBrains' editors to use them. */
interface EditorFiles {
  /** Schemas by path. */
  readonly schemas: Readonly<Record<string, string>>;
  /** Settings of VS Code (the YAML extension), to be merged into what is there. */
  readonly vscode: JsonObject;
  /** Content of `.idea/jsonSchemas.xml`. */
  readonly jetbrains: string;
}

/** Name of the schema that files with objects of several kinds point to. */
const combinedSchema = 'dynamo.json';

/** The comment that tells an editor which schema a YAML file has; `folder` is the way from the file to the schemas. */
export function schemaComment(folder: string): string {
  return `# yaml-language-server: $schema=${folder}/${combinedSchema}`;
}

const item = (path: string): string => `                  <Item>
                    <option name="pattern" value="true" />
                    <option name="path" value="${path}" />
                    <option name="mappingKind" value="Pattern" />
                  </Item>`;

const jetbrains = (schema: string, patterns: readonly string[]): string => `<?xml version="1.0" encoding="UTF-8"?>
<project version="4">
  <component name="JsonSchemaMappingsProjectConfiguration">
    <state>
      <map>
        <entry key="Dynamo">
          <value>
            <SchemaInfo>
              <option name="name" value="Dynamo" />
              <option name="relativePathToSchema" value="${schema}" />
              <option name="patterns">
                <list>
${patterns.map(item).join('\n')}
                </list>
              </option>
            </SchemaInfo>
          </value>
        </entry>
      </map>
    </state>
  </component>
</project>
`;

const patterns = ['dist/*.yaml', 'graphs/*.yaml', '*.dynamo.yaml'];

/** The files for schemas in a folder of the project. */
export function editorFiles(folder: string): EditorFiles {
  const files = [...jsonSchemas(), { name: combinedSchema, schema: combinedJsonSchema() }];
  return {
    schemas: Object.fromEntries(files.map(({ name, schema }) => [`${folder}/${name}`, `${stringifyJson(schema, 2)}\n`])),
    vscode: { 'yaml.schemas': { [`./${folder}/${combinedSchema}`]: patterns } },
    jetbrains: jetbrains(`${folder}/${combinedSchema}`, patterns),
  };
}
