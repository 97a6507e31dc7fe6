import type { ReactNode } from 'react'
import { useId, useMemo, useState } from 'react'
import type { Bridge, NodeRef } from '../../../shared/ipc/contract.ts'
import type { ManifestsView } from '../../../shared/model/manifests.ts'
import { useAnswer } from '../../store/requests/use-answer.ts'
import { shownCluster, shownNode, shownNodeId } from '../../store/shown-node.ts'
import { useAppState, useStore } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { classNames } from '../../ui/class-names.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { Combobox } from '../../ui/list/Combobox.tsx'
import { ListOption } from '../../ui/list/ListOption.tsx'
import { copyText } from '../../ui/use-copy.ts'
import type { PaletteEntry } from './entries.ts'
import { commandEntries, containerEntries, nodeActEntries, nodeEntries } from './entries.ts'
import { findEntries, podNames } from './find-entries.ts'
import { runAction } from './run-action.ts'
import textStyles from '../../ui/text.module.css'
import styles from './Palette.module.css'

function listManifests(bridge: Bridge, node: NodeRef): Promise<ManifestsView | null> {
  return bridge.request('manifests.list', node)
}

/** The entries for the typed line, at most a dozen; pods as they were when the palette opened. */
function useFound(line: string): readonly PaletteEntry[] {
  const { rows } = useStore()
  const cluster = useAppState(shownCluster)
  const choices = useAppState((state) => state.paletteChoices)
  const cursor = useAppState((state) => state.cursor)
  const node = useAppState(shownNode)
  const isReadOnly = useAppState((state) => state.program?.readOnly ?? false)
  const clusters = useAppState((state) => state.clusters)
  const here = useAppState(shownNodeId)
  const detail = useAppState((state) => state.detail)
  const id = cluster?.id ?? ''
  // Requested when the palette opens; until then it finds the rest.
  const ref = node === undefined ? null : { cluster: id, node: node.name }
  const manifests = useAnswer(text.frame.requests.manifests, ref, listManifests).value
  const pods = useMemo(
    () => podNames([...rows.values()].filter((row) => row.cluster === id)),
    [rows, id],
  )
  const commands = useMemo(
    () => [
      ...commandEntries(cluster, manifests?.files.map(({ name }) => name) ?? []),
      ...nodeActEntries(cluster, node, isReadOnly),
      ...nodeEntries(clusters, here),
      ...containerEntries(detail),
    ],
    [cluster, node, isReadOnly, manifests, clusters, here, detail],
  )
  const current = cursor === null ? undefined : rows.get(cursor)
  return useMemo(
    () => findEntries({ commands, pods, choices, current }, line),
    [commands, pods, choices, current, line],
  )
}

/** Finds and runs: views, pods by name or either UID, acts, the clock, themes, manifests, sections of the handbook. */
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
    runAction(entry.action, { state: store.state.getState(), copy: copyText })
  }
  return (
    <Dialog title={text.common.searchOrRun} onClose={onClose} place="top">
      <Combobox
        label={text.common.searchOrRun}
        placeholder={text.palette.placeholder}
        isInDialog
        value={line}
        onChange={(typed) => {
          setLine(typed)
          setActive(0)
        }}
        list={list}
        activeId={found.length === 0 ? undefined : `${list}-${at}`}
        acts={{ at, count: found.length, onMove: setActive, onEnter: () => choose(found[at]) }}
      />
      {/* A combobox owns a listbox; neither select nor datalist can hold what an entry shows. */}
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role */}
      <div id={list} role="listbox" aria-label={text.palette.found} className={styles['list']}>
        {found.map((entry, index) => (
          <ListOption
            key={entry.id}
            id={`${list}-${index}`}
            isSelected={index === at}
            isActive={index === at}
            className={classNames(styles['option'], index === at && styles['active'])}
            onChoose={() => choose(entry)}
          >
            <Icon name={entry.icon} />
            <span className={styles['title']}>{entry.title}</span>
            <span className={styles['hint']}>{entry.hint}</span>
          </ListOption>
        ))}
      </div>
      <output className={found.length === 0 ? styles['none'] : textStyles['hidden']}>
        {found.length === 0 ? text.palette.none : text.palette.count(found.length)}
      </output>
    </Dialog>
  )
}
