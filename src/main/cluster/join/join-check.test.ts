import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../shared/json.ts'
import { TransportError } from '../../../shared/kubernetes/request.ts'
import type { KubeRequest, KubeResponse } from '../../../shared/kubernetes/request.ts'
import type { Taint } from '../../../shared/kubernetes/objects.ts'
import type { Result } from '../../../shared/result.ts'
import { answer, list, refusal } from '../transport/fake-transport.ts'
import { describeJoin } from './join-check.ts'
import type { JoinError, JoinReport } from './join-check.ts'
import type { ClusterAccess } from '../kubeconfig/kubeconfig.ts'
import { UndiciTransport } from '../transport/undici-transport.ts'

type Answers = Readonly<Record<string, KubeResponse | Error>>

const agent: Taint = { key: 'nodescope.dev/agent', value: 'true', effect: 'NoSchedule' }

const paths = {
  version: 'GET /version',
  user: 'POST /apis/authentication.k8s.io/v1/selfsubjectreviews',
  rights: 'POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
  node: 'GET /api/v1/nodes/n1',
  lease: 'GET /apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/n1',
  pods: 'GET /api/v1/pods',
  daemonSets: 'GET /apis/apps/v1/daemonsets',
} as const

const notFound = refusal(404, 'NotFound', 'not found')
const quiet: Answers = {
  [paths.version]: answer(200, { gitVersion: 'v1.34.4' }),
  [paths.user]: answer(201, {
    status: { userInfo: { username: 'jane', groups: ['dev', 'system:authenticated'] } },
  }),
  [paths.rights]: answer(201, { status: { allowed: true } }),
  [paths.node]: notFound,
  [paths.lease]: notFound,
  [paths.pods]: list([], '1'),
  [paths.daemonSets]: list([], '1'),
}

/** A transport to a server that answers by method and path. */
class TableTransport extends UndiciTransport {
  readonly #answers: Answers
  readonly asked: string[] = []
  /** Of the requests that have one. */
  readonly bodies: unknown[] = []
  isClosed = false

  constructor(answers: Answers) {
    super({
      server: 'https://127.0.0.1:1',
      credentials: { get: () => Promise.reject(new Error('not used')), refused: () => undefined },
    })
    this.#answers = answers
  }

  override async send({ method, path, body }: KubeRequest): Promise<KubeResponse> {
    const key = `${method} ${path}`
    this.asked.push(key)
    if (body !== undefined) this.bodies.push(body)
    const given = await Promise.resolve(this.#answers[key])
    if (given === undefined) throw new Error(`no test said what ${key} answers`)
    if (given instanceof Error) throw given
    return given
  }

  override async close(): Promise<void> {
    this.isClosed = true
    await super.close()
  }
}

async function join(
  answers: Answers,
  options: { readonly access?: Partial<ClusterAccess>; readonly allowSimulated?: boolean } = {},
): Promise<Result<JoinReport, JoinError> & { readonly transport: TableTransport }> {
  const transport = new TableTransport({ ...quiet, ...answers })
  const access: ClusterAccess = {
    server: 'https://127.0.0.1:6443',
    contextName: 'here',
    clusterName: 'k',
    userName: 'u',
    namespace: 'default',
    isLoopback: true,
    isVerified: true,
    endPlugin: () => Promise.resolve(),
    credentials: {
      get: () => Promise.reject(new Error('not used')),
      refused: () => undefined,
    },
    proxyUrl: undefined,
    createTransport: () => transport,
    ...options.access,
  }
  const result = await describeJoin({
    access,
    nodeName: 'n1',
    taints: [agent],
    allowSimulated: options.allowSimulated === true,
  })
  expect(transport.isClosed).toBe(true)
  return { ...result, transport }
}

function linesOf(result: Result<JoinReport, JoinError>): readonly string[] {
  return result.ok ? result.value.lines : result.error.lines
}

function node(
  extra: {
    readonly labels?: JsonObject
    readonly taints?: readonly Taint[]
    readonly ready?: string
  } = {},
): KubeResponse {
  return answer(200, {
    metadata: { name: 'n1', uid: 'u', labels: extra.labels ?? {} },
    spec: { taints: extra.taints ?? [] },
    status: { conditions: [{ type: 'Ready', status: extra.ready ?? 'Unknown' }] },
  })
}

const someLease = answer(200, {
  metadata: { name: 'n1', uid: 'l' },
  spec: { leaseDurationSeconds: 40, renewTime: '2026-01-01T00:00:00.000000Z' },
})

function daemonSet(name: string, tolerations: readonly JsonObject[]): JsonObject {
  return {
    metadata: { name, namespace: 'kube-system', uid: name },
    spec: { template: { spec: { tolerations } } },
  }
}

describe('describeJoin', () => {
  it('reports server, user, node and daemon sets, and writes nothing', async () => {
    const result = await join({
      [paths.daemonSets]: list(
        [
          daemonSet('proxy', [{ operator: 'Exists' }]),
          daemonSet('cni', [{ operator: 'Exists' }]),
          daemonSet('logs', []),
        ],
        '1',
      ),
    })
    expect(result).toMatchObject({
      ok: true,
      value: {
        lines: [
          'server https://127.0.0.1:6443 (Kubernetes v1.34.4), context here',
          'user jane (groups dev, system:authenticated)',
          'node n1 will be created, with the taint nodescope.dev/agent=true:NoSchedule',
          'daemonset kube-system/cni will schedule a pod here',
          'daemonset kube-system/proxy will schedule a pod here',
        ],
        daemonSets: ['kube-system/cni', 'kube-system/proxy'],
      },
    })
    expect(result.transport.asked.filter((asked) => !asked.startsWith('GET '))).toEqual([
      paths.user,
      paths.rights,
    ])
  })

  it('continues if the server does not report everything', async () => {
    const result = await join(
      {
        [paths.version]: refusal(403, 'Forbidden', 'no'),
        [paths.user]: notFound,
        [paths.rights]: notFound,
        [paths.daemonSets]: refusal(403, 'Forbidden', 'cannot list daemonsets'),
      },
      { access: { isVerified: false } },
    )
    expect(result.ok).toBe(true)
    expect(linesOf(result)).toEqual([
      'server https://127.0.0.1:6443, context here',
      'warning the certificate of this server is not checked',
      'user u (from the kubeconfig; the server does not report the user)',
      'node n1 will be created, with the taint nodescope.dev/agent=true:NoSchedule',
      'daemonsets unknown: cannot list daemonsets',
    ])
  })

  it.each([
    [[], 'daemonsets there is none'],
    [[daemonSet('logs', [])], 'daemonsets none of 1 schedules a pod here'],
  ])('says when no daemon set lands there', async (daemonSets, line) => {
    const result = await join({ [paths.daemonSets]: list(daemonSets, '1') })
    expect(linesOf(result).at(-1)).toBe(line)
  })

  it.each([
    [
      'does not answer',
      new TransportError('unavailable', 'https://127.0.0.1:6443 refused the connection.'),
      'unreachable',
      'https://127.0.0.1:6443 refused the connection.',
    ],
    [
      'refuses the credentials',
      refusal(401, 'Unauthorized', 'Unauthorized'),
      'refused',
      'https://127.0.0.1:6443 refuses the credentials of "u": Unauthorized.',
    ],
    [
      'is in trouble',
      refusal(503, 'ServiceUnavailable', 'etcd is gone.'),
      'unreachable',
      'https://127.0.0.1:6443 does not respond: etcd is gone.',
    ],
    [
      'is no API server',
      { kind: 'text', status: 404, body: 'nope', contentType: 'text/plain' } as const,
      'unreachable',
      'https://127.0.0.1:6443 responds, but is not a Kubernetes API server.',
    ],
  ])('stops with one sentence when the server %s', async (_what, version, kind, message) => {
    const result = await join({ [paths.version]: version })
    expect(result).toMatchObject({ ok: false, error: { kind, message } })
    expect(result.transport.asked).toEqual([paths.version])
  })

  it('refuses if it may not read nodes', async () => {
    const result = await join({
      [paths.node]: refusal(403, 'Forbidden', 'nodes "n1" is forbidden'),
    })
    expect(result).toMatchObject({
      error: {
        kind: 'refused',
        message:
          'https://127.0.0.1:6443 does not allow "u" to read nodes: nodes "n1" is forbidden.',
      },
    })
  })

  it.each([
    ['create the node "n1"', notFound, { verb: 'create', resource: 'nodes', name: 'n1' }],
    [
      'write the status of the node "n1"',
      node({ taints: [agent] }),
      { verb: 'patch', resource: 'nodes', subresource: 'status', name: 'n1' },
    ],
  ])('stops when it may not %s', async (doing, existing, resourceAttributes) => {
    const result = await join({
      [paths.node]: existing,
      [paths.rights]: answer(201, { status: { allowed: false } }),
    })
    expect(result).toMatchObject({
      error: {
        kind: 'refused',
        message: `https://127.0.0.1:6443 does not allow "u" to ${doing}.`,
        lines: [
          'server https://127.0.0.1:6443 (Kubernetes v1.34.4), context here',
          'user jane (groups dev, system:authenticated)',
        ],
      },
    })
    expect(result.transport.bodies.at(-1)).toMatchObject({ spec: { resourceAttributes } })
  })

  it('refuses the name of another Ready node that has no lease', async () => {
    const result = await join({ [paths.node]: node({ ready: 'True' }) })
    expect(result).toMatchObject({
      ok: false,
      error: {
        kind: 'node-in-use',
        message:
          'The node "n1" is Ready and was not created by Nodescope; choose another name with --node.',
      },
    })
  })

  it.each([
    ['is dead', { ready: 'Unknown' }, notFound],
    ['has a lease', { ready: 'True' }, someLease],
  ])('warns before it takes over the pods of another’s node that %s', async (_, own, lease) => {
    const pods = list(
      [{ metadata: { name: 'a', uid: 'a' } }, { metadata: { name: 'b', uid: 'b' } }],
      '1',
    )
    const result = await join({
      [paths.node]: node(own),
      [paths.lease]: lease,
      [paths.pods]: pods,
      // Its taints are its own, not those of a new node.
      [paths.daemonSets]: list([daemonSet('logs', [])], '1'),
    })
    expect(result.ok).toBe(true)
    expect(linesOf(result).slice(2)).toEqual([
      'node n1 already exists, not created by Nodescope, with 2 pods',
      'warning node n1 and its pods will be taken over, unless its lease shows a running kubelet',
      'daemonset kube-system/logs will schedule a pod here',
    ])
  })

  it.each([
    ['by its taint', node({ taints: [agent] })],
    ['by its label', node({ labels: { 'nodescope.dev/agent': 'true' } })],
  ])('takes its own node up again, known %s', async (_how, own) => {
    const result = await join({ [paths.node]: own, [paths.lease]: someLease })
    expect(result.ok).toBe(true)
    expect(linesOf(result).slice(2)).toEqual([
      'node n1 already exists, created by Nodescope, with 0 pods',
      'daemonsets there is none',
    ])
  })
})

describe('describeJoin on a server that is not on loopback', () => {
  const remote = { server: 'https://api.example.org', isLoopback: false }
  const message =
    'https://api.example.org is not on this machine: pods scheduled to a simulated node there do not really run. Pass --allow-simulated to join "n1" anyway.'

  it('does not join without --allow-simulated, but reports its findings', async () => {
    const result = await join({}, { access: remote })
    expect(result).toMatchObject({ ok: false, error: { kind: 'needs-allow-simulated', message } })
    expect(linesOf(result)).toEqual([
      'server https://api.example.org (Kubernetes v1.34.4), context here',
      'user jane (groups dev, system:authenticated)',
      'node n1 will be created, with the taint nodescope.dev/agent=true:NoSchedule',
      'daemonsets there is none',
    ])
  })

  it('requires it even if the server is down', async () => {
    const down = new TransportError('timeout', 'It did not answer.')
    const result = await join({ [paths.version]: down }, { access: remote })
    expect(result).toMatchObject({ error: { kind: 'needs-allow-simulated', message } })
    expect(linesOf(result).at(-1)).toBe('warning It did not answer.')
  })

  it('runs no credential plugin for a join that it refuses', async () => {
    const plugin = 'aws eks get-token'
    const result = await join({}, { access: { ...remote, plugin } })
    expect(result).toMatchObject({ ok: false, error: { kind: 'needs-allow-simulated', message } })
    expect(result.transport.asked).toEqual([])
    expect(linesOf(result)).toEqual([
      'server https://api.example.org, context here',
      'warning The server is not contacted, because that would run the credential plugin of the kubeconfig: aws eks get-token',
    ])
    const allowed = await join({}, { access: { ...remote, plugin }, allowSimulated: true })
    expect(allowed.ok).toBe(true)
  })

  it('joins with --allow-simulated', async () => {
    const result = await join({}, { access: remote, allowSimulated: true })
    expect(result.ok).toBe(true)
  })
})
