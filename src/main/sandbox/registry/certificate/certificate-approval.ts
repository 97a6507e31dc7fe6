import { objectAt } from '../../../../shared/json.ts'
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts'
import type { UpdateRules } from '../../endpoints/object-writer.ts'
import { withFieldOf } from '../strategy.ts'
import { conditionsOf, updateProblems, withTimes } from './certificate-request-strategy.ts'

function prepareForApproval(next: KubeObject, old: KubeObject, now: number): KubeObject {
  const conditions = withTimes(conditionsOf(next), conditionsOf(old), now)
  const { conditions: _before, ...status } = objectAt(old, 'status')
  return {
    ...withFieldOf(next, 'spec', old),
    status: { ...status, ...(conditions.length === 0 ? {} : { conditions }) },
  }
}

/** The subresource `approval`, which only changes conditions. Source: csrApprovalStrategy. */
export const approvalRules: UpdateRules = {
  prepare: prepareForApproval,
  problems: updateProblems('approval'),
}
