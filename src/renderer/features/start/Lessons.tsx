import type { ReactNode } from 'react'
import type { ClusterView } from '../../../shared/model/cluster-view.ts'
import type { PodRow } from '../../../shared/model/pod-row.ts'
import { useAppState, useStore } from '../../store/store-context.ts'
import { tryGraceSeconds } from '../../store/feeds/try-feed.ts'
import { text } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { CommandLine } from '../../ui/CommandLine.tsx'
import { Kbd } from '../../ui/Kbd.tsx'
import { Lesson } from './Lesson.tsx'
import styles from './Lessons.module.css'
import { GraceOutcome, MirrorOutcome, Outcome } from './Outcomes.tsx'
import { ClockPicture, GracePicture, ManifestPicture, MirrorPicture } from './Pictures.tsx'
import { namespaceFlag, recreateCommand } from './start-facts.ts'

/** Does it at once in the sandbox; on a real cluster opens the dialog of the act. */
function TryButton({
  words,
  cluster,
  onDo,
  onAsk,
}: {
  readonly words: string
  readonly cluster: ClusterView
  readonly onDo: () => void
  readonly onAsk: () => void
}): ReactNode {
  const isReadOnly = useAppState((state) => state.program?.readOnly ?? false)
  return (
    <Button
      isRefused={isReadOnly}
      title={isReadOnly ? text.common.readOnlyActs : undefined}
      onClick={cluster.kind === 'sandbox' ? onDo : onAsk}
    >
      {words}
    </Button>
  )
}

export function MirrorLesson({
  row,
  cluster,
}: {
  readonly row: PodRow
  readonly cluster: ClusterView
}): ReactNode {
  const { tries } = useStore()
  const openDrawer = useAppState((state) => state.openDrawer)
  const askAct = useAppState((state) => state.askAct)
  const tried = useAppState((state) => state.mirrorTry)
  const isOver = tried !== null && (tried.newUid !== null || tried.error !== '')
  const words = text.start.mirror
  const first = cluster.kind === 'sandbox' ? text.start.doIt : words.ask
  return (
    <Lesson title={words.title} picture={<MirrorPicture />} words={words.words}>
      <CommandLine
        line={`kubectl delete pod${namespaceFlag(row)} ${row.name} --wait=false`}
        isWrapped
      />
      {tried === null ? null : <MirrorOutcome tried={tried} />}
      <div className={styles['row']}>
        {(tried !== null && !isOver) || row.mirrorUid === null ? null : (
          <TryButton
            words={tried === null ? first : text.common.again}
            cluster={cluster}
            onDo={() => void tries.deleteMirror(row.key)}
            onAsk={() => askAct({ act: 'deleteMirror', key: row.key, graceSeconds: null })}
          />
        )}
        {tried === null ? <span className={styles['hint']}>{words.time}</span> : null}
        {isOver ? (
          <Button variant="quiet" onClick={() => openDrawer(row.key)}>
            {words.show}
          </Button>
        ) : null}
      </div>
    </Lesson>
  )
}

export function GraceLesson({
  row,
  cluster,
}: {
  /** Undefined when no pod is left to delete. */
  readonly row: PodRow | undefined
  readonly cluster: ClusterView
}): ReactNode {
  const { tries } = useStore()
  const askAct = useAppState((state) => state.askAct)
  const tried = useAppState((state) => state.graceTry)
  const isOver = tried !== null && (tried.isGone || tried.error !== '')
  const subject = tried !== null && !isOver ? tried : (row ?? tried)
  const words = text.start.grace
  const first = cluster.kind === 'sandbox' ? text.start.doIt : words.ask
  const again = row?.name === tried?.name ? text.common.again : words.tryWith(row?.name ?? '')
  return (
    <Lesson
      title={words.title}
      picture={<GracePicture />}
      words={words.words(subject?.name ?? 'loud')}
    >
      {subject === null ? null : (
        <CommandLine
          line={`kubectl delete pod${namespaceFlag(subject)} ${subject.name} --grace-period=${tryGraceSeconds}`}
          isWrapped
        />
      )}
      {tried === null ? null : <GraceOutcome tried={tried} cluster={cluster.id} />}
      {isOver && tried.isGone && row?.name !== tried.name && cluster.kind === 'sandbox' ? (
        <>
          <p className={styles['hint']}>{words.recreate(tried.name)}</p>
          <CommandLine line={recreateCommand(tried)} isWrapped />
        </>
      ) : null}
      {row === undefined ? null : (
        <div className={styles['row']}>
          {tried !== null && !isOver ? null : (
            <TryButton
              words={tried === null ? first : again}
              cluster={cluster}
              onDo={() => void tries.deleteWithGrace(row.key)}
              onAsk={() => askAct({ act: 'delete', key: row.key, graceSeconds: tryGraceSeconds })}
            />
          )}
          {tried === null ? <span className={styles['hint']}>{words.time}</span> : null}
        </div>
      )}
    </Lesson>
  )
}

export function ClockLesson({ cluster }: { readonly cluster: ClusterView }): ReactNode {
  const command = useAppState((state) => state.commandClock)
  const lastStep = useAppState((state) => state.lastStep)
  const steps = useAppState((state) => state.steps)
  const { paused } = cluster.clock
  const words = text.start.clock
  return (
    <Lesson title={words.title} picture={<ClockPicture />} words={words.words}>
      {steps === 0 ? null : (
        <Outcome isOk>{paused && lastStep !== '' ? lastStep : words.stepped(steps)}</Outcome>
      )}
      <div className={styles['row']}>
        <Button
          icon={paused ? 'play' : 'pause'}
          title={paused ? words.runTitle : words.pauseTitle}
          onClick={() => void command({ kind: 'toggle' })}
        >
          {paused ? words.run : words.pause}
        </Button>
        <Kbd>{words.pauseKey}</Kbd>
        <Button icon="step" onClick={() => void command({ kind: 'step' })}>
          {words.step}
        </Button>
        <Kbd>{words.stepKey}</Kbd>
      </div>
    </Lesson>
  )
}

export function ManifestLesson({ path }: { readonly path: string }): ReactNode {
  const show = useAppState((state) => state.show)
  const words = text.start.manifest
  return (
    <Lesson title={words.title} picture={<ManifestPicture />} words={words.words}>
      <CommandLine line={path} prompt="" isWrapped label={text.common.copyManifestsPath} />
      <div className={styles['row']}>
        <Button onClick={() => show('manifests')}>{words.edit}</Button>
        <span className={styles['hint']}>{words.elsewhere}</span>
      </div>
    </Lesson>
  )
}
