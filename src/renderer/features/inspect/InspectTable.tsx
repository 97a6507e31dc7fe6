import type { ReactNode } from 'react'
import { useState } from 'react'
import type { InspectRow } from '../../../shared/model/inspect/inspect-view.ts'
import { stopSteps } from '../../../shared/model/inspect/stop-stage.ts'
import { statusTone } from '../../../shared/kubernetes/printers/status-tone.ts'
import { text } from '../../text/text.ts'
import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/Icon.tsx'
import { movedIndex } from '../../ui/list/list-keys.ts'
import { Bricks, bricksText } from '../../ui/signs/Bricks.tsx'
import { Glyph } from '../../ui/signs/Glyph.tsx'
import { StatusWord } from '../../ui/signs/StatusWord.tsx'
import { WorkerState } from '../../ui/signs/WorkerState.tsx'
import { workerStyle } from '../../ui/signs/worker-style.ts'
import textStyles from '../../ui/text.module.css'
import tone from '../../ui/tone.module.css'
import { usePageKeys } from '../../ui/use-page-keys.ts'
import { useWidth } from '../../ui/use-width.ts'
import styles from './InspectView.module.css'

const words = text.inspect
/** Narrower than that it leaves out the column READY and the words of SURE, so that no column has to be scrolled to. In px. */
const wholeWidth = 1000
const steps = { possible: 1, likely: 2, certain: 3 } as const

/** A STATUS; null: looked for and not found, undefined: not asked. */
function Seen({ status }: { readonly status: string | null | undefined }): ReactNode {
  if (status === undefined) return <span className={styles['faint']}>{words.notAsked}</span>
  if (status === null) return <span className={styles['faint']}>{words.notThere}</span>
  return <StatusWord word={status} tone={statusTone(status)} />
}

function Running({ running }: { readonly running: InspectRow['running'] }): ReactNode {
  if (running === undefined) return <span className={styles['faint']}>{words.notAsked}</span>
  if (running.length === 0) return <span className={styles['faint']}>{words.none}</span>
  return (
    <>
      <Bricks bricks={running} />
      <span className={textStyles['hidden']}>{bricksText(running, ', ')}</span>
    </>
  )
}

export function Worker({ worker }: Pick<InspectRow, 'worker'>): ReactNode {
  if (worker === null) return <span className={styles['faint']}>{words.notKnown}</span>
  return (
    <span className={classNames(styles['inferred'], tone[workerStyle(worker).tone])}>
      <WorkerState state={worker} />
    </span>
  )
}

export function Sure({ certainty }: Pick<InspectRow, 'certainty'>): ReactNode {
  if (certainty === null) return null
  return (
    <span className={styles['sure']} title={words.certainties[certainty]}>
      <span className={styles['certainty']} aria-hidden="true">
        {[1, 2, 3].map((step) => (
          <i key={step} className={classNames(step <= steps[certainty] && styles['full'])} />
        ))}
      </span>
      <span className={styles['word']}>{certainty}</span>
    </span>
  )
}

/** What the two sides say differently, with the steps of a stop that lasts too long. */
function Mark({ row: { disagreement, stop } }: { readonly row: InspectRow }): ReactNode {
  if (disagreement === null) return null
  const isHeld = stop?.blocker === 'finalizer'
  const step = disagreement.kind === 'stuck' && !isHeld ? (stop?.step ?? null) : null
  const at = step === null ? -1 : stopSteps.indexOf(step)
  return (
    <span className={classNames(styles['mark'], at !== -1 && styles['stuck'])}>
      {at === -1 ? (
        <Icon name={disagreement.kind === 'stuck' ? 'lock' : 'unlink'} />
      ) : (
        <span className={styles['strip']} aria-hidden="true">
          {stopSteps.map((each, index) => (
            <i
              key={each}
              className={classNames(index < at && styles['past'], index === at && styles['at'])}
            />
          ))}
        </span>
      )}
      {disagreement.text}
      {at === -1 ? null : (
        <span className={textStyles['hidden']}>{words.stop.at(at + 1, stopSteps.length)}</span>
      )}
    </span>
  )
}

/** The last characters of a name tell pods apart: the middle gives way. */
function PodName({ namespace, name }: Pick<InspectRow, 'namespace' | 'name'>): ReactNode {
  return (
    <>
      <span className={styles['cut']}>{namespace}/</span>
      <b className={styles['cut']}>{name.slice(0, -6)}</b>
      <b>{name.slice(-6)}</b>
    </>
  )
}

function Row({
  row,
  isChosen,
  isNarrow,
  onChoose,
}: {
  readonly row: InspectRow
  readonly isChosen: boolean
  readonly isNarrow: boolean
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
          title={`${namespace}/${name}`}
          aria-label={`${namespace}/${name}${isStatic ? `, ${words.staticPod}` : ''}`}
          onFocus={onChoose}
          onClick={onChoose}
        >
          <PodName namespace={namespace} name={name} />
          {isStatic ? (
            <span className={styles['static']} title={words.staticPod}>
              <Glyph name="static" />
            </span>
          ) : null}
        </button>
      </th>
      <td className={styles['group']}>
        <Seen status={status} />
      </td>
      {isNarrow ? null : <td className={styles['mono']}>{ready}</td>}
      <td className={styles['group']}>
        <Seen status={told} />
      </td>
      <td className={styles['mono']}>
        <Running running={running} />
      </td>
      <td className={styles['group']}>
        <Worker worker={row.worker} />
      </td>
      <td>
        <Sure certainty={row.certainty} />
      </td>
      <td className={styles['group']} title={disagreement?.text}>
        <Mark row={row} />
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
  const [table, setTable] = useState<HTMLDivElement | null>(null)
  const width = useWidth(table)
  const isNarrow = width > 0 && width < wholeWidth
  usePageKeys(({ key }) => {
    const names = [...(table?.querySelectorAll<HTMLElement>('[data-pod]') ?? [])]
    const at = names.findIndex((name) => name === document.activeElement)
    const marked = (from: number): number =>
      names.findIndex((name, index) => index > from && name.dataset['marked'] !== undefined)
    const next = key === 'n' ? (marked(at) === -1 ? marked(-1) : marked(at)) : undefined
    const index = next ?? movedIndex(key, { at, count: names.length, pageRows: 10 })
    if (index === undefined || index === -1) return false
    names[index]?.focus()
    return true
  })
  const { pod, status, ready, told, running, worker, sure, disagreement } = words.heads
  const { origins } = words
  return (
    <div ref={setTable} className={styles['scroller']}>
      <table className={classNames(styles['table'], isNarrow && styles['narrow'])}>
        <colgroup>
          <col />
          <col className={styles['colStatus']} />
          {isNarrow ? null : <col className={styles['colReady']} />}
          <col className={styles['colStatus']} />
          <col className={styles['colRunning']} />
          <col className={styles['colWorker']} />
          <col className={styles['colSure']} />
          <col className={styles['colMark']} />
        </colgroup>
        <thead>
          <tr>
            <th rowSpan={2}>{pod}</th>
            <th colSpan={isNarrow ? 1 : 2} scope="colgroup" className={styles['group']}>
              {origins.api}
            </th>
            <th colSpan={2} scope="colgroup" className={styles['group']}>
              {origins.kubelet}
            </th>
            <th
              colSpan={2}
              scope="colgroup"
              className={classNames(styles['group'], styles['hollow'])}
            >
              {origins.inferred}
            </th>
            <th rowSpan={2} className={styles['group']}>
              {disagreement}
            </th>
          </tr>
          <tr>
            <th className={styles['group']}>{status}</th>
            {isNarrow ? null : <th>{ready}</th>}
            <th className={styles['group']}>{told}</th>
            <th>{running}</th>
            <th className={styles['group']}>{worker}</th>
            <th>
              <span className={styles['word']}>{sure}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row
              key={row.uid}
              row={row}
              isChosen={row.uid === chosen}
              isNarrow={isNarrow}
              onChoose={() => onChoose(row.uid)}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}
