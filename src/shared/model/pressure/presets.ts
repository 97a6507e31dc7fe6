/** Names of the shipped scenarios of a node under pressure, in the order of their files (scenarios/pressure). */
export const pressurePresets = [
  'memory-leak',
  'log-flood',
  'image-disk-full',
  'fork-bomb',
  'burstable-against-guaranteed',
  'priority-against-overuse',
] as const

export type PressurePreset = (typeof pressurePresets)[number]
