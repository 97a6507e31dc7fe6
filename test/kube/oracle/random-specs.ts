import fc from 'fast-check'
import type { JsonObject } from '../../../src/shared/json.ts'

/** Pods as people write them, good and bad, of the fields that are defaulted and validated here. */

/** Each field is present with a probability of 1 / `oneIn`. */
function rarely(
  fields: Readonly<Record<string, fc.Arbitrary<unknown>>>,
  oneIn = 4,
): fc.Arbitrary<JsonObject> {
  const entries = Object.entries(fields).map(([name, values]) =>
    fc
      .oneof(
        { weight: oneIn - 1, arbitrary: fc.constant(undefined) },
        { weight: 1, arbitrary: values },
      )
      .map((value): readonly (readonly [string, unknown])[] =>
        value === undefined ? [] : [[name, value]],
      ),
  )
  return fc.tuple(...entries).map((parts) => Object.fromEntries(parts.flat()))
}

const few = <T>(one: fc.Arbitrary<T>): fc.Arbitrary<readonly T[]> =>
  fc.array(one, { minLength: 1, maxLength: 2 })
const long = 'x'.repeat(64)

const names = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('a', 'b', 'c', 'web-1') },
  { weight: 1, arbitrary: fc.constantFrom('', 'A', 'a_b', '-a', long, 'a.b') },
)
const labels = fc
  .tuple(
    fc.constantFrom('app', 'app', 'example.com/app', '', '/x', 'a/b/c', '-x', long, `Ex.com/a`),
    fc.constantFrom('web', '', '-', 'a b', long),
  )
  .map(([key, value]) => ({ [key]: value }))
const amounts = fc.constantFrom(
  '0',
  '100m',
  '0.1',
  '1',
  '1000m',
  '2',
  '64Mi',
  '1Gi',
  '0.5',
  '-1',
  '1e3',
  '1.5Gi',
  '100u',
)
const resourceNames = fc.constantFrom(
  'cpu',
  'cpu',
  'memory',
  'memory',
  'ephemeral-storage',
  'example.com/gpu',
  'gpu',
)
// One resource for both: Go looks at the entries of a map in an order of its own.
const resources = resourceNames.chain((name) => {
  const list = amounts.map((amount) => ({ [name]: amount }))
  return rarely({ requests: list, limits: list }, 2)
})

const portNumbers = fc.constantFrom(80, 80, 8080, 0, 65536, -1)
const ports = rarely(
  {
    name: fc.constantFrom('http', 'http', 'HTTP', '1', 'a--b', '-a', 'abcdefghijklmnop'),
    hostPort: portNumbers,
    protocol: fc.constantFrom('TCP', 'UDP', 'SCTP', 'tcp'),
  },
  2,
).chain((rest) => portNumbers.map((containerPort) => ({ ...rest, containerPort })))

const fieldPaths = fc.constantFrom(
  'metadata.name',
  'spec.nodeName',
  'status.podIP',
  "metadata.labels['a']",
  'spec.none',
  '',
)
const environment = fc.oneof(
  fc.record({ name: fc.constantFrom('A', '', 'a=b', 'a.b', 'ü'), value: fc.constantFrom('', 'x') }),
  fieldPaths.map((fieldPath) => ({ name: 'F', valueFrom: { fieldRef: { fieldPath } } })),
  fieldPaths.map((fieldPath) => ({
    name: 'F',
    value: 'x',
    valueFrom: { fieldRef: { fieldPath } },
  })),
  fc.constant({ name: 'E', valueFrom: {} }),
)
const mounts = fc.record({
  name: fc.constantFrom('v', 'v', 'w', 'none', ''),
  mountPath: fc.constantFrom('/x', '/x', '/y', ''),
})

const ports2 = fc.constantFrom<unknown>(80, 'http', 0, 65536, 'HTTP_', '')
const actions = fc.oneof(
  fc.constantFrom({ exec: { command: ['true'] } }, { exec: { command: [] } }, { exec: {} }, {}),
  ports2.map((port) => ({ httpGet: { port } })),
  fc
    .tuple(ports2, fc.constantFrom('HTTP', 'HTTPS', 'http'))
    .map(([port, scheme]) => ({ httpGet: { port, scheme, path: '/x' } })),
  ports2.map((port) => ({ tcpSocket: { port } })),
  fc.constantFrom(80, 0).map((port) => ({ grpc: { port } })),
)
const seconds = fc.constantFrom(0, 1, 5, -1)
const probes = fc
  .tuple(
    actions,
    rarely({
      initialDelaySeconds: seconds,
      timeoutSeconds: seconds,
      periodSeconds: seconds,
      successThreshold: seconds,
      failureThreshold: seconds,
      terminationGracePeriodSeconds: seconds,
    }),
  )
  .map(([action, rest]) => ({ ...action, ...rest }))
const handlers = fc.oneof(
  fc.constantFrom({ exec: { command: ['true'] } }, {}, { exec: {} }),
  ports2.map((port) => ({ httpGet: { port } })),
  fc.constantFrom(0, 5, 31, -1).map((each) => ({ sleep: { seconds: each } })),
)

const images = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      'i',
      'i:latest',
      'i:1',
      'r.io:5000/a/i',
      'i@sha256:' + 'a'.repeat(64),
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom('', ' i', 'i ', 'I', 'i:') },
)

const container = fc
  .tuple(
    names,
    images,
    rarely(
      {
        imagePullPolicy: fc.constantFrom('Always', 'Never', 'IfNotPresent', 'Sometimes', ''),
        ports: few(ports),
        env: few(environment),
        volumeMounts: few(mounts),
        resources,
        livenessProbe: probes,
        readinessProbe: probes,
        startupProbe: probes,
        lifecycle: rarely({ preStop: handlers, postStart: handlers }, 2),
        terminationMessagePolicy: fc.constantFrom('File', 'FallbackToLogsOnError', 'None'),
        terminationMessagePath: fc.constantFrom('/x', ''),
      },
      6,
    ),
  )
  .map(([name, image, rest]) => ({ name, image, ...rest }))

/** Containers of which some have a restart policy of their own. */
function withPolicies(policies: fc.Arbitrary<string>, weight: number) {
  return fc.oneof(
    { weight: 10 - weight, arbitrary: container },
    {
      weight,
      arbitrary: fc
        .tuple(container, policies)
        .map(([one, restartPolicy]) => ({ ...one, restartPolicy })),
    },
  )
}

const regularContainer = withPolicies(fc.constantFrom('Always', 'Never', ''), 1)
const initContainer = withPolicies(fc.constantFrom('Always', 'Always', 'Always', 'Never'), 5)

const volumes = fc
  .tuple(
    fc.constantFrom('v', 'v', 'w', '', 'V_'),
    fc.constantFrom(
      {},
      { emptyDir: {} },
      { emptyDir: { sizeLimit: '-1' } },
      { emptyDir: { sizeLimit: '1Gi', medium: 'Memory' } },
      { hostPath: { path: '/x' } },
      { hostPath: { path: '' } },
      { hostPath: { path: '/a/../b' } },
      { hostPath: { path: '/x', type: 'Directory' } },
      { hostPath: { path: '/x', type: 'Door' } },
      { secret: { secretName: 's' } },
      { secret: {} },
      { configMap: { name: 'm' } },
      { configMap: {} },
      { persistentVolumeClaim: { claimName: 'p' } },
      { persistentVolumeClaim: {} },
      { emptyDir: {}, hostPath: { path: '/x' } },
    ),
  )
  .map(([name, source]) => ({ name, ...source }))

const tolerations = rarely(
  {
    key: fc.constantFrom('k', '', 'a/b/c'),
    operator: fc.constantFrom('Exists', 'Equal', '', 'In'),
    value: fc.constantFrom('v', '', 'a b'),
    effect: fc.constantFrom('NoSchedule', 'NoExecute', 'PreferNoSchedule', '', 'Never'),
    tolerationSeconds: fc.constantFrom(0, 10, -1),
  },
  2,
)

const owners = fc.record({
  apiVersion: fc.constantFrom('v1', 'v1', ''),
  kind: fc.constantFrom('Node', 'Node', ''),
  name: fc.constantFrom('n', 'n', ''),
  uid: fc.constantFrom('u', 'u', ''),
  controller: fc.boolean(),
})

const metadata = fc
  .tuple(
    fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom('p', 'p.q') },
      { weight: 1, arbitrary: fc.constantFrom('', 'P', 'a..b', 'x'.repeat(254)) },
    ),
    fc.oneof(
      { weight: 8, arbitrary: fc.constant('n') },
      { weight: 1, arbitrary: fc.constantFrom('N', 'a.b') },
    ),
    rarely(
      {
        generateName: fc.constantFrom('p-', 'P-', '-'),
        labels,
        annotations: labels,
        finalizers: few(fc.constantFrom('example.com/x', 'kubernetes', 'x', 'a/b/c', '')),
        ownerReferences: few(owners),
      },
      6,
    ),
  )
  .map(([name, namespace, rest]) => ({ name, namespace, ...rest }))

const spec = fc
  .tuple(
    fc.oneof(
      { weight: 20, arbitrary: few(regularContainer) },
      { weight: 1, arbitrary: fc.constant([]) },
    ),
    rarely(
      {
        initContainers: few(initContainer),
        volumes: few(volumes),
        restartPolicy: fc.constantFrom('Always', 'Never', 'OnFailure', 'Sometimes', ''),
        dnsPolicy: fc.constantFrom('Default', 'ClusterFirst', 'None', 'First', ''),
        dnsConfig: fc.constantFrom({}, { nameservers: ['1.1.1.1'] }),
        nodeSelector: labels,
        serviceAccountName: fc.constantFrom('s', 'S'),
        serviceAccount: fc.constantFrom('s', 'S'),
        nodeName: fc.constantFrom('node', 'N'),
        hostname: fc.constantFrom('h', 'h.i', 'H'),
        subdomain: fc.constantFrom('h', 'h.i'),
        priorityClassName: fc.constantFrom('high', 'High'),
        hostNetwork: fc.boolean(),
        activeDeadlineSeconds: fc.constantFrom(0, 1, -1, 2_147_483_647, 2_147_483_648),
        terminationGracePeriodSeconds: fc.constantFrom(0, 1, -1, 60),
        tolerations: few(tolerations),
        readinessGates: few(
          fc.constantFrom('a', 'a.b/c', '').map((conditionType) => ({ conditionType })),
        ),
        enableServiceLinks: fc.boolean(),
        schedulerName: fc.constantFrom('s', ''),
        securityContext: fc.constant({}),
        imagePullSecrets: few(fc.constantFrom('s', '').map((name) => ({ name }))),
        schedulingGates: few(fc.constantFrom('g', 'g.h/i').map((name) => ({ name }))),
      },
      6,
    ),
  )
  .map(([containers, rest]) => ({ containers, ...rest }))

/** A pod to create. */
export const writtenPods: fc.Arbitrary<JsonObject> = fc
  .tuple(metadata, spec)
  .map(([meta, rest]) => ({ apiVersion: 'v1', kind: 'Pod', metadata: meta, spec: rest }))
