import type { NodePressure } from '../node/node-status.ts'
import { PressureAdmitter } from '../eviction/pressure-admission.ts'
import { AppArmorAdmitter } from './app-armor.ts'
import { NodePredicates } from './node-predicates.ts'
import type { NodePredicatesDeps } from './node-predicates.ts'
import type { PodAdmitter } from './pod-admitter.ts'
import { SysctlAllowlist } from './sysctl-allowlist.ts'

export interface AdmitHandlersDeps extends NodePredicatesDeps {
  /** What the node runs short of at this moment. */
  readonly pressure: () => NodePressure
  /** As `uname -r` says it. */
  readonly kernelVersion: string
  readonly hasAppArmor: boolean
  /** Refuses what comes while the node shuts down. */
  readonly shutdown?: PodAdmitter
}

/**
 * The admission handlers in the kubelet's order (NewMainKubelet; admission#handlers). Between sysctls and
 * predicates it asks the container manager, which without devices and with its default policies has no
 * objection; pod features after AppArmor have none since their feature gate is on.
 */
export function admitHandlers(deps: AdmitHandlersDeps): readonly PodAdmitter[] {
  return [
    new PressureAdmitter(deps),
    new SysctlAllowlist(deps),
    new NodePredicates(deps),
    new AppArmorAdmitter({ isEnabled: deps.hasAppArmor }),
    ...(deps.shutdown === undefined ? [] : [deps.shutdown]),
  ]
}
