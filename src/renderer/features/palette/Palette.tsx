import type { ReactNode } from 'react'
import { useEffect, useId, useMemo, useState } from 'react'
import { nodeId, shownCluster, shownNode, shownRef } from '../../store/shown-node.ts'
import { useAppState, useStore } from '../../store/store-context.ts'
import { classNames } from '../../ui/class-names.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { copyText } from '../../ui/use-copy.ts'
import { doDeed } from './do-deed.ts'
import type { PaletteEntry } from './entries.ts'
import { commandEntries, nodeActEntries, nodeEntries } from './entries.ts'
import { findEntries, podNames } from './find-entries.ts'
import styles from './Palette.module.css'

/** The names of the manifest files, asked for when the palette opens. */
function useManifestNames(): readonly string[] {
  const { bridge, state } = useStore()
  const [names, setNames] = useState<readonly string[]>([])
  useEffect(() => {
    let isLeft = false
    const node = shownRef(state.getState())
    if (node === null) return undefined
    bridge.request('manifests.list', node).then(
      (view) => {
        if (!isLeft) setNames(view?.files.map(({ name }) => name) ?? [])
      },
      () => undefined, // without them the palette still finds the rest
    )
    return () => {
      isLeft = true
    }
  }, [bridge, state])
  return names
}

/** What is typed leads to at most a dozen entries, with the pods as they were when it opened. */
function useFound(line: string): readonly PaletteEntry[] {
  const { rows } = useStore()
  const manifests = useManifestNames()
  const cluster = useAppState((state) => shownCluster(state))
  const choices = useAppState((state) => state.paletteChoices)
  const cursor = useAppState((state) => state.cursor)
  const node = useAppState(shownNode)
  const isReadOnly = useAppState((state) => state.program?.readOnly ?? false)
  const clusters = useAppState((state) => state.clusters)
  const here = useAppState((state) => {
    const node = shownRef(state)
    return node === null ? '' : nodeId(node)
  })
  const id = cluster?.id ?? ''
  const pods = useMemo(
    () => podNames([...rows.values()].filter((row) => row.cluster === id)),
    [rows, id],
  )
  const commands = useMemo(
    () => [
      ...commandEntries(cluster, manifests),
      ...nodeActEntries(cluster, node, isReadOnly),
      ...nodeEntries(clusters, here),
    ],
    [cluster, node, isReadOnly, manifests, clusters, here],
  )
  const current = cursor === null ? undefined : rows.get(cursor)
  return useMemo(
    () => findEntries({ commands, pods, choices, current }, line),
    [commands, pods, choices, current, line],
  )
}

function Option({
  entry,
  id,
  isActive,
  onChoose,
}: {
  readonly entry: PaletteEntry
  readonly id: string
  readonly isActive: boolean
  readonly onChoose: () => void
}): ReactNode {
  return (
    // The focus stays in the box above, which names the active option and has its keys; no select does that.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      id={id}
      // An option of this listbox; a select's cannot hold what an entry shows.
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="option"
      aria-selected={isActive}
      className={classNames(styles['option'], isActive && styles['active'])}
      onClick={onChoose}
    >
      <Icon name={entry.icon} />
      <span className={styles['title']}>{entry.title}</span>
      <span className={styles['hint']}>{entry.hint}</span>
    </div>
  )
}

/** Search or run: views, pods by name or either UID, acts, the clock, themes, manifests. */
export function Palette({ onClose }: { readonly onClose: () => void }): ReactNode {
  const store = useStore()
  const list = useId()
  const [line, setLine] = useState('')
  const [active, setActive] = useState(0)
  const found = useFound(line)
  const at = Math.min(active, found.length - 1)
  const choose = (entry: PaletteEntry | undefined): void => {
    if (entry === undefined) return
    onClose()
    store.state.getState().addPaletteChoice(entry.id)
    doDeed(entry.deed, { state: store.state.getState(), copy: copyText })
  }
  const handleKey = (key: string): boolean => {
    if (key === 'Enter') choose(found[at])
    else if (key === 'ArrowDown') setActive((at + 1) % Math.max(1, found.length))
    else if (key === 'ArrowUp') setActive((at - 1 + found.length) % Math.max(1, found.length))
    else return false
    return true
  }
  return (
    <Dialog title="Search or run" onClose={onClose} place="top">
      <div className={styles['box']}>
        <Icon name="search" />
        <input
          type="text"
          role="combobox"
          data-autofocus
          className={styles['input']}
          aria-label="Search or run"
          aria-expanded={found.length > 0}
          aria-controls={list}
          aria-autocomplete="list"
          aria-activedescendant={found.length === 0 ? undefined : `${list}-${at}`}
          placeholder="A view, a pod, a UID, kill loud, pause …"
          autoComplete="off"
          spellCheck={false}
          value={line}
          onChange={(event) => {
            setLine(event.target.value)
            setActive(0)
          }}
          onKeyDown={(event) => {
            if (handleKey(event.key)) event.preventDefault()
          }}
        />
      </div>
      {/* A combobox owns a listbox; neither select nor datalist can hold what an entry shows. */}
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role */}
      <div id={list} role="listbox" aria-label="Found" className={styles['list']}>
        {found.map((entry, index) => (
          <Option
            key={entry.id}
            id={`${list}-${index}`}
            entry={entry}
            isActive={index === at}
            onChoose={() => choose(entry)}
          />
        ))}
      </div>
      <output className={found.length === 0 ? styles['none'] : styles['hidden']}>
        {found.length === 0
          ? 'No matches among views, commands, pods and UIDs.'
          : `${found.length} found`}
      </output>
    </Dialog>
  )
}
