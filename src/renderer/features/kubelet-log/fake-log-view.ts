import type { KubeletLogView } from '../../../shared/model/kubelet-log.ts'
import type { TimelineLane } from '../../../shared/model/timeline/timeline.ts'

export function fakeLogView(pods: readonly TimelineLane[]): KubeletLogView {
  return {
    id: 'log-1',
    name: 'worker-3-kubelet.log',
    node: 'worker-3',
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
    records: 'line',
  }
}
