import type { ReactNode } from 'react'
import { timeOf } from '../../../../shared/kubernetes/printers/age.ts'
import type { ContainerView, PodDetail } from '../../../../shared/model/pod-detail.ts'
import type { PodRow } from '../../../../shared/model/pod-row.ts'
import type { ProbeView } from '../../../../shared/model/probe-view.ts'
import type { TraceEvent } from '../../../../shared/model/trace-event.ts'
import { text } from '../../../text/text.ts'
import { classNames } from '../../../ui/class-names.ts'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { useAge } from '../../../ui/use-times.ts'
import { fullTimeText } from '../../../words/time.ts'
import { ContainerMenu } from '../container-acts/ContainerMenu.tsx'
import { Probes } from '../probes/Probes.tsx'
import { useProbes } from '../probes/use-probes.ts'
import { BackOffSteps } from '../resources/BackOffSteps.tsx'
import { ContainerCgroup, PodCgroup } from '../resources/Cgroups.tsx'
import { ContainerResources } from '../resources/ContainerResources.tsx'
import { LastTermination } from '../resources/LastTermination.tsx'
import { usePodUse } from '../resources/use-pod-use.ts'
import { BackOff } from './BackOff.tsx'
import { PortForwards } from '../ports/PortForwards.tsx'
import styles from './ContainersTab.module.css'
import { isFailing, ranText } from './container-words.ts'

const words = text.pod.containers
const kinds = ['init', 'sidecar', 'container', 'ephemeral'] as const

/** How long ago something was; nothing while its time is unknown. */
function Ago({
  cluster,
  at,
  says,
}: {
  readonly cluster: string
  readonly at: string | null
  readonly says: (age: string) => string
}): ReactNode {
  const time = timeOf(at)
  const age = useAge(cluster, time)
  return time === null ? null : <span title={fullTimeText(time)}>{says(age)}</span>
}

function Line({
  label,
  look,
  children,
}: {
  readonly label: string
  readonly look?: string | undefined
  readonly children: ReactNode
}): ReactNode {
  return (
    <div className={styles['line']}>
      <dt>{label}</dt>
      <dd className={look}>{children}</dd>
    </div>
  )
}

function Container({
  cluster,
  container,
  probes,
  trace,
  children,
  menu,
}: {
  readonly cluster: string
  readonly children: ReactNode
  readonly probes: readonly ProbeView[]
  readonly trace: readonly TraceEvent[]
  readonly container: ContainerView
  /** What can be done to it. */
  readonly menu: ReactNode
}): ReactNode {
  const { backOffUntil, containerId: id, finishedAt, restarts, startedAt } = container
  return (
    <li className={styles['container']} data-container={container.name}>
      <div className={styles['head']}>
        <b className={styles['name']}>{container.name}</b>
        <span className={classNames(styles['state'], isFailing(container) && styles['bad'])}>
          {words.state(container)}
        </span>
        {menu}
      </div>
      {backOffUntil === null ? null : (
        <BackOff cluster={cluster} container={container} until={backOffUntil} />
      )}
      <BackOffSteps container={container} />
      {container.message === '' ? null : <p className={styles['message']}>{container.message}</p>}
      <Probes cluster={cluster} container={container.name} probes={probes} trace={trace} />
      <dl>
        <Line label={words.since} look={styles['more']}>
          {container.state === 'running' ? (
            <span>{container.ready ? words.ready : words.notReady}</span>
          ) : null}
          {startedAt === null ? <span>{words.notStarted}</span> : null}
          <Ago cluster={cluster} at={startedAt} says={words.started} />
          <Ago cluster={cluster} at={finishedAt} says={words.ended} />
          <span>{ranText(startedAt, finishedAt)}</span>
        </Line>
        <Line label={words.restarts} look={restarts === 0 ? styles['quiet'] : undefined}>
          {restarts}
        </Line>
        <Line label={words.image}>
          <code>{container.image}</code>
        </Line>
        <Line label={words.id} look={styles['id']}>
          {id === '' ? (
            <span className={styles['quiet']}>{words.noId}</span>
          ) : (
            <>
              <code title={id}>{id}</code>
              <CopyButton value={id} label={words.copyId(container.name)} />
            </>
          )}
        </Line>
      </dl>
      {children}
    </li>
  )
}

/** The containers of the pod by kind: what each does now, how it ended last, and when a crashed one may start again. */
export function ContainersTab({
  row: { key: podKey, cluster },
  detail,
}: {
  readonly row: PodRow
  readonly detail: PodDetail | null
}): ReactNode {
  const probes = useProbes(podKey, cluster, detail)
  const use = usePodUse(podKey, cluster, detail)
  const { containers = [], podIP = '', trace = [] } = detail ?? {}
  if (containers.length === 0)
    return <EmptyState title={words.none}>{words.noneMeaning}</EmptyState>
  const mainName = containers.find(({ kind }) => kind === 'container')?.name
  const version = trace[0]?.seq
  const sections = kinds.map((kind) => {
    const { title, meaning } = words.kinds[kind]
    const ofKind = containers.filter((container) => container.kind === kind)
    if (ofKind.length === 0) return null
    return (
      <section key={kind} className={styles['section']} aria-label={title}>
        <h3 className={styles['title']}>
          {title} <span className={styles['count']}>{ofKind.length}</span>
          {kind === 'container' && podIP !== '' ? (
            <span className={styles['ip']}>{words.podIP(podIP)}</span>
          ) : null}
        </h3>
        {meaning === '' ? null : <p className={styles['meaning']}>{meaning}</p>}
        <ul>
          {ofKind.map((container) => (
            <Container
              key={container.name}
              cluster={cluster}
              container={container}
              probes={probes.filter((probe) => probe.container === container.name)}
              trace={trace}
              menu={
                detail === null ? null : (
                  <ContainerMenu podKey={podKey} detail={detail} container={container.name} />
                )
              }
            >
              <ContainerResources
                container={container}
                answer={use}
                isOpenAtFirst={container.name === mainName || container.restarts > 0}
              />
              <LastTermination container={container} />
              <ContainerCgroup name={container.name} pod={podKey} version={version} />
            </Container>
          ))}
        </ul>
      </section>
    )
  })
  return (
    <>
      {sections}
      <PodCgroup pod={podKey} version={version} />
      {detail === null ? null : <PortForwards podKey={podKey} facts={detail.facts} />}
    </>
  )
}
