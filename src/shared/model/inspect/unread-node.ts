import type { InspectView } from './inspect-view.ts'

/** Of a node of which nothing was read. */
export const unreadNode: InspectView = {
  node: '',
  at: 0,
  apiReadAt: 0,
  apiAwaySince: null,
  rows: [],
  lease: { renewedAt: null, durationMs: 0 },
  conditions: [],
  kubelet: {
    contact: 'not asked',
    way: null,
    address: null,
    certificate: null,
    problem: null,
    readings: [],
    notKnown: [],
    missingRights: [],
    missingRule: '',
  },
  healthz: null,
  syncLoop: null,
  figures: null,
  figuresAt: null,
  course: [],
  relists: null,
  configuration: null,
  use: null,
}
