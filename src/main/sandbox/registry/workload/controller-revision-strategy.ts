import { isJsonObject } from '../../../../shared/json.ts'
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts'
import {
  immutableProblems,
  requiredField,
} from '../../../../shared/kubernetes/validation/field-problem.ts'
import type { FieldProblems } from '../../../../shared/kubernetes/validation/field-problem.ts'
import { plainStrategy } from '../strategy.ts'
import { nonnegativeProblems } from './number-problems.ts'

function dataProblems(data: unknown): FieldProblems {
  if (data === undefined || data === null) return [requiredField('data', 'data is mandatory')]
  return isJsonObject(data) ? [] : [requiredField('data', 'data must be a valid JSON object')]
}

/** Controller revisions. Source: pkg/registry/apps/controllerrevision/strategy.go, pkg/apis/apps/validation (v1.34). */
export const controllerRevisionStrategy = plainStrategy({
  withDefaults: (revision: KubeObject) => ({ ...revision, revision: revision['revision'] ?? 0 }),
  createProblems: (revision) => [
    ...nonnegativeProblems(revision['revision'], 'revision'),
    ...dataProblems(revision['data']),
  ],
  updateProblems: (next, old) => [
    ...nonnegativeProblems(next['revision'], 'revision'),
    ...immutableProblems('data', next['data'], old['data']),
  ],
})
