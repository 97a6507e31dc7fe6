import type { Container, Pod, PodSpec } from '../../src/shared/kubernetes/objects.ts'

const image = 'busybox:1.36'

function shell(name: string, script: string): Container {
  return { name, image, command: ['sh', '-c', script] }
}

const steady = "trap 'exit 0' TERM; while true; do echo working; sleep 5; done"

const running: PodSpec = { containers: [shell('steady', steady)] }

/**
 * The specs of a realistic workload, used in turn: most pods run; some crash, fail and restart, complete, have several
 * containers, or ignore SIGTERM.
 */
const specs: readonly PodSpec[] = [
  running,
  running,
  { containers: [shell('crash', 'sleep 7; exit 1')] },
  running,
  { containers: [shell('job', 'echo done; sleep 40')], restartPolicy: 'Never' },
  running,
  { containers: [shell('web', steady), shell('sidecar', steady)] },
  running,
  running,
  { initContainers: [shell('prepare', 'sleep 3')], containers: [shell('main', steady)] },
  running,
  { containers: [shell('retry', 'sleep 200; exit 3')], restartPolicy: 'OnFailure' },
  running,
  {
    containers: [{ name: 'deaf', image, command: ['sleep', '360000'] }],
    terminationGracePeriodSeconds: 10,
  },
  running,
  { containers: [shell('batch', 'sleep 600')], restartPolicy: 'OnFailure' },
]

/** The manifest of the pod with that number; the same number gives the same manifest. */
export function workloadPod(prefix: string, number: number): Pod {
  const spec = specs[number % specs.length] ?? { containers: [] }
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    // The API server sets the UID, or the kubelet for a static pod.
    metadata: { name: `${prefix}-${number}`, namespace: 'default', uid: '' },
    spec,
  }
}

/** Manifests 0 to `count` - 1. */
export function workloadPods(prefix: string, count: number): readonly Pod[] {
  return Array.from({ length: count }, (_, number) => workloadPod(prefix, number))
}
