import type { ReactNode } from 'react'
import { useId, useState } from 'react'
import type { Bridge } from '../../../../shared/ipc/contract.ts'
import type { ActFacts } from '../../../../shared/model/act.ts'
import type { PodKey } from '../../../../shared/model/pod-row.ts'
import type { PodPorts, PortForwardView } from '../../../../shared/model/inside-pod/port-forward.ts'
import { quoted } from '../../../../shared/shell-words.ts'
import { useKeptAnswer } from '../../../store/requests/use-kept-answer.ts'
import { requestResult } from '../../../store/request-result.ts'
import { useStore } from '../../../store/store-context.ts'
import { text } from '../../../text/text.ts'
import { Button } from '../../../ui/Button.tsx'
import { CommandLine } from '../../../ui/CommandLine.tsx'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { Note } from '../../../ui/Note.tsx'
import styles from './PortForwards.module.css'

const words = text.ports

function ask(bridge: Bridge, key: PodKey): Promise<PodPorts | null> {
  return bridge.request('ports.list', { key })
}

/** `kubectl port-forward pod/web 8080:80`. Pure. */
export function portForwardLine(
  { namespace, name, seenIn }: Pick<ActFacts, 'namespace' | 'name' | 'seenIn'>,
  port: string,
  localPort: string,
): string {
  const context = seenIn === '' ? [] : ['--context', quoted(seenIn)]
  const ports = `${localPort === '' ? '' : localPort}:${port}`
  return ['kubectl', ...context, 'port-forward', '-n', namespace, `pod/${name}`, ports].join(' ')
}

function portOf(typed: string): number | undefined {
  const port = Number(typed)
  return /^\d{1,5}$/.test(typed) && port > 0 && port < 65_536 ? port : undefined
}

function Forward({
  forward,
  onStop,
}: {
  readonly forward: PortForwardView
  readonly onStop: () => void
}): ReactNode {
  const { localPort, port, open, total, problem } = forward
  const address = `127.0.0.1:${localPort}`
  return (
    <li className={styles['forward']}>
      <code>{words.way(address, port)}</code>
      <CopyButton value={address} label={words.copy(address)} />
      <span className={styles['count']}>{words.connections(open, total)}</span>
      <Button isSmall label={words.stopOf(address)} onClick={onStop}>
        {words.stop}
      </Button>
      {problem === '' ? null : <p className={styles['problem']}>{problem}</p>}
    </li>
  )
}

/** Opens ports of this machine that lead to the pod, and lists those that are open. */
export function PortForwards({
  podKey,
  facts,
}: {
  readonly podKey: PodKey
  readonly facts: ActFacts
}): ReactNode {
  const { bridge } = useStore()
  const [typed, setTyped] = useState<string | null>(null)
  const [localPort, setLocalPort] = useState('')
  const [problem, setProblem] = useState('')
  const known = useKeptAnswer(words.request, podKey, ask)
  const id = useId()
  const named = known?.named ?? []
  const port = typed ?? String(named[0]?.port ?? '')
  const isValid =
    portOf(port) !== undefined && (localPort === '' || portOf(localPort) !== undefined)
  const start = async (): Promise<void> => {
    const request = { key: podKey, port: portOf(port) ?? 0, localPort: portOf(localPort) ?? 0 }
    const result = await requestResult(bridge.request('ports.start', request))
    setProblem(result.ok ? '' : result.error.message)
  }
  const stop = (forward: PortForwardView): void => {
    const [cluster = ''] = podKey.split('/')
    void bridge.request('ports.stop', { cluster, id: forward.id }).catch(() => null)
  }
  return (
    <section className={styles['ports']} aria-label={words.title}>
      <h3>{words.title}</h3>
      {(known?.forwards ?? []).length === 0 ? null : (
        <ul aria-label={words.open}>
          {(known?.forwards ?? []).map((forward) => (
            <Forward key={forward.id} forward={forward} onStop={() => stop(forward)} />
          ))}
        </ul>
      )}
      <form
        className={styles['form']}
        onSubmit={(event) => {
          event.preventDefault()
          if (isValid && facts.readOnly === '') void start()
        }}
      >
        <label htmlFor={`${id}-port`}>{words.port}</label>
        <input
          id={`${id}-port`}
          list={`${id}-named`}
          inputMode="numeric"
          value={port}
          onChange={({ target }) => setTyped(target.value)}
        />
        <datalist id={`${id}-named`}>
          {named.map(({ port: one, name, container }) => (
            <option key={`${container} ${one}`} value={one}>
              {`${container} ${name}`}
            </option>
          ))}
        </datalist>
        <label htmlFor={`${id}-local`}>{words.localPort}</label>
        <input
          id={`${id}-local`}
          inputMode="numeric"
          placeholder={words.free}
          value={localPort}
          onChange={({ target }) => setLocalPort(target.value)}
        />
        <Button
          isSmall
          isRefused={!isValid || facts.readOnly !== ''}
          title={facts.readOnly}
          onClick={() => void start()}
        >
          {words.start}
        </Button>
      </form>
      {facts.readOnly === '' ? null : <p className={styles['faint']}>{facts.readOnly}</p>}
      {problem === '' ? null : (
        <Note variant="error" icon="error" isAlert>
          <p>{problem}</p>
        </Note>
      )}
      {isValid ? <CommandLine line={portForwardLine(facts, port, localPort)} isWrapped /> : null}
    </section>
  )
}
