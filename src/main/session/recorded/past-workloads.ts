import { noWorkloads } from '../../../shared/model/workloads/no-workloads.ts'
import type { WorkloadsView } from '../../../shared/model/workloads/workloads.ts'

const never =
  'The recording has no Workloads: no page showed them while this was recorded, the cluster was joined, or an older version recorded it.'
const notNow = 'No page showed Workloads at this moment of the recording.'

/** At a moment without owners. `hasOthers`: the recording has them at another one. */
export function pastWorkloads(hasOthers: boolean): WorkloadsView {
  return { ...noWorkloads, nothing: hasOthers ? notNow : never }
}
