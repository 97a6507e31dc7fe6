import { numberAt, objectAt, textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import type { OwnerActArgs } from '../../../shared/model/workloads/owner-act.ts'
import type { OwnerView } from '../../../shared/model/workloads/workloads.ts'
import type { Undo } from './owner-revisions.ts'
import type { KubeObject } from '../../../shared/kubernetes/objects.ts'

/** The same forecast as for a restart: an undo is a rollout too. */
function undone(view: OwnerView, spec: JsonObject, { chosen, revisions }: Undo): Outcome {
  const refused = (refusal: string): Outcome => ({ summary: '', steps: [], refusal })
  if (chosen === undefined)
    return refused(
      revisions.length < 2
        ? `${view.name} has no other revision to go back to.`
        : `${view.name} no longer has this revision.`,
    )
  if (view.isPaused)
    return refused(`${view.name} is paused: resume it first, then undo its rollout.`)
  if (chosen.isCurrent)
    return refused(
      `The template of ${view.name} is the one of revision ${chosen.revision} already.`,
    )
  const { summary, steps } = restarted(view, spec)
  const newest = Math.max(...revisions.map(({ revision }) => revision))
  const keeps =
    view.kind === 'Deployment' ? `The ReplicaSet of revision ${chosen.revision}` : 'That revision'
  return changes(
    summary,
    `The template becomes the one of revision ${chosen.revision}. ${keeps} becomes revision ${newest + 1}.`,
    // Without the annotation of a restart.
    ...steps.slice(1),
  )
}

interface Outcome {
  readonly summary: string
  readonly steps: readonly string[]
  /** Why nothing would change; empty if something does. */
  readonly refusal: string
}

function pods(count: number): string {
  return count === 1 ? '1 pod' : `${count} pods`
}

function changes(summary: string, ...steps: readonly string[]): Outcome {
  return { summary, steps, refusal: '' }
}

function scaled({ kind, name, wanted }: OwnerView, replicas: number): Outcome {
  const now = wanted ?? 0
  if (replicas === now)
    return { summary: '', steps: [], refusal: `${name} has ${replicas} replicas already.` }
  if (replicas > now) {
    const order =
      kind === 'StatefulSet'
        ? 'One after the other is made, each when the one before it is ready, unless podManagementPolicy is Parallel.'
        : 'They are made at once, and the scheduler looks for a node for each.'
    return changes(`${name} makes ${pods(replicas - now)} more.`, order)
  }
  const order =
    kind === 'StatefulSet'
      ? 'Those with the highest ordinals are deleted, one after the other.'
      : 'Pods without a node are deleted first, then those that are not ready, then those with a lower pod-deletion-cost, then the youngest.'
  return changes(
    `${name} deletes ${pods(now - replicas)}.`,
    order,
    'Budgets do not count: they hold evictions back, not deletions.',
  )
}

function amount(value: unknown, of: number, round: (share: number) => number): number {
  if (typeof value === 'number') return value
  const percent = typeof value === 'string' ? Number.parseInt(value, 10) : 25
  return round((percent / 100) * of)
}

function rolled(spec: JsonObject, wanted: number): readonly string[] {
  const strategy = objectAt(spec, 'strategy')
  if (textAt(strategy, 'type') === 'Recreate')
    return ['The old pods are deleted first; the new ones are made when all of them have ended.']
  const rolling = objectAt(strategy, 'rollingUpdate')
  const surge = amount(rolling['maxSurge'], wanted, Math.ceil)
  const missing = amount(rolling['maxUnavailable'], wanted, Math.floor)
  // Both may be rounded to 0, then one pod may be missing (deployment util ResolveFenceposts).
  const fewest = wanted - (surge === 0 && missing === 0 ? 1 : missing)
  return [
    `A new ReplicaSet makes the new pods: at no time more than ${pods(wanted + surge)}, and not fewer than ${fewest} available.`,
    'The old ReplicaSet stays with 0 pods, so that the rollout can be undone.',
  ]
}

function restarted({ kind, name, wanted }: OwnerView, spec: JsonObject): Outcome {
  const summary = `All ${wanted === null ? 'pods' : pods(wanted)} of ${name} are replaced.`
  const annotation = 'The template gets the annotation kubectl.kubernetes.io/restartedAt.'
  if (kind === 'Deployment') return changes(summary, annotation, ...rolled(spec, wanted ?? 0))
  const update = textAt(objectAt(spec, 'updateStrategy'), 'type')
  if (update === 'OnDelete')
    return changes(
      `No pod of ${name} is replaced before someone deletes it.`,
      annotation,
      'updateStrategy is OnDelete.',
    )
  const how =
    kind === 'StatefulSet'
      ? 'From the highest ordinal down, one pod is deleted and made again when the one before it is ready.'
      : 'On one node after the other the pod is deleted and made again, unless maxUnavailable or maxSurge allow more.'
  return changes(summary, annotation, how)
}

function paused({ kind, name }: OwnerView, isPaused: boolean): Outcome {
  if (kind === 'Deployment')
    return isPaused
      ? changes(
          `Changes of the template of ${name} make no rollout until it is resumed.`,
          'It still keeps its number of pods.',
        )
      : changes(`${name} rolls out what its template has become.`)
  if (kind === 'CronJob')
    return isPaused
      ? changes(`${name} makes no more jobs.`, 'Jobs that run go on.')
      : changes(
          `${name} makes jobs again.`,
          'Of the runs that were missed, it makes the last one up at once, if startingDeadlineSeconds allows it.',
        )
  return isPaused
    ? changes(
        `The pods of ${name} are deleted.`,
        'It makes them again when it is resumed; what has succeeded stays counted.',
      )
    : changes(`${name} makes its pods.`)
}

function deleted(
  { kind, name }: OwnerView,
  owned: number,
  cascade: OwnerActArgs['cascade'],
): Outcome {
  if (cascade === 'orphan')
    return changes(
      `${name} is deleted; its ${pods(owned)} stay.`,
      'Their reference to it is removed: no controller makes them again, unless another one adopts them by their labels.',
    )
  const between =
    kind === 'Deployment'
      ? 'its ReplicaSets and their pods'
      : kind === 'CronJob'
        ? 'its jobs and their pods'
        : 'its pods'
  return cascade === 'foreground'
    ? changes(
        `${name} and ${pods(owned)} are deleted.`,
        `It gets the finalizer foregroundDeletion and stays until ${between} are gone.`,
      )
    : changes(
        `${name} and ${pods(owned)} are deleted.`,
        `It is gone at once; the garbage collector then deletes ${between}, each with its grace period.`,
      )
}

/** What an act on an owner does. `owned`: how many pods it owns, over all levels. Pure. */
export function ownerOutcome(
  view: OwnerView,
  object: KubeObject,
  {
    act,
    replicas,
    cascade,
    owned,
    undo,
  }: Omit<OwnerActArgs, 'cluster' | 'owner' | 'revision'> & {
    readonly owned: number
    readonly undo: Undo
  },
): Outcome {
  const spec = objectAt(object, 'spec')
  switch (act) {
    case 'scale':
      return scaled(view, replicas)
    case 'restart':
      return restarted(view, { ...spec, replicas: numberAt(spec, 'replicas') ?? 1 })
    case 'undo':
      return undone(view, { ...spec, replicas: numberAt(spec, 'replicas') ?? 1 }, undo)
    case 'run':
      return changes(
        `${view.name} gets a job now, outside its schedule.`,
        'The job counts for the history limits, but not for the concurrency policy.',
      )
    case 'pause':
      return paused(view, true)
    case 'resume':
      return paused(view, false)
    case 'delete':
      return deleted(view, owned, cascade)
  }
}
