import { findObject, type JsonObject, objectAt, stringAt } from '../json/index.ts';
import { checkFieldUnchanged } from './component-rules.ts';
import { fieldIssue, issueWithText, type AdmissionIssue } from './admission-issue.ts';
import type { AdmissionRules } from './admission-request.ts';

const schemes = ['s3://', 'hf://'];

function checkNames(spec: JsonObject): readonly AdmissionIssue[] {
  const empty = ['modelName', 'baseModelName'].filter((field) => stringAt(spec, field) === '');
  return empty.map((field) => fieldIssue(['spec', field], 'required', 'is required'));
}

function checkSource(spec: JsonObject): readonly AdmissionIssue[] {
  if (stringAt(spec, 'modelType') !== 'lora') return [];
  const source = findObject(spec, 'source');
  if (!source) return [fieldIssue(['spec', 'source'], 'required', "is required when modelType is 'lora'")];
  const uri = stringAt(source, 'uri');
  const path = ['spec', 'source', 'uri'];
  if (uri === '') return [fieldIssue(path, 'required', "must be specified when modelType is 'lora'")];
  if (schemes.some((scheme) => uri.startsWith(scheme))) return [];
  const message = `must start with 's3://' or 'hf://', got: ${uri}`;
  return [issueWithText(path, 'invalid', `source URI ${message}`, message)];
}

/** Admission rules for a DynamoModel. */
export const model: AdmissionRules = {
  validate: ({ object }, { thorough }) => {
    const spec = objectAt(object, 'spec');
    const issues = [...checkNames(spec), ...checkSource(spec)];
    return { issues: thorough ? issues : issues.slice(0, 1), warnings: [] };
  },
  validateUpdate: ({ object, oldObject = {} }) => {
    const [spec, oldSpec] = [objectAt(object, 'spec'), objectAt(oldObject, 'spec')];
    const type = checkFieldUnchanged(spec, oldSpec, 'modelType', 'may cause unexpected behavior');
    return type.issues.length > 0 ? type : checkFieldUnchanged(spec, oldSpec, 'baseModelName', 'will break endpoint discovery');
  },
};
