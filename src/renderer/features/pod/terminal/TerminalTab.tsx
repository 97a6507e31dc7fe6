import type { ReactNode } from 'react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { PodDetail } from '../../../../shared/model/pod-detail.ts'
import type { PodRow } from '../../../../shared/model/pod-row.ts'
import { useAppState, useStore } from '../../../store/store-context.ts'
import { text } from '../../../text/text.ts'
import { Button } from '../../../ui/Button.tsx'
import { CommandLine } from '../../../ui/CommandLine.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { KeysLine } from '../../../ui/KeysLine.tsx'
import { Note } from '../../../ui/Note.tsx'
import styles from './TerminalTab.module.css'
import { startTerminal } from './terminal-session.ts'
import type { TerminalCommand, TerminalState } from './terminal-session.ts'

const words = text.pod.terminal
const keysId = 'terminal-keys'

/** One session: it lives as long as this component. */
function Session({
  command,
  onState,
  onLeave,
}: {
  readonly command: TerminalCommand
  readonly onState: (state: TerminalState) => void
  readonly onLeave: () => void
}): ReactNode {
  const { bridge } = useStore()
  const host = useRef<HTMLDivElement>(null)
  const publish = useEffectEvent(onState)
  const leave = useEffectEvent(onLeave)
  useEffect(() => {
    let isMounted = true
    let stop = (): void => undefined
    // Loaded with the first session, so that the page's first paint does not wait for xterm.js.
    void import('./xterm-screen.ts').then(({ openXterm }) => {
      const element = host.current
      if (!isMounted || element === null) return
      stop = startTerminal({
        bridge,
        command,
        open: (options) =>
          openXterm(element, {
            ...options,
            label: words.label(command.container),
            describedBy: keysId,
            onLeave: () => leave(),
          }),
        publish: (state) => publish(state),
      })
    })
    return () => {
      isMounted = false
      stop()
    }
  }, [bridge, command])
  return <div ref={host} className={styles['screen']} />
}

function TerminalOf({
  row,
  names,
  first,
}: {
  readonly row: PodRow
  readonly names: readonly string[]
  readonly first: string
}): ReactNode {
  const [wantedName, setName] = useState('')
  const [line, setLine] = useState('sh')
  const [running, setRunning] = useState<TerminalCommand | null>(null)
  const [state, setState] = useState<TerminalState>({ kind: 'starting' })
  const end = useRef<HTMLButtonElement>(null)
  const isPaused = useAppState((app) =>
    app.clusters.some(({ id, clock }) => id === row.cluster && clock.paused),
  )
  const container = names.includes(wantedName) ? wantedName : first
  const command = line.split(/\s+/).filter((word) => word !== '')
  const isLive = running !== null && state.kind !== 'ended'
  const start = (): void => {
    if (command.length === 0) return
    setState({ kind: 'starting' })
    setRunning({ pod: row.key, container, command })
  }
  const status =
    running === null || state.kind === 'ended'
      ? ''
      : state.kind === 'starting'
        ? words.starting
        : isPaused
          ? words.paused
          : words.open
  return (
    <div className={styles['terminal']}>
      <form
        className={styles['tools']}
        onSubmit={(event) => {
          event.preventDefault()
          if (!isLive) start()
        }}
      >
        <select
          className={styles['field']}
          aria-label={words.container}
          value={container}
          disabled={isLive}
          onChange={(event) => setName(event.target.value)}
        >
          {names.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
        <input
          className={styles['field']}
          aria-label={words.command}
          value={line}
          disabled={isLive}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => setLine(event.target.value)}
        />
        <Button
          ref={end}
          variant={isLive ? 'plain' : 'primary'}
          isRefused={!isLive && command.length === 0}
          title={!isLive && command.length === 0 ? words.noCommand : undefined}
          onClick={() => {
            if (isLive) setRunning(null)
            else start()
          }}
        >
          {isLive ? words.end : running === null ? words.start : words.startAgain}
        </Button>
      </form>
      <output className={styles['status']}>{status}</output>
      {running !== null && state.kind === 'ended' ? (
        <Note
          variant={state.isFailure ? 'warn' : 'plain'}
          icon={state.isFailure ? 'warn' : 'info'}
          isAlert
        >
          <p>{state.said}</p>
        </Note>
      ) : null}
      {running === null ? (
        <EmptyState title={words.idle}>{words.idleMeaning}</EmptyState>
      ) : (
        <Session command={running} onState={setState} onLeave={() => end.current?.focus()} />
      )}
      {running === null ? null : (
        <div id={keysId}>
          <KeysLine
            keys={[
              { keys: ['Esc Esc', 'Shift Tab'], does: words.keys.leave },
              { keys: ['Tab'], does: words.keys.tab },
            ]}
          />
        </div>
      )}
      <CommandLine
        line={`kubectl exec -it -n ${row.namespace} ${row.name} -c ${container} -- ${command.join(' ')}`}
      />
    </div>
  )
}

/** A terminal in one container of the pod, through the kubelet's server as `kubectl exec -it` opens it. */
export function TerminalTab({
  row,
  detail,
}: {
  readonly row: PodRow
  readonly detail: PodDetail | null
}): ReactNode {
  const containers = detail?.containers ?? []
  const first = containers.find(({ kind }) => kind === 'container') ?? containers[0]
  if (first === undefined)
    return (
      <EmptyState title={text.pod.containers.none}>{text.pod.containers.noneMeaning}</EmptyState>
    )
  return <TerminalOf row={row} names={containers.map(({ name }) => name)} first={first.name} />
}
