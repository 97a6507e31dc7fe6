/** What must always hold. `docs/invariants.md` describes each invariant. */
export const invariants = {
  1: 'Trace events are numbered 1, 2, 3 …, their times never decrease, and every cause precedes its effects.',
  2: 'Worker records move forward only, and the other invariants of pod workers hold.',
  3: 'No container starts for a pod that has no worker or whose worker is terminating or has terminated.',
  4: 'At most one static pod per full name has started and not yet stopped.',
  5: 'The maps of the pod manager agree with each other.',
  6: 'Every API write has a higher resource version than all earlier writes, and changes the object.',
  7: 'A pod that its kubelet has reported in a terminal phase keeps that phase.',
  8: 'A container’s restart count never decreases, unless its pod is evicted, or deleted and over.',
  9: 'A pod’s start time, node and deletion timestamp are set once; a deletion timestamp only moves earlier, or to now when it has passed.',
  10: 'A kubelet deletes an ordinary pod from the API only when none of its containers is running.',
  11: 'Only the node itself writes its lease.',
  12: 'No container of an API pod starts on a node that the pod is not bound to.',
  13: 'A kubelet reports a terminal phase only when none of the pod’s containers is running, except for a pod that it rejects.',
  14: 'No exception is thrown, and no error is logged.',
  15: 'After settling, every node is registered and Ready and renews its lease, and no other node exists.',
  16: 'After settling, each kubelet’s desired pods are exactly the pods bound to its node and the pods in its manifests.',
  17: 'After settling, every desired pod that is not in a terminal phase has a started worker, and no other pod has one.',
  18: 'After settling, every active static pod has a mirror with its hash, and every mirror has a static pod.',
  19: 'After settling, the API shows the kubelet’s current status of each pod.',
  20: 'After settling, deleted objects no longer exist.',
  21: 'After settling, every container that should run is running.',
  22: 'After settling, the runtime has no containers of pods that are not desired, and runs none of pods in a terminal phase.',
  23: 'After settling, every pod whose worker has finished has a terminal phase in the API.',
  24: 'After settling, nothing remains of deleted pods: no worker record, no status, no queued event, no folder on the node.',
  25: 'A kubelet has a pod as Ready only if the last result of each of its readiness probes is a success.',
  26: 'After settling, running containers have the resources that their node has allocated to them.',
  27: 'The scheduler binds no pod to a node that its filters refuse.',
  28: 'The scheduler preempts only pods of lower priority.',
  29: 'A ReplicaSet or ReplicationController creates no pod beyond its replicas.',
  30: 'A Deployment gives its ReplicaSets no more than replicas + maxSurge, takes no available pod below replicas - maxUnavailable, and recreates only after the old pods have ended.',
  31: 'A StatefulSet creates its pods in order, and updates one after the other.',
  32: 'A DaemonSet creates one pod for a node, and one more in a surge.',
  33: 'A Job runs no more pods than it may, none after its limit of failures or its end, and stays finished.',
  34: 'Nothing is created for an owner that is gone or going, and the garbage collector deletes nothing that was orphaned.',
  35: 'An eviction never takes a healthy pod that its disruption budget needs.',
  36: 'After settling, every owned object has its owners, and deleted owners are gone.',
  37: 'After settling, owners have the pods that they ask for, and their statuses count them.',
  38: 'After settling, the Endpoints and EndpointSlices of a Service name its ready pods.',
  39: 'In a quiet hour, controllers and the scheduler write only because something else has changed.',
  40: 'A kubelet evicts no critical, static or mirror pod.',
  41: 'A kubelet under pressure evicts one pod at a time.',
  42: 'A kubelet evicts for a signal only while less than its threshold is available and the node reports pressure.',
  43: 'A CronJob creates at most one Job for a time at which it is due, none while it is suspended, and with Forbid or Replace none next to one that runs.',
  44: 'After settling, a CronJob has created the Job of its last due time, lists its Jobs that run, and keeps no more ended Jobs than its limits.',
} as const

export type InvariantNumber = keyof typeof invariants

/** An invariant that did not hold, and for what. */
export interface Violation {
  readonly invariant: InvariantNumber
  readonly what: string
}

/** Called by checks for each violation. */
export type ReportViolation = (invariant: InvariantNumber, what: string) => void
