export const viewNames = [
  'flow',
  'pods',
  'mirrors',
  'manifests',
  'gotchas',
  'handbook',
  'log',
  'start',
] as const

export type ViewName = (typeof viewNames)[number]
