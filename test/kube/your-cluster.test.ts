import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { parseAllDocuments, stringify } from 'yaml'
import { isJsonObject, listAt, objectAt, objectsAt, textAt } from '../../src/shared/json.ts'
import type { JsonObject } from '../../src/shared/json.ts'
import type { DrainOptions } from '../../src/shared/model/seen/drain.ts'
import type { Right } from '../../src/shared/model/seen/rights.ts'
import { reportComparison, reportMissing } from './comparison.ts'
import { findParts, startControlPlane } from './control-plane.ts'
import type { ControlPlane } from './control-plane.ts'
import { administratorOf } from './integration/administrator.ts'
import type { Administrator } from './integration/administrator.ts'
import { TcpGate } from './integration/tcp-gate.ts'
import { LookedAt } from './your-cluster/looked-at.ts'
import { makeObjects, namespace } from './your-cluster/objects.ts'

// A real API server that is looked at, with the rights of docs/rbac.yaml: what is shown, offered and done is what kubectl shows,
// says and does.

const found = await findParts(['etcd', 'kube-apiserver', 'kubectl'], process.env)
const rbac = parseAllDocuments(
  await readFile(join(import.meta.dirname, '../../docs/rbac.yaml'), 'utf8'),
)
  .map((document): unknown => document.toJS())
  .filter(isJsonObject)

const collections: Readonly<Record<string, string>> = {
  Namespace: '/api/v1/namespaces',
  ServiceAccount: '/api/v1/namespaces/nodescope/serviceaccounts',
  ClusterRole: '/apis/rbac.authorization.k8s.io/v1/clusterroles',
  ClusterRoleBinding: '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
}

function nameOf(object: JsonObject): string {
  return textAt(objectAt(object, 'metadata'), 'name')
}

const noDrainOptions: DrainOptions = {
  ignoreDaemonSets: false,
  deleteEmptyDirData: false,
  force: false,
  gracePeriodSeconds: null,
}

describe.skipIf('missing' in found)('a real cluster that is looked at', () => {
  let plane: ControlPlane
  let admin: Administrator
  let gate: TcpGate
  let open: LookedAt | undefined

  /** kubectl's output, without its errors; `as`: the account, else the administrator. */
  const kubectl = async (args: readonly string[], kubeconfig = plane.adminKubeconfig) => {
    const file = 'missing' in found ? '' : (found.files.get('kubectl') ?? '')
    return await new Promise<{ readonly stdout: string; readonly stderr: string }>((resolve) => {
      execFile(file, ['--kubeconfig', kubeconfig, ...args], (_error, stdout, stderr) => {
        resolve({ stdout, stderr })
      })
    })
  }

  /** A new token of an account; it ends with `secret`. */
  const tokenOf = async (account: string, secret: string): Promise<string> => {
    const accounts = '/api/v1/namespaces/nodescope'
    await admin.ask('POST', `${accounts}/secrets`, { metadata: { name: secret } })
    const boundObjectRef = { kind: 'Secret', apiVersion: 'v1', name: secret }
    const answer = await admin.ask('POST', `${accounts}/serviceaccounts/${account}/token`, {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: { boundObjectRef },
    })
    return textAt(objectAt(answer, 'status'), 'token')
  }

  /** A kubeconfig of the account behind the gate, whose token is in a file. */
  const kubeconfigOf = async (account: string): Promise<{ file: string; tokenFile: string }> => {
    const tokenFile = join(plane.folder, `${account}.token`)
    await writeFile(tokenFile, await tokenOf(account, `${account}-1`))
    const file = join(plane.folder, `${account}.yaml`)
    const config = {
      contexts: [{ name: account, context: { cluster: 'k', user: account, namespace } }],
      'current-context': account,
      clusters: [
        {
          name: 'k',
          cluster: {
            server: `https://127.0.0.1:${gate.port}`,
            'certificate-authority-data': Buffer.from(plane.caPem).toString('base64'),
          },
        },
      ],
      users: [{ name: account, user: { tokenFile } }],
    }
    await writeFile(file, stringify(config))
    return { file, tokenFile }
  }

  let viewer: { file: string; tokenFile: string }
  let operator: { file: string; tokenFile: string }

  beforeAll(async () => {
    plane = await startControlPlane({ environment: process.env })
    admin = await administratorOf(plane.adminKubeconfig)
    for (const object of rbac) {
      const collection = collections[textAt(object, 'kind')]
      if (collection !== undefined) await admin.ask('POST', collection, object)
    }
    await makeObjects(admin)
    gate = await TcpGate.open(Number(new URL(plane.url).port))
    viewer = await kubeconfigOf('viewer')
    operator = await kubeconfigOf('operator')
  }, 120_000)

  afterEach(async () => {
    await open?.stop()
    open = undefined
  })

  afterAll(async () => {
    await gate.close()
    await admin.close()
    await plane.stop()
  }, 60_000)

  const openAs = async (account: { readonly file: string }): Promise<LookedAt> => {
    open = await LookedAt.open(account.file)
    await open.untilWatching()
    return open
  }

  it('shows the pods and the nodes that kubectl shows, with the viewer’s rights', async () => {
    const seen = await openAs(viewer)
    const pods = await kubectl(['get', 'pods', '-A', '--no-headers'])
    const expected = pods.stdout
      .trim()
      .split('\n')
      .map((line) => line.split(/\s{2,}/).slice(0, 4))
    const rows = (await seen.rows())
      .map((row) => [
        row.namespace,
        row.name,
        `${row.readyContainers}/${row.totalContainers}`,
        row.status,
      ])
      .toSorted((one, other) => (`${one[0]}/${one[1]}` < `${other[0]}/${other[1]}` ? -1 : 1))
    expect(rows).toEqual(expected)
    expect(rows).toHaveLength(11)
    const nodes = await kubectl(['get', 'nodes', '--no-headers'])
    const { seen: view, connection } = await seen.view()
    expect(
      view.nodes.map(({ name, status, roles, kubeletVersion }) => [
        name,
        status,
        roles.join(',') || '<none>',
        kubeletVersion,
      ]),
    ).toEqual(
      nodes.stdout
        .trim()
        .split('\n')
        .map((line) => {
          const [name, status, roles, , version] = line.split(/\s+/)
          return [name, status, roles, version]
        }),
    )
    expect(connection).toEqual({ kind: 'connected' })
    expect(view.version).toBe('v1.34.4')
    expect(Math.abs(view.skewMs ?? Infinity)).toBeLessThan(2000)
    const lost = view.nodes.find(({ name }) => name === 'n2')?.loss
    expect(lost).toEqual({
      kind: 'tainted',
      taint: 'node.kubernetes.io/unreachable',
      since: Date.parse('2026-01-01T00:00:00Z'),
      deletions: [{ at: Date.parse('2026-01-01T00:05:00Z'), pods: 1 }],
      staying: 0,
    })
    reportComparison(
      'your-cluster',
      `${rows.length} pods and ${view.nodes.length} nodes as kubectl shows them`,
    )
  }, 60_000)

  it('says of a pod what the API says, and never that its mirror is orphaned', async () => {
    const seen = await openAs(viewer)
    const reasons = await Promise.all(
      ['static-n1', 'web-1', 'waiting'].map(async (name) => {
        const { kind, mirrorReason, workerReason } = await seen.row(name)
        return [kind, mirrorReason, workerReason]
      }),
    )
    expect(reasons).toEqual([
      [
        'mirror',
        '',
        'It is the mirror of the static pod with UID 0123, which only the kubelet of n1 has.',
      ],
      [
        'regular',
        '',
        'It is bound to n1. The API does not show the worker that its kubelet has for it.',
      ],
      ['regular', '', '0/2 nodes are available: 2 Insufficient cpu.'],
    ])
  }, 60_000)

  it.each(['viewer', 'operator'] as const)(
    'offers the %s what kubectl auth can-i allows',
    async (account) => {
      const of = account === 'viewer' ? viewer : operator
      const seen = await openAs(of)
      const { id } = await seen.view()
      const rights = await seen.page.request('cluster.rights', { cluster: id, namespace: null })
      if (!rights.ok) throw new Error(rights.error.message)
      const { look, change } = rights.value
      const canI = async (right: Right): Promise<readonly string[]> => {
        const all = right.resources.flatMap((resource) =>
          right.verbs.map((verb) => ({ resource, verb })),
        )
        const scope = right.namespace === '' ? ['-A'] : ['-n', right.namespace]
        const group = right.apiGroup === '' ? '' : `.${right.apiGroup}`
        return await Promise.all(
          all.map(async ({ resource, verb }) => {
            const [plural = '', part] = resource.split('/')
            const asked = [
              `${plural}${group}`,
              ...(part === undefined ? [] : [`--subresource=${part}`]),
            ]
            const { stdout } = await kubectl(['auth', 'can-i', verb, ...asked, ...scope], of.file)
            return stdout.trim()
          }),
        )
      }
      for (const right of [...look, ...change]) {
        const answers = await canI(right)
        expect([right.id, right.allowed]).toEqual([
          right.id,
          answers.every((answer) => answer === 'yes') ? 'yes' : 'no',
        ])
      }
      expect(rights.value.user).toBe(`system:serviceaccount:nodescope:${account}`)
      const denied = [...look, ...change].filter(({ allowed }) => allowed !== 'yes')
      expect(denied.map(({ id }) => id)).toEqual(
        account === 'operator'
          ? ['kubelet', 'kubeletProxy']
          : [
              'kubelet',
              'kubeletProxy',
              'deletePods',
              'evictPods',
              'cordon',
              'drain',
              'exec',
              'forward',
            ],
      )
    },
    60_000,
  )

  it('names the right that is missing, for each that the viewer and the operator have', async () => {
    const seen = await openAs(operator)
    const { id } = await seen.view()
    const missing = async (): Promise<readonly string[]> => {
      const rights = await seen.page.request('cluster.rights', { cluster: id, namespace: null })
      if (!rights.ok) throw new Error(rights.error.message)
      return [...rights.value.look, ...rights.value.change]
        .filter((right) => !right.id.startsWith('kubelet'))
        .flatMap((right) =>
          right.missingVerbs.map((verb) => `${verb} ${right.resources.join()} ${right.rule}`),
        )
    }
    const untilMissing = async (count: number): Promise<readonly string[]> => {
      for (let tries = 0; tries < 100; tries++) {
        const now = await missing()
        if (now.length === count) return now
        await sleep(50)
      }
      throw new Error(`not ${count} rights became missing: ${(await missing()).join('; ')}`)
    }
    expect(await missing()).toEqual([])
    let count = 0
    for (const role of rbac.filter((one) =>
      ['nodescope-viewer', 'nodescope-operator'].includes(nameOf(one)),
    )) {
      if (textAt(role, 'kind') !== 'ClusterRole') continue
      const path = `${collections['ClusterRole'] ?? ''}/${nameOf(role)}`
      const rules = objectsAt(role, 'rules')
      for (const rule of rules)
        for (const resource of listAt(rule, 'resources').map(String))
          for (const verb of listAt(rule, 'verbs').map(String)) {
            // kubectl's, not the page's: it lists and watches.
            if (verb === 'get' && listAt(rule, 'verbs').includes('watch')) continue
            const without = rules.flatMap((one) =>
              one === rule
                ? [
                    { ...one, resources: listAt(one, 'resources').filter((r) => r !== resource) },
                    {
                      ...one,
                      resources: [resource],
                      verbs: listAt(one, 'verbs').filter((v) => v !== verb),
                    },
                  ]
                : [one],
            )
            const valid = without.filter(
              (one) => listAt(one, 'resources').length > 0 && listAt(one, 'verbs').length > 0,
            )
            await admin.ask('PUT', path, { ...role, rules: valid })
            const [named = ''] = await untilMissing(1)
            expect(named).toMatch(new RegExp(`^${verb} ${resource} `))
            expect(named).toContain(`- ${verb}`)
            expect(named).toContain(`- ${resource}`)
            count++
          }
      await admin.ask('PUT', path, role)
      await untilMissing(0)
    }
    expect(count).toBe(18)
    reportComparison('your-cluster rights', `${count} rights, each named when it is missing`)
  }, 90_000)

  it('changes nothing until changes are allowed, and nothing without the right', async () => {
    const seen = await openAs(viewer)
    const { id } = await seen.view()
    const { key } = await seen.row('web-1')
    const remove = async () => seen.page.request('pod.delete', { key, gracePeriodSeconds: null })
    expect(await remove()).toEqual({
      ok: false,
      error: {
        kind: 'read-only',
        message: 'viewer is read-only here: allow changes first (Shift A).',
      },
    })
    expect(await seen.page.request('cluster.allowChanges', { cluster: id })).toEqual({
      ok: true,
      value: null,
    })
    expect(await remove()).toMatchObject({
      ok: false,
      error: { kind: 'failed', message: expect.stringContaining('403 Forbidden') },
    })
    const kill = await seen.page.request('pod.kill', { key, gracePeriodSeconds: null })
    expect(kill).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('A kubelet has no request for this') },
    })
  }, 60_000)

  it('opens another kubeconfig beside it, whose budget refuses an eviction', async () => {
    const seen = await openAs(viewer)
    const text = await readFile(operator.file, 'utf8')
    const opened = await seen.page.request('cluster.open', {
      source: { kind: 'text', name: 'operator.yaml', text },
      context: null,
      confirmedPlugin: null,
      color: null,
    })
    expect(opened).toEqual({ ok: true, value: { kind: 'opened', cluster: 'operator' } })
    await seen.untilWatching('operator')
    const { seen: other } = await seen.view('operator')
    // By server and authority: it is the same cluster.
    expect(other.color).toBe((await seen.view('viewer')).seen.color)
    expect(other.changes.kind).toBe('readOnly')
    await seen.page.request('cluster.allowChanges', { cluster: 'operator' })
    expect((await seen.view('viewer')).seen.changes.kind).toBe('readOnly')
    const { key } = await seen.row('guarded-1', 'operator')
    const message =
      "Cannot evict pod as it would violate the pod's disruption budget. The disruption budget guard needs 2 healthy pods and has 2 currently"
    const asked = { key, gracePeriodSeconds: null }
    expect(await seen.page.request('pod.rehearseEviction', asked)).toEqual({
      ok: true,
      value: { isAccepted: false, code: 429, message },
    })
    const evicted = await seen.page.request('pod.evictThroughApi', asked)
    expect(evicted).toMatchObject({ ok: false, error: { kind: 'failed' } })
    expect(JSON.stringify(evicted)).toContain('needs 2 healthy pods and has 2 currently')
    expect(await seen.page.request('cluster.close', { cluster: 'operator' })).toMatchObject({
      ok: true,
    })
    expect((await seen.rows()).every((row) => row.cluster === 'viewer')).toBe(true)
  }, 60_000)

  it.each<readonly [string, Partial<DrainOptions>]>([
    ['without options', {}],
    ['--ignore-daemonsets', { ignoreDaemonSets: true }],
    ['--ignore-daemonsets --force', { ignoreDaemonSets: true, force: true }],
    [
      '--ignore-daemonsets --delete-emptydir-data --force',
      { ignoreDaemonSets: true, deleteEmptyDirData: true, force: true },
    ],
  ])(
    'rehearses a drain %s as kubectl drain --dry-run=server',
    async (title, options) => {
      const seen = await openAs(operator)
      const { id } = await seen.view()
      await seen.page.request('cluster.allowChanges', { cluster: id })
      const forecast = await seen.page.request('seenNode.forecast', {
        cluster: id,
        node: 'n1',
        act: 'drain',
        drain: { ...noDrainOptions, ...options },
      })
      if (!forecast.ok) throw new Error(forecast.error.message)
      const flags = title === 'without options' ? [] : title.split(' ')
      const args = ['drain', 'n1', '--dry-run=server', '--timeout=2s', ...flags]
      const { stdout, stderr } = await kubectl(args, operator.file)
      const printed = `${stdout}\n${stderr}`
      const refused = forecast.value.pods.filter(({ fate }) => fate === 'refuses')
      if (refused.length > 0) {
        expect(forecast.value.isAllowed).toBe(false)
        for (const { namespace: space, name, why } of refused) {
          expect(printed).toContain(why)
          expect(printed).toContain(`${space}/${name}`)
        }
        expect(printed).not.toContain('evicting pod')
        return
      }
      const evicting = [...printed.matchAll(/evicting pod (\S+)/g)].map(([, pod = '']) => pod)
      const ours = forecast.value.pods
        .filter(({ fate }) => fate === 'evicts' || fate === 'blocks')
        .map((pod) => `${pod.namespace}/${pod.name}`)
      expect(ours.toSorted()).toEqual([...new Set(evicting)].toSorted())
      const blocked = forecast.value.pods.filter(({ fate }) => fate === 'blocks')
      expect(blocked.map(({ name }) => name)).toEqual(['guarded-1', 'guarded-2'])
      for (const { name } of blocked)
        expect(printed).toMatch(new RegExp(`error when evicting pods/"${name}"`))
      const skipped = forecast.value.pods.filter(({ fate }) => fate === 'skips')
      expect(skipped.map(({ name }) => name)).toEqual(['agent-n1', 'static-n1'])
    },
    60_000,
  )

  it('shows since when the server is away, keeps what it knew, and comes back', async () => {
    const seen = await openAs(viewer)
    const before = await seen.rows()
    await gate.close()
    const away = await seen.until('away', ({ connection }) => connection.kind === 'away')
    expect(away.seen.watches.some(({ state, problem }) => state === 'away' && problem !== '')).toBe(
      true,
    )
    expect(await seen.rows()).toHaveLength(before.length)
    await gate.open()
    await seen.page.request('cluster.retry', { cluster: away.id })
    await seen.until('connected', ({ connection }) => connection.kind === 'connected')
    await seen.untilWatching()
  }, 60_000)

  it('says that the credentials are refused, and takes the token that replaces them', async () => {
    const seen = await openAs(viewer)
    const { id } = await seen.view()
    const ask = async () => seen.page.request('cluster.rights', { cluster: id, namespace: null })
    await admin.ask('DELETE', '/api/v1/namespaces/nodescope/secrets/viewer-1')
    const untilAsked = async (wanted: boolean): Promise<string> => {
      for (let tries = 0; tries < 200; tries++) {
        const rights = await ask()
        const isAnswered =
          rights.ok && rights.value.look.every(({ allowed }) => allowed !== 'unknown')
        if (isAnswered === wanted) return JSON.stringify(rights)
        await sleep(100)
      }
      throw new Error('the rights did not come to it')
    }
    expect(await untilAsked(false)).toContain('Unauthorized')
    await writeFile(viewer.tokenFile, await tokenOf('viewer', 'viewer-2'))
    await untilAsked(true)
  }, 60_000)

  it('cordons, drains and uncordons a node', async () => {
    const seen = await openAs(operator)
    const { id } = await seen.view()
    const drain = {
      ...noDrainOptions,
      ignoreDaemonSets: true,
      deleteEmptyDirData: true,
      force: true,
      // No kubelet runs here, which would end the pods.
      gracePeriodSeconds: 0,
    }
    const act = async (name: 'cordon' | 'uncordon' | 'drain') =>
      seen.page.request('seenNode.act', { cluster: id, node: 'n1', act: name, drain })
    expect(await act('cordon')).toMatchObject({ ok: false, error: { kind: 'read-only' } })
    await seen.page.request('cluster.allowChanges', { cluster: id })
    expect(await act('cordon')).toEqual({
      ok: true,
      value: { message: 'Cordoned n1 on operator' },
    })
    const status = async (): Promise<string> =>
      (await kubectl(['get', 'node', 'n1', '--no-headers'])).stdout.split(/\s+/)[1] ?? ''
    expect(await status()).toBe('Ready,SchedulingDisabled')
    expect(await act('drain')).toMatchObject({ ok: true })
    const view = await seen.until('blocked by the budget', ({ seen: { drains } }) =>
      drains.some(({ waiting }) => waiting.length === 2),
    )
    expect(view.seen.drains[0]).toMatchObject({
      state: 'running',
      evicted: 5,
      waiting: [
        { pod: 'shop/guarded-1', why: expect.stringContaining('disruption budget') },
        { pod: 'shop/guarded-2', why: expect.stringContaining('disruption budget') },
      ],
    })
    await seen.page.request('cluster.endChanges', { cluster: id })
    const stopped = await seen.until('stopped', ({ seen: { drains } }) =>
      drains.some(({ state }) => state === 'stopped'),
    )
    expect(stopped.seen.drains[0]?.problem).toContain('Changes are no longer allowed')
    const left = await kubectl(['get', 'pods', '-n', namespace, '-o', 'name'])
    expect(left.stdout.trim().split('\n').toSorted()).toEqual([
      'pod/agent-n1',
      'pod/guarded-1',
      'pod/guarded-2',
      'pod/lost',
      'pod/static-n1',
      'pod/waiting',
    ])
    await seen.page.request('cluster.allowChanges', { cluster: id })
    expect(await act('uncordon')).toMatchObject({ ok: true })
    expect(await status()).toBe('Ready')
  }, 60_000)
})

if ('missing' in found) reportMissing('your-cluster', found.missing)
