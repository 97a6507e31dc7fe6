import { ClusterRecorder } from '../../recorder/cluster-recorder.ts'
import type { ClusterRecorderDeps, RecordedCluster } from '../../recorder/cluster-recorder.ts'
import type { RecordingFile } from '../../recorder/recording-file.ts'
import type { ClusterSession } from './cluster-session.ts'
import type { SessionNode } from './session-node.ts'

/** A recorder that listens from now on; undefined if there is no file. */
export function makeRecorder(
  file: RecordingFile | undefined,
  deps: Pick<ClusterRecorderDeps, 'trace' | 'clock' | 'log'>,
): ClusterRecorder | undefined {
  return file === undefined ? undefined : new ClusterRecorder({ ...deps, file, wallNow: Date.now })
}

/** Writes the header, the events and the rows so far. `startAt`: ms since 1970 on the cluster's clock. */
export async function beginRecording(
  recorder: ClusterRecorder | undefined,
  cluster: {
    readonly version: string
    readonly session: ClusterSession
    readonly nodes: ReadonlyMap<string, SessionNode>
    readonly startAt: number
    readonly seed: number | null
  },
): Promise<void> {
  const { version, session, nodes, startAt, seed } = cluster
  const { server, kind } = session.view()
  const header = {
    version,
    startedAt: new Date(startAt).toISOString(),
    cluster: session.id,
    server,
    nodes: [...nodes.keys()],
    clock: { virtual: kind === 'sandbox', startAt },
    seed,
  }
  await recorder?.begin(header, recordedCluster(session, nodes))
}

/** The cluster as the pages have it, and the pods behind its rows. */
function recordedCluster(
  { rows, row, detail, view, flow, onChange }: ClusterSession,
  nodes: ReadonlyMap<string, Pick<SessionNode, 'kubelet'>>,
): RecordedCluster {
  return {
    rows,
    row,
    detail,
    view,
    flow,
    onChange,
    pod: (node, uid) => {
      const kubelet = nodes.get(node)?.kubelet
      return kubelet?.podManager.getPodByUID(uid) ?? kubelet?.podWorkers.lastPod(uid)
    },
  }
}
