import type { ReactNode } from 'react'
import type {
  PodVolumes,
  VolumeMountView,
  VolumeView,
} from '../../../../shared/model/inside-pod/pod-volumes.ts'
import { text } from '../../../text/text.ts'
import { classNames } from '../../../ui/class-names.ts'
import { SourceOf } from './Referred.tsx'
import { orderedVolumes } from './volume-order.ts'
import { volumeWords } from './volume-words.ts'
import styles from './VolumesTab.module.css'

const words = text.pod.volumes

/** Where a container mounts the volume; its name only where the pod has several. */
function Mount({
  mount: { container, path, isReadOnly, subPath },
  isNamed,
}: {
  readonly mount: VolumeMountView
  readonly isNamed: boolean
}): ReactNode {
  return (
    <li>
      {isNamed ? <span className={styles['quiet']}>{words.lineTo(container)}</span> : null}
      <code title={isReadOnly ? words.readOnly(path) : path}>{path}</code>
      {subPath === '' ? null : <span className={styles['more']}>{words.subPath(subPath)}</span>}
    </li>
  )
}

function VolumeRow({
  volume,
  now,
  isKnown,
  hasSeveral,
}: {
  readonly volume: VolumeView
  readonly now: number
  readonly isKnown: boolean
  readonly hasSeveral: boolean
}): ReactNode {
  const { tone, main, more } = volumeWords(volume, now, isKnown)
  return (
    <tr
      className={styles[tone]}
      data-missing={tone === 'quiet' ? undefined : true}
      // `M` moves the focus here.
      tabIndex={tone === 'quiet' ? undefined : -1}
    >
      <th scope="row" className={styles['name']} title={volume.name}>
        {volume.name}
      </th>
      <td>
        <SourceOf source={volume.source} />
      </td>
      <td>
        <ul className={styles['mounts']}>
          {volume.mounts.map((mount) => (
            <Mount
              key={`${mount.container} ${mount.path} ${mount.subPath}`}
              mount={mount}
              isNamed={hasSeveral}
            />
          ))}
        </ul>
      </td>
      <td>
        <span className={styles['main']}>{main}</span>
        {more.map((line) => (
          <span key={line} className={styles['more']}>
            {line}
          </span>
        ))}
      </td>
    </tr>
  )
}

/** The volumes of the pod: what each is made of, where it is mounted, and how it is. */
export function VolumeTable({
  seen: { volumes, volumesLeft, environments, isKnown },
  now,
}: {
  readonly seen: PodVolumes
  readonly now: number
}): ReactNode {
  const used = volumes.filter(({ state }) => state !== 'unused')
  const mounted = used.filter(({ state }) => state === 'mounted')
  const { columns } = words
  return (
    <section aria-label={words.title}>
      <h3 className={styles['title']}>
        {words.title}
        {isKnown && used.length > 0 ? (
          <span className={styles['label']}>{words.mounted(mounted.length, used.length)}</span>
        ) : null}
      </h3>
      {volumes.length === 0 ? (
        <p className={styles['empty']}>{words.none}</p>
      ) : (
        <table className={classNames(styles['table'], styles['volumes'])} aria-label={words.title}>
          <thead>
            <tr>
              {[columns.volume, columns.from, columns.at, columns.state].map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {orderedVolumes(volumes).map((volume) => (
              <VolumeRow
                key={volume.name}
                volume={volume}
                now={now}
                isKnown={isKnown}
                hasSeveral={environments.length > 1}
              />
            ))}
          </tbody>
        </table>
      )}
      {volumesLeft === 0 ? null : <p className={styles['empty']}>{words.left(volumesLeft)}</p>}
    </section>
  )
}
