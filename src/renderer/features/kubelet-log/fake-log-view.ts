import type { KubeletLogView, LogPod, LogSegment } from '../../../shared/model/kubelet-log.ts'

function segment(state: LogSegment['state'], from: number, line: number): LogSegment {
  return {
    state,
    certainty: 'seen',
    from,
    to: from + 1000,
    fromLine: line,
    toLine: line + 10,
    evidence: [line],
  }
}

/** A pod that was synced from 1 s, terminating from 2 s and terminated from 3 s to 4 s. */
export function fakeLogPod(part: Partial<Pick<LogPod, 'id' | 'name'>>): LogPod {
  const { id = 1, name = 'cart-6f5d9c7b8-rl2mz' } = part
  return {
    id,
    namespace: 'shop',
    name,
    uid: `uid-${id}`,
    source: 'api',
    state: 'terminated',
    firstLine: 10,
    lastLine: 30,
    lastAt: 4000,
    segments: [
      segment('sync', 1000, 10),
      segment('terminating', 2000, 20),
      segment('terminated', 3000, 30),
    ],
    marks: [
      { kind: 'loop', at: 1000, line: 10, text: 'SyncLoop ADD', hidden: 0 },
      { kind: 'loop', at: 2000, line: 20, text: 'SyncLoop DELETE', hidden: 2 },
    ],
  }
}

export function fakeLogView(pods: readonly LogPod[]): KubeletLogView {
  return {
    id: 'log-1',
    name: 'worker-3-kubelet.log',
    parts: [{ name: 'worker-3-kubelet.log', bytes: 1000, firstLine: 1 }],
    format: 'text',
    verbosity: { level: 4, isStated: true },
    zone: 'node',
    from: 0,
    to: 4000,
    lines: 40,
    understood: 38,
    notUnderstood: [3, 4],
    gaps: 0,
    bytesRead: 1000,
    bytes: 1000,
    isRead: true,
    isFollowed: false,
    problem: '',
    podCount: pods.length,
    pods,
    nodeMarks: [],
    marksLeftOut: 0,
  }
}
