import type { ReactNode } from 'react'
import { useRef } from 'react'
import type { InspectRow } from '../../../shared/model/inspect/inspect-view.ts'
import { statusTone } from '../../../shared/kubernetes/printers/status-tone.ts'
import { text } from '../../text/text.ts'
import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/Icon.tsx'
import { movedIndex } from '../../ui/list/list-keys.ts'
import { StatusWord } from '../../ui/signs/StatusWord.tsx'
import { WorkerState } from '../../ui/signs/WorkerState.tsx'
import { usePageKeys } from '../../ui/use-page-keys.ts'
import styles from './InspectView.module.css'

const words = text.inspect
const steps = { possible: 1, likely: 2, certain: 3 } as const

/** A STATUS; null: looked for and not found, undefined: not asked. */
function Seen({ status }: { readonly status: string | null | undefined }): ReactNode {
  if (status === undefined) return <span className={styles['faint']}>{words.notAsked}</span>
  if (status === null) return <span className={styles['faint']}>{words.notThere}</span>
  return <StatusWord word={status} tone={statusTone(status)} />
}

function Running({ running }: { readonly running: InspectRow['running'] }): ReactNode {
  if (running === undefined) return <span className={styles['faint']}>{words.notAsked}</span>
  if (running === null || running.length === 0)
    return <span className={styles['faint']}>{words.none}</span>
  return <span title={running.join(', ')}>{running.length}</span>
}

function Worker({ worker }: Pick<InspectRow, 'worker'>): ReactNode {
  if (worker === null) return <span className={styles['faint']}>{words.notKnown}</span>
  return (
    <span className={styles['inferred']}>
      <WorkerState state={worker} />
    </span>
  )
}

function Sure({ certainty }: Pick<InspectRow, 'certainty'>): ReactNode {
  if (certainty === null) return null
  return (
    <span className={styles['sure']} title={words.certainties[certainty]}>
      <span aria-hidden="true">
        {[1, 2, 3].map((step) => (
          <i key={step} className={classNames(step <= steps[certainty] && styles['full'])} />
        ))}
      </span>
      {certainty}
    </span>
  )
}

function Row({
  row,
  isChosen,
  onChoose,
}: {
  readonly row: InspectRow
  readonly isChosen: boolean
  readonly onChoose: () => void
}): ReactNode {
  const { uid, namespace, name, isStatic, status, ready, told, running, disagreement } = row
  return (
    <tr className={classNames(isChosen && styles['selected'])}>
      <th scope="row">
        <button
          type="button"
          className={styles['pod']}
          aria-pressed={isChosen}
          data-pod={uid}
          data-marked={disagreement === null ? undefined : true}
          onFocus={onChoose}
          onClick={onChoose}
        >
          <span>{namespace}/</span>
          <b>{name}</b>
        </button>
        {isStatic ? <span className={styles['static']}>{words.staticPod}</span> : null}
      </th>
      <td>
        <Seen status={status} />
      </td>
      <td className={styles['mono']}>{ready}</td>
      <td>
        <Seen status={told} />
      </td>
      <td className={styles['mono']}>
        <Running running={running} />
      </td>
      <td>
        <Worker worker={row.worker} />
      </td>
      <td>
        <Sure certainty={row.certainty} />
      </td>
      <td className={styles['mark']}>
        {disagreement === null ? null : (
          <>
            <Icon name="unlink" />
            {disagreement.text}
          </>
        )}
      </td>
    </tr>
  )
}

/** The pods of a node by where they were seen: in the API, in the kubelet, and what follows for the worker. */
export function InspectTable({
  rows,
  chosen,
  onChoose,
}: {
  readonly rows: readonly InspectRow[]
  readonly chosen: string | undefined
  readonly onChoose: (uid: string) => void
}): ReactNode {
  const table = useRef<HTMLDivElement>(null)
  usePageKeys(({ key }) => {
    const names = [...(table.current?.querySelectorAll<HTMLElement>('[data-pod]') ?? [])]
    const at = names.findIndex((name) => name === document.activeElement)
    const marked = (from: number): number =>
      names.findIndex((name, index) => index > from && name.dataset['marked'] !== undefined)
    const next = key === 'n' ? (marked(at) === -1 ? marked(-1) : marked(at)) : undefined
    const index = next ?? movedIndex(key, { at, count: names.length, pageRows: 10 })
    if (index === undefined || index === -1) return false
    names[index]?.focus()
    return true
  })
  const { pod, disagreement, ...seen } = words.heads
  const { origins } = words
  return (
    <div ref={table} className={styles['scroller']}>
      <table className={styles['table']}>
        <thead>
          <tr>
            <th rowSpan={2}>{pod}</th>
            <th colSpan={2} scope="colgroup">
              {origins.api}
            </th>
            <th colSpan={2} scope="colgroup">
              {origins.kubelet}
            </th>
            <th colSpan={2} scope="colgroup" className={styles['hollow']}>
              {origins.inferred}
            </th>
            <th rowSpan={2}>{disagreement}</th>
          </tr>
          <tr>
            {Object.values(seen).map((head) => (
              <th key={head}>{head}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row
              key={row.uid}
              row={row}
              isChosen={row.uid === chosen}
              onChoose={() => onChoose(row.uid)}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}
