import type { KubeObject } from '../../../shared/kubernetes/objects.ts'
import { nodeClockHost } from '../../clock/node-clock-host.ts'
import { VirtualClock } from '../../clock/virtual-clock.ts'
import type { Clock, Log } from '../../kubelet/ports.ts'
import type { NodeShape } from '../../nodes/node-description.ts'
import type { ManifestFolder } from '../../nodes/pod-sources.ts'
import { Sandbox } from '../../nodes/sandbox.ts'
import { logClusterErrors, newClusterTrace } from '../cluster/cluster-services.ts'
import type { OpenSandbox, PresentSandbox } from '../cluster/open-cluster.ts'
import { serveSandbox } from '../cluster/serve-sandbox.ts'
import type { ClusterTrace } from '../../kubelet/trace.ts'

const hostname = 'kubernetes.io/hostname'

const roomy = { cpu: '1000', memory: '4Ti', 'ephemeral-storage': '4Ti', pods: '1000' } as const

/** A manifest folder without manifests. */
function emptyFolder(path: string, { now }: Clock): ManifestFolder {
  const times = { mtimeMs: 0, ctimeMs: 0, birthtimeMs: 0 }
  const isDirectory = (): boolean => true
  const isFile = (): boolean => false
  return {
    path,
    watchFolder: () => ({ close: () => undefined }),
    files: {
      stat: () => Promise.resolve({ dev: 1, ino: 1, size: 0, ...times, isDirectory, isFile }),
      readdir: () => Promise.resolve({ names: [], undecodable: [] }),
      readText: (file) => Promise.reject(new Error(`there is no ${file}`)),
      now,
    },
  }
}

/** The node of the copy as the node of the pod is, but with room for one pod only if that is asked for. */
function ownShape(present: PresentSandbox, name: string, isFull: boolean): NodeShape {
  const node: KubeObject | undefined = present.objects.find(
    ({ resource, object }) => resource === 'nodes' && object.metadata.name === name,
  )?.object
  const { capacity } = present.nodes.find((one) => one.name === name) ?? {}
  return {
    labels: { ...node?.metadata.labels, [hostname]: name },
    capacity: { ...capacity, ...(isFull ? { pods: '1' } : {}) },
  }
}

export interface LossSandbox {
  readonly cluster: Omit<OpenSandbox, 'stop'>
  readonly trace: ClusterTrace
  /** For the copy alone. */
  readonly node: string
  /** For its siblings, and for what its owner makes in its place. */
  readonly otherNode: string
  readonly stop: () => void
}

/** A sandbox in memory, with two nodes, on a clock that stands until it is run. It opens no socket and reads no file. */
export function openLossSandbox(
  present: PresentSandbox,
  node: string,
  isFull: boolean,
  log: Log,
): LossSandbox {
  const id = 'rehearsal'
  const otherNode = `${node}-other`
  const clock = new VirtualClock(nodeClockHost, {
    startAt: present.now,
    onError: logClusterErrors(log),
  })
  const trace = newClusterTrace(id, clock, log)
  const own = ownShape(present, node, isFull)
  const sandbox = new Sandbox({
    clock,
    trace,
    log,
    seed: present.seed,
    nodes: [
      { name: node, manifests: emptyFolder(`/${node}`, clock), ...own },
      {
        name: otherNode,
        manifests: emptyFolder(`/${otherNode}`, clock),
        labels: { ...own.labels, [hostname]: otherNode },
        capacity: roomy,
      },
    ],
  })
  const cluster = serveSandbox({
    id,
    url: id,
    kubeconfigPath: '',
    manifestsPath: '',
    seed: present.seed,
    readOnly: false,
    sandbox,
    clock,
    trace,
    log,
  })
  sandbox.start()
  const stop = (): void => {
    clock.pause()
    sandbox.stop()
  }
  return { cluster, trace, node, otherNode, stop }
}
