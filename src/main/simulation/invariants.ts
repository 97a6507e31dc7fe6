/** What must hold whatever happens. `docs/invariants.md` says more of each. */
export const invariants = {
  1: 'The trace is numbered 1, 2, 3 …, its time never goes back, and every cause comes before what it caused.',
  2: 'Worker records move forward only, and the other invariants of semantics 4.15 hold.',
  3: 'No container is started for a pod whose worker has acknowledged its end, or that has no worker.',
  4: 'Of one full name at most one static pod has been started and not yet stopped.',
  5: 'The maps of the pod manager agree with each other.',
  6: 'Every write to the API has a higher version than those before, and changes something.',
  7: 'A pod that its kubelet has told to be over stays as it ended.',
  8: 'The restart count of a container never falls while its first agent lives and the pod was not evicted.',
  9: 'Start time, node and deletion of a pod are set once; a deletion only moves nearer.',
  10: 'A kubelet deletes an ordinary pod from the API only when none of its containers runs.',
  11: 'A lease is written by its own node only.',
  12: 'No container of a pod of the API starts on a node that the pod is not bound to.',
  13: 'A kubelet tells that a pod is over only when none of its containers runs, but for one that it rejects.',
  14: 'Nothing is thrown, and nothing is logged as an error.',
  15: 'When all is calm every node is registered, Ready, and renews its lease, and no other node is there.',
  16: 'When all is calm each kubelet wants exactly the pods bound to its node and those of its manifests.',
  17: 'When all is calm every pod that is wanted and not over has a worker that was started, and no other pod has one.',
  18: 'When all is calm a static pod that is at work has a mirror with its hash, and every mirror has a static pod.',
  19: 'When all is calm the API shows the status that the kubelet knows.',
  20: 'When all is calm what was deleted is gone.',
  21: 'When all is calm the containers of a pod that should run do run.',
  22: 'When all is calm the runtime keeps nothing of pods that nobody wants, and runs nothing of pods that are over.',
  23: 'When all is calm a pod whose worker is done is over on the API.',
  24: 'When all is calm nothing is left of pods that are gone: no record, no status, no event that waits.',
} as const

export type InvariantNumber = keyof typeof invariants

/** An invariant that did not hold, and for what. */
export interface Breach {
  readonly invariant: InvariantNumber
  readonly what: string
}

/** Where checks tell what they find. */
export type ReportBreach = (invariant: InvariantNumber, what: string) => void
