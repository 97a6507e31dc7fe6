import type { NodeView } from '../cluster-view.ts'
import { noFaults } from './node-faults.ts'
import { noShutdown } from './node-shutdown-view.ts'

/** A node of which only the name is known: in a recording of schema 1, in a log, or of one that is only looked at. */
export function unknownNode(name: string): NodeView {
  return {
    name,
    registered: false,
    status: 'Unknown',
    runtime: '',
    object: null,
    leaseRenewedAt: null,
    leaseDurationSeconds: 40,
    sources: [],
    unsentStatuses: { count: 0, names: [] },
    heldEvents: 0,
    shutdown: noShutdown,
    shutdownGrace: null,
    agent: 'running',
    machine: 'on',
    isCutOff: null,
    faults: noFaults,
  }
}
