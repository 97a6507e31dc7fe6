import type { ReactNode } from 'react'
import { useId, useRef, useState } from 'react'
import { shownCluster, shownNode } from '../../store/shown-node.ts'
import { useAppState } from '../../store/store-context.ts'
import { Button } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import type { OfferedAct } from '../../words/node-acts.ts'
import { nodeActs } from '../../words/node-acts.ts'
import styles from './NodeActsMenu.module.css'

function useEntries(): readonly OfferedAct[] {
  const cluster = useAppState(shownCluster)
  const node = useAppState(shownNode)
  const isReadOnly = useAppState((state) => state.program?.readOnly ?? false)
  return cluster === undefined || node === undefined ? [] : nodeActs(cluster, node, isReadOnly)
}

function Item({
  entry,
  isFirst,
  onClose,
}: {
  readonly entry: OfferedAct
  readonly isFirst: boolean
  readonly onClose: () => void
}): ReactNode {
  const ask = useAppState((state) => state.askNodeAct)
  const reason = useId()
  const isRefused = entry.refusal !== ''
  return (
    <button
      type="button"
      role="menuitem"
      className={styles['item']}
      aria-disabled={isRefused}
      aria-describedby={isRefused ? reason : undefined}
      // A menu takes the focus when it opens.
      // oxlint-disable-next-line jsx-a11y/no-autofocus
      autoFocus={isFirst}
      onClick={() => {
        if (isRefused) return
        onClose()
        ask(entry.dialog)
      }}
    >
      <Icon name={entry.icon} />
      <span className={styles['words']}>
        <span>{entry.title}…</span>
        {isRefused ? (
          <span id={reason} className={styles['reason']}>
            {entry.refusal}
          </span>
        ) : null}
      </span>
    </button>
  )
}

/** What can be done to the shown node, and to the way from its cluster's nodes to the API server. */
export function NodeActsMenu(): ReactNode {
  const entries = useEntries()
  const name = useAppState((state) => shownNode(state)?.name ?? '')
  const [isOpen, setOpen] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  const opener = useRef<HTMLButtonElement>(null)
  if (entries.length === 0) return null
  const close = (): void => {
    setOpen(false)
    opener.current?.focus()
  }
  const step = (by: number): void => {
    const items = [...(place.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])]
    const at = items.findIndex((item) => item === document.activeElement)
    items[(at + by + items.length) % items.length]?.focus()
  }
  return (
    <div
      ref={place}
      className={styles['place']}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) setOpen(false)
      }}
    >
      <Button
        ref={opener}
        look="quiet"
        icon="node"
        label="Act on the node"
        title={`Restart, stop or shut down ${name}…`}
        isExpanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      />
      {isOpen ? (
        <div
          role="menu"
          tabIndex={-1}
          aria-label={`Acts on ${name}`}
          className={styles['menu']}
          onKeyDown={(event) => {
            event.stopPropagation()
            if (event.key === 'Escape') close()
            else if (event.key === 'ArrowDown') step(1)
            else if (event.key === 'ArrowUp') step(-1)
            else return
            event.preventDefault()
          }}
        >
          {entries.map((entry, index) => (
            <Item
              key={`${entry.dialog.kind} ${entry.dialog.act}`}
              entry={entry}
              isFirst={index === 0}
              onClose={() => {
                // The dialog that follows gives the focus back to where it was.
                opener.current?.focus()
                setOpen(false)
              }}
            />
          ))}
        </div>
      ) : null}
    </div>
  )
}
