import { connectThroughKubelet } from '../port-forward/connect-port.ts'
import { startedReadOnly } from '../../../shared/model/forecast/read-only.ts'
import { TransportApiClient } from '../../cluster/client/api-client.ts'
import { streamsInProcess } from '../../cri/streaming/terminal-stream.ts'
import type { VirtualClock } from '../../clock/virtual-clock.ts'
import type { Log } from '../../kubelet/ports.ts'
import type { ClusterTrace } from '../../kubelet/trace.ts'
import type { Sandbox } from '../../nodes/sandbox.ts'
import { err, ok } from '../../../shared/result.ts'
import { parseInPlace } from '../../parsing/kubernetes-text.ts'
import type { ParseText } from '../../parsing/kubernetes-text.ts'
import { ApplyCommands } from '../apply/apply-commands.ts'
import { NodeEdits } from '../node-edit/node-edits.ts'
import { OwnerCommands } from '../workloads/owner-commands.ts'
import { Workloads } from '../workloads/workloads.ts'
import { clockView, virtualClockCommands } from './clock-commands.ts'
import { ClusterLink } from './cluster-link.ts'
import { clusterServices } from './cluster-services.ts'
import { ClusterSession } from './cluster-session.ts'
import { exportLine } from './export-line.ts'
import { filesOf } from '../../state/manifest-files.ts'
import type { NodeShape } from '../../nodes/node-description.ts'
import type { OpenSandbox, PresentSandbox } from './open-cluster.ts'

export interface ServeSandboxDeps {
  readonly sandbox: Sandbox
  readonly clock: VirtualClock
  readonly trace: ClusterTrace
  readonly log: Log
  /** Of manifests; default: on the calling thread. */
  readonly parse?: ParseText
  /** Unique among the open clusters; also its name on the page. */
  readonly id: string
  /** Of the API server, as the page shows it. */
  readonly url: string
  readonly kubeconfigPath: string
  readonly manifestsPath: string
  readonly seed: number
  /** For files of the sandbox; default: none. */
  readonly nodes?: readonly ({
    readonly name: string
    readonly manifestsPath: string
  } & NodeShape)[]
  readonly readOnly: boolean
}

/** A session over a sandbox, with all answers and commands for the pages. Starts nothing. */
export function serveSandbox(deps: ServeSandboxDeps): Omit<OpenSandbox, 'stop'> {
  const { clock, trace, sandbox, readOnly, kubeconfigPath } = deps
  const session = sandboxSession(deps)
  const onChange = (): void => {
    session.touchView()
  }
  sandbox.controlPlane.onBudget(onChange)
  const links = new ClusterLink({
    session,
    trace,
    clock,
    links: sandbox.outages,
    readOnly,
    isDown: () => sandbox.faultControl.isOutage,
  })
  sandbox.clockControl.listen(onChange)
  sandbox.faultControl.listen(() => {
    links.refresh()
    onChange()
  })
  session.setConnection({ kind: 'connected' })
  const admin = new TransportApiClient({ transport: sandbox.adminTransport })
  const workloads = new Workloads({
    transport: sandbox.adminTransport,
    pods: sandbox.server.pods,
    now: () => clock.present,
    log: deps.log,
  })
  const facts = { sandbox: true, readOnly }
  const refusal = (): string => (readOnly ? startedReadOnly : '')
  return {
    ...clusterServices({
      ...deps,
      session,
      nodes: sandbox.nodes,
      links,
      api: admin,
      facts,
      openStream: streamsInProcess(sandbox.streams),
      connectPort: connectThroughKubelet(session, sandbox.streams),
    }),
    clock: virtualClockCommands({ clock, trace, onChange }),
    link: links,
    workloads,
    verdicts: (uid) => {
      const pod = sandbox.server.pods.get(uid)
      if (pod === undefined) return undefined
      return sandbox.controlPlane.verdicts(pod.metadata.namespace ?? '', pod.metadata.name)
    },
    owners: new OwnerCommands({
      workloads,
      api: admin,
      now: () => clock.present,
      readOnly: refusal,
      context: '',
    }),
    apply: new ApplyCommands({
      transport: sandbox.adminTransport,
      parse: deps.parse ?? parseInPlace,
      readOnly: refusal,
      namespace: 'default',
    }),
    nodeEdits: new NodeEdits({
      api: admin,
      pods: sandbox.server.pods,
      readOnly: refusal,
      context: '',
    }),
    faults: {
      list: () => sandbox.faultControl.faults,
      set: (faults) => {
        if (readOnly) return err({ kind: 'read-only', message: startedReadOnly })
        clock.catchUp()
        const problem = sandbox.faultControl.set({ faults })
        if (problem === undefined) return ok({ message: 'The faults of the sandbox have changed' })
        return err({ kind: 'refused', message: problem.message })
      },
    },
    virtualClock: clock,
    sandbox,
    present: () => presentOf(deps),
    admin,
    adminTransport: sandbox.adminTransport,
    facts: [
      { name: 'kubeconfig', value: kubeconfigPath },
      { name: 'kubectl', value: exportLine(kubeconfigPath) },
      { name: 'seed', value: String(deps.seed) },
    ],
    // No other kubelet can use a node of this process.
    refused: undefined,
  }
}

/** All that a sandbox keeps besides its machines and their containers, as it is now. */
async function presentOf({
  sandbox,
  clock,
  seed,
  nodes = [],
}: Pick<ServeSandboxDeps, 'sandbox' | 'clock' | 'seed' | 'nodes'>): Promise<PresentSandbox> {
  const manifests = await Promise.all(
    nodes.map(({ name, manifestsPath }) => filesOf(name, manifestsPath)),
  )
  return {
    ...sandbox.server.objects(),
    now: clock.present,
    seed,
    nodes,
    faults: sandbox.faultControl.faults,
    clock: { paused: clock.isPaused, speed: clock.speed },
    manifests: manifests.flat(),
  }
}

function sandboxSession(deps: ServeSandboxDeps): ClusterSession {
  const { id, url, kubeconfigPath, manifestsPath, clock, trace, sandbox, readOnly } = deps
  return new ClusterSession({
    identity: {
      id,
      label: id,
      server: url,
      kind: 'sandbox',
      exportLine: exportLine(kubeconfigPath),
      manifestsPath,
    },
    clock,
    presentNow: () => clock.present,
    trace,
    readOnly: () => (readOnly ? startedReadOnly : ''),
    budgets: sandbox.controlPlane.budgets,
    apiPods: sandbox.server.pods,
    clockFacts: () => clockView(clock),
  })
}
