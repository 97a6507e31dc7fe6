import type { ActError } from '../../../shared/ipc/contract.ts'
import type { PodKey } from '../../../shared/model/pod-row.ts'
import { err } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type {
  OpenTerminalStream,
  TerminalListener,
  TerminalStream,
} from '../../cri/streaming/terminal-stream.ts'
import type { ClusterSession } from '../cluster/cluster-session.ts'

interface PodTerminalsDeps {
  readonly session: Pick<ClusterSession, 'actTarget'>
  /** Of the nodes' runtime. */
  readonly openStream: OpenTerminalStream
  /** Of a cluster whose kubelets are not this program: through its API server. The error is one sentence. */
  readonly openExec?: OpenExec | undefined
}

export type OpenExec = (
  pod: { readonly namespace: string; readonly name: string },
  command: TerminalCommand,
  listener: TerminalListener,
) => Promise<Result<TerminalStream, string>>

export interface TerminalCommand {
  readonly container: string
  readonly command: readonly string[]
}

function refused(message: string): Result<never, ActError> {
  return err({ kind: 'refused', message })
}

/** Terminals in the containers of one cluster, through the kubelet's own server, as `kubectl exec -it` opens them. */
export class PodTerminals {
  readonly #deps: PodTerminalsDeps

  constructor(deps: PodTerminalsDeps) {
    this.#deps = deps
  }

  async open(
    key: PodKey,
    { container, command }: TerminalCommand,
    listener: TerminalListener,
  ): Promise<Result<TerminalStream, ActError>> {
    const target = this.#deps.session.actTarget(key)
    if (target === undefined)
      return err({ kind: 'not-found', message: 'This pod is no longer on the node.' })
    const { kubelet, facts } = target
    if (facts.readOnly !== '') return err({ kind: 'read-only', message: facts.readOnly })
    if (this.#deps.openExec !== undefined) {
      const opened = await this.#deps.openExec(facts, { container, command }, listener)
      return opened.ok ? opened : err({ kind: 'failed', message: opened.error })
    }
    if (kubelet === undefined) return refused('No kubelet has this pod.')
    if (facts.kubelet === 'stopped')
      return refused('The kubelet, which serves exec, does not run. Start it in Node.')
    const url = await kubelet.server.stream({
      kind: 'exec',
      namespace: facts.namespace,
      name: facts.name,
      container,
      command,
      stdin: true,
      stdout: true,
      stderr: false,
      tty: true,
    })
    if (!url.ok)
      return refused(`The kubelet refused the command (${url.error.status}): ${url.error.body}`)
    const opened = await this.#deps.openStream(url.value, listener)
    return opened.ok ? opened : err({ kind: 'failed', message: opened.error })
  }
}
