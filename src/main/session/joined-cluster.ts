import type { Lease } from '../../shared/kubernetes/objects.ts'
import type { Transport } from '../../shared/kubernetes/request.ts'
import { err, ok } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'
import { seededRandom } from '../clock/seeded-random.ts'
import { systemClock } from '../clock/system-clock.ts'
import { nodeHash } from '../clock/node-hash.ts'
import { TransportApiClient } from '../cluster/api-client.ts'
import { LeaseGuard } from '../cluster/lease-guard.ts'
import { describeJoin } from '../cluster/join-check.ts'
import { loadKubeconfig } from '../cluster/kubeconfig.ts'
import type { ClusterAccess } from '../cluster/kubeconfig.ts'
import type { ApiError } from '../kubelet/ports.ts'
import { ClusterTrace } from '../kubelet/trace.ts'
import { SimulatedRuntime } from '../runtimes/simulated/simulated-runtime.ts'
import { clusterIdOf } from './cluster-id.ts'
import { ClusterSession } from './cluster-session.ts'
import { systemClockCommands } from './clock-commands.ts'
import { FolderManifestDesk } from './folder-manifest-desk.ts'
import { KubeletAgent } from './kubelet-agent.ts'
import { agentTaint, describeNode } from './node-description.ts'
import { startWhenFree } from './guarded-start.ts'
import { noLinkCommands } from './cluster-link.ts'
import { NodeCommands } from './node-commands.ts'
import { notSimulatedOf } from './not-simulated-pods.ts'
import { NodeSeat } from './node-seat.ts'
import type { OpenCluster } from './open-cluster.ts'
import { PodCommands } from './pod-commands.ts'
import { ClusterInquiry } from './pod-inquiry.ts'
import type { ClusterConfig, SessionConfig } from './session-config.ts'
import { makeRecorder, recordedRows } from './session-recorder.ts'
import { ServerReach } from './server-reach.ts'
import type { ClusterPorts, StartError } from './start-session.ts'

type JoinConfig = SessionConfig & {
  readonly cluster: Extract<ClusterConfig, { kind: 'kubeconfig' }>
}

/** A kubelet's: nodeStatusUpdateFrequency, which is less than the lease lasts. */
const heartbeatTimeoutMs = 10_000

/** A kubelet has one; several pods at once use the time that a real server takes to answer. */
const statusWritesAtOnce = 8

/** What the simulated runtime calls itself before there is one. */
const simulated = { name: 'simulated', version: '' }

/**
 * Becomes a node of the cluster that a kubeconfig names, after saying which server, user and node that is
 * and which DaemonSets would land there, and once no other kubelet is seen to hold the node. Error: one
 * sentence, exit code 2, nothing written to the cluster.
 */
export async function joinCluster(
  config: JoinConfig,
  ports: ClusterPorts,
): Promise<Result<OpenCluster, StartError>> {
  const access = await loadKubeconfig({
    file: config.cluster.path,
    context: config.cluster.context ?? undefined,
    environment: ports.environment,
    tell: ports.tell,
  })
  if (!access.ok) return err({ exitCode: 2, message: access.error.message })
  const { nodeName } = config
  const join = await describeJoin({
    access: access.value,
    nodeName,
    taints: [agentTaint],
    labels: describeNode({ nodeName, runtime: simulated, isTainted: true }).labels,
    allowSimulated: config.cluster.allowSimulated,
  })
  for (const line of join.ok ? join.value.lines : join.error.lines) ports.tell(line)
  if (!join.ok) return err({ exitCode: 2, message: join.error.message })
  return ok(await openJoined(config, access.value, ports))
}

async function openJoined(
  config: JoinConfig,
  access: ClusterAccess,
  ports: ClusterPorts,
): Promise<OpenCluster> {
  const { log } = ports
  const { nodeName } = config
  const id = clusterIdOf(access.contextName)
  const clock = systemClock
  const onError = (error: unknown): void => {
    log.error('the cluster broke', { error: String(error) })
  }
  const trace = new ClusterTrace({ cluster: id, clock, onError })
  const startAt = clock.now()
  const recorder = makeRecorder(ports.recording, { trace, clock, log })
  const random = seededRandom(startAt >>> 0)
  const session = new ClusterSession({
    identity: {
      id,
      label: access.contextName,
      server: access.server,
      sandbox: false,
      exportLine: '',
      manifestsPath: config.manifestsPath,
    },
    clock,
    trace,
    readOnly: config.readOnly,
    clockFacts: () => ({ virtual: false, paused: false, speed: 1, achieved: null }),
  })
  const nodeTrace = trace.forNode(nodeName)
  const connection = access.createTransport()
  const reach = new ServerReach({
    clock,
    onChange: (view) => {
      session.setConnection(view)
    },
    onAnswered: () => {
      seat.retryNow()
    },
  })
  const transport = reach.over(connection)
  const heartbeats = access.createTransport({ requestTimeoutMs: heartbeatTimeoutMs })
  const runtime = new SimulatedRuntime({
    clock,
    random: random.fork('runtime'),
    trace: nodeTrace,
    log,
  })
  const makeAgent = (life: number): KubeletAgent =>
    new KubeletAgent({
      nodeName,
      transport,
      heartbeatTransport: reach.over(heartbeats),
      onRepeatedHeartbeatFailure: () => {
        // Nobody answers: the watches are as dead as the calls, and would find out much later.
        if (reach.isUnanswered) connection.dropWatches()
      },
      server: access.server,
      clock,
      random: random.fork(life === 1 ? `node ${nodeName}` : `node ${nodeName} ${life}`),
      trace: nodeTrace,
      log,
      runtime,
      manifestsPath: config.manifestsPath,
      parse: ports.parsers.manifests,
      manifestUrl: config.manifestUrl,
      isTainted: true,
      notSimulated: (pod) => notSimulatedOf(pod, false),
      maxPods: config.maxPods,
      statusWritesAtOnce,
      exit: config.cluster.exit,
      onConnection: reach.heardWatch,
      onChange: () => {
        session.touchView()
      },
    })
  const seat = new NodeSeat({
    nodeName,
    trace: nodeTrace,
    runtime,
    makeAgent,
    onChange: (change) => {
      session.changeAgent(nodeName, change)
    },
  })
  session.addAgent(seat)
  const seats = new Map([[nodeName, seat]])
  // The folder is read by the agent, which has not begun.
  let waiting = 'The manifest folder has not been read yet.'
  const desk = new FolderManifestDesk({
    cluster: id,
    nodeName,
    source: seat.manifests,
    hash: nodeHash,
    parse: ports.parsers.manifests,
    clock,
    readOnly: config.readOnly,
    waiting: () => waiting,
    url: seat.urlView,
  })
  const header = {
    version: config.version,
    startedAt: new Date(startAt).toISOString(),
    cluster: id,
    server: access.server,
    nodes: [nodeName],
    clock: { virtual: false, startAt },
    seed: null,
  }
  const guard = new LeaseGuard({
    readLease: () => readLease(connection, nodeName),
    nodeName,
    clock,
    onWait: (sentence) => {
      waiting = `The manifest folder has not been read yet. ${sentence}`
      ports.tell(sentence)
      session.setConnection({ kind: 'waiting', message: sentence })
    },
  })
  await recorder?.begin(header, recordedRows(session, seats))
  const refused = startWhenFree(guard, () => {
    waiting = ''
    session.setConnection({ kind: 'connecting' })
    seat.startAgent([])
  })
  return {
    session,
    commands: new PodCommands({ session, trace, api: new TransportApiClient({ transport }), log }),
    clock: systemClockCommands,
    inquiry: new ClusterInquiry({ session, trace, api: new TransportApiClient({ transport }) }),
    manifests: new Map([[nodeName, desk]]),
    nodes: new NodeCommands({
      seats,
      trace,
      clock,
      facts: { sandbox: false, readOnly: config.readOnly },
    }),
    link: noLinkCommands,
    retryNow: seat.retryNow,
    facts: [
      { name: 'server', value: access.server },
      { name: 'node', value: nodeName },
    ],
    refused,
    stop: async () => {
      guard.stop()
      if (config.cluster.exit !== undefined && !seat.isRunning)
        log.warn('the kubelet does not run: its Node is not told that it leaves', {
          node: nodeName,
        })
      await seat.leave()
      seat.stopAgent([])
      await recorder?.stop()
      await Promise.all([connection.close(), heartbeats.close()])
    },
  }
}

function readLease(transport: Transport, name: string): Promise<Result<Lease, ApiError>> {
  const api = new TransportApiClient({ transport })
  return api.get({ resource: 'leases', namespace: 'kube-node-lease', name })
}
