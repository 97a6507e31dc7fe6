/* oxlint-disable jsx-a11y/prefer-tag-over-role -- the options of a select cannot hold what a node shows */
import type { KeyboardEvent, ReactNode } from 'react'
import { useEffect, useId, useRef, useState } from 'react'
import type { ClusterView, NodeView } from '../../../shared/model/cluster-view.ts'
import { shownCluster, shownNode } from '../../store/shown-node.ts'
import { useAppState, useTally } from '../../store/store-context.ts'
import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/Icon.tsx'
import { movedOption, nodeGroups, typedOption } from './node-options.ts'
import { ClusterWords, NodeStatus } from './NodePick.tsx'
import styles from './NodeMenu.module.css'

/** With more nodes than this a field finds one by typing. */
const withoutField = 8

interface OptionProps {
  readonly cluster: ClusterView
  readonly node: NodeView
  readonly id: string
  readonly isShown: boolean
  readonly isActive: boolean
  readonly onChoose: () => void
}

function Option({ cluster, node, id, isShown, isActive, onChoose }: OptionProps): ReactNode {
  const place = useRef<HTMLDivElement>(null)
  const pods = useTally(
    () => ({ cluster: cluster.id, node: node.name }),
    ({ rows }) => rows,
  )
  const attention = useTally(
    () => ({ cluster: cluster.id, node: node.name }),
    (tally) => tally.attention,
  )
  useEffect(() => {
    if (isActive) place.current?.scrollIntoView({ block: 'nearest' })
  }, [isActive])
  return (
    // The focus stays in the list or the field above it, which names the active option and has its keys.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      ref={place}
      id={id}
      role="option"
      aria-selected={isShown}
      className={classNames(styles['option'], isActive && styles['active'])}
      onClick={onChoose}
    >
      <span className={styles['check']}>{isShown ? <Icon name="check" /> : null}</span>
      <b className={styles['name']}>{node.name}</b>
      <NodeStatus node={node} cluster={cluster} />
      <span className={styles['grow']} />
      {attention === 0 ? null : (
        <span className={styles['attention']}>
          <Icon name="warn" />
          {attention} {attention === 1 ? 'needs' : 'need'} attention
        </span>
      )}
      <span className={styles['pods']}>
        {pods} {pods === 1 ? 'pod' : 'pods'}
      </span>
    </div>
  )
}

/** All nodes of all clusters, to choose the one that is shown. */
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
  const hasField = clusters.reduce((sum, { nodes }) => sum + nodes.length, 0) > withoutField
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
  const handleKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    // Nothing typed or moved here is meant for the view behind it.
    event.stopPropagation()
    const isInField = event.target instanceof HTMLInputElement
    const isMove = isInField ? event.key.startsWith('Arrow') : true
    const moved =
      (isMove ? movedOption(event.key, at, options.length) : undefined) ??
      (isInField
        ? undefined
        : typedOption(
            event.key,
            at,
            options.map(({ node }) => node.name),
          ))
    if (event.key === 'Escape') onClose()
    else if (event.key === 'Enter' || (event.key === ' ' && !isInField)) choose(at)
    else if (moved !== undefined) setActive(options[moved]?.key ?? null)
    else return
    event.preventDefault()
  }
  const current = options[at]
  const owner = {
    'aria-activedescendant': current === undefined ? undefined : idOf(current.key),
    onKeyDown: handleKeyDown,
  }
  return (
    <div className={styles['menu']}>
      {!hasField ? null : (
        <div className={styles['field']}>
          <Icon name="search" />
          <input
            type="text"
            role="combobox"
            // A menu takes the focus when it opens.
            // oxlint-disable-next-line jsx-a11y/no-autofocus
            autoFocus
            aria-label="Find a node"
            aria-expanded
            aria-controls={list}
            aria-autocomplete="list"
            placeholder="name, status or cluster"
            autoComplete="off"
            spellCheck={false}
            value={filter}
            onChange={(event) => {
              setFilter(event.target.value)
              setActive(null)
            }}
            {...owner}
          />
        </div>
      )}
      <div
        id={list}
        role="listbox"
        aria-label="Nodes"
        className={styles['list']}
        ref={place}
        {...(hasField ? { tabIndex: -1 } : { tabIndex: 0, ...owner })}
      >
        {groups.map(({ cluster, nodes }) => (
          <div key={cluster.id} role="group" aria-label={cluster.label} className={styles['group']}>
            <div className={styles['head']} role="presentation">
              <ClusterWords cluster={cluster} />
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
          No matches.
        </p>
      ) : null}
    </div>
  )
}
