import { acts } from './acts.ts'
import { apply } from './cluster/apply.ts'
import { attention } from './attention.tsx'
import { behavior } from './behavior.ts'
import { clusters } from './clusters.ts'
import { common } from './common.ts'
import { containerActs } from './container-acts.ts'
import { events } from './trace/events.ts'
import { faults } from './cluster/faults.ts'
import { flow } from './flow.tsx'
import { frame } from './frame.ts'
import { gotchas } from './scenarios/gotchas.ts'
import { handbook } from './handbook.ts'
import { kubeletLog } from './trace/kubelet-log.ts'
import { inspect } from './trace/inspect.ts'
import { loop } from './loop.ts'
import { manifests } from './manifests.ts'
import { mirrors } from './mirrors.ts'
import { nodeEdit } from './cluster/node-edit.ts'
import { nodes } from './nodes.ts'
import { palette } from './palette.ts'
import { pod } from './pod.ts'
import { pods } from './pods.ts'
import { ports } from './ports.ts'
import { pressure } from './cluster/pressure.ts'
import { recording } from './trace/recording.ts'
import { timeline } from './trace/timeline.ts'
import { scenarios } from './scenarios/scenarios.ts'
import { start } from './start.tsx'
import { workloads } from './workloads.ts'
import { tables } from './tables.ts'

/** The page in English: one module for each view, and `common` for what several views say. */
export const en = {
  acts,
  apply,
  attention,
  behavior,
  clusters,
  common,
  containerActs,
  events,
  faults,
  flow,
  frame,
  gotchas,
  handbook,
  log: kubeletLog,
  inspect,
  loop,
  manifests,
  mirrors,
  nodeEdit,
  nodes,
  palette,
  pod,
  pods,
  ports,
  pressure,
  recording,
  scenarios,
  start,
  timeline,
  workloads,
  tables,
}
