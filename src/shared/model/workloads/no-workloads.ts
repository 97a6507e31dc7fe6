import type { WorkloadsView } from './workloads.ts'

/** Of which nothing is known. */
export const noWorkloads: WorkloadsView = {
  owners: [],
  unbound: [],
  replacements: [],
  problems: [],
  isComplete: true,
  nothing: '',
}
