import type { Container, Pod, PodSpec } from '../../shared/kubernetes/objects.ts'

const image = 'busybox:1.36'

function shell(name: string, script: string): Container {
  return { name, image, command: ['sh', '-c', script] }
}

const steady = "trap 'exit 0' TERM; while true; do echo working; sleep 5; done"

/** What pods do in a cluster that is at work, each in turn: run, crash, end, ignore SIGTERM, come in several parts. */
const habits: readonly PodSpec[] = [
  { containers: [shell('steady', steady)] },
  { containers: [shell('crash', 'sleep 7; exit 1')] },
  { containers: [shell('job', 'echo done; sleep 40')], restartPolicy: 'Never' },
  { containers: [shell('retry', 'sleep 20; exit 3')], restartPolicy: 'OnFailure' },
  {
    containers: [{ name: 'deaf', image, command: ['sleep', '360000'] }],
    terminationGracePeriodSeconds: 10,
  },
  { containers: [shell('web', steady), shell('sidecar', steady)] },
  {
    initContainers: [shell('prepare', 'sleep 3')],
    containers: [shell('main', steady)],
  },
  { containers: [shell('batch', 'sleep 600')], restartPolicy: 'OnFailure' },
]

/** The manifest of the pod with that number; the same number gives the same manifest. */
export function workloadPod(prefix: string, number: number): Pod {
  const spec = habits[number % habits.length] ?? { containers: [] }
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    // The API server gives the uid, and for a static pod the kubelet does.
    metadata: { name: `${prefix}-${number}`, namespace: 'default', uid: '' },
    spec,
  }
}

/** Manifests 0 to `count` - 1. */
export function workloadPods(prefix: string, count: number): readonly Pod[] {
  return Array.from({ length: count }, (_, number) => workloadPod(prefix, number))
}
