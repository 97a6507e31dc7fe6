import type { ActError, Receipt, Requests } from '../../shared/ipc/contract.ts'
import { assertNever } from '../../shared/assert-never.ts'
import type { NodeAct, NodeActFacts } from '../../shared/model/node-act.ts'
import { forecastNodeAct, usualShutdownGrace } from '../../shared/model/node-act.ts'
import type { TraceCauses } from '../../shared/model/trace-event.ts'
import { err, ok } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'
import type { NodeShutdownConfig } from '../kubelet/node/node-shutdown-groups.ts'
import type { Clock } from '../kubelet/ports.ts'
import type { ClusterTrace } from '../kubelet/trace.ts'
import type { NodeLinks } from './cluster-link.ts'
import type { NodeSeat } from './node-seat.ts'

type NodeActArgs = Omit<Requests['node.act']['args'], 'cluster'>

/** From the end of the last group until the machine is off: the kubelet writes its last statuses. */
const haltMs = 2000

function shutdownConfig(args: NodeActArgs): NodeShutdownConfig {
  const { shutdownGraceSeconds: grace, criticalGraceSeconds: critical } = args
  return {
    shutdownGracePeriodMs: (grace ?? usualShutdownGrace.total) * 1000,
    shutdownGracePeriodCriticalPodsMs: (critical ?? usualShutdownGrace.critical) * 1000,
  }
}

/**
 * What a person does to the nodes of one cluster. Each act asks the forecast that the page showed, leaves a
 * root event in the trace, and answers when it has begun.
 */
export class NodeCommands {
  readonly #seats: ReadonlyMap<string, NodeSeat>
  readonly #trace: ClusterTrace
  readonly #links: NodeLinks | undefined
  readonly #facts: Pick<NodeActFacts, 'sandbox' | 'readOnly'>

  constructor(deps: {
    readonly seats: ReadonlyMap<string, NodeSeat>
    /** Absent where the way to the API server is not ours to cut. */
    readonly links?: NodeLinks
    readonly trace: ClusterTrace
    readonly clock: Pick<Clock, 'after'>
    readonly facts: Pick<NodeActFacts, 'sandbox' | 'readOnly'>
  }) {
    this.#seats = deps.seats
    this.#trace = deps.trace
    this.#links = deps.links
    this.#facts = deps.facts
    deps.trace.listen((event) => {
      const seat = this.#seats.get(event.node)
      if (event.kind !== 'shutdown.finished' || seat === undefined) return
      deps.clock.after(haltMs, () => {
        if (seat.shutdownPhase === 'done' && !seat.isLeaving) seat.powerOff([event.seq])
      })
    })
  }

  act(args: NodeActArgs): Result<Receipt, ActError> {
    const { node, act } = args
    const seat = this.#seats.get(node)
    if (seat === undefined)
      return err({ kind: 'not-found', message: `Node ${node} does not exist here.` })
    if (seat.isLeaving) return err({ kind: 'refused', message: 'Nodescope is shutting down.' })
    const received = this.#trace.emit(node, {
      kind: 'node.commanded',
      subject: { kind: 'node' },
      causes: [],
      data: { act },
    })
    const { isAllowed, refusal } = forecastNodeAct(act, {
      ...this.#facts,
      node,
      agent: seat.isRunning ? 'running' : 'stopped',
      machine: seat.isOn ? 'on' : 'off',
      isShuttingDown: seat.shutdownPhase !== 'off',
      isCutOff: this.#links?.isCutOff(node) ?? null,
    })
    const done = isAllowed ? this.#do(seat, args, [received]) : err(refusal)
    if (done.ok) return ok({ message: begun(act, node) })
    this.#trace.emit(node, {
      kind: 'node.commandRefused',
      subject: { kind: 'node' },
      causes: [received],
      data: { act, message: done.error },
    })
    return err({ kind: this.#facts.readOnly ? 'read-only' : 'refused', message: done.error })
  }

  #do(seat: NodeSeat, args: NodeActArgs, causes: TraceCauses): Result<undefined, string> {
    switch (args.act) {
      case 'restartAgent':
        seat.stopAgent(causes)
        seat.startAgent(causes)
        return ok(undefined)
      case 'stopAgent':
        seat.stopAgent(causes)
        return ok(undefined)
      case 'startAgent':
        seat.startAgent(causes)
        return ok(undefined)
      case 'shutDown':
        return seat.shutDown(shutdownConfig(args), causes)
      case 'cancelShutDown':
        return seat.cancelShutDown(causes)
      case 'powerOff':
        seat.powerOff(causes)
        return ok(undefined)
      case 'boot':
        seat.boot(causes)
        return ok(undefined)
      case 'cutOff':
        this.#links?.cutOffNode(seat.nodeName)
        return ok(undefined)
      case 'reconnect':
        this.#links?.reconnectNode(seat.nodeName)
        return ok(undefined)
      default:
        return assertNever(args.act, 'act on a node')
    }
  }
}

function begun(act: NodeAct, node: string): string {
  switch (act) {
    case 'restartAgent':
      return `Restarted the kubelet of ${node}`
    case 'stopAgent':
      return `Stopped the kubelet of ${node}`
    case 'startAgent':
      return `Started the kubelet of ${node}`
    case 'shutDown':
      return `${node} is shutting down`
    case 'cancelShutDown':
      return `Shutdown of ${node} canceled`
    case 'powerOff':
      return `Powered off ${node}`
    case 'boot':
      return `${node} boots`
    case 'cutOff':
      return `${node} disconnected from the API server`
    case 'reconnect':
      return `${node} reconnected to the API server`
    default:
      return assertNever(act, 'act on a node')
  }
}
