import type { ReactNode, Ref } from 'react'
import { useAppState } from '../../store/store-context.ts'
import { Button } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { Kbd } from '../../ui/Kbd.tsx'
import styles from './PodFilter.module.css'

/** The search box over the table. Esc empties it first, then gives the focus back to the table. */
export function PodFilter({
  ref,
  shown,
  total,
  onLeave,
}: {
  readonly ref: Ref<HTMLInputElement>
  readonly shown: number
  readonly total: number
  readonly onLeave: () => void
}): ReactNode {
  const text = useAppState((state) => state.filterText)
  const setText = useAppState((state) => state.setFilterText)
  return (
    <div className={styles['box']}>
      <Icon name="filter" />
      <input
        ref={ref}
        className={styles['input']}
        type="text"
        aria-label="Filter pods"
        placeholder="name, status, worker, source or either UID; node:name; !word hides"
        spellCheck={false}
        autoComplete="off"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          event.stopPropagation()
          if (event.key === 'Escape' && text !== '') setText('')
          else if (event.key === 'Escape' || event.key === 'Enter' || event.key === 'ArrowDown')
            onLeave()
        }}
      />
      {text === '' ? null : (
        <Button
          look="quiet"
          icon="close"
          label="Clear the filter"
          isSmall
          onClick={() => setText('')}
        />
      )}
      <span className={styles['count']} aria-live="polite">
        {shown} of {total}
      </span>
      <Kbd>/</Kbd>
    </div>
  )
}
