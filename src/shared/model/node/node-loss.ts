import type { Span } from '../span.ts'

/**
 * When the control plane gives up a node whose lease is not renewed, in seconds after the last renewal: the defaults of
 * the controller manager (v1.34). It sees a renewal at its next look, 5 s later at most, waits 50 s
 * (node-monitor-grace-period), and acts at its next look (pkg/controller/nodelifecycle monitorNodeHealth).
 */
export const afterLastLease = {
  /** node-monitor-grace-period before 1.32. */
  graceBefore132: 40,
  /** The condition Ready turns Unknown, and the node is tainted. */
  unknown: { earliest: 50, latest: 60 },
  /** The pods' default toleration of 300 s has run out: they get a deletionTimestamp. */
  podsDeleted: { earliest: 350, latest: 360 },
} as const

/** A kubelet renews its lease every 10 s, and the last renewal may be as old when it is lost. */
const leaseAgeSeconds = 10

/** The same in seconds after the node was lost. */
export const afterLoss: { readonly unknown: Span; readonly podsDeleted: Span } = {
  unknown: {
    earliest: afterLastLease.unknown.earliest - leaseAgeSeconds,
    latest: afterLastLease.unknown.latest,
  },
  podsDeleted: {
    earliest: afterLastLease.podsDeleted.earliest - leaseAgeSeconds,
    latest: afterLastLease.podsDeleted.latest,
  },
}
