import type { ReactNode } from 'react'
import { useId, useState } from 'react'
import type { PodKey } from '../../../../shared/model/pod-row.ts'
import { matchesFilter, parseFilter } from '../../../store/rows/row-filter.ts'
import { text } from '../../../text/text.ts'
import { classNames } from '../../../ui/class-names.ts'
import { Combobox } from '../../../ui/list/Combobox.tsx'
import { ListOption } from '../../../ui/list/ListOption.tsx'
import { Glyph } from '../../../ui/signs/Glyph.tsx'
import { hasWorker } from '../../../words/worker-state.ts'
import { usePods } from '../board/use-pods.ts'
import styles from './FollowBar.module.css'

const optionsShown = 8

/** Finds one pod by name, namespace or UID; Esc closes. */
export function PodChooser({
  onChoose,
  onClose,
}: {
  readonly onChoose: (key: PodKey) => void
  readonly onClose: () => void
}): ReactNode {
  const words = text.flow.chooser
  const list = useId()
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const filter = parseFilter(typed)
  const found = usePods((row) => hasWorker(row) && matchesFilter(row, filter))
  const options = found.rows.slice(0, optionsShown)
  const active = options[Math.min(at, options.length - 1)]
  const idOf = (key: PodKey): string => `${list}-${key}`
  return (
    <div
      className={styles['chooser']}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) onClose()
      }}
    >
      <Combobox
        label={words.label}
        placeholder={words.placeholder}
        value={typed}
        onChange={(value) => {
          setTyped(value)
          setAt(0)
        }}
        list={list}
        activeId={active === undefined ? undefined : idOf(active.key)}
        acts={{
          at: active === undefined ? -1 : options.indexOf(active),
          count: options.length,
          onMove: setAt,
          onEnter: () => {
            if (active !== undefined) onChoose(active.key)
          },
          onEscape: onClose,
        }}
      />
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the options of a select cannot hold what a pod shows */}
      <div id={list} role="listbox" tabIndex={-1} aria-label={words.list}>
        {options.map((row) => (
          <ListOption
            key={row.key}
            id={idOf(row.key)}
            isSelected={row === active}
            isActive={row === active}
            className={classNames(styles['pod'], row === active && styles['active'])}
            onChoose={() => onChoose(row.key)}
          >
            <Glyph name={row.source} />
            <span className={styles['name']}>
              {row.namespace}/{row.name}
            </span>
            <span className={styles['faint']}>{text.common.workerStates[row.worker]}</span>
          </ListOption>
        ))}
      </div>
      {active === undefined ? <span className={styles['faint']}>{words.none}</span> : null}
    </div>
  )
}
