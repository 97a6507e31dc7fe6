/** Which pods a graceful node shutdown ends together, and how long it waits for them (pkg/kubelet/nodeshutdown; node#graceful-shutdown). Pure. */
import type { Pod } from '../../../shared/kubernetes/objects.ts'
import { formatDuration } from '../../../shared/go/duration.ts'
import { systemCriticalPriority } from '../../../shared/kubernetes/critical-pod.ts'

/** Pods of this priority and more, up to the next group's, are given so many whole seconds. */
export interface ShutdownGracePeriodByPodPriority {
  readonly priority: number
  readonly shutdownGracePeriodSeconds: number
}

/**
 * A KubeletConfiguration's three fields, periods in ms. Either the two numbers: what the whole shutdown takes, and
 * how much of it is kept for critical pods; or the list. All absent or zero: there is no graceful shutdown.
 */
export interface NodeShutdownConfig {
  readonly shutdownGracePeriodMs?: number
  readonly shutdownGracePeriodCriticalPodsMs?: number
  readonly shutdownGracePeriodByPodPriority?: readonly ShutdownGracePeriodByPodPriority[]
}

/** A group with its pods, in the order in which they were given. */
export interface PodShutdownGroup extends ShutdownGracePeriodByPodPriority {
  readonly pods: readonly Pod[]
}

/** What is wrong with a configuration, in the kubelet's words (ValidateKubeletConfiguration); empty when nothing is. */
export function nodeShutdownConfigProblems(config: NodeShutdownConfig): readonly string[] {
  const total = config.shutdownGracePeriodMs ?? 0
  const critical = config.shutdownGracePeriodCriticalPodsMs ?? 0
  const isListed = (config.shutdownGracePeriodByPodPriority ?? []).length > 0
  // Braces and all: Go shows the struct around the duration.
  const [totalText, criticalText] = [`{${formatDuration(total)}}`, `{${formatDuration(critical)}}`]
  return [
    ...(critical > total
      ? [
          `shutdownGracePeriodCriticalPods ${criticalText} must be <= shutdownGracePeriod ${totalText}`,
        ]
      : []),
    ...(isTooShort(total)
      ? [`shutdownGracePeriod ${totalText} must be either zero or otherwise >= 1 sec`]
      : []),
    ...(isTooShort(critical)
      ? [
          `shutdownGracePeriodCriticalPods ${criticalText} must be either zero or otherwise >= 1 sec`,
        ]
      : []),
    ...(isListed && (total > 0 || critical > 0)
      ? [
          'Cannot specify both shutdownGracePeriodByPodPriority and shutdownGracePeriod at the same time',
        ]
      : []),
  ].map((problem) => `invalid configuration: ${problem}`)
}

function isTooShort(periodMs: number): boolean {
  return periodMs < 0 || (periodMs > 0 && periodMs < 1000)
}

/**
 * The groups of a configuration, from low to high priority; none where the feature is off. Of the two numbers
 * come a group for all pods and one for critical ones.
 */
export function shutdownGroups(
  config: NodeShutdownConfig,
): readonly ShutdownGracePeriodByPodPriority[] {
  const { shutdownGracePeriodByPodPriority: listed = [] } = config
  const groups = listed.length > 0 ? listed : groupsOfTwoNumbers(config)
  return [...groups].sort((a, b) => a.priority - b.priority)
}

/** kubelet migrateConfig; 0 is the priority of a pod where no class says otherwise. */
function groupsOfTwoNumbers(
  config: NodeShutdownConfig,
): readonly ShutdownGracePeriodByPodPriority[] {
  const { shutdownGracePeriodMs: total = 0, shutdownGracePeriodCriticalPodsMs: critical = 0 } =
    config
  if (total === 0 || total < critical || critical < 0) return []
  const group = (priority: number, ms: number): ShutdownGracePeriodByPodPriority => ({
    priority,
    shutdownGracePeriodSeconds: Math.trunc(ms / 1000),
  })
  return [group(0, total - critical), group(systemCriticalPriority, critical)]
}

/**
 * Puts each pod into the group with the highest priority that is not above its own; below all of them: into
 * the lowest. A pod without priority has 0. Static or critical makes no difference, only the number does.
 * `groups` are sorted from low to high and at least one.
 */
export function groupByPriority(
  groups: readonly ShutdownGracePeriodByPodPriority[],
  pods: readonly Pod[],
): readonly PodShutdownGroup[] {
  const members = groups.map((): Pod[] => [])
  for (const pod of pods) members[groupIndex(groups, pod.spec.priority ?? 0)]?.push(pod)
  return groups.map((group, index) => ({ ...group, pods: members[index] ?? [] }))
}

function groupIndex(groups: readonly ShutdownGracePeriodByPodPriority[], priority: number): number {
  const notBelow = groups.findIndex((group) => group.priority >= priority)
  if (notBelow === -1) return groups.length - 1
  const isOwn = groups[notBelow]?.priority === priority
  return isOwn || notBelow === 0 ? notBelow : notBelow - 1
}

/** The grace that a pod of a group gets, in seconds: its own, but never more than the group has. */
export function shutdownGraceSeconds(
  pod: Pod,
  { shutdownGracePeriodSeconds }: ShutdownGracePeriodByPodPriority,
): number {
  const own = pod.spec.terminationGracePeriodSeconds
  return own === undefined || own === null
    ? shutdownGracePeriodSeconds
    : Math.min(own, shutdownGracePeriodSeconds)
}
