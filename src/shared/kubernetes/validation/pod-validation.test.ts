import { describe, expect, it } from 'vitest'
import { fieldProblemsText } from './field-problem.ts'
import { validatePod } from './pod-validation.ts'

const label =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
const qualified =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"

function lines(pod: object): readonly string[] {
  return validatePod(pod).map(({ field, message }) => `${field}: ${message}`)
}

function withSpec(spec: Record<string, unknown>): object {
  return { metadata: { name: 'n' }, spec: { containers: [{ name: 'c', image: 'x' }], ...spec } }
}

function withContainer(container: Record<string, unknown>, spec: Record<string, unknown> = {}) {
  return withSpec({ ...spec, containers: [{ name: 'c', image: 'x', ...container }] })
}

describe('a valid pod', () => {
  it.each([
    ['with the least that is needed', withSpec({})],
    ['whose fields are null', withSpec({ nodeName: null, volumes: null, tolerations: null })],
    [
      'that is written out',
      withContainer(
        {
          ports: [{ containerPort: 80, name: 'http', protocol: 'TCP' }],
          env: [
            { name: 'A', value: 'x' },
            { name: 'B', valueFrom: { fieldRef: { fieldPath: "metadata.labels['a']" } } },
          ],
          resources: { requests: { cpu: '100m', 'a.b/c': 1 }, limits: { cpu: 1, 'a.b/c': 1 } },
          volumeMounts: [{ name: 'v', mountPath: '/a' }],
          livenessProbe: { exec: { command: ['true'] }, terminationGracePeriodSeconds: 5 },
          lifecycle: { preStop: { sleep: { seconds: 5 } } },
        },
        {
          volumes: [{ name: 'v' }],
          initContainers: [
            { name: 'i', image: 'x' },
            {
              name: 's',
              image: 'x',
              restartPolicy: 'Always',
              startupProbe: { tcpSocket: { port: 'http' } },
            },
          ],
          tolerations: [
            { operator: 'Exists' },
            { key: 'a', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 1 },
          ],
          terminationGracePeriodSeconds: 10,
        },
      ),
    ],
    // A server makes one second of it.
    ['with a negative grace', withSpec({ terminationGracePeriodSeconds: -1 })],
  ])('%s is let through', (_, pod) => {
    expect(lines(pod)).toEqual([])
  })
})

// Texts as kube-apiserver v1.34.4 answered them.
describe('an invalid pod', () => {
  it.each<[string, object, readonly string[]]>([
    [
      'without anything',
      {},
      [
        'metadata.name: Required value: name or generateName is required',
        'spec.containers: Required value',
      ],
    ],
    [
      'with a bad name',
      { metadata: { name: 'b_' }, spec: { containers: [{ name: 'c', image: 'x' }] } },
      [`metadata.name: Invalid value: "b_": ${subdomain}`],
    ],
    [
      'with bad containers',
      withSpec({
        restartPolicy: 'x',
        containers: [
          { name: 'c', image: 'x', imagePullPolicy: 'y' },
          { name: 'c' },
          { name: 'C', image: '' },
        ],
      }),
      [
        'spec.containers[0].imagePullPolicy: Unsupported value: "y": supported values: "Always", "IfNotPresent", "Never"',
        'spec.containers[1].image: Required value',
        'spec.containers[1].name: Duplicate value: "c"',
        `spec.containers[2].name: Invalid value: "C": ${label}`,
        'spec.containers[2].image: Required value',
        'spec.restartPolicy: Unsupported value: "x": supported values: "Always", "OnFailure", "Never"',
      ],
    ],
    [
      'with bad volumes and mounts',
      withContainer(
        {
          volumeMounts: [
            { name: 'zz', mountPath: '/a' },
            { name: 'v', mountPath: '/a' },
            { name: '', mountPath: '' },
          ],
        },
        {
          volumes: [
            { name: 'v' },
            { name: 'v' },
            { name: '' },
            { name: 'w', emptyDir: {}, hostPath: { path: '' } },
            { name: 'h', hostPath: { path: '' } },
            { name: 'A_' },
          ],
        },
      ),
      [
        'spec.volumes[1].name: Duplicate value: "v"',
        'spec.volumes[2].name: Required value',
        'spec.volumes[3].hostPath: Forbidden: may not specify more than 1 volume type',
        'spec.volumes[4].hostPath.path: Required value',
        `spec.volumes[5].name: Invalid value: "A_": ${label}`,
        'spec.containers[0].volumeMounts[0].name: Not found: "zz"',
        'spec.containers[0].volumeMounts[1].mountPath: Invalid value: "/a": must be unique',
        'spec.containers[0].volumeMounts[2].name: Required value',
        'spec.containers[0].volumeMounts[2].name: Not found: ""',
        'spec.containers[0].volumeMounts[2].mountPath: Required value',
      ],
    ],
    [
      'with bad ports',
      withContainer(
        {
          ports: [
            { containerPort: 0 },
            { containerPort: 70000, hostPort: -1 },
            { containerPort: 80, protocol: 'X', name: 'A' },
            { containerPort: 81, name: 'toolongnametoolongname' },
            { containerPort: 82, hostPort: 83 },
          ],
        },
        { hostNetwork: true },
      ),
      [
        'spec.containers[0].ports[0].containerPort: Required value',
        'spec.containers[0].ports[1].containerPort: Invalid value: 70000: must be between 1 and 65535, inclusive',
        'spec.containers[0].ports[1].hostPort: Invalid value: -1: must be between 1 and 65535, inclusive',
        'spec.containers[0].ports[2].name: Invalid value: "A": must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)',
        'spec.containers[0].ports[2].name: Invalid value: "A": must contain at least one letter (a-z)',
        'spec.containers[0].ports[2].protocol: Unsupported value: "X": supported values: "SCTP", "TCP", "UDP"',
        'spec.containers[0].ports[3].name: Invalid value: "toolongnametoolongname": must be no more than 15 characters',
        'spec.containers[0].ports[1].hostPort: Invalid value: -1: must match `containerPort` when `hostNetwork` is true',
        'spec.containers[0].ports[4].hostPort: Invalid value: 83: must match `containerPort` when `hostNetwork` is true',
      ],
    ],
    [
      'with ports twice',
      withContainer({
        ports: [
          { containerPort: 80, name: 'a', hostPort: 80 },
          { containerPort: 81, name: 'a', hostPort: 80 },
        ],
      }),
      [
        'spec.containers[0].ports[1].name: Duplicate value: "a"',
        'spec.containers[0].ports[1].hostPort: Duplicate value: "TCP//80"',
      ],
    ],
    [
      'with bad resources',
      withContainer({
        resources: {
          requests: { memory: '-1', foo: '1', 'a.b/c': '1', cpu: '2', 'd.e/f': '1' },
          limits: { cpu: '1', 'a.b/c': '2' },
        },
      }),
      [
        'spec.containers[0].resources.requests[memory]: Invalid value: "-1": must be greater than or equal to 0',
        'spec.containers[0].resources.requests[foo]: Invalid value: "foo": must be a standard resource type or fully qualified',
        'spec.containers[0].resources.requests[foo]: Invalid value: "foo": must be a standard resource for containers',
        'spec.containers[0].resources.requests: Invalid value: "1": must be equal to a.b/c limit of 2',
        'spec.containers[0].resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1',
        'spec.containers[0].resources.limits: Required value: Limit must be set for non overcommitable resources',
      ],
    ],
    [
      'with bad tolerations',
      withSpec({
        tolerations: [
          { operator: 'Equal' },
          { key: 'a', operator: 'Exists', value: 'x' },
          { key: 'a', operator: 'X' },
          { key: 'a', effect: 'Y' },
          { key: 'a', tolerationSeconds: 3 },
        ],
      }),
      [
        'spec.tolerations[0].operator: Invalid value: "Equal": operator must be Exists when `key` is empty, which means "match all values and all keys"',
        'spec.tolerations[1].operator: Invalid value: "x": value must be empty when `operator` is \'Exists\'',
        'spec.tolerations[2].operator: Unsupported value: "X": supported values: "Equal", "Exists"',
        'spec.tolerations[3].effect: Unsupported value: "Y": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
        'spec.tolerations[4].effect: Invalid value: "": effect must be \'NoExecute\' when `tolerationSeconds` is set',
      ],
    ],
    [
      'with bad probes and hooks',
      withContainer({
        livenessProbe: {},
        readinessProbe: {
          exec: { command: [] },
          periodSeconds: -1,
          terminationGracePeriodSeconds: 4,
        },
        startupProbe: { httpGet: { port: 0 }, tcpSocket: { port: 1 }, successThreshold: 2 },
        lifecycle: { preStop: {}, postStart: { sleep: { seconds: 100 } } },
      }),
      [
        'spec.containers[0].lifecycle.postStart.sleep: Invalid value: 100: must be non-negative and less than terminationGracePeriodSeconds (30)',
        'spec.containers[0].lifecycle.preStop: Required value: must specify a handler type',
        'spec.containers[0].livenessProbe: Required value: must specify a handler type',
        'spec.containers[0].readinessProbe.exec.command: Required value',
        'spec.containers[0].readinessProbe.periodSeconds: Invalid value: -1: must be greater than or equal to 0',
        'spec.containers[0].readinessProbe.terminationGracePeriodSeconds: Invalid value: 4: must not be set for readinessProbes',
        'spec.containers[0].startupProbe.httpGet.port: Invalid value: 0: must be between 1 and 65535, inclusive',
        'spec.containers[0].startupProbe.tcpSocket: Forbidden: may not specify more than 1 handler type',
        'spec.containers[0].startupProbe.successThreshold: Invalid value: 2: must be 1',
      ],
    ],
    [
      'with bad init containers',
      withContainer(
        {},
        {
          initContainers: [
            { name: 'c', image: 'x' },
            {
              name: 'd',
              image: 'x',
              lifecycle: { preStop: { exec: { command: ['a'] } } },
              livenessProbe: { exec: { command: ['a'] } },
            },
            { name: 'f', image: ' x' },
          ],
          ephemeralContainers: [{ name: 'z', image: 'y' }],
        },
      ),
      [
        'spec.initContainers[0].name: Duplicate value: "c"',
        'spec.initContainers[1].lifecycle: Forbidden: may not be set for init containers without restartPolicy=Always',
        'spec.initContainers[1].livenessProbe: Forbidden: may not be set for init containers without restartPolicy=Always',
        'spec.initContainers[2].image: Invalid value: " x": must not have leading or trailing whitespace',
        'spec.ephemeralContainers: Forbidden: cannot be set on create',
      ],
    ],
    [
      'with a restart policy that only a sidecar may have',
      withContainer(
        { restartPolicy: 'Always' },
        { initContainers: [{ name: 'd', image: 'x', restartPolicy: 'Never' }] },
      ),
      [
        'spec.containers[0].restartPolicy: Forbidden: may not be set for non-init containers',
        'spec.initContainers[0].restartPolicy: Unsupported value: "Never": supported values: "Always"',
      ],
    ],
    [
      'with a bad environment',
      withContainer({
        env: [
          { name: '' },
          { name: 'a=b' },
          { name: 'X', value: 'y', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
          { name: 'Y', valueFrom: {} },
          { name: 'Z', valueFrom: { fieldRef: { fieldPath: 'bogus' } } },
        ],
      }),
      [
        'spec.containers[0].env[0].name: Required value',
        'spec.containers[0].env[1].name: Invalid value: "a=b": a valid environment variable name must consist only of printable ASCII characters other than \'=\'',
        'spec.containers[0].env[2].valueFrom: Invalid value: "": may not be specified when `value` is not empty',
        'spec.containers[0].env[3].valueFrom: Invalid value: "": must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`',
        'spec.containers[0].env[4].valueFrom.fieldRef.fieldPath: Invalid value: "bogus": error converting fieldPath: field label not supported: bogus',
      ],
    ],
    [
      'with bad metadata',
      {
        metadata: {
          name: 'n',
          labels: { 'a b': 'c d' },
          annotations: { 'x y': '1' },
          finalizers: ['foo'],
          ownerReferences: [{ apiVersion: 'v1', kind: '', name: '', uid: '' }],
        },
        spec: { containers: [{ name: 'c', image: 'x' }] },
      },
      [
        `metadata.labels: Invalid value: "a b": ${qualified}`,
        "metadata.labels: Invalid value: \"c d\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
        `metadata.annotations: Invalid value: "x y": ${qualified}`,
        'metadata.ownerReferences.kind: Invalid value: "": must not be empty',
        'metadata.ownerReferences.name: Invalid value: "": must not be empty',
        'metadata.ownerReferences.uid: Invalid value: "": must not be empty',
        'metadata.finalizers[0]: Invalid value: "foo": name is neither a standard finalizer name nor is it fully qualified',
      ],
    ],
    [
      'with two controllers',
      {
        metadata: {
          name: 'n',
          ownerReferences: ['a', 'b'].map((name) => ({
            apiVersion: 'v1',
            kind: 'Node',
            name,
            uid: name,
            controller: true,
          })),
        },
        spec: { containers: [{ name: 'c', image: 'x' }] },
      },
      [
        'metadata.ownerReferences: Invalid value: [{"apiVersion":"v1","kind":"Node","name":"a","uid":"a","controller":true},{"apiVersion":"v1","kind":"Node","name":"b","uid":"b","controller":true}]: Only one reference can have Controller set to true. Found "true" in references for Node/a and Node/b',
      ],
    ],
    [
      'with a deadline of zero and a bad node',
      withSpec({ activeDeadlineSeconds: 0, nodeName: 'A_' }),
      [
        `spec.nodeName: Invalid value: "A_": ${subdomain}`,
        'spec.activeDeadlineSeconds: Invalid value: 0: must be between 1 and 2147483647, inclusive',
      ],
    ],
  ])('%s is refused in the words of an API server', (_, pod, expected) => {
    expect(lines(pod)).toEqual(expected)
  })
})

describe('the problems of a spec', () => {
  it('name what is wrong with gates, and a scheduling gate given twice', () => {
    expect(
      lines(
        withSpec({
          readinessGates: [{ conditionType: '-' }, { conditionType: 'a/b' }],
          schedulingGates: [{ name: 'g' }, { name: 'g' }],
        }),
      ),
    ).toEqual([
      `spec.readinessGates[0].conditionType: Invalid value: "-": ${qualified}`,
      'spec.schedulingGates[1]: Duplicate value: "g"',
    ])
  })

  it('come in the order of an API server', () => {
    const fields = validatePod(
      withSpec({
        priorityClassName: 'P',
        tolerations: [{ key: 'k', operator: 'In' }],
        subdomain: 'S',
        hostname: 'H',
        activeDeadlineSeconds: 0,
        nodeName: 'N',
        serviceAccountName: 'A',
      }),
    ).map(({ field }) => field)
    expect(fields).toEqual([
      'spec.serviceAccountName',
      'spec.nodeName',
      'spec.activeDeadlineSeconds',
      'spec.hostname',
      'spec.subdomain',
      'spec.tolerations[0].operator',
      'spec.priorityClassName',
    ])
  })

  it('measure a sleep against a grace of nothing, and against a second where it is negative', () => {
    const lifecycle = { preStop: { sleep: { seconds: 1 } } }
    const sleeping = (terminationGracePeriodSeconds: number): readonly string[] =>
      lines(withContainer({ lifecycle }, { terminationGracePeriodSeconds }))
    expect(sleeping(0)).toEqual([
      'spec.containers[0].lifecycle.preStop.sleep: Invalid value: 1: must be non-negative and less than terminationGracePeriodSeconds (0)',
    ])
    expect(sleeping(-1)).toEqual([])
  })

  it('say what a pod without a DNS policy of the cluster lacks', () => {
    expect(lines(withSpec({ dnsPolicy: 'None' }))).toEqual([
      'spec.dnsConfig: Required value: must provide `dnsConfig` when `dnsPolicy` is None',
    ])
    expect(lines(withSpec({ dnsPolicy: 'None', dnsConfig: {} }))).toEqual([
      'spec.dnsConfig.nameservers: Required value: must provide at least one DNS nameserver when `dnsPolicy` is None',
    ])
    const dnsConfig = { nameservers: ['1.1.1.1'] }
    expect(lines(withSpec({ dnsPolicy: 'None', dnsConfig }))).toEqual([])
  })

  it('count the host ports of each init container apart, under the first', () => {
    const ports = [
      { containerPort: 80, hostPort: 80 },
      { containerPort: 81, hostPort: 80 },
    ]
    const initContainers = [
      { name: 'i', image: 'x', ports: ports.slice(0, 1) },
      { name: 'j', image: 'x', ports },
    ]
    expect(lines(withSpec({ initContainers }))).toEqual([
      'spec.initContainers[0].ports[1].hostPort: Duplicate value: "TCP//80"',
    ])
  })
})

describe('several problems', () => {
  it('are joined as a Status joins them, each once', () => {
    const problems = validatePod({})
    expect(fieldProblemsText([...problems, ...problems])).toBe(
      '[metadata.name: Required value: name or generateName is required, spec.containers: Required value]',
    )
    expect(fieldProblemsText(problems.slice(1))).toBe('spec.containers: Required value')
  })
})
