import type { ReactNode } from 'react'
import type { ClusterView } from '../../../shared/model/cluster-view.ts'
import type { SeenNode, SeenView } from '../../../shared/model/seen-cluster.ts'
import { seenNodeActs } from '../../../shared/model/seen/drain.ts'
import { useAppState } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/Icon.tsx'
import { MenuButton } from '../../ui/list/MenuButton.tsx'
import tone from '../../ui/tone.module.css'
import { LeaseBar } from './LeaseBar.tsx'
import { conditionOf, minorsBehind, pressureOf } from './node-facts.ts'
import styles from './NodesView.module.css'

const words = text.clusters.nodes

function Ready({ node }: { readonly node: SeenNode }): ReactNode {
  const status = conditionOf(node, 'Ready')
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
      {node.isUnschedulable ? <span className={styles['cordoned']}>{words.cordoned}</span> : null}
    </span>
  )
}

function Pressure({ node }: { readonly node: SeenNode }): ReactNode {
  const pressure = pressureOf(node)
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

function Version({ node, server }: { readonly node: SeenNode; readonly server: string }) {
  const behind = minorsBehind(node.kubeletVersion, server)
  return (
    <span
      className={classNames(styles['version'], behind > 0 && styles['behind'])}
      title={behind > 0 ? words.older(behind) : undefined}
    >
      {node.kubeletVersion}
    </span>
  )
}

/** Cordon or uncordon, and drain; each opens its dialog. */
function Acts({ cluster, node }: { readonly cluster: string; readonly node: SeenNode }) {
  const ask = useAppState((state) => state.askSeenNodeAct)
  const showNode = useAppState((state) => state.showNode)
  const show = useAppState((state) => state.show)
  const unfit = node.isUnschedulable ? 'cordon' : 'uncordon'
  return (
    <MenuButton
      icon="more"
      label={words.acts(node.name)}
      title={words.acts(node.name)}
      menu={words.acts(node.name)}
      items={[
        {
          id: 'inspect',
          words: text.common.views.inspect,
          onChoose: () => {
            showNode({ cluster, node: node.name })
            show('inspect')
          },
        },
        ...seenNodeActs
          .filter((act) => act !== unfit)
          .map((act) => ({
            id: act,
            words: `${text.clusters.seenActs.names[act]}…`,
            onChoose: () => ask({ act, node: { cluster, node: node.name } }),
          })),
      ]}
    />
  )
}

/** One node. Its name is a button that shows its pods. */
export function NodeRow({
  cluster,
  seen,
  node,
}: {
  readonly cluster: ClusterView
  readonly seen: SeenView
  readonly node: SeenNode
}): ReactNode {
  const showNode = useAppState((state) => state.showNode)
  const show = useAppState((state) => state.show)
  const { name, roles, pods, mirrors, lease } = node
  const openPods = (): void => {
    showNode({ cluster: cluster.id, node: name })
    show('pods')
  }
  return (
    <tr>
      <th scope="row">
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
      </th>
      <td>
        <Ready node={node} />
      </td>
      <td>
        <Version node={node} server={seen.version} />
      </td>
      <td className={styles['number']}>{pods}</td>
      <td>
        <LeaseBar cluster={cluster.id} lease={lease} />
      </td>
      <td>
        <span className={styles['faint']} title={words.staticTitle(name)}>
          {words.staticUnknown}
        </span>
      </td>
      <td className={styles['number']}>{mirrors}</td>
      <td>
        <Pressure node={node} />
      </td>
      <td className={styles['acts']}>
        <Acts cluster={cluster.id} node={node} />
      </td>
    </tr>
  )
}
