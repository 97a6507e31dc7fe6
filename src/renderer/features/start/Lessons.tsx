import type { ReactNode } from 'react'
import type { ClusterView } from '../../../shared/model/cluster-view.ts'
import type { PodRow } from '../../../shared/model/pod-row.ts'
import { useAppState, useStore } from '../../store/store-context.ts'
import { tryGraceSeconds } from '../../store/feeds/try-feed.ts'
import { Button } from '../../ui/Button.tsx'
import { CommandLine } from '../../ui/CommandLine.tsx'
import { Kbd } from '../../ui/Kbd.tsx'
import { Done } from './Done.tsx'
import { GraceOutcome } from './GraceOutcome.tsx'
import { Lesson } from './Lesson.tsx'
import styles from './Lessons.module.css'
import { MirrorOutcome } from './MirrorOutcome.tsx'
import { ClockPicture, GracePicture, ManifestPicture, MirrorPicture } from './Pictures.tsx'
import { bringBackLine, namespaceFlag } from './start-facts.ts'

const readOnlyReason = 'Nodescope was started with --read-only: actions are disabled.'

function DoIt({
  words,
  row,
  isJoined,
  onDo,
  onAsk,
}: {
  readonly words: string
  readonly row: PodRow | undefined
  /** Nothing is done at once on a cluster that is somebody's: its dialog is opened. */
  readonly isJoined: boolean
  readonly onDo: (row: PodRow) => void
  readonly onAsk: (row: PodRow) => void
}): ReactNode {
  const isReadOnly = useAppState((state) => state.program?.readOnly ?? false)
  if (row === undefined) return null
  return (
    <Button
      isRefused={isReadOnly}
      title={isReadOnly ? readOnlyReason : undefined}
      onClick={() => (isJoined ? onAsk(row) : onDo(row))}
    >
      {words}
    </Button>
  )
}

export function MirrorLesson({
  number,
  row,
  cluster,
}: {
  readonly number: number
  readonly row: PodRow
  readonly cluster: ClusterView
}): ReactNode {
  const { tries } = useStore()
  const openDrawer = useAppState((state) => state.openDrawer)
  const askAct = useAppState((state) => state.askAct)
  const tried = useAppState((state) => state.mirrorTry)
  const isOver = tried !== null && (tried.newUid !== null || tried.error !== '')
  const isJoined = !cluster.sandbox
  return (
    <Lesson
      number={number}
      title="Delete a mirror pod"
      picture={<MirrorPicture />}
      words="The kubelet recreates it with a new UID. The container keeps its start time: only the API object was deleted."
    >
      <CommandLine
        line={`kubectl delete pod${namespaceFlag(row)} ${row.name} --wait=false`}
        isWrapped
      />
      {tried === null ? null : <MirrorOutcome tried={tried} />}
      <div className={styles['row']}>
        {tried !== null && !isOver ? null : (
          <DoIt
            words={tried === null ? (isJoined ? 'Delete the mirror…' : 'Do it for me') : 'Again'}
            row={row.mirrorUid === null ? undefined : row}
            isJoined={isJoined}
            onDo={() => void tries.deleteMirror(row.key)}
            onAsk={() => askAct({ act: 'deleteMirror', key: row.key, graceSeconds: null })}
          />
        )}
        {tried === null ? <span className={styles['hint']}>about a second</span> : null}
        {isOver ? (
          <Button look="quiet" onClick={() => openDrawer(row.key)}>
            Show pod
          </Button>
        ) : null}
      </div>
    </Lesson>
  )
}

/** What the lesson says of the pod that it would stop, or is stopping. */
function graceWords(name: string): string {
  return name === 'loud'
    ? 'loud ignores SIGTERM, so SIGKILL ends it after five seconds: exit code 137.'
    : `${name} gets SIGTERM at once, and SIGKILL after five seconds unless it exits first.`
}

export function GraceLesson({
  number,
  row,
  cluster,
}: {
  readonly number: number
  /** Undefined once the last pod that may be stopped has gone. */
  readonly row: PodRow | undefined
  readonly cluster: ClusterView
}): ReactNode {
  const { tries } = useStore()
  const askAct = useAppState((state) => state.askAct)
  const tried = useAppState((state) => state.graceTry)
  const isOver = tried !== null && (tried.isGone || tried.error !== '')
  const isJoined = !cluster.sandbox
  const subject = tried !== null && !isOver ? tried : (row ?? tried)
  const again = row?.name === tried?.name ? 'Again' : `Try it with ${row?.name ?? ''}`
  return (
    <Lesson
      number={number}
      title="Count down a grace period"
      picture={<GracePicture />}
      words={graceWords(subject?.name ?? 'loud')}
    >
      {subject === null || subject === undefined ? null : (
        <CommandLine
          line={`kubectl delete pod${namespaceFlag(subject)} ${subject.name} --grace-period=${tryGraceSeconds}`}
          isWrapped
        />
      )}
      {tried === null ? null : <GraceOutcome tried={tried} cluster={cluster.id} />}
      {isOver && tried.isGone && row?.name !== tried.name && cluster.sandbox ? (
        <>
          <p className={styles['hint']}>This brings {tried.name} back:</p>
          <CommandLine line={bringBackLine(tried)} isWrapped />
        </>
      ) : null}
      <div className={styles['row']}>
        {tried !== null && !isOver ? null : (
          <DoIt
            words={tried === null ? (isJoined ? 'Delete it with 5 s…' : 'Do it for me') : again}
            row={row}
            isJoined={isJoined}
            onDo={(pod) => void tries.deleteWithGrace(pod.key)}
            onAsk={(pod) => askAct({ act: 'delete', key: pod.key, graceSeconds: tryGraceSeconds })}
          />
        )}
        {tried === null && row !== undefined ? (
          <span className={styles['hint']}>about 6 s</span>
        ) : null}
      </div>
    </Lesson>
  )
}

export function ClockLesson({
  number,
  cluster,
}: {
  readonly number: number
  readonly cluster: ClusterView
}): ReactNode {
  const command = useAppState((state) => state.commandClock)
  const lastStep = useAppState((state) => state.lastStep)
  const steps = useAppState((state) => state.steps)
  const { paused } = cluster.clock
  return (
    <Lesson
      number={number}
      title="Stop the clock"
      picture={<ClockPicture />}
      words="Pause, then step from event to event and watch each one pass through the kubelet. kubectl keeps answering."
    >
      {steps === 0 ? null : (
        <Done isOk>
          {paused && lastStep !== ''
            ? lastStep
            : `${steps} ${steps === 1 ? 'step' : 'steps'} taken, and the clock runs again.`}
        </Done>
      )}
      <div className={styles['row']}>
        <Button
          icon={paused ? 'play' : 'pause'}
          title={paused ? 'Run (P)' : 'Pause (P)'}
          onClick={() => void command({ kind: 'toggle' })}
        >
          {paused ? 'Run it' : 'Pause it'}
        </Button>
        <Kbd>P</Kbd>
        <Button icon="step" onClick={() => void command({ kind: 'step' })}>
          Step on
        </Button>
        <Kbd>.</Kbd>
      </div>
    </Lesson>
  )
}

export function ManifestLesson({
  number,
  path,
}: {
  readonly number: number
  readonly path: string
}): ReactNode {
  const show = useAppState((state) => state.show)
  return (
    <Lesson
      number={number}
      title="Edit a manifest"
      picture={<ManifestPicture />}
      words="Change a file here and save it. The new version has a new UID and waits until the old pod of its name has stopped."
    >
      <CommandLine line={path} prompt="" isWrapped label="Copy the path of the manifest folder" />
      <div className={styles['row']}>
        <Button onClick={() => show('manifests')}>Edit it here</Button>
        <span className={styles['hint']}>or in your own editor: the folder is watched</span>
      </div>
    </Lesson>
  )
}
