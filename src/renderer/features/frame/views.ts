import type { ViewName } from '../../store/view-name.ts'
import type { IconName } from '../../ui/Icon.tsx'

/** The views with their icons and keys, in the order of the rail. */
export const views: Readonly<Record<ViewName, readonly [icon: IconName, key: string]>> = {
  flow: ['flow', '1'],
  nodes: ['node', '5'],
  inspect: ['search', '6'],
  pods: ['pods', '2'],
  workloads: ['layers', 'o'],
  pressure: ['gauge', 'i'],
  mirrors: ['mirror', '3'],
  timeline: ['timeline', 't'],
  events: ['events', 'u'],
  manifests: ['folder', '4'],
  gotchas: ['labs', '8'],
  handbook: ['book', '9'],
  log: ['log', '7'],
  start: ['term', ''],
  rights: ['rights', ''],
  clusters: ['plug', ''],
}
