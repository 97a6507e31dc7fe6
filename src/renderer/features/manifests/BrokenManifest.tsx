import type { ReactNode } from 'react'
import { assertNever } from '../../../shared/assert-never.ts'
import type { ManifestFile, ManifestText } from '../../../shared/model/manifests.ts'
import type { SourceProblem } from '../../../shared/model/cluster-view.ts'
import type { PodRow } from '../../../shared/model/pod-row.ts'
import { shownCluster } from '../../store/shown-node.ts'
import { useAppState, useRow, useStore, useTicking } from '../../store/store-context.ts'
import { clockText, lastingText } from '../../words/time.ts'
import { BrokenAxis } from './BrokenAxis.tsx'
import type { BrokenCourse } from './broken-course.ts'
import { brokenCourse } from './broken-course.ts'
import styles from './BrokenManifest.module.css'
import { SourceListing } from './SourceListing.tsx'

const defaultGraceSeconds = 30

function Step({
  number,
  isNow,
  children,
}: {
  readonly number: number
  readonly isNow: boolean
  readonly children: ReactNode
}): ReactNode {
  return (
    <li className={isNow ? styles['isNow'] : undefined} aria-current={isNow ? 'step' : undefined}>
      <span className={styles['number']} aria-hidden="true">
        {number}
      </span>
      <div>{children}</div>
    </li>
  )
}

function Refused({ pod }: { readonly pod: string }): ReactNode {
  const files = useAppState((state) => state.manifests?.files)
  const good = files?.filter(({ state }) => state !== 'rejected' && state !== 'skipped').length ?? 0
  const all = files?.filter(({ state }) => state !== 'skipped').length ?? 0
  return (
    <>
      <p>The edit is invalid: the file source keeps the previous pod.</p>
      <p className={styles['fine']}>
        {good} of {all} manifests valid; still there: {pod}
      </p>
    </>
  )
}

function runningText(course: Extract<BrokenCourse, { kind: 'runs' }>, isPaused: boolean): string {
  if (isPaused)
    return 'That version keeps running until the next full scan of the folder, which waits while the clock is paused. Save a valid file before then, and nothing stops.'
  const when = course.relistIn === 0 ? 'which is due now' : `within ${course.relistIn} s`
  return `That version keeps running until the next full scan of the folder, ${when}. Save a valid file before then, and nothing stops.`
}

function Steps({
  course,
  pod,
  graceSeconds,
}: {
  readonly course: BrokenCourse
  readonly pod: string
  readonly graceSeconds: number
}): ReactNode {
  const isPaused = useAppState((state) => shownCluster(state)?.clock.paused ?? false)
  switch (course.kind) {
    case 'nothing':
      return (
        <p>No pod runs from this file. Save a valid version and its pod starts within a second.</p>
      )
    case 'kept':
      return (
        <ol className={styles['steps']}>
          <Step number={1} isNow>
            <Refused pod={pod} />
          </Step>
          <Step number={2} isNow={false}>
            The source is one single file: while it is not valid it emits nothing, so {pod} runs on.
          </Step>
        </ol>
      )
    case 'runs':
      return (
        <ol className={styles['steps']}>
          <Step number={1} isNow>
            <Refused pod={pod} />
          </Step>
          <Step number={2} isNow={false}>
            {runningText(course, isPaused)}
          </Step>
          <Step number={3} isNow={false}>
            At the relist the file gives no pod. It is missing from the SET, so the pod is removed
            and stopped with {graceSeconds} s grace.
          </Step>
        </ol>
      )
    case 'stopping':
      return (
        <ol className={styles['steps']}>
          <Step number={1} isNow={false}>
            The edit was invalid, and the last valid version kept running until the next full scan.
          </Step>
          <Step number={2} isNow={false}>
            The full scan found no pod in the file: REMOVE from the file source.
          </Step>
          <Step number={3} isNow>
            The worker stops {pod}
            {course.grace === null
              ? '.'
              : `: SIGKILL at ${clockText(course.grace.killAt)} at the latest.`}{' '}
            If you save a valid manifest now, the pod starts again after the old one has stopped.
          </Step>
        </ol>
      )
    default:
      return assertNever(course, 'course')
  }
}

/** How long ago it was saved by the cluster's clock: real time, as fast as that clock goes now. */
function useSavedAgo(file: ManifestFile, cluster: string): number {
  const { wallClock } = useStore()
  const speed = useAppState((state) => shownCluster(state)?.clock.speed ?? 1)
  return useTicking(
    cluster,
    () => Math.max(0, Math.floor(((wallClock() - file.modifiedAt) / 1000) * speed)),
    0,
  )
}

function What({
  file,
  row,
  cluster,
}: {
  readonly file: ManifestFile
  readonly row: PodRow | undefined
  readonly cluster: string
}): ReactNode {
  const lastGood = useAppState((state) => state.lastGood)
  const isSingleFile = useAppState((state) => state.manifests?.isSingleFile ?? false)
  const savedAgo = useSavedAgo(file, cluster)
  const now = useTicking(cluster, (at) => Math.floor(at / 1000) * 1000, 0)
  const course = brokenCourse(row, { savedAgo, isSingleFile })
  const graceSeconds = row?.grace?.seconds ?? lastGood?.graceSeconds ?? defaultGraceSeconds
  const pod = row === undefined ? file.podName : `${row.namespace}/${row.name}`
  return (
    <section className={styles['what']} aria-label="What happens to the running pod">
      <h3>What happens to the running pod</h3>
      {course.kind === 'runs' || course.kind === 'stopping' ? (
        <BrokenAxis course={course} graceSeconds={graceSeconds} now={now} />
      ) : null}
      <Steps course={course} pod={pod} graceSeconds={graceSeconds} />
    </section>
  )
}

function WithRow({
  podKey,
  ...rest
}: Omit<Parameters<typeof What>[0], 'row'> & { readonly podKey: string }): ReactNode {
  return <What {...rest} row={useRow(podKey)} />
}

/** A manifest that is not valid, explained in its place: where, and what becomes of the pod that it had made. */
export function BrokenManifest({
  file,
  text,
  problems,
  cluster,
}: {
  readonly file: ManifestFile
  readonly text: ManifestText
  readonly problems: readonly SourceProblem[]
  readonly cluster: string
}): ReactNode {
  const lastGood = useAppState((state) => state.lastGood)
  const label = `What is wrong with ${file.name}`
  return (
    // It scrolls, so the keyboard must reach it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section className={styles['broken']} tabIndex={0} aria-label={label}>
      <SourceListing
        text={text.text}
        problems={problems}
        label={`${file.name}, as it is on disk`}
      />
      {lastGood === null ? (
        <What file={file} row={undefined} cluster={cluster} />
      ) : (
        <WithRow file={file} podKey={lastGood.key} cluster={cluster} />
      )}
    </section>
  )
}

/** `saved 8 s ago`, by real time. */
export function SavedAgo({
  file,
  cluster,
}: {
  readonly file: ManifestFile
  readonly cluster: string
}): ReactNode {
  const { wallClock } = useStore()
  return useTicking(cluster, () => `saved ${lastingText(wallClock() - file.modifiedAt)} ago`, '')
}
