import type { ReactNode } from 'react'
import { useEffect, useId, useMemo } from 'react'
import type { RowResult } from '../../store/slices/rows-act-slice.ts'
import { isCutOff } from '../../store/state.ts'
import { useAppState } from '../../store/store-context.ts'
import type { ForecastRow, RowsDialog, RowsForecast } from '../../store/tables/row-forecasts.ts'
import { forecastRows } from '../../store/tables/row-forecasts.ts'
import { text } from '../../text/text.ts'
import dialogStyles from '../ActDialog.module.css'
import { Button } from '../Button.tsx'
import { classNames } from '../class-names.ts'
import { CommandLine } from '../CommandLine.tsx'
import { Dialog } from '../Dialog.tsx'
import type { IconName } from '../Icon.tsx'
import { Icon } from '../Icon.tsx'
import { Note } from '../Note.tsx'
import { DrainSwitches } from './DrainSwitches.tsx'
import tone from '../tone.module.css'
import styles from './RowsActDialog.module.css'

const words = text.tables.acts

type RowState = keyof typeof words.state

const signs: Readonly<
  Record<RowState, readonly [icon: IconName, tone: 'none' | 'ok' | 'warn' | 'error']>
> = {
  refused: ['minus', 'none'],
  blocked: ['shield', 'warn'],
  ready: ['right', 'none'],
  sending: ['clock', 'none'],
  done: ['check', 'ok'],
  failed: ['error', 'error'],
  notSent: ['minus', 'none'],
}

function stateOf(row: ForecastRow, result: RowResult | undefined): RowState {
  if (result !== undefined) return result.kind
  if (row.refusal !== '') return 'refused'
  return row.isBlocked ? 'blocked' : 'ready'
}

function sentenceOf(row: ForecastRow, result: RowResult | undefined): string {
  if (result?.kind === 'done' || result?.kind === 'failed') return result.message
  if (result?.kind === 'notSent') return words.wasNotSent
  return row.refusal === '' ? row.outcome : row.refusal
}

function Line({ row }: { readonly row: ForecastRow }): ReactNode {
  const result = useAppState((state) => state.rowResults.get(row.id))
  const state = stateOf(row, result)
  const [icon, color] = signs[state]
  return (
    <li>
      <span className={classNames(styles['state'], tone[color], color !== 'none' && tone['ink'])}>
        <Icon name={icon} />
        {words.state[state]}
      </span>
      <span className={styles['name']}>{row.name}</span>
      <span className={styles['sentence']}>{sentenceOf(row, result)}</span>
    </li>
  )
}

/** How many rows are sent, and afterwards how they went. */
function Summary({ forecast }: { readonly forecast: RowsForecast }): ReactNode {
  const phase = useAppState((state) => state.rowsPhase)
  const results = useAppState((state) => state.rowResults)
  const { rows, allowed } = forecast
  const count = (kind: RowResult['kind']): number =>
    [...results.values()].filter((result) => result.kind === kind).length
  const [done, failed] = [count('done'), count('failed')]
  const before = (): string => {
    if (allowed.length === 0) return words.none
    const blocked = rows.filter((row) => row.refusal === '' && row.isBlocked).length
    const will = words.will(allowed.length, rows.length - allowed.length)
    return blocked === 0 ? will : will + words.blocked(blocked)
  }
  return (
    <output className={dialogStyles['summary']}>
      {phase === 'asking'
        ? before()
        : phase === 'ended'
          ? `${words.ended(done, failed, count('notSent'))}.`
          : words.progress(done, failed, allowed.length)}
    </output>
  )
}

function Body({ forecast }: { readonly forecast: RowsForecast }): ReactNode {
  const { rows, notes, kubectl } = forecast
  return (
    <>
      <Summary forecast={forecast} />
      {/* A list that scrolls must be reached with the keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <ul className={styles['rows']} aria-label={words.rows} tabIndex={0}>
        {rows.map((row) => (
          <Line key={row.id} row={row} />
        ))}
      </ul>
      {notes.length === 0 ? null : (
        <Note variant="warn" icon="warn">
          {notes.map((note) => (
            <p key={note}>{note}</p>
          ))}
        </Note>
      )}
      {kubectl.length === 0 ? null : (
        <div className={dialogStyles['near']}>
          <span className={dialogStyles['label']}>{words.kubectl}</span>
          <CommandLine line={kubectl.join('\n')} isWrapped />
        </div>
      )}
    </>
  )
}

function useRowsForecast(dialog: RowsDialog): RowsForecast | undefined {
  const facts = useAppState((state) => state.rowsFacts)
  const drains = useAppState((state) => state.rowsDrains)
  const cluster = useAppState((state) => state.clusters.find(({ id }) => id === dialog.cluster))
  const isStartedReadOnly = useAppState((state) => state.program?.readOnly === true)
  return useMemo(
    () => forecastRows(dialog, { facts, drains, cluster, isStartedReadOnly }),
    [dialog, facts, drains, cluster, isStartedReadOnly],
  )
}

/** Keeps what the dialog showed before the click, while the rows change because of it. */
function useKeptForecast(dialog: RowsDialog): RowsForecast | undefined {
  const now = useRowsForecast(dialog)
  const kept = useAppState((state) => state.rowsSent)
  return kept ?? now
}

function Foot({
  dialog,
  forecast,
  label,
}: {
  readonly dialog: RowsDialog
  readonly forecast: RowsForecast | undefined
  readonly label: string
}): ReactNode {
  const phase = useAppState((state) => state.rowsPhase)
  const isLost = useAppState((state) => isCutOff(state.link))
  const { confirmRows, closeRows, stopRows } = useAppState((state) => state)
  const reason = useId()
  const isRunning = phase === 'running' || phase === 'stopping'
  const count = forecast?.allowed.length ?? 0
  const isRefused = isLost || count === 0
  return (
    <div className={dialogStyles['foot']}>
      <span id={reason} className={dialogStyles['last']}>
        {isLost ? text.acts.lost : ''}
      </span>
      <span data-autofocus>
        <Button isRefused={phase === 'stopping'} onClick={isRunning ? stopRows : closeRows}>
          {isRunning ? words.stop : phase === 'ended' ? words.close : text.common.cancel}
        </Button>
      </span>
      {phase === 'asking' ? (
        <Button
          variant={dialog.act === 'uncordon' ? 'primary' : 'dangerFill'}
          isRefused={isRefused}
          refusedBecause={isLost ? reason : undefined}
          onClick={() => {
            if (forecast !== undefined) void confirmRows(forecast)
          }}
        >
          {words.confirm(dialog.act, dialog.kind, count, label)}
        </Button>
      ) : null}
    </div>
  )
}

/** What an act does to each of several rows, and then how each went. */
export function RowsActDialog({ dialog }: { readonly dialog: RowsDialog }): ReactNode {
  const { act, kind, targets } = dialog
  const cluster = useAppState((state) => state.clusters.find(({ id }) => id === dialog.cluster))
  const problem = useAppState((state) => state.rowsProblem)
  const closeRows = useAppState((state) => state.closeRows)
  const refreshRows = useAppState((state) => state.refreshRows)
  const forecast = useKeptForecast(dialog)
  const changes = cluster?.seen?.changes.kind
  const options = useAppState((state) => state.drainOptions)
  const phase = useAppState((state) => state.rowsPhase)
  useEffect(() => {
    void refreshRows()
  }, [refreshRows, changes, options])
  const title = words.title(act, kind, targets.length)
  const isDelete = act === 'delete' || act === 'forceDelete'
  const label = cluster?.label ?? dialog.cluster
  return (
    <Dialog title={title} place="top" onClose={closeRows}>
      <div className={dialogStyles['head']}>
        <span className={classNames(dialogStyles['sign'], !isDelete && dialogStyles['calm'])}>
          <Icon
            name={
              isDelete ? 'trash' : act === 'evictThroughApi' || act === 'drain' ? 'evict' : 'node'
            }
          />
        </span>
        <div className={dialogStyles['names']}>
          <h2>{title}</h2>
        </div>
        <span className={dialogStyles['where']}>{label}</span>
      </div>
      <div className={dialogStyles['body']}>
        {act === 'drain' && phase === 'asking' ? <DrainSwitches /> : null}
        {problem === '' ? null : (
          <Note variant="error" icon="error" isAlert>
            <p>{problem}</p>
          </Note>
        )}
        {forecast === undefined ? (
          problem === '' ? (
            <p className={dialogStyles['wait']}>{text.acts.loading}</p>
          ) : null
        ) : (
          <Body forecast={forecast} />
        )}
      </div>
      <Foot dialog={dialog} forecast={forecast} label={label} />
    </Dialog>
  )
}
