import type { ActError, Receipt, Requests } from '../../../shared/ipc/contract.ts'
import { assertNever } from '../../../shared/assert-never.ts'
import type { NodeAct, NodeActFacts } from '../../../shared/model/node-act.ts'
import { forecastNodeAct, usualShutdownGrace } from '../../../shared/model/node-act.ts'
import { faultyCall } from '../../../shared/model/node/node-faults.ts'
import type {
  ThresholdProblem,
  ThresholdTexts,
} from '../../../shared/model/pressure/threshold-texts.ts'
import type { PressureView } from '../../../shared/model/pressure/pressure-view.ts'
import type { NodeShutdownView } from '../../../shared/model/node/node-shutdown-view.ts'
import type { TraceCauses } from '../../../shared/model/trace-event.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { readThresholdTexts } from '../../kubelet/eviction/read-threshold-texts.ts'
import type { NodeShutdownConfig } from '../../kubelet/node/node-shutdown-groups.ts'
import type { Clock } from '../../kubelet/ports.ts'
import type { ClusterTrace } from '../../kubelet/trace.ts'
import type { NodeLinks } from './cluster-link.ts'
import { thresholdTextsOf, withThresholds } from '../../nodes/threshold-configuration.ts'
import type { SimulatedNode } from '../../nodes/simulated-node.ts'

type UseOtherArgs = Omit<Requests['node.useOther']['args'], 'cluster'>
type NodeActArgs = Omit<Requests['node.act']['args'], 'cluster'>

/** From the end of the last group until the machine is off, ms: the kubelet writes its last statuses. */
const haltMs = 2000

function shutdownConfig(args: NodeActArgs, node: SimulatedNode): NodeShutdownConfig {
  const usual = node.kubelet.shutdownManager.configuredGrace ?? usualShutdownGrace
  const { shutdownGraceSeconds: grace, criticalGraceSeconds: critical } = args
  return {
    shutdownGracePeriodMs: (grace ?? usual.total) * 1000,
    shutdownGracePeriodCriticalPodsMs: (critical ?? usual.critical) * 1000,
  }
}

interface NodeCommandsDeps {
  readonly nodes: ReadonlyMap<string, SimulatedNode>
  /** Absent if Nodescope cannot cut the connection to the API server. */
  readonly links?: NodeLinks
  readonly trace: ClusterTrace
  readonly clock: Pick<Clock, 'after'>
  readonly facts: Pick<NodeActFacts, 'sandbox' | 'readOnly'>
}

/**
 * The actions of users on the nodes of one cluster. Each asks the forecast that the page showed, leaves a root event in
 * the trace, and answers when it has begun.
 */
export class NodeCommands {
  readonly #deps: NodeCommandsDeps

  constructor(deps: NodeCommandsDeps) {
    this.#deps = deps
    deps.trace.listen((event) => {
      const node = this.#deps.nodes.get(event.node)
      if (event.kind !== 'shutdown.finished' || node === undefined) return
      deps.clock.after(haltMs, () => {
        if (shutdownPhase(node) === 'done' && !node.isLeaving) node.powerOff([event.seq])
      })
    })
  }

  act(args: NodeActArgs): Result<Receipt, ActError> {
    const { node: name, act, call } = args
    const told = { act, ...(call === null ? {} : { call }) }
    const node = this.#deps.nodes.get(name)
    if (node === undefined)
      return err({ kind: 'not-found', message: `Node ${name} does not exist here.` })
    if (node.isLeaving) return err({ kind: 'refused', message: 'Nodescope is shutting down.' })
    const received = this.#deps.trace.emit(name, {
      kind: 'node.commanded',
      subject: { kind: 'node' },
      causes: [],
      data: told,
    })
    const { isAllowed, refusal } = forecastNodeAct(
      act,
      {
        ...this.#deps.facts,
        node: name,
        agent: node.isRunning ? 'running' : 'stopped',
        machine: node.isOn ? 'on' : 'off',
        isShuttingDown: shutdownPhase(node) !== 'off',
        isCutOff: this.#deps.links?.isCutOff(name) ?? null,
        faults: node.faults.state,
        hasOtherNodes: this.#deps.facts.sandbox ? this.#hasOthers(name) : null,
      },
      call,
    )
    const done = isAllowed ? this.#do(node, args, [received]) : err(refusal)
    if (done.ok) return ok({ message: begun[act](name, args) })
    this.#deps.trace.emit(name, {
      kind: 'node.commandRefused',
      subject: { kind: 'node' },
      causes: [received],
      data: { ...told, message: done.error },
    })
    return err({ kind: this.#deps.facts.readOnly ? 'read-only' : 'refused', message: done.error })
  }

  /** Null: there is no such node here, or its kubelet does not run. */
  readonly pressure = async (name: string): Promise<PressureView | null> => {
    const node = this.#deps.nodes.get(name)
    if (node?.isRunning !== true) return null
    const view = await node.kubelet.pressureView()
    return { ...view, other: node.runtime.otherUse ?? null }
  }

  /** Of the kubelet's configuration; null: there is no such node here. */
  readonly thresholds = (name: string): ThresholdTexts | null => {
    const node = this.#deps.nodes.get(name)
    return node === undefined ? null : thresholdTextsOf(node.configuration)
  }

  /** What is wrong with other thresholds, in the kubelet's words. */
  readonly checkThresholds = (
    name: string,
    texts: ThresholdTexts,
  ): readonly ThresholdProblem[] | null => {
    const node = this.#deps.nodes.get(name)
    if (node === undefined) return null
    const read = readThresholdTexts(texts, node.settings.eviction)
    return read.ok ? [] : read.error
  }

  /** Restarts the kubelet with other thresholds, as after a change of its file: it reads the file only when it starts. */
  readonly setThresholds = (name: string, texts: ThresholdTexts): Result<Receipt, ActError> => {
    const node = this.#deps.nodes.get(name)
    if (node === undefined)
      return err({ kind: 'not-found', message: `Node ${name} does not exist here.` })
    if (!this.#deps.facts.sandbox)
      return err({
        kind: 'refused',
        message:
          'Only a kubelet of a sandbox takes other thresholds here: change the file of --config and start Nodescope again.',
      })
    const read = readThresholdTexts(texts, node.settings.eviction)
    if (!read.ok) {
      const [first] = read.error
      return err({ kind: 'refused', message: `${first?.field ?? ''}: ${first?.message ?? ''}` })
    }
    if (this.#deps.facts.readOnly)
      return err({ kind: 'read-only', message: 'Nodescope was started with --read-only.' })
    if (!node.isRunning)
      return err({
        kind: 'refused',
        message: `The kubelet of ${name} does not run. Start it first.`,
      })
    const usual = { shutdownGraceSeconds: null, criticalGraceSeconds: null, call: null }
    const before = [node.settings, node.configuration] as const
    node.reconfigure(
      { ...node.settings, eviction: read.value },
      withThresholds(node.configuration, texts),
    )
    const done = this.act({ node: name, act: 'restartAgent', ...usual })
    if (!done.ok) node.reconfigure(...before)
    return done.ok
      ? ok({ message: `Restarted the kubelet of ${name} with other thresholds` })
      : done
  }

  readonly useOther = ({
    node: name,
    memoryBytes,
    diskBytes,
    inodes,
    processes,
  }: UseOtherArgs): Result<Receipt, ActError> => {
    const node = this.#deps.nodes.get(name)
    if (node === undefined)
      return err({ kind: 'not-found', message: `Node ${name} does not exist here.` })
    const { useOther, otherUse } = node.runtime
    if (this.#deps.facts.readOnly)
      return err({ kind: 'read-only', message: 'Nodescope was started with --read-only.' })
    if (useOther === undefined || otherUse === undefined)
      return err({ kind: 'refused', message: `The machine of ${name} is a real one.` })
    const use = {
      memoryBytes: memoryBytes ?? otherUse.memoryBytes,
      diskBytes: diskBytes ?? otherUse.diskBytes,
      inodes: inodes ?? otherUse.inodes,
      processes: processes ?? otherUse.processes,
    }
    useOther(use)
    const subject = { kind: 'node' } as const
    this.#deps.trace.emit(name, { kind: 'node.otherUseSet', subject, causes: [], data: use })
    return ok({ message: `Changed what ${name} uses besides its pods` })
  }

  #hasOthers(name: string): boolean {
    const { nodes, links } = this.#deps
    return [...nodes].some(
      ([other, node]) =>
        other !== name && node.isOn && node.isRunning && links?.isCutOff(other) !== true,
    )
  }

  #do(node: SimulatedNode, args: NodeActArgs, causes: TraceCauses): Result<undefined, string> {
    switch (args.act) {
      case 'shutDown':
        return node.kubelet.shutdownManager.shutDown(shutdownConfig(args, node), causes)
      case 'cancelShutDown':
        return node.kubelet.shutdownManager.cancel(causes)
      case 'restartAgent':
        node.stopKubelet(causes)
        node.startKubelet(causes)
        break
      case 'stopAgent':
        node.stopKubelet(causes)
        break
      case 'startAgent':
        node.startKubelet(causes)
        break
      case 'powerOff':
        node.powerOff(causes)
        break
      case 'boot':
        node.boot(causes)
        break
      case 'cutOff':
      case 'reconnect':
        this.#deps.links?.setCutOff(node.nodeName, args.act === 'cutOff')
        break
      case 'runtimeDown':
        node.faults.setRuntime('down')
        break
      case 'runtimeHangs':
        node.faults.setRuntime('hangs')
        break
      case 'runtimeAnswers':
        node.faults.setRuntime('answers')
        break
      case 'failCall':
      case 'callsAnswer':
        node.faults.setCall(args.act === 'failCall' ? args.call : null)
        break
      case 'fillDisk':
      case 'freeDisk':
        node.faults.setDiskFull(args.act === 'fillDisk')
        break
      case 'slowMounts':
      case 'usualMounts':
        node.faults.setSlowMounts(args.act === 'slowMounts')
        break
      default:
        return assertNever(args.act, 'act on a node')
    }
    return ok(undefined)
  }
}

/** Of the running kubelet; a stopped one shuts nothing down. */
function shutdownPhase({ isRunning, kubelet }: SimulatedNode): NodeShutdownView['phase'] {
  return isRunning ? kubelet.shutdownManager.view().phase : 'off'
}

const begun: Readonly<Record<NodeAct, (node: string, args: NodeActArgs) => string>> = {
  restartAgent: (node) => `Restarted the kubelet of ${node}`,
  stopAgent: (node) => `Stopped the kubelet of ${node}`,
  startAgent: (node) => `Started the kubelet of ${node}`,
  shutDown: (node) => `${node} is shutting down`,
  cancelShutDown: (node) => `Shutdown of ${node} canceled`,
  powerOff: (node) => `Powered off ${node}`,
  boot: (node) => `${node} boots`,
  cutOff: (node) => `${node} disconnected from the API server`,
  reconnect: (node) => `${node} reconnected to the API server`,
  runtimeDown: (node) => `The runtime of ${node} is unreachable`,
  runtimeHangs: (node) => `Calls of the runtime of ${node} hang`,
  runtimeAnswers: (node) => `The runtime of ${node} answers again`,
  failCall: (node, { call }) =>
    call === null ? node : `${faultyCall(call)} ${call.how} on ${node}`,
  callsAnswer: (node) => `All runtime calls of ${node} are answered again`,
  fillDisk: (node) => `The disk of ${node} is full`,
  freeDisk: (node) => `The disk of ${node} is free again`,
  slowMounts: (node) => `Volumes of ${node} are slow to set up`,
  usualMounts: (node) => `Volumes of ${node} are set up at once`,
}
