import type { ReactNode } from 'react'
import type { ClusterView } from '../../../shared/model/cluster-view.ts'
import { labelsText } from '../../../shared/model/row-selectors.ts'
import type { NodeColumn } from '../../store/tables/column-ids.ts'
import { useAppState, useTicking } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/Icon.tsx'
import tone from '../../ui/tone.module.css'
import { useAge } from '../../ui/use-times.ts'
import { fullTimeText, lastingText } from '../../words/time.ts'
import { LeaseBar } from './LeaseBar.tsx'
import { conditionOf, minorsBehind, pressureOf } from './node-facts.ts'
import type { NodeLine } from './node-lines.ts'
import styles from './NodesView.module.css'

const words = text.clusters.nodes

export interface NodeCellProps {
  readonly cluster: ClusterView
  readonly line: NodeLine
}

/** The name is a button that shows the node's pods. */
function Name({ cluster, line: { name, roles } }: NodeCellProps): ReactNode {
  const showNode = useAppState((state) => state.showNode)
  const show = useAppState((state) => state.show)
  const openPods = (): void => {
    showNode({ cluster: cluster.id, node: name })
    show('pods')
  }
  return (
    <>
      <button
        type="button"
        className={styles['name']}
        data-node={name}
        title={words.openPods(name)}
        onClick={openPods}
      >
        {name}
      </button>
      {roles.length === 0 ? null : <span className={styles['role']}>{roles.join(', ')}</span>}
    </>
  )
}

function Ready({ line }: NodeCellProps): ReactNode {
  const status = conditionOf(line, 'Ready')
  return (
    <span className={styles['ready']}>
      <span
        className={classNames(
          styles['state'],
          tone[status === 'True' ? 'ok' : 'error'],
          tone['ink'],
        )}
      >
        <span className={styles['dot']} aria-hidden="true" />
        {status === '' ? 'Unknown' : status}
      </span>
      {line.isUnschedulable ? <span className={styles['cordoned']}>{words.cordoned}</span> : null}
    </span>
  )
}

function Pressure({ line }: NodeCellProps): ReactNode {
  const pressure = pressureOf(line)
  if (pressure.kind === 'some')
    return pressure.types.map((type) => (
      <span key={type} className={classNames(styles['chip'], tone['warn'])}>
        <Icon name="warn" />
        {type}
      </span>
    ))
  return (
    <span className={styles['faint']}>{pressure.kind === 'none' ? words.none : 'Unknown'}</span>
  )
}

function Version({ cluster, line: { kubeletVersion } }: NodeCellProps): ReactNode {
  const behind = minorsBehind(kubeletVersion, cluster.seen?.version ?? '')
  return (
    <span
      className={classNames(styles['version'], behind > 0 && styles['behind'])}
      title={behind > 0 ? words.older(behind) : undefined}
    >
      {kubeletVersion}
    </span>
  )
}

/** What is known of the static pods: from the kubelet itself, or only that there are mirrors of some. */
function Statics({ cluster, line: { name, statics, mirrors } }: NodeCellProps): ReactNode {
  const age = useTicking(
    cluster.id,
    (now) => lastingText(Math.max(0, now - (statics?.at ?? now))),
    '',
  )
  const { own, asked, byMirrors, byMirrorsTitle } = words.static
  if (statics === null)
    return (
      <span className={styles['faint']} title={byMirrorsTitle(name)}>
        {byMirrors(mirrors)}
      </span>
    )
  return (
    <span className={styles['version']} title={statics.at === null ? own : asked(name, age)}>
      {statics.count}
    </span>
  )
}

function Age({ cluster, line: { createdAt } }: NodeCellProps): ReactNode {
  const age = useAge(cluster.id, createdAt)
  return (
    <span
      className={styles['version']}
      title={createdAt === null ? undefined : text.pods.created(fullTimeText(createdAt))}
    >
      {age}
    </span>
  )
}

function Faint({ value }: { readonly value: string }): ReactNode {
  return (
    <span className={classNames(styles['faint'], styles['long'])} title={value}>
      {value === '' ? words.none : value}
    </span>
  )
}

export const nodeCells: Readonly<Record<NodeColumn, (props: NodeCellProps) => ReactNode>> = {
  name: Name,
  status: Ready,
  roles: ({ line }) => <Faint value={line.roles.join(', ')} />,
  kubelet: Version,
  age: Age,
  pods: ({ line }) => line.pods,
  lease: ({ cluster, line }) => <LeaseBar cluster={cluster.id} lease={line.lease} />,
  static: Statics,
  mirrors: ({ line }) => line.mirrors,
  conditions: Pressure,
  taints: ({ line }) => <Faint value={line.taints.join(', ')} />,
  labels: ({ line }) => <Faint value={labelsText(line)} />,
}
