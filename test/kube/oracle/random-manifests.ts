import fc from 'fast-check'
import { stringify } from 'yaml'

/** Mostly what may be: a manifest has many fields, and one bad value is enough for a refusal. */
function mostly<T>(good: readonly T[], ...bad: readonly T[]): fc.Arbitrary<T> {
  return fc.oneof(
    { weight: 20, arbitrary: fc.constantFrom(...good) },
    { weight: 1, arbitrary: fc.constantFrom(...bad) },
  )
}

const names = mostly(['a', 'b', 'a-b', 'd', 'e'], 'x.y', 'Bad', '')
const maps = fc.dictionary(mostly(['a', 'a/b'], 'bad key'), fc.constantFrom('1', 'x', ''), {
  maxKeys: 2,
})
const amounts = mostly<string | number>(['1', '100m', 0.5, '1Gi', '0.0001', '1e3', 2], '-1')
const resources = fc.record(
  {
    limits: fc.dictionary(mostly(['cpu', 'memory'], 'example.com/gpu'), amounts),
    requests: fc.dictionary(mostly(['ephemeral-storage'], 'cpu'), amounts),
  },
  { requiredKeys: [] },
)
const goodHandlers: readonly object[] = [
  { exec: { command: ['a'] } },
  { httpGet: { port: 80 } },
  { httpGet: { port: 'web', path: '/x', scheme: 'HTTPS' } },
  { grpc: { port: 5 } },
  { tcpSocket: { port: 5 } },
]
const handlers = mostly(goodHandlers, { tcpSocket: { port: 70_000 } }, {})
const probes = fc
  .tuple(
    handlers,
    fc.record(
      {
        periodSeconds: mostly([0, 5], -1),
        failureThreshold: fc.constantFrom(0, 3),
        initialDelaySeconds: fc.constantFrom(1),
      },
      { requiredKeys: [] },
    ),
  )
  .map(([handler, rest]) => ({ ...handler, ...rest }))

const containers = fc.record(
  {
    name: names,
    image: mostly(['i', 'i:latest', 'reg:5000/i:v1'], ' i', ''),
    command: fc.array(fc.constantFrom('sh', '')),
    env: fc.array(
      fc.record(
        {
          name: mostly(['A', 'b.c'], '', '1', '..a'),
          value: mostly([undefined], 'x'),
          valueFrom: mostly<object>(
            [
              { fieldRef: { fieldPath: 'metadata.name' } },
              { resourceFieldRef: { resource: 'limits.cpu', divisor: '1m' } },
            ],
            { fieldRef: { fieldPath: 'spec.what' } },
            { resourceFieldRef: { resource: 'limits.memory', divisor: '1m' } },
            { configMapKeyRef: { name: 'm', key: 'k' } },
          ),
        },
        { requiredKeys: ['name'] },
      ),
      { maxLength: 2 },
    ),
    ports: fc.array(
      fc.record(
        {
          containerPort: mostly([80, 53], 0),
          hostPort: fc.constantFrom(80, 8080),
          protocol: mostly(['TCP', 'UDP'], 'X'),
          name: mostly(['web'], 'TOO-LONG-NAME-FOR-A-PORT'),
        },
        { requiredKeys: ['containerPort'] },
      ),
      { maxLength: 1 },
    ),
    resources,
    imagePullPolicy: mostly(['Always', 'Never'], 'Often'),
    livenessProbe: probes,
    readinessProbe: probes,
    lifecycle: handlers.map((preStop) => ({ preStop })),
    volumeMounts: fc.array(
      fc.record({ name: mostly(['v'], 'x'), mountPath: mostly(['/a', 'b'], '') }),
      { maxLength: 1 },
    ),
    securityContext: mostly<object>(
      [{ privileged: true }, { runAsUser: 5 }, {}],
      { runAsGroup: -1 },
      { seccompProfile: { type: 'X' } },
    ),
    terminationMessagePolicy: mostly(['File'], 'X'),
  },
  { requiredKeys: ['name', 'image'] },
)

const volumes = fc
  .tuple(
    mostly(['v', 'w'], 'Bad'),
    mostly<object>(
      [
        { emptyDir: {} },
        { emptyDir: { sizeLimit: '1Gi' } },
        { hostPath: { path: '/a' } },
        { downwardAPI: { items: [{ path: 'a', fieldRef: { fieldPath: 'metadata.uid' } }] } },
        {},
      ],
      { hostPath: { path: '' } },
      { secret: { secretName: 's' } },
    ),
  )
  .map(([name, source]) => ({ name, ...source }))

const pods = fc.record({
  apiVersion: fc.constant('v1'),
  kind: fc.constant('Pod'),
  metadata: fc.record(
    {
      name: mostly(['web'], 'Web', ''),
      namespace: mostly(['other'], 'Other'),
      uid: mostly(['own'], ''),
      labels: maps,
      annotations: maps,
    },
    { requiredKeys: ['name'] },
  ),
  spec: fc.record(
    {
      containers: fc.array(containers, { minLength: 1, maxLength: 1 }),
      initContainers: fc.array(
        containers.map((one) => ({ ...one, name: `init-${one.name}` })),
        { maxLength: 1 },
      ),
      volumes: fc
        .array(volumes, { maxLength: 1 })
        .map((others) => [
          { name: 'v', emptyDir: {} },
          ...others.filter(({ name }) => name !== 'v'),
        ]),
      restartPolicy: mostly(['Always', 'Never', ''], 'X'),
      terminationGracePeriodSeconds: fc.constantFrom(0, -1, 5),
      activeDeadlineSeconds: mostly([5], 0),
      hostNetwork: fc.constant(true),
      dnsPolicy: mostly(['Default'], 'X'),
      nodeSelector: maps,
      tolerations: fc.array(
        fc.record(
          {
            key: fc.constantFrom('a', ''),
            operator: mostly(['Exists', 'Equal'], 'X'),
            value: mostly([''], 'v'),
            effect: fc.constantFrom('NoExecute', 'NoSchedule', ''),
            tolerationSeconds: fc.constantFrom(5),
          },
          { requiredKeys: [] },
        ),
        { maxLength: 2 },
      ),
      priority: fc.constantFrom(0, 7),
      securityContext: mostly<object>([{ fsGroup: 5 }, {}], { fsGroup: -1 }),
    },
    { requiredKeys: ['containers', 'volumes'] },
  ),
})

/** Texts of pods, some of which may be. */
export const manifestTexts: fc.Arbitrary<string> = fc
  .tuple(pods, fc.boolean())
  .map(([pod, isYaml]) => (isYaml ? stringify(pod) : JSON.stringify(pod)))
