import { combinedJsonSchema, jsonSchemas } from '../api/index.ts';
import type { JsonObject } from '../json/index.ts';
import { stringifyJson } from '../manifest/index.ts';

/** JSON Schemas for Dynamo YAML, and settings that map YAML files to them in VS Code and JetBrains IDEs. */
interface EditorFiles {
  /** Schemas by path. */
  readonly schemas: Readonly<Record<string, string>>;
  /** Settings of the YAML extension of VS Code, to merge into `.vscode/settings.json`. */
  readonly vscode: JsonObject;
  /** Content of `.idea/jsonSchemas.xml`. */
  readonly jetbrains: string;
}

/** File name of the schema that covers all kinds, because a YAML file may hold objects of several kinds. */
const combinedSchema = 'dynamo.json';

/**
 * The comment that maps a YAML file to its schema (https://github.com/redhat-developer/yaml-language-server#using-inlined-schema); `folder` is the
 * relative path from the file to the schemas.
 */
export function schemaComment(folder: string): string {
  return `# yaml-language-server: $schema=${folder}/${combinedSchema}`;
}

function xmlText(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
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
              <option name="relativePathToSchema" value="${xmlText(schema)}" />
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

/** The schemas below `folder`, a path relative to the project, and the settings that refer to them. */
export function editorFiles(folder: string): EditorFiles {
  const files = [...jsonSchemas(), { name: combinedSchema, schema: combinedJsonSchema() }];
  return {
    schemas: Object.fromEntries(files.map(({ name, schema }) => [`${folder}/${name}`, `${stringifyJson(schema, 2)}\n`])),
    vscode: { 'yaml.schemas': { [`./${folder}/${combinedSchema}`]: patterns } },
    jetbrains: jetbrains(`${folder}/${combinedSchema}`, patterns),
  };
}
