import type { ReactNode } from 'react'
import { useRef } from 'react'
import type { PodDetail } from '../../../../shared/model/pod-detail.ts'
import type { PodRow } from '../../../../shared/model/pod-row.ts'
import type { PodVolumes } from '../../../../shared/model/inside-pod/pod-volumes.ts'
import { useTicking } from '../../../store/store-context.ts'
import { text } from '../../../text/text.ts'
import { CommandLine } from '../../../ui/CommandLine.tsx'
import { KeysLine } from '../../../ui/KeysLine.tsx'
import { Note } from '../../../ui/Note.tsx'
import { EnvironmentTable } from './EnvironmentTable.tsx'
import { HeadlineNote } from './HeadlineNote.tsx'
import { headlineOf, runningContainers } from './headline.ts'
import { mendLine } from './mend-line.ts'
import { missingObjects } from './missing-objects.ts'
import { useShownValue } from './use-shown-value.ts'
import { useVolumes } from './use-volumes.ts'
import { useVolumesKeys } from './use-volumes-keys.ts'
import { VolumeTable } from './VolumeTable.tsx'
import styles from './VolumesTab.module.css'

const words = text.pod.volumes

interface VolumesTabProps {
  readonly row: PodRow
  readonly detail: PodDetail | null
}

const keys = [
  { keys: ['M'], does: words.keys.missing },
  { keys: ['V'], does: words.keys.show },
  { keys: ['C'], does: words.keys.copy },
]

/** What has to be known of the pod as a whole; empty for most. */
function aboutPod({ row, detail, seen }: VolumesTabProps & { readonly seen: PodVolumes }): string {
  if (row.kind === 'mirror') return words.orphan
  if (!seen.isKnown) return words.noKubelet
  if (detail?.facts.kubelet === 'stopped') return words.stopped
  return row.kind === 'static' ? words.staticPod : ''
}

/** The lines of kubectl that create what the pod lacks. */
function MendLines({
  seen,
  namespace,
}: {
  readonly seen: PodVolumes
  readonly namespace: string
}): ReactNode {
  const lines = missingObjects(seen).map((missing) => mendLine(missing, namespace))
  if (lines.length === 0) return null
  const hasPlaceholder = lines.some((line) => /\b(?:VALUE|FILE)\b/.test(line))
  return (
    <section className={styles['mend']} aria-label={words.mend} data-mend>
      {lines.map((line) => (
        <CommandLine key={line} line={line} isWrapped />
      ))}
      {hasPlaceholder ? <p className={styles['quiet']}>{words.mendKeys}</p> : null}
    </section>
  )
}

function Shown({ row, detail, seen }: VolumesTabProps & { readonly seen: PodVolumes }): ReactNode {
  const now = useTicking(row.cluster, (at) => Math.floor(at / 1000) * 1000, 0)
  const tab = useRef<HTMLDivElement>(null)
  const { shown, toggle } = useShownValue(row.key)
  useVolumesKeys(tab)
  const headline = headlineOf(seen, detail)
  const about = aboutPod({ row, detail, seen })
  const running = runningContainers(detail)
  const failing = new Set(
    detail?.containers.flatMap(({ name, reason }) =>
      reason === 'CreateContainerConfigError' ? [name] : [],
    ),
  )
  return (
    <div ref={tab} className={styles['tab']}>
      <div className={styles['notes']}>
        {headline === null ? null : <HeadlineNote headline={headline} now={now} />}
        {about === '' ? null : (
          <Note variant="plain" icon="info">
            <p>{about}</p>
          </Note>
        )}
      </div>
      <VolumeTable seen={seen} now={now} />
      {seen.environments.map((environment) => (
        <EnvironmentTable
          key={environment.container}
          environment={environment}
          failing={failing}
          running={running}
          shown={shown}
          onToggle={toggle}
        />
      ))}
      <MendLines seen={seen} namespace={row.namespace} />
      <span className={styles['grow']} />
      <div className={styles['keys']}>
        <KeysLine keys={keys} />
      </div>
    </div>
  )
}

/** The volumes and the environment of the pod: what is mounted, what is missing, and what each container got. */
export function VolumesTab({ row, detail }: VolumesTabProps): ReactNode {
  const { value, state } = useVolumes(row.key, row.cluster, detail)
  if (value !== null) return <Shown row={row} detail={detail} seen={value} />
  return <p className={styles['empty']}>{state === 'gone' ? words.gone : words.loading}</p>
}
