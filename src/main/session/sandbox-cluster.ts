import type { ClusterIdentity } from './cluster-session.ts'
import { ClusterSession } from './cluster-session.ts'
import { VirtualClock } from '../clock/virtual-clock.ts'
import { nodeClockHost } from '../clock/node-clock-host.ts'
import { seededRandom } from '../clock/seeded-random.ts'
import { nodeHash } from '../clock/node-hash.ts'
import { TransportApiClient } from '../cluster/api-client.ts'
import type { Log } from '../kubelet/ports.ts'
import { ClusterTrace } from '../kubelet/trace.ts'
import type { RecordingFile } from '../recorder/recording-file.ts'
import { SimulatedRuntime } from '../runtimes/simulated/simulated-runtime.ts'
import { err, ok } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'
import type { Assets } from './assets.ts'
import { exportLine } from './export-line.ts'
import { virtualClockCommands } from './clock-commands.ts'
import { FolderManifestDesk } from './folder-manifest-desk.ts'
import { KubeletAgent } from './kubelet-agent.ts'
import type { OpenCluster } from './open-cluster.ts'
import { PodCommands } from './pod-commands.ts'
import { ClusterInquiry } from './pod-inquiry.ts'
import { createFirstPods, startSandboxServer } from './sandbox-server.ts'
import type { SandboxServer } from './sandbox-server.ts'
import type { ClusterConfig, SessionConfig } from './session-config.ts'
import { makeRecorder, recordedRows } from './session-recorder.ts'

const clusterId = 'sandbox'

/** A cluster inside the program: API server, one node, a clock of their own. Error: one sentence. */
export async function openSandboxCluster(
  config: SessionConfig & { readonly cluster: Extract<ClusterConfig, { kind: 'sandbox' }> },
  ports: {
    readonly log: Log
    readonly assets: Assets
    readonly recording?: RecordingFile | undefined
  },
): Promise<Result<OpenCluster, string>> {
  const { log, assets } = ports
  const startAt = Date.now()
  const onError = (error: unknown): void => {
    log.error('the cluster broke', { error: String(error) })
  }
  const clock = new VirtualClock(nodeClockHost, { startAt, onError })
  const trace = new ClusterTrace({ cluster: clusterId, clock, onError })
  const recorder = makeRecorder(ports.recording, { trace, clock, log })
  const seed = config.seed ?? startAt >>> 0
  const random = seededRandom(seed)
  const started = await startSandboxServer({
    clock,
    random,
    trace,
    log,
    port: config.cluster.port ?? 0,
    kubeconfigPath: config.cluster.kubeconfigPath,
  })
  if (!started.ok) return err(started.error)
  const server = started.value
  const session = new ClusterSession({
    identity: identityOf(config, server),
    clock,
    presentNow: () => clock.present,
    trace,
    readOnly: config.readOnly,
    budgets: server.controlPlane.budgets,
    clockFacts: () => ({ virtual: true, paused: clock.isPaused, speed: clock.speed }),
  })
  server.controlPlane.onBudget(() => {
    session.touchView()
  })
  const nodeTrace = trace.forNode(config.nodeName)
  const agent = new KubeletAgent({
    nodeName: config.nodeName,
    transport: server.nodeTransport(config.nodeName),
    server: server.url,
    clock,
    random: random.fork(`node ${config.nodeName}`),
    trace: nodeTrace,
    log,
    runtime: new SimulatedRuntime({ clock, random: random.fork('runtime'), trace: nodeTrace, log }),
    manifestsPath: config.manifestsPath,
    manifestUrl: config.manifestUrl,
    isTainted: false,
    maxPods: config.maxPods,
    // In the same process it is never away.
    onConnection: () => undefined,
    onChange: () => {
      session.touchView()
    },
  })
  session.addAgent(agent)
  const desk = new FolderManifestDesk({
    cluster: clusterId,
    nodeName: config.nodeName,
    source: agent.manifests,
    hash: nodeHash,
    clock,
    readOnly: config.readOnly,
    url: agent.urlView,
  })
  session.setConnection({ kind: 'connected' })
  const header = {
    version: config.version,
    startedAt: new Date(startAt).toISOString(),
    cluster: clusterId,
    server: server.url,
    nodes: [config.nodeName],
    clock: { virtual: true, startAt },
    seed,
  }
  await recorder?.begin(header, recordedRows(session, agent))
  agent.start()
  await createFirstPods(server, assets, log)
  clock.run()
  return ok({
    session,
    commands: new PodCommands({
      session,
      trace,
      api: new TransportApiClient({ transport: server.adminTransport() }),
      log,
    }),
    clock: virtualClockCommands({
      clock,
      trace,
      onChange: () => {
        session.touchView()
      },
    }),
    inquiry: new ClusterInquiry({
      session,
      trace,
      api: new TransportApiClient({ transport: server.adminTransport() }),
    }),
    manifests: new Map([[config.nodeName, desk]]),
    retryNow: () => undefined,
    facts: [
      { name: 'kubeconfig', value: config.cluster.kubeconfigPath },
      { name: 'kubectl', value: exportLine(config.cluster.kubeconfigPath) },
      { name: 'seed', value: String(seed) },
    ],
    // Nobody else can hold a node in this process.
    refused: undefined,
    stop: async () => {
      clock.pause()
      agent.stop()
      await server.stop()
      await recorder?.stop()
    },
  })
}

function identityOf(
  config: SessionConfig & { readonly cluster: Extract<ClusterConfig, { kind: 'sandbox' }> },
  server: SandboxServer,
): ClusterIdentity {
  return {
    id: clusterId,
    label: clusterId,
    server: server.url,
    sandbox: true,
    exportLine: exportLine(config.cluster.kubeconfigPath),
    manifestsPath: config.manifestsPath,
  }
}
