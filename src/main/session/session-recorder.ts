import { ClusterRecorder } from '../recorder/cluster-recorder.ts'
import type { ClusterRecorderDeps, RecordedRows } from '../recorder/cluster-recorder.ts'
import type { RecordingFile } from '../recorder/recording-file.ts'
import type { ClusterSession } from './cluster-session.ts'
import type { NodeAgent } from './node-agent.ts'

/** A recorder that listens from now on; undefined where nothing is to be recorded. */
export function makeRecorder(
  file: RecordingFile | undefined,
  deps: Pick<ClusterRecorderDeps, 'trace' | 'clock' | 'log'>,
): ClusterRecorder | undefined {
  return file === undefined ? undefined : new ClusterRecorder({ ...deps, file, wallNow: Date.now })
}

/** Rows as the pages have them, and the pods behind them. */
export function recordedRows(
  session: Pick<ClusterSession, 'rows' | 'row' | 'onDirt'>,
  agents: ReadonlyMap<string, Pick<NodeAgent, 'podManager' | 'podWorkers'>>,
): RecordedRows {
  return {
    rows: session.rows,
    row: session.row,
    onRow: (listener) =>
      session.onDirt((dirt) => {
        if (dirt.kind === 'row') listener(dirt.key)
      }),
    pod: (node, uid) => {
      const agent = agents.get(node)
      return agent?.podManager.getPodByUID(uid) ?? agent?.podWorkers.lastPod(uid)
    },
  }
}
