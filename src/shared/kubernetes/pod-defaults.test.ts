import { describe, expect, it } from 'vitest'
import type { Container, Pod } from './objects.ts'
import { defaultPod } from './pod-defaults.ts'

function pod(spec: Record<string, unknown>): Pod {
  // Manifests come as unknown JSON; the test writes them as loosely.
  return { metadata: { name: 'web' }, spec } as unknown as Pod
}

function firstContainer(given: Record<string, unknown>): Container | undefined {
  return defaultPod(pod({ containers: [{ name: 'c', image: 'nginx', ...given }] })).spec
    .containers[0]
}

describe('defaulting a pod', () => {
  it('fills what kube-apiserver v1.34 fills', () => {
    expect(
      defaultPod(
        pod({
          containers: [
            {
              name: 'c',
              image: 'nginx',
              ports: [{ containerPort: 80 }],
              env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
              resources: { limits: { cpu: 1, memory: '1024Ki' } },
              livenessProbe: { httpGet: { port: 80 } },
            },
          ],
        }),
      ),
    ).toEqual({
      metadata: { name: 'web' },
      spec: {
        containers: [
          {
            name: 'c',
            image: 'nginx',
            ports: [{ containerPort: 80, protocol: 'TCP' }],
            env: [
              {
                name: 'A',
                valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } },
              },
            ],
            resources: {
              limits: { cpu: '1', memory: '1Mi' },
              requests: { cpu: '1', memory: '1Mi' },
            },
            livenessProbe: {
              httpGet: { path: '/', port: 80, scheme: 'HTTP' },
              timeoutSeconds: 1,
              periodSeconds: 10,
              successThreshold: 1,
              failureThreshold: 3,
            },
            terminationMessagePath: '/dev/termination-log',
            terminationMessagePolicy: 'File',
            imagePullPolicy: 'Always',
          },
        ],
        restartPolicy: 'Always',
        terminationGracePeriodSeconds: 30,
        dnsPolicy: 'ClusterFirst',
        securityContext: {},
        schedulerName: 'default-scheduler',
        enableServiceLinks: true,
      },
    })
  })

  it('keeps what the manifest sets', () => {
    const spec = {
      containers: [
        {
          name: 'c',
          image: 'x:1',
          imagePullPolicy: 'Never',
          terminationMessagePath: '/m',
          terminationMessagePolicy: 'FallbackToLogsOnError',
          ports: [{ containerPort: 53, protocol: 'UDP' }],
          resources: { limits: { memory: '1Gi' }, requests: { memory: '512Mi' } },
        },
      ],
      restartPolicy: 'Never',
      terminationGracePeriodSeconds: 0,
      dnsPolicy: 'Default',
      securityContext: { runAsUser: 1 },
      schedulerName: 'mine',
      enableServiceLinks: false,
    }
    expect(defaultPod(pod(spec)).spec).toEqual(spec)
  })

  it('changes nothing the second time', () => {
    const once = defaultPod(
      pod({
        hostNetwork: true,
        terminationGracePeriodSeconds: -7,
        serviceAccount: 'old',
        volumes: [{ name: 'a' }, { name: 'b', configMap: { name: 'x' } }],
        initContainers: [
          { name: 'i', image: 'x', lifecycle: { preStop: { httpGet: { port: 1 } } } },
        ],
        containers: [
          {
            name: 'c',
            image: 'x',
            ports: [{ containerPort: 1 }],
            readinessProbe: { grpc: { port: 1 } },
          },
        ],
      }),
    )
    expect(defaultPod(once)).toEqual(once)
  })

  it('turns a negative grace into one second', () => {
    const given = pod({ containers: [], terminationGracePeriodSeconds: -1 })
    expect(defaultPod(given).spec.terminationGracePeriodSeconds).toBe(1)
  })

  it('knows the service account under its old name', () => {
    expect(defaultPod(pod({ containers: [], serviceAccount: 'sa' })).spec.serviceAccountName).toBe(
      'sa',
    )
  })

  it('gives every port of a pod on the host network its host port', () => {
    const given = pod({
      hostNetwork: true,
      containers: [{ name: 'c', image: 'x', ports: [{ containerPort: 80 }] }],
    })
    expect(defaultPod(given).spec.containers[0]?.ports).toEqual([
      { containerPort: 80, hostPort: 80, protocol: 'TCP' },
    ])
  })

  it('makes a volume without a source an emptyDir, and gives file modes to the others', () => {
    const given = pod({
      containers: [],
      volumes: [
        { name: 'a' },
        { name: 'b', configMap: { name: 'x' } },
        { name: 'c', hostPath: { path: '/' } },
      ],
    })
    expect(defaultPod(given).spec.volumes).toEqual([
      { name: 'a', emptyDir: {} },
      { name: 'b', configMap: { name: 'x', defaultMode: 420 } },
      { name: 'c', hostPath: { path: '/', type: '' } },
    ])
  })

  it('gives what is projected its version and its time', () => {
    const item = { path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } }
    const whole = { path: 'labels', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.labels' } }
    const given = pod({
      containers: [],
      volumes: [
        { name: 'a', downwardAPI: { items: [item] } },
        {
          name: 'b',
          projected: {
            sources: [{ downwardAPI: { items: [item] } }, { serviceAccountToken: { path: 't' } }],
          },
        },
      ],
    })
    expect(defaultPod(given).spec.volumes).toEqual([
      { name: 'a', downwardAPI: { items: [whole], defaultMode: 420 } },
      {
        name: 'b',
        projected: {
          sources: [
            { downwardAPI: { items: [whole] } },
            { serviceAccountToken: { path: 't', expirationSeconds: 3600 } },
          ],
          defaultMode: 420,
        },
      },
    ])
  })

  it('rounds resources up to a thousandth', () => {
    expect(
      firstContainer({ resources: { requests: { cpu: '0.0001', memory: '1.5Gi' } } })?.resources,
    ).toEqual({
      requests: { cpu: '1m', memory: '1536Mi' },
    })
  })
})
