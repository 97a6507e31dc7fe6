import type { Container, Pod, PodSpec } from '../../src/shared/kubernetes/objects.ts'

const image = 'busybox:1.36'

function shell(name: string, script: string): Container {
  return { name, image, command: ['sh', '-c', script] }
}

const steady = "trap 'exit 0' TERM; while true; do echo working; sleep 5; done"

const works: PodSpec = { containers: [shell('steady', steady)] }

/**
 * What the pods of a cluster at work do, each in turn: most run; some crash, fail and are tried again, end,
 * come in several parts, or do not hear SIGTERM.
 */
const habits: readonly PodSpec[] = [
  works,
  works,
  { containers: [shell('crash', 'sleep 7; exit 1')] },
  works,
  { containers: [shell('job', 'echo done; sleep 40')], restartPolicy: 'Never' },
  works,
  { containers: [shell('web', steady), shell('sidecar', steady)] },
  works,
  works,
  { initContainers: [shell('prepare', 'sleep 3')], containers: [shell('main', steady)] },
  works,
  { containers: [shell('retry', 'sleep 200; exit 3')], restartPolicy: 'OnFailure' },
  works,
  {
    containers: [{ name: 'deaf', image, command: ['sleep', '360000'] }],
    terminationGracePeriodSeconds: 10,
  },
  works,
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
