/* oxlint-disable jsx-a11y/prefer-tag-over-role -- the options of a select cannot hold what a node shows */
import type { ReactNode } from 'react'
import { useEffect, useId, useRef, useState } from 'react'
import type { ClusterView, NodeView } from '../../../shared/model/cluster-view.ts'
import { shownCluster, shownNode } from '../../store/shown-node.ts'
import { useAppState, useTally } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/Icon.tsx'
import { Combobox } from '../../ui/list/Combobox.tsx'
import { listKeys } from '../../ui/list/list-keys.ts'
import { ListOption } from '../../ui/list/ListOption.tsx'
import { nodeGroups } from './node-options.ts'
import { ClusterLabel, NodeStatus } from './NodeLabel.tsx'
import styles from './NodeMenu.module.css'

/** With more nodes than this, the menu has a search field. */
const nodesWithoutField = 8

const words = text.frame.nodes

interface OptionProps {
  readonly cluster: ClusterView
  readonly node: NodeView
  readonly id: string
  readonly isShown: boolean
  readonly isActive: boolean
  readonly onChoose: () => void
}

function Option({ cluster, node, id, isShown, isActive, onChoose }: OptionProps): ReactNode {
  const scope = { cluster: cluster.id, node: node.name }
  const pods = useTally(
    () => scope,
    ({ rows }) => rows,
  )
  const attention = useTally(
    () => scope,
    (tally) => tally.attention,
  )
  return (
    <ListOption
      id={id}
      isSelected={isShown}
      isActive={isActive}
      className={classNames(styles['option'], isActive && styles['active'])}
      onChoose={onChoose}
    >
      <span className={styles['check']}>{isShown ? <Icon name="check" /> : null}</span>
      <b className={styles['name']}>{node.name}</b>
      <NodeStatus node={node} cluster={cluster} />
      <span className={styles['grow']} />
      {attention === 0 ? null : (
        <span className={styles['attention']}>
          <Icon name="warn" />
          {words.attention(attention)}
        </span>
      )}
      <span className={styles['pods']}>{text.common.pods(pods)}</span>
    </ListOption>
  )
}

/** The nodes of all clusters; choosing one shows it. */
export function NodeMenu({ onClose }: { readonly onClose: () => void }): ReactNode {
  const clusters = useAppState((state) => state.clusters)
  const here = useAppState(shownCluster)?.id
  const hereNode = useAppState(shownNode)?.name
  const showNode = useAppState((state) => state.showNode)
  const list = useId()
  const [filter, setFilter] = useState('')
  const [active, setActive] = useState<string | null>(null)
  const groups = nodeGroups(clusters, filter)
  const options = groups.flatMap(({ cluster, nodes }) =>
    nodes.map((node) => ({ cluster, node, key: `${cluster.id}/${node.name}` })),
  )
  const hasField = clusters.reduce((sum, { nodes }) => sum + nodes.length, 0) > nodesWithoutField
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!hasField) place.current?.focus()
  }, [hasField])
  const wanted = active ?? `${here ?? ''}/${hereNode ?? ''}`
  const at = Math.max(
    0,
    options.findIndex(({ key }) => key === wanted),
  )
  const idOf = (key: string): string => `${list}-${key}`
  const choose = (index: number): void => {
    const option = options[index]
    if (option === undefined) return
    showNode({ cluster: option.cluster.id, node: option.node.name })
    onClose()
  }
  const current = options[at]
  const activeId = current === undefined ? undefined : idOf(current.key)
  const acts = {
    at,
    count: options.length,
    names: options.map(({ node }) => node.name),
    onMove: (index: number) => setActive(options[index]?.key ?? null),
    onEnter: () => choose(at),
    onEscape: onClose,
  }
  return (
    <div className={styles['menu']}>
      {!hasField ? null : (
        <Combobox
          label={words.find}
          placeholder={words.findPlaceholder}
          value={filter}
          onChange={(typed) => {
            setFilter(typed)
            setActive(null)
          }}
          list={list}
          activeId={activeId}
          acts={acts}
        />
      )}
      <div
        id={list}
        role="listbox"
        aria-label={words.list}
        className={styles['list']}
        ref={place}
        {...(hasField
          ? { tabIndex: -1 }
          : { tabIndex: 0, 'aria-activedescendant': activeId, onKeyDown: listKeys(acts) })}
      >
        {groups.map(({ cluster, nodes }) => (
          <div key={cluster.id} role="group" aria-label={cluster.label} className={styles['group']}>
            <div className={styles['head']} role="presentation">
              <ClusterLabel cluster={cluster} />
            </div>
            {nodes.map((node) => {
              const key = `${cluster.id}/${node.name}`
              return (
                <Option
                  key={key}
                  id={idOf(key)}
                  cluster={cluster}
                  node={node}
                  isShown={cluster.id === here && node.name === hereNode}
                  isActive={key === current?.key}
                  onChoose={() => choose(options.findIndex((option) => option.key === key))}
                />
              )
            })}
          </div>
        ))}
      </div>
      {options.length === 0 ? (
        <p role="status" className={styles['none']}>
          {words.none}
        </p>
      ) : null}
    </div>
  )
}
