import { mkdir } from 'node:fs/promises'
import type { JsonObject } from '../../../shared/json.ts'
import type { Taint } from '../../../shared/kubernetes/objects.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { nodeClockHost } from '../../clock/node-clock-host.ts'
import { VirtualClock } from '../../clock/virtual-clock.ts'
import type { WithKubeletSettings } from '../../kubelet/kubelet-settings.ts'
import type { Log } from '../../kubelet/ports.ts'
import { CertificateAuthority } from '../../sandbox/certificates/certificate-authority.ts'
import { createSandboxAccess } from '../../nodes/listener/sandbox-access.ts'
import { startSandboxKubelets } from '../../nodes/listener/sandbox-kubelets.ts'
import { Sandbox } from '../../nodes/sandbox.ts'
import type { KeptSandbox } from '../../nodes/sandbox.ts'
import type { NodeShape } from '../../nodes/node-description.ts'
import { parsersInPlace } from '../../parsing/kubernetes-text.ts'
import type { Parsers } from '../../parsing/kubernetes-text.ts'
import type { RecordingFile } from '../../recorder/recording-file.ts'
import type { WatchFolder } from '../../sources/folder-watch.ts'
import type { OpenState } from '../../state/open-state.ts'
import type { StateWriter } from '../../state/state-writer.ts'
import type { ManifestUrlConfig } from '../../sources/manifest-url.ts'
import { logClusterErrors, newClusterTrace } from './cluster-services.ts'
import type { ServerKeys } from '../../sandbox/surface/serving-certificates.ts'
import { startKubectlListener } from './kubectl-listener.ts'
import type { OpenSandbox } from './open-cluster.ts'
import { Losses } from '../loss/losses.ts'
import { serveSandbox } from './serve-sandbox.ts'
import { ClusterRecording, podOfNodes } from '../recording/cluster-recording.ts'

/** Paths are absolute. */
export interface SandboxOptions extends WithKubeletSettings {
  /** Unique among the open clusters; also its name on the page. */
  readonly id: string
  readonly version: string
  /** Each with a manifest folder of its own; at least one. */
  readonly nodes: readonly ({ readonly name: string; readonly manifestsPath: string } & NodeShape)[]
  readonly maxPods: number
  readonly registerWithTaints?: readonly Taint[]
  readonly manifestUrl: ManifestUrlConfig | null
  /** Port of the API server for kubectl; 0 takes any free one. */
  readonly port: number
  readonly kubeconfigPath: string
  /** Of the first kubelet's own server, the others have the following ones; default: any free ones. */
  readonly kubeletPort?: number
  /** What every /configz shows; default: a kubelet's without a file. */
  readonly configuration?: JsonObject | undefined
  readonly seed: number
  /** Of recordings that a page starts; absent: it cannot. */
  readonly recordingsPath?: string | undefined
  /** ms since 1970 at which the cluster's time begins; default: now. */
  readonly startAt?: number | undefined
  readonly readOnly: boolean
  /** Whether the stored roles and bindings are enforced; default false. */
  readonly enforcesRbac?: boolean
}

interface SandboxPorts {
  readonly log: Log
  /** Default: on the calling thread. */
  readonly parsers?: Parsers | undefined
  /** Over the manifest folders; default: the operating system's. */
  readonly watchFolder?: WatchFolder | undefined
  readonly recording?: RecordingFile | undefined
  /** Absent: the cluster ends with the program. */
  readonly state?: OpenState | undefined
  /** Default: new ones. */
  readonly keys?: ServerKeys | undefined
}

/** Opens a cluster in this process: API server, nodes, and a virtual clock, which is paused. Error: one sentence. */
export async function openSandbox(
  options: SandboxOptions,
  ports: SandboxPorts,
): Promise<Result<OpenSandbox, string>> {
  const { log, parsers = parsersInPlace } = ports
  const kept = ports.state?.kept?.meta
  const startAt = kept?.now ?? options.startAt ?? Date.now()
  const clock = new VirtualClock(nodeClockHost, { startAt, onError: logClusterErrors(log) })
  const trace = newClusterTrace(options.id, clock, log)
  const recording = new ClusterRecording({ file: ports.recording, trace, clock, log })
  const made = await makeFolders(options)
  if (!made.ok) return made
  const access = await createSandboxAccess(ports.keys?.authority)
  const serving: { sandbox?: Sandbox } = {}
  const { seed, nodes } = options
  const nodeNames = nodes.map(({ name }) => name)
  const kubelets = await startSandboxKubelets({
    nodeNames,
    port: options.kubeletPort ?? 0,
    ...access,
    sandbox: () => serving.sandbox,
    clock,
    log,
  })
  if (!kubelets.ok) return kubelets
  const writer = ports.state?.writer({ seed, nodes: nodeNames, now: startAt })
  const { caPem: certificatePem, caKeyPem: keyPem } = access.certificates
  const sandbox = new Sandbox({
    ...options,
    authority: new CertificateAuthority({ certificatePem, keyPem }, Date.now()),
    tokenKeyPem: ports.keys?.tokenKeyPem,
    kept: writer && keptSandbox(ports.state, writer),
    clock,
    trace,
    log,
    nodes: options.nodes.map(({ name, manifestsPath: path, ...shape }) => ({
      ...shape,
      name,
      manifests: { path, watchFolder: ports.watchFolder },
      kubeletPort: kubelets.value.ports.get(name),
    })),
    parse: parsers.manifests,
  })
  serving.sandbox = sandbox
  const listener = await startKubectlListener({
    ...options,
    server: sandbox.external,
    streams: sandbox.streams,
    access,
    clock,
    log,
    parse: parsers.bodies,
  })
  if (!listener.ok) {
    sandbox.stop()
    await kubelets.value.stop()
    await writer?.close()
    return err(listener.error)
  }
  const { url } = listener.value
  const manifestsPath = options.nodes[0]?.manifestsPath ?? ''
  const parse = parsers.editor
  const opened = serveSandbox({ ...options, url, manifestsPath, clock, trace, sandbox, log, parse })
  const { version, recordingsPath: folder } = options
  const { session, present } = opened
  const pod = podOfNodes(sandbox.nodes)
  const workloads = { of: opened.workloads, isAlways: true }
  await recording.begin(
    { version, session, nodes: nodeNames, seed, workloads, pod, folder },
    startAt,
  )
  writer?.start(() => clock.present)
  sandbox.start()
  const stop = async (): Promise<void> => {
    clock.pause()
    // Its last views are those before the end.
    await recording.stop()
    sandbox.stop()
    await Promise.all([listener.value.stop(), kubelets.value.stop()])
    const left = await writer?.close()
    if (left?.ok === false) log.error(left.error, {})
  }
  return ok({ ...opened, losses: new Losses({ session, present, log }), recording, stop })
}

function keptSandbox(state: OpenState | undefined, writer: StateWriter): KeptSandbox {
  const kept = state?.kept
  return {
    objects: kept?.objects ?? [],
    resourceVersion: kept?.meta.resourceVersion ?? 0,
    starts: (kept?.meta.starts ?? 0) + 1,
    record: writer.record,
    written: writer.written,
    problem: () => writer.problem,
  }
}

/** Creates the manifest folders of all nodes but the first, whose folder is the user's. */
async function makeFolders({ nodes }: SandboxOptions): Promise<Result<undefined, string>> {
  for (const { name, manifestsPath } of nodes.slice(1))
    try {
      await mkdir(manifestsPath, { recursive: true, mode: 0o700 })
    } catch (error) {
      return err(
        `The manifest folder ${manifestsPath} of ${name} cannot be made: ${String(error)}.`,
      )
    }
  return ok(undefined)
}
