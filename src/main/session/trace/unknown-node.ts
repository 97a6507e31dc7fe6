import type { NodeView } from '../../../shared/model/cluster-view.ts'
import { noFaults } from '../../../shared/model/node/node-faults.ts'
import { noShutdown } from '../../../shared/model/node/node-shutdown-view.ts'

/** A node of which only the name is known: in a recording of schema 1, or in a log. */
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
