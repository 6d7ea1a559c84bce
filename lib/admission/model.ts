import type { JsonObject } from '../api/json.ts';
import { keepField } from './component.ts';
import { objectAt, objectOrEmpty, textAt } from './fields.ts';
import { broken, worded, type AdmissionIssue } from './issue.ts';
import type { Rules } from './rules.ts';

const schemes = ['s3://', 'hf://'];

function check(spec: JsonObject): AdmissionIssue | undefined {
  for (const field of ['modelName', 'baseModelName']) {
    if (textAt(spec, field) === '') return broken(['spec', field], 'required', 'is required');
  }
  if (textAt(spec, 'modelType') !== 'lora') return undefined;
  const source = objectAt(spec, 'source');
  if (!source) return broken(['spec', 'source'], 'required', "is required when modelType is 'lora'");
  const uri = textAt(source, 'uri');
  const path = ['spec', 'source', 'uri'];
  if (uri === '') return broken(path, 'required', "must be specified when modelType is 'lora'");
  if (schemes.some((scheme) => uri.startsWith(scheme))) return undefined;
  const message = `must start with 's3://' or 'hf://', got: ${uri}`;
  return worded(path, 'invalid', `source URI ${message}`, message);
}

/** Rules of a DynamoModel. */
export const model: Rules = {
  validate: ({ object }) => {
    const issue = check(objectOrEmpty(object, 'spec'));
    return { issues: issue ? [issue] : [], warnings: [] };
  },
  validateUpdate: ({ object, oldObject = {} }) => {
    const [spec, oldSpec] = [objectOrEmpty(object, 'spec'), objectOrEmpty(oldObject, 'spec')];
    const type = keepField(spec, oldSpec, 'modelType', 'may cause unexpected behavior');
    return type.issues.length > 0 ? type : keepField(spec, oldSpec, 'baseModelName', 'will break endpoint discovery');
  },
};
