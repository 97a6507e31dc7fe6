import { describe, expect, it } from 'vitest'
import type { Container, Pod } from '../kubernetes/objects.ts'
import { defaultPod } from '../kubernetes/pod-defaults.ts'
import { notSimulated, notSimulatedText } from './not-simulated.ts'
import { notSimulatedRules } from './pod-fields.ts'

const plain: Container = { name: 'c', image: 'busybox:1.36', command: ['sleep', '1'] }

function pod(spec: Partial<Pod['spec']> = {}, metadata: Partial<Pod['metadata']> = {}): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', uid: 'u1', ...metadata },
    spec: { containers: [plain], ...spec },
  }
}

function withContainer(fields: Readonly<Record<string, unknown>>): Pod {
  return pod({ containers: [{ ...plain, ...fields }] })
}

/** A stand-in for the reader of commands: it reads `sleep` only. */
function unreadableCommand({ command = [], args = [] }: Container): string | undefined {
  const [name] = [...command, ...args]
  if (name === 'sleep') return undefined
  return name === undefined ? 'no command' : `${name} is not read`
}

function found(one: Pod, isSandboxed = true): readonly (readonly [string, string])[] {
  return notSimulated(one, { unreadableCommand, isSandboxed }).map(({ id, field }) => [id, field])
}

describe('notSimulated', () => {
  it('finds nothing in a pod that is simulated whole, with its defaults or without', () => {
    expect(found(pod())).toEqual([])
    expect(found(defaultPod(pod()))).toEqual([])
    expect(
      found(
        pod({
          restartPolicy: 'OnFailure',
          terminationGracePeriodSeconds: 5,
          hostNetwork: true,
          nodeSelector: { a: 'b' },
          readinessGates: [{ conditionType: 'example.com/ready' }],
          initContainers: [{ ...plain, restartPolicy: 'Always' }],
          containers: [
            {
              ...plain,
              env: [{ name: 'A', value: '1' }],
              lifecycle: { preStop: { sleep: { seconds: 3 } } },
              resources: { requests: { cpu: '1' } },
              ports: [{ containerPort: 80, hostPort: 80 }],
            },
          ],
        }),
      ),
    ).toEqual([])
  })

  it('names the field with its indexes and says what happens instead', () => {
    const [entry] = notSimulated(
      pod({
        containers: [
          plain,
          { ...plain, env: [{ name: 'A' }, { name: 'B', valueFrom: { fileKeyRef: {} } }] },
        ],
      }),
      { unreadableCommand, isSandboxed: true },
    )
    expect(entry).toEqual({
      id: 'env-file',
      field: 'spec.containers[1].env[1].valueFrom.fileKeyRef',
      message: 'the variable is empty, as with feature gate EnvFiles off',
    })
    expect(entry === undefined ? '' : notSimulatedText(entry)).toBe(
      'spec.containers[1].env[1].valueFrom.fileKeyRef: not simulated: the variable is empty, as with feature gate EnvFiles off',
    )
  })

  it('finds commands of probes and hooks that are not understood, with the reason', () => {
    const handlers = {
      livenessProbe: { exec: { command: ['pg_isready'] } },
      readinessProbe: { exec: { command: ['true'] } },
      lifecycle: { preStop: { exec: { command: ['nginx', '-s', 'quit'] } } },
    }
    const result = notSimulated(withContainer(handlers), {
      unreadableCommand: ({ command = [] }) =>
        command[0] === 'true' || command[0] === 'sleep' ? undefined : `no ${command[0]}`,
      isSandboxed: true,
    })
    expect(result.map(({ id, field, message }) => [id, field, message.slice(-15)])).toEqual([
      ['handler-command', 'spec.containers[0].livenessProbe.exec', '(no pg_isready)'],
      ['handler-command', 'spec.containers[0].lifecycle.preStop.exec', 'ails (no nginx)'],
    ])
  })

  it.each<readonly [string, Readonly<Record<string, unknown>>, string]>([
    ['stop-signal', { lifecycle: { stopSignal: 'SIGUSR1' } }, 'lifecycle.stopSignal'],
    ['container-restart-policy', { restartPolicy: 'Never' }, 'restartPolicy'],
    [
      'container-restart-rules',
      { restartPolicyRules: [{ action: 'Restart' }] },
      'restartPolicyRules',
    ],
    ['limits', { resources: { limits: { cpu: '1' } } }, 'resources.limits'],
    ['resource-claims', { resources: { claims: [{ name: 'gpu' }] } }, 'resources.claims'],
    [
      'mount-propagation',
      { volumeMounts: [{ name: 'v', mountPath: '/v', mountPropagation: 'HostToContainer' }] },
      'volumeMounts[0].mountPropagation',
    ],
    ['volume-devices', { volumeDevices: [{ name: 'v', devicePath: '/v' }] }, 'volumeDevices'],
    [
      'container-security-context',
      { securityContext: { allowPrivilegeEscalation: false } },
      'securityContext.allowPrivilegeEscalation',
    ],
  ])('finds %s in a container of either list', (id, fields, field) => {
    expect(found(withContainer(fields))).toEqual([[id, `spec.containers[0].${field}`]])
    expect(found(pod({ initContainers: [{ ...plain, ...fields }] }))).toEqual([
      [id, `spec.initContainers[0].${field}`],
    ])
  })

  it('finds annotations for the simulated runtime that have no effect', () => {
    const annotated = withContainer({})
    const annotations = { 'simulated.nodescope.dev/run-time': 'soon' }
    const metadata = { ...annotated.metadata, annotations }
    expect(found({ ...annotated, metadata })).toEqual([
      ['simulated-annotation', 'metadata.annotations[simulated.nodescope.dev/run-time]'],
    ])
  })

  it.each<readonly [string, Partial<Pod['spec']>, string]>([
    [
      'volume-medium',
      { volumes: [{ name: 'v', emptyDir: { medium: 'Memory' } }] },
      'volumes[0].emptyDir.medium',
    ],
    [
      'volume-trust-bundle',
      { volumes: [{ name: 'v', projected: { sources: [{ clusterTrustBundle: {} }] } }] },
      'volumes[0].projected.sources[0].clusterTrustBundle',
    ],
    ['volume-storage', { volumes: [{ name: 'v', nfs: {} }] }, 'volumes[0].nfs'],
    [
      'target-container',
      { ephemeralContainers: [{ ...plain, targetContainerName: 'c' }] },
      'ephemeralContainers[0].targetContainerName',
    ],
    ['image-pull-secrets', { imagePullSecrets: [{ name: 'a' }] }, 'imagePullSecrets'],
    ['host-namespaces', { hostPID: true }, 'hostPID'],
    ['shared-processes', { shareProcessNamespace: true }, 'shareProcessNamespace'],
    ['user-namespace', { hostUsers: false }, 'hostUsers'],
    ['hostname', { hostnameOverride: 'a' }, 'hostnameOverride'],
    ['dns', { dnsPolicy: 'Default' }, 'dnsPolicy'],
    ['pod-security-context', { securityContext: { runAsUser: 0 } }, 'securityContext.runAsUser'],
    ['resource-claims', { resourceClaims: [{ name: 'gpu' }] }, 'resourceClaims'],
  ])('finds %s in a pod', (id, spec, field) => {
    expect(found(pod(spec))).toEqual([[id, `spec.${field}`]])
  })

  it('finds owners of kinds that the sandbox does not have, but not the Node of a mirror', () => {
    const owner = { apiVersion: 'example.com/v1', kind: 'Gizmo', name: 'web', uid: 'r' }
    const node = { apiVersion: 'v1', kind: 'Node', name: 'n1', uid: 'n' }
    expect(found(pod({}, { ownerReferences: [node, owner] }))).toEqual([
      ['owner-references', 'metadata.ownerReferences[1]'],
    ])
  })

  it('leaves out the control plane where the pod has another one, or none', () => {
    const owner = { apiVersion: 'example.com/v1', kind: 'Gizmo', name: 'web', uid: 'r' }
    const owned = pod({}, { ownerReferences: [owner] })
    expect(found(owned)).toHaveLength(1)
    expect(found(owned, false)).toEqual([])
  })

  it('names a command that the runtime cannot read, with the reason on one short line', () => {
    const [entry] = notSimulated(withContainer({ command: ['wget\n', 'a'] }), {
      unreadableCommand: () => `wget\n${'x'.repeat(500)}`,
      isSandboxed: true,
    })
    expect(entry).toMatchObject({ id: 'command', field: 'spec.containers[0].command' })
    expect(entry?.message).toMatch(
      /^command not understood; it runs until stopped, then exits 0; its ports are those of a known server, or assumed \(wget x{95}…\)$/,
    )
    expect(found(withContainer({ command: undefined, args: ['--port', '80'] }))).toEqual([
      ['command', 'spec.containers[0].args'],
    ])
  })

  it('names an image whose command is unknown, but not a server of which it is known', () => {
    const image = (name: string): Pod => withContainer({ image: name, command: [] })
    expect(found(image('example.com/app:1'))).toEqual([
      ['image-command', 'spec.containers[0].image'],
    ])
    for (const name of [
      'nginx',
      'nginx:1.27',
      'docker.io/library/redis@sha256:0',
      'registry.k8s.io/pause:3.9',
    ])
      expect(found(image(name))).toEqual([])
  })

  it('reads fields of any type without failing', () => {
    const odd = {
      containers: [{ ...plain, env: 'x', lifecycle: [1], securityContext: null }],
      volumes: 7,
    }
    expect(found(pod(odd as never))).toEqual([])
  })

  it('has rules whose fields are spelled with [*] only for lists', () => {
    for (const { fields } of notSimulatedRules)
      for (const field of fields) expect(field).toMatch(/^(spec|metadata)(\.\w+(\[\*\])?)+$/)
  })
})
