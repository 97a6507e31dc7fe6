import type { ReactNode } from 'react'
import type { RowsAct } from '../../../shared/model/forecast/rows-forecast.ts'
import { noMarking } from '../../store/tables/marking.ts'
import type { TableKind } from '../../store/tables/column-ids.ts'
import { useAppState } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { Button } from '../Button.tsx'
import { Kbd } from '../Kbd.tsx'
import styles from './MarkedBar.module.css'

const words = text.tables.marked

/** Over the foot of a table, so that no row moves: how many rows are selected, and what can be done to them. */
export function MarkedBar<A extends RowsAct>({
  kind,
  count,
  acts,
  onAct,
}: {
  readonly kind: TableKind
  readonly count: number
  readonly acts: readonly A[]
  readonly onAct: (act: A) => void
}): ReactNode {
  const setMarking = useAppState((state) => state.setMarking)
  if (count === 0) return null
  return (
    <div role="toolbar" aria-label={words.bar(kind)} className={styles['bar']}>
      <span className={styles['count']} aria-live="polite">
        {words.count(count)}
      </span>
      {acts.map((act) => (
        <Button key={act} onClick={() => onAct(act)}>
          {words.act(act)}
        </Button>
      ))}
      <Button variant="quiet" icon="close" onClick={() => setMarking(kind, noMarking)}>
        {words.clear}
        <Kbd>{words.clearKey}</Kbd>
      </Button>
    </div>
  )
}
