// A state with 10,000 objects of about 2 kB: 1,000 ReplicaSets with 8 pods each, which no scheduler binds, and 1,000 ConfigMaps.
import { readStateFile } from '../../src/main/state/state-file.ts'
import type { KeptState } from '../../src/main/state/kept-state.ts'

export const replicaSets = 1000
export const podsPerSet = 8
const createdAt = '2026-01-01T00:00:00Z'

function uid(kind: number, index: number): string {
  return `${String(index).padStart(8, '0')}-0000-4000-8000-${String(kind).padStart(12, '0')}`
}

function podSpec(app: string): object {
  const container = (name: string, port: number): object => ({
    name,
    image: `registry.example.com/team/${app}-${name}:1.4.2`,
    env: [
      { name: 'LOG_LEVEL', value: 'info' },
      { name: 'NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
      { name: 'SETTINGS', value: `/etc/${app}/settings.yaml` },
    ],
    ports: [{ name, containerPort: port }],
    resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '256Mi' } },
    readinessProbe: { httpGet: { path: '/ready', port }, periodSeconds: 10 },
    volumeMounts: [{ name: 'settings', mountPath: `/etc/${app}` }],
  })
  return {
    schedulerName: 'none',
    containers: [container('web', 8080), container('metrics', 9090)],
    volumes: [{ name: 'settings', configMap: { name: `${app}-settings` } }],
  }
}

function metadata(name: string, id: string, version: number): object {
  const named = { name, namespace: 'default', uid: id, creationTimestamp: createdAt }
  return { ...named, resourceVersion: String(version) }
}

function objects(): readonly object[] {
  const made: object[] = []
  for (let index = 0; index < replicaSets; index++) {
    const app = `app-${index}`
    const labels = { app, 'pod-template-hash': '7d4b9c6f8' }
    const set = { name: `${app}-7d4b9c6f8`, uid: uid(1, index) }
    made.push({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: metadata(`${app}-settings`, uid(2, index), made.length + 1),
      data: { 'settings.yaml': 'key: value\n'.repeat(170) },
    })
    made.push({
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: { ...metadata(set.name, set.uid, made.length + 1), labels, generation: 1 },
      spec: {
        replicas: podsPerSet,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: podSpec(app) },
      },
      status: { replicas: podsPerSet, fullyLabeledReplicas: podsPerSet, observedGeneration: 1 },
    })
    for (let pod = 0; pod < podsPerSet; pod++) {
      const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', ...set }
      const name = `${set.name}-${pod}`
      made.push({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: {
          ...metadata(name, uid(3, index * podsPerSet + pod), made.length + 1),
          labels,
          ownerReferences: [{ ...owner, controller: true, blockOwnerDeletion: true }],
        },
        spec: podSpec(app),
        status: { phase: 'Pending', qosClass: 'Burstable' },
      })
    }
  }
  return made
}

/** As the text of a state file. */
export function stateText(): string {
  const meta = { format: 1, program: '', seed: 1, starts: 1, now: 1_800_000_000_000 }
  const spec = { ...meta, resourceVersion: 20_000, nodes: ['scope-node-1'] }
  const whole = { apiVersion: 'nodescope.dev/v1alpha1', kind: 'State', spec }
  return [whole, ...objects()].map((one) => JSON.stringify(one)).join('\n---\n')
}

/** With their defaults, as the server stores them. */
export function storedState(): KeptState {
  const read = readStateFile('state.yaml', stateText())
  if (!read.ok) throw new Error(read.error)
  return read.value
}
