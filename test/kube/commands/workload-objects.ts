import { created, kubectl, statusOf, type Command, type CommandStep } from './command.ts'
import { longAgo } from './objects.ts'

/** An image whose pods run, by controllers/fake-kubelet.ts. */
export const runs = 'registry.example/run:1'

const allocatable = { cpu: '64', memory: '64Gi', pods: '1000', 'ephemeral-storage': '100Gi' }

/** A node as its kubelet registers it. A role is a label, and a taint that only pods of this role tolerate. */
export function readyNode(name: string, role?: string): readonly CommandStep[] {
  const taints = role === undefined ? [] : [{ key: 'role', value: role, effect: 'NoSchedule' }]
  return [
    created('/api/v1/nodes', {
      metadata: {
        name,
        labels: { 'kubernetes.io/hostname': name, ...(role === undefined ? {} : { role }) },
      },
      spec: { taints },
    }),
    created('/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases', {
      metadata: { name },
      spec: { holderIdentity: name, leaseDurationSeconds: 40 },
    }),
    statusOf(`/api/v1/nodes/${name}`, {
      capacity: allocatable,
      allocatable,
      conditions: [
        {
          type: 'Ready',
          status: 'True',
          reason: 'KubeletReady',
          message: 'kubelet is posting ready status',
          lastHeartbeatTime: longAgo,
          lastTransitionTime: longAgo,
        },
      ],
    }),
  ]
}

/** Fields of a pod's spec that lead it to the nodes of a role. */
export function onRole(role: string): object {
  return {
    nodeSelector: { role },
    tolerations: [{ key: 'role', value: role, effect: 'NoSchedule' }],
  }
}

/** A workload as JSON, whose pods have the label `app`. */
export function workload(
  kind: 'Deployment' | 'ReplicaSet' | 'StatefulSet' | 'DaemonSet',
  name: string,
  more: { readonly spec?: object; readonly pod?: object; readonly image?: string } = {},
): string {
  const labels = { app: name }
  return JSON.stringify({
    apiVersion: 'apps/v1',
    kind,
    metadata: { name, labels },
    spec: {
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          automountServiceAccountToken: false,
          containers: [{ name: 'c', image: more.image ?? runs }],
          ...more.pod,
        },
      },
      ...more.spec,
    },
  })
}

const progress = /^Waiting for /

/** Waits for the end of a rollout. */
export function rolledOut(what: string): Command {
  return kubectl(`rollout status ${what} --timeout=90s`, {
    dependsOnTime: progress,
    prints: /successfully rolled out|rolling update complete|partitioned roll out complete/,
  })
}

export const unordered = { isUnordered: true } as const
