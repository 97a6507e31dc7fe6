export const viewNames = [
  'flow',
  'nodes',
  'inspect',
  'pods',
  'workloads',
  'pressure',
  'mirrors',
  'timeline',
  'events',
  'manifests',
  'gotchas',
  'handbook',
  'log',
  'start',
  'rights',
  'clusters',
] as const

export type ViewName = (typeof viewNames)[number]
