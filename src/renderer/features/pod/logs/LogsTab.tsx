import type { KeyboardEvent, ReactNode } from 'react'
import { useEffect, useMemo, useState } from 'react'
import type { PodDetail } from '../../../../shared/model/pod-detail.ts'
import type { PodRow } from '../../../../shared/model/pod-row.ts'
import { useAppState } from '../../../store/store-context.ts'
import { text } from '../../../text/text.ts'
import { Button } from '../../../ui/Button.tsx'
import { CommandLine } from '../../../ui/CommandLine.tsx'
import { downloadText } from '../../../ui/download.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Note } from '../../../ui/Note.tsx'
import { SearchField } from '../../../ui/SearchField.tsx'
import { Segmented } from '../../../ui/Segmented.tsx'
import type { LogView } from './log-follower.ts'
import { kubectlLogs, logFile, matchingLines } from './log-search.ts'
import { LogLines } from './LogLines.tsx'
import styles from './LogsTab.module.css'
import { useLogs } from './use-logs.ts'

const words = text.pod.logs
const sinceMinutes = [1, 10, 60]
const noLines: LogView = { lines: [], count: 0, dropped: 0, error: '' }

function Choice({
  label,
  value,
  options,
  onChange,
}: {
  readonly label: string
  readonly value: string
  readonly options: readonly (readonly [value: string, word: string])[]
  readonly onChange: (value: string) => void
}): ReactNode {
  return (
    <select
      className={styles['select']}
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    >
      {options.map(([option, word]) => (
        <option key={option} value={option}>
          {word}
        </option>
      ))}
    </select>
  )
}

function Toggle({
  label,
  isOn,
  onChange,
}: {
  readonly label: string
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
}): ReactNode {
  return (
    <label className={styles['toggle']}>
      <input
        type="checkbox"
        checked={isOn}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      {label}
    </label>
  )
}

function LogOf({
  row,
  detail,
  names,
}: {
  readonly row: PodRow
  readonly detail: PodDetail
  readonly names: readonly string[]
}): ReactNode {
  const wantedLog = useAppState((state) => state.wantedLog)
  const clearWantedLog = useAppState((state) => state.clearWantedLog)
  const [wantedName, setName] = useState(wantedLog?.container ?? '')
  const [run, setRun] = useState(wantedLog?.isPrevious === true ? 'previous' : 'current')
  useEffect(clearWantedLog, [clearWantedLog])
  const [sinceSeconds, setSince] = useState<number | null>(null)
  const [isFollowing, setFollowing] = useState(true)
  const [hasTimes, setTimes] = useState(true)
  const [wanted, setWanted] = useState('')
  const [at, setAt] = useState(0)
  const mainName = detail.containers.find(({ kind }) => kind === 'container')?.name ?? ''
  const container = names.includes(wantedName) ? wantedName : mainName
  const previous = run === 'previous'
  const { value, failure } = useLogs(
    { pod: row.key, container, previous, sinceSeconds },
    { cluster: row.cluster, detail, isFollowing: isFollowing && !previous },
  )
  const view = value ?? noLines
  const mayDownload = useAppState((state) => state.program?.host === 'web')
  const addToast = useAppState((state) => state.addToast)
  const { lines, count, dropped, error } = view
  const matches = useMemo(() => matchingLines(lines, count, wanted), [lines, count, wanted])
  const save = (): void => {
    const file = `${row.namespace}_${row.name}_${container}${previous ? '_previous' : ''}.log`
    downloadText(logFile(view, { hasTimes, restarted: words.restarted }), file)
    addToast(words.saved(count, file))
  }
  const handleKey = ({ key, shiftKey }: KeyboardEvent): boolean => {
    if (key !== 'Enter' || matches.length === 0) return false
    setFollowing(false)
    setAt((at + (shiftKey ? matches.length - 1 : 1)) % matches.length)
    return true
  }
  return (
    <div className={styles['logs']}>
      <div className={styles['tools']}>
        <Choice
          label={words.container}
          value={container}
          options={names.map((name) => [name, name])}
          onChange={setName}
        />
        <Segmented
          label={words.run}
          segments={[
            { value: 'current', label: words.current },
            { value: 'previous', label: words.previous },
          ]}
          value={run}
          onChange={setRun}
        />
        <Choice
          label={words.since}
          value={String(sinceSeconds ?? '')}
          options={[
            ['', words.all],
            ...sinceMinutes.map((one) => [String(one * 60), words.sinceSeconds(one)] as const),
          ]}
          onChange={(seconds) => setSince(seconds === '' ? null : Number(seconds))}
        />
        <Toggle label={words.times} isOn={hasTimes} onChange={setTimes} />
        {previous ? null : (
          <Toggle label={words.follow} isOn={isFollowing} onChange={setFollowing} />
        )}
      </div>
      <div className={styles['search']}>
        <SearchField
          icon="search"
          value={wanted}
          count={
            wanted === '' ? '' : words.matches(Math.min(at + 1, matches.length), matches.length)
          }
          clearLabel={words.clear}
          hasKeyHint={false}
          isMono
          placeholder={words.search}
          aria-label={words.search}
          onChange={(next) => {
            setWanted(next)
            setAt(0)
          }}
          onKey={handleKey}
        />
      </div>
      {error === '' && failure === '' ? null : (
        <Note variant="warn" icon="warn">
          <p>{error || failure}</p>
        </Note>
      )}
      {count === 0 && error === '' ? (
        <EmptyState title={words.none}>{words.noneMeaning}</EmptyState>
      ) : (
        <LogLines
          label={words.label(container)}
          view={view}
          hasTimes={hasTimes}
          isFollowing={isFollowing}
          wanted={wanted}
          chosen={wanted === '' ? undefined : matches[at]}
          onScrollBack={() => setFollowing(false)}
        />
      )}
      <div className={styles['foot']}>
        <span>{words.lines(count)}</span>
        {dropped === 0 ? null : <span>{words.dropped(dropped)}</span>}
        {mayDownload && count > 0 ? (
          <span className={styles['save']}>
            <Button isSmall onClick={save}>
              {words.save}
            </Button>
          </span>
        ) : null}
      </div>
      <CommandLine
        line={kubectlLogs({
          namespace: row.namespace,
          pod: row.name,
          container,
          previous,
          sinceSeconds,
          isFollowing,
          hasTimes,
        })}
      />
    </div>
  )
}

/** The log of one container of the pod, read through the kubelet's server as `kubectl logs` reads it. */
export function LogsTab({
  row,
  detail,
}: {
  readonly row: PodRow
  readonly detail: PodDetail | null
}): ReactNode {
  const names = (detail?.containers ?? []).map(({ name }) => name)
  if (detail === null || names.length === 0)
    return (
      <EmptyState title={text.pod.containers.none}>{text.pod.containers.noneMeaning}</EmptyState>
    )
  return <LogOf row={row} detail={detail} names={names} />
}
