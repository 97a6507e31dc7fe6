import type { ReactNode } from 'react'
import { humanDuration, timeOf } from '../../../shared/kubernetes/age.ts'
import type { ContainerView } from '../../../shared/model/pod-detail.ts'
import { useTicking } from '../../store/store-context.ts'
import { classNames } from '../../ui/class-names.ts'
import { fullTimeText } from '../../words/time.ts'
import styles from './Containers.module.css'

function stateWords({ state, reason, exitCode }: ContainerView): string {
  const exit = exitCode === null ? '' : `, exit ${exitCode}`
  return reason === '' ? `${state}${exit}` : `${state}: ${reason}${exit}`
}

function isBad({ state, reason, exitCode }: ContainerView): boolean {
  return (
    (exitCode !== null && exitCode !== 0) ||
    (state === 'waiting' && (reason.endsWith('BackOff') || reason.startsWith('Err')))
  )
}

function Container({
  cluster,
  container,
}: {
  readonly cluster: string
  readonly container: ContainerView
}): ReactNode {
  const startedAt = timeOf(container.startedAt)
  const age = useTicking(
    cluster,
    (now) => (startedAt === null ? '' : humanDuration(now - startedAt)),
    '',
  )
  const facts = [
    container.state === 'running' ? (container.ready ? 'ready' : 'not ready') : '',
    container.restarts === 0 ? '' : `${container.restarts} restarts`,
    container.lastExitCode === null ? '' : `last exit ${container.lastExitCode}`,
  ].filter((fact) => fact !== '')
  return (
    <li className={styles['container']}>
      <div className={styles['first']}>
        <b className={styles['name']}>{container.name}</b>
        <span className={classNames(styles['state'], isBad(container) && styles['bad'])}>
          {stateWords(container)}
        </span>
      </div>
      <div className={styles['second']}>
        <code className={styles['image']} title={container.image}>
          {container.image}
        </code>
        <span title={startedAt === null ? undefined : `started ${fullTimeText(startedAt)}`}>
          {[age === '' ? '' : `started ${age} ago`, ...facts]
            .filter((fact) => fact !== '')
            .join(', ')}
        </span>
      </div>
    </li>
  )
}

export function Containers({
  cluster,
  containers,
  podIP,
}: {
  readonly cluster: string
  readonly podIP: string
  readonly containers: readonly ContainerView[]
}): ReactNode {
  return (
    <section className={styles['section']} aria-label="Containers">
      <h3 className={styles['title']}>
        Containers <span className={styles['count']}>{containers.length}</span>
        {podIP === '' ? null : <span className={styles['ip']}>pod IP {podIP}</span>}
      </h3>
      {containers.length === 0 ? (
        <p className={styles['empty']}>No container has been reported yet.</p>
      ) : (
        <ul>
          {containers.map((container) => (
            <Container key={container.name} cluster={cluster} container={container} />
          ))}
        </ul>
      )}
    </section>
  )
}
