import type { ReactNode } from 'react'
import { assertNever } from '../../../shared/assert-never.ts'
import type { ManifestFile, ManifestText } from '../../../shared/model/manifests.ts'
import type { SourceProblem } from '../../../shared/model/cluster-view.ts'
import type { PodRow } from '../../../shared/model/pod-row.ts'
import { shownCluster } from '../../store/shown-node.ts'
import { useAppState, useRow, useShownTicking, useStore } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { clockText, lastingText } from '../../words/time.ts'
import { OutcomeAxis } from './OutcomeAxis.tsx'
import type { PodOutcome } from './pod-outcome.ts'
import { podOutcome } from './pod-outcome.ts'
import styles from './BrokenManifest.module.css'
import { SourceListing } from './SourceListing.tsx'

const defaultGraceSeconds = 30

const words = text.manifests.outcome

function StepList({
  steps,
  current,
}: {
  readonly steps: readonly ReactNode[]
  readonly current: number
}): ReactNode {
  return (
    <ol className={styles['steps']}>
      {steps.map((step, index) => (
        // The steps keep their order: the index is their identity.
        <li
          // oxlint-disable-next-line react/no-array-index-key
          key={index}
          className={index === current ? styles['isNow'] : undefined}
          aria-current={index === current ? 'step' : undefined}
        >
          <span className={styles['number']} aria-hidden="true">
            {index + 1}
          </span>
          <div>{step}</div>
        </li>
      ))}
    </ol>
  )
}

function KeptPod({ pod }: { readonly pod: string }): ReactNode {
  const files = useAppState((state) => state.manifests?.files)
  const valid = files?.filter(({ state }) => state !== 'rejected' && state !== 'skipped') ?? []
  const all = files?.filter(({ state }) => state !== 'skipped') ?? []
  return (
    <>
      <p>{words.kept}</p>
      <p className={styles['fine']}>{words.valid(valid.length, all.length, pod)}</p>
    </>
  )
}

function Steps({
  course,
  pod,
  graceSeconds,
}: {
  readonly course: PodOutcome
  readonly pod: string
  readonly graceSeconds: number
}): ReactNode {
  const isPaused = useAppState((state) => shownCluster(state)?.clock.paused ?? false)
  const kept = <KeptPod pod={pod} />
  switch (course.kind) {
    case 'nothing':
      return <p>{words.nothing}</p>
    case 'kept':
      return <StepList steps={[kept, words.singleFile(pod)]} current={0} />
    case 'runs': {
      const runs = words.runs(course.relistIn, isPaused)
      return <StepList steps={[kept, runs, words.relist(graceSeconds)]} current={0} />
    }
    case 'stopping': {
      const killAt = course.grace === null ? '' : clockText(course.grace.killAt)
      const steps = [words.wasInvalid, words.wasRemoved, words.stopping(pod, killAt)]
      return <StepList steps={steps} current={2} />
    }
    default:
      return assertNever(course, 'course')
  }
}

/** Seconds since the file was saved, by the cluster's clock: the real time, times the clock's current speed. */
function useSavedAgo(file: ManifestFile): number {
  const { wallClock } = useStore()
  const speed = useAppState((state) => shownCluster(state)?.clock.speed ?? 1)
  return useShownTicking(
    () => Math.max(0, Math.floor(((wallClock() - file.modifiedAt) / 1000) * speed)),
    0,
  )
}

function Outcome({
  file,
  row,
}: {
  readonly file: ManifestFile
  readonly row: PodRow | undefined
}): ReactNode {
  const lastGood = useAppState((state) => state.lastGood)
  const isSingleFile = useAppState((state) => state.manifests?.isSingleFile ?? false)
  const savedAgo = useSavedAgo(file)
  const now = useShownTicking((at) => Math.floor(at / 1000) * 1000, 0)
  const course = podOutcome(row, { savedAgo, isSingleFile })
  const graceSeconds = row?.grace?.seconds ?? lastGood?.graceSeconds ?? defaultGraceSeconds
  const pod = row === undefined ? file.podName : `${row.namespace}/${row.name}`
  return (
    <section className={styles['what']} aria-label={words.title}>
      <h3>{words.title}</h3>
      {course.kind === 'runs' || course.kind === 'stopping' ? (
        <OutcomeAxis course={course} graceSeconds={graceSeconds} now={now} />
      ) : null}
      <Steps course={course} pod={pod} graceSeconds={graceSeconds} />
    </section>
  )
}

function WithRow({
  podKey,
  ...rest
}: Omit<Parameters<typeof Outcome>[0], 'row'> & { readonly podKey: string }): ReactNode {
  return <Outcome {...rest} row={useRow(podKey)} />
}

/** An invalid manifest: where the problems are, and what happens to the pod of its last valid version. */
export function BrokenManifest({
  file,
  onDisk,
  problems,
}: {
  readonly file: ManifestFile
  readonly onDisk: ManifestText
  readonly problems: readonly SourceProblem[]
}): ReactNode {
  const lastGood = useAppState((state) => state.lastGood)
  return (
    // It scrolls, so the keyboard must reach it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section className={styles['broken']} tabIndex={0} aria-label={words.problems(file.name)}>
      <SourceListing text={onDisk.text} problems={problems} label={words.onDisk(file.name)} />
      {lastGood === null ? (
        <Outcome file={file} row={undefined} />
      ) : (
        <WithRow file={file} podKey={lastGood.key} />
      )}
    </section>
  )
}

/** `saved 8 s ago`, in real time. */
export function SavedAgo({ file }: { readonly file: ManifestFile }): ReactNode {
  const { wallClock } = useStore()
  const { savedAgo } = text.manifests.file
  return useShownTicking(() => savedAgo(lastingText(wallClock() - file.modifiedAt)), '')
}
