import type { ReactNode } from 'react'
import { useId, useState } from 'react'
import type { PodKey } from '../../../shared/model/pod-row.ts'
import type { OwnerView, Replacement } from '../../../shared/model/workloads/workloads.ts'
import { text } from '../../text/text.ts'
import { classNames } from '../../ui/class-names.ts'
import type { OwnerTree } from './owner-tree.ts'
import { PodLine } from './PodLine.tsx'
import { Replaced } from './Replaced.tsx'
import styles from './WorkloadsView.module.css'

const words = text.workloads

/** Longer lists are cut until they are asked for. */
const shownPods = 12

function Kind({ kind }: Pick<OwnerView, 'kind'>): ReactNode {
  return (
    <abbr className={styles['kind']} title={kind}>
      {words.kinds[kind]}
    </abbr>
  )
}

function Bricks({ ready, wanted }: Pick<OwnerView, 'ready' | 'wanted'>): ReactNode {
  if (wanted === null || wanted > 10) return null
  return (
    <span className={styles['bricks']} aria-hidden="true">
      {Array.from({ length: Math.max(wanted, ready) }, (_, index) => (
        <i key={index} className={classNames(index >= ready && styles['missing'])} />
      ))}
    </span>
  )
}

function Counts({ owner }: { readonly owner: OwnerView }): ReactNode {
  const { kind, ready, wanted } = owner
  return (
    <span className={styles['counts']}>
      <Bricks ready={ready} wanted={wanted} />
      {words.ready(kind, ready, wanted)}
    </span>
  )
}

function Standing({
  owner,
  isLine = false,
}: {
  readonly owner: OwnerView
  readonly isLine?: boolean
}): ReactNode {
  const note = owner.deletedAt === null ? owner.note : words.deleting
  if (note === '') return null
  return (
    <span
      className={classNames(styles['standing'], isLine && styles['note'], styles[owner.tone])}
      title={note}
    >
      {note}
    </span>
  )
}

/** The pods of one owner; only the first ones of many, until more are asked for. */
export function PodLines({
  of,
  pods,
}: {
  readonly of: string
  readonly pods: readonly PodKey[]
}): ReactNode {
  const [isLong, setLong] = useState(false)
  const shown = isLong ? pods : pods.slice(0, shownPods)
  if (pods.length === 0) return null
  return (
    <>
      <ul className={styles['pods']} aria-label={words.pods(of)}>
        {shown.map((key) => (
          <PodLine key={key} podKey={key} />
        ))}
      </ul>
      {pods.length > shownPods ? (
        <button type="button" className={styles['more']} onClick={() => setLong(!isLong)}>
          {isLong ? words.fewer : words.more(pods.length - shownPods)}
        </button>
      ) : null}
    </>
  )
}

/** What an owner owns, one level below its head. */
function Level({
  tree,
  replacements,
}: {
  readonly tree: OwnerTree
  readonly replacements: ReadonlyMap<string, Replacement>
}): ReactNode {
  const { owner, children, pods, oldSets } = tree
  const replacement = replacements.get(owner.uid)
  return (
    <>
      {children.map((child) => (
        <div key={child.owner.uid}>
          <div className={styles['level']}>
            <Kind kind={child.owner.kind} />
            <span className={styles['levelName']}>{child.owner.name}</span>
            <Standing owner={child.owner} />
          </div>
          <Level tree={child} replacements={replacements} />
        </div>
      ))}
      {oldSets === 0 ? null : <p className={styles['old']}>{words.oldSets(oldSets)}</p>}
      <PodLines of={owner.name} pods={pods} />
      {replacement === undefined ? null : <Replaced replacement={replacement} />}
    </>
  )
}

/** An owner as a head above its pods. `acts`: what can be done with it. */
export function OwnerCard({
  tree,
  replacements,
  acts,
}: {
  readonly tree: OwnerTree
  readonly replacements: ReadonlyMap<string, Replacement>
  readonly acts: ReactNode
}): ReactNode {
  const { owner } = tree
  const title = useId()
  return (
    <section className={styles['card']} aria-labelledby={title} data-owner={owner.uid}>
      <header>
        <Kind kind={owner.kind} />
        <h2 id={title} tabIndex={-1}>
          {owner.name}
        </h2>
        <span className={styles['namespace']}>{owner.namespace}</span>
        <span className={styles['grow']} />
        <Counts owner={owner} />
        {acts}
      </header>
      <Standing owner={owner} isLine />
      <Level tree={tree} replacements={replacements} />
    </section>
  )
}
