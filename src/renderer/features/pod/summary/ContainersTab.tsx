import type { ReactNode } from 'react'
import { humanDuration, timeOf } from '../../../../shared/kubernetes/printers/age.ts'
import type { ContainerView } from '../../../../shared/model/pod-detail.ts'
import { useTicking } from '../../../store/store-context.ts'
import { classNames } from '../../../ui/class-names.ts'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { fullTimeText } from '../../../words/time.ts'
import { BackOff } from './BackOff.tsx'
import styles from './ContainersTab.module.css'
import { exitText, isAmiss, ranText, stateText } from './container-words.ts'

const kinds: readonly {
  readonly kind: ContainerView['kind']
  readonly title: string
  readonly meaning: string
}[] = [
  {
    kind: 'init',
    title: 'Init containers',
    meaning: 'Run one after another to completion before the app containers start.',
  },
  {
    kind: 'sidecar',
    title: 'Sidecars',
    meaning: 'Keep running; terminated after app containers.',
  },
  { kind: 'container', title: 'Containers', meaning: '' },
]

function Ago({
  cluster,
  word,
  at,
}: {
  readonly cluster: string
  readonly word: string
  readonly at: string | null
}): ReactNode {
  const time = timeOf(at)
  const age = useTicking(cluster, (now) => (time === null ? '' : humanDuration(now - time)), '')
  if (time === null) return null
  return (
    <span title={fullTimeText(time)}>
      {word} {age} ago
    </span>
  )
}

function LastTermination({
  cluster,
  ended,
}: {
  readonly cluster: string
  readonly ended: NonNullable<ContainerView['lastTermination']>
}): ReactNode {
  return (
    <div className={styles['line']}>
      <dt>last ended</dt>
      <dd>
        <span className={ended.exitCode === 0 ? undefined : styles['bad']}>
          {ended.reason === '' ? '' : `${ended.reason}, `}
          {exitText(ended.exitCode)}
        </span>
        <span className={styles['more']}>
          <Ago cluster={cluster} word="ended" at={ended.finishedAt} />
          <span>{ranText(ended.startedAt, ended.finishedAt)}</span>
        </span>
      </dd>
    </div>
  )
}

function Container({
  cluster,
  container,
}: {
  readonly cluster: string
  readonly container: ContainerView
}): ReactNode {
  const { backOffUntil, lastTermination, state } = container
  return (
    <li className={styles['container']}>
      <div className={styles['head']}>
        <b className={styles['name']}>{container.name}</b>
        <span className={classNames(styles['state'], isAmiss(container) && styles['bad'])}>
          {stateText(container)}
        </span>
      </div>
      {backOffUntil === null ? null : (
        <BackOff cluster={cluster} container={container} until={backOffUntil} />
      )}
      {container.message === '' ? null : <p className={styles['message']}>{container.message}</p>}
      <dl>
        <div className={styles['line']}>
          <dt>since</dt>
          <dd className={styles['more']}>
            {state === 'running' ? <span>{container.ready ? 'ready' : 'not ready'}</span> : null}
            {container.startedAt === null ? (
              <span>not started</span>
            ) : (
              <Ago cluster={cluster} word="started" at={container.startedAt} />
            )}
            <Ago cluster={cluster} word="ended" at={container.finishedAt} />
            <span>{ranText(container.startedAt, container.finishedAt)}</span>
          </dd>
        </div>
        <div className={styles['line']}>
          <dt>restarts</dt>
          <dd className={container.restarts === 0 ? styles['quiet'] : undefined}>
            {container.restarts}
          </dd>
        </div>
        {lastTermination === null ? null : (
          <LastTermination cluster={cluster} ended={lastTermination} />
        )}
        <div className={styles['line']}>
          <dt>image</dt>
          <dd>
            <code>{container.image}</code>
          </dd>
        </div>
        <div className={styles['line']}>
          <dt>id</dt>
          <dd className={styles['id']}>
            {container.containerId === '' ? (
              <span className={styles['quiet']}>none before the first start</span>
            ) : (
              <>
                <code title={container.containerId}>{container.containerId}</code>
                <CopyButton
                  value={container.containerId}
                  label={`Copy the id of ${container.name}`}
                />
              </>
            )}
          </dd>
        </div>
      </dl>
    </li>
  )
}

/** The containers of the pod by kind: what each does, what it did last, and when a crashed one may start again. */
export function ContainersTab({
  cluster,
  containers,
  podIP,
}: {
  readonly cluster: string
  readonly podIP: string
  readonly containers: readonly ContainerView[]
}): ReactNode {
  if (containers.length === 0)
    return (
      <EmptyState title="No container has been reported yet">
        They appear when the kubelet has read the pod.
      </EmptyState>
    )
  return (
    <>
      {kinds.map(({ kind, title, meaning }) => {
        const ofKind = containers.filter((container) => container.kind === kind)
        if (ofKind.length === 0) return null
        return (
          <section key={kind} className={styles['section']} aria-label={title}>
            <h3 className={styles['title']}>
              {title} <span className={styles['count']}>{ofKind.length}</span>
              {kind === 'container' && podIP !== '' ? (
                <span className={styles['ip']}>pod IP {podIP}</span>
              ) : null}
            </h3>
            {meaning === '' ? null : <p className={styles['meaning']}>{meaning}</p>}
            <ul>
              {ofKind.map((container) => (
                <Container key={container.name} cluster={cluster} container={container} />
              ))}
            </ul>
          </section>
        )
      })}
    </>
  )
}
