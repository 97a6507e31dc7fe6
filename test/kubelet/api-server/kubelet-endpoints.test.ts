import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FakeLog } from '../../../src/main/kubelet/container/fake-log.ts'
import type { KubeletResponse } from '../../../src/main/kubelet/server/kubelet-request.ts'
import type { RequestAuth } from '../../../src/main/kubelet/server/request-authorization.ts'
import { err, ok } from '../../../src/shared/result.ts'
import type { Pod } from '../../../src/shared/kubernetes/objects.ts'
import { MemorySandbox } from '../../memory-sandbox/memory-sandbox.ts'

// api-server#kubelet-endpoints: what a kubelet answers directly.

let sandbox: MemorySandbox

beforeEach(async () => {
  const startAt = Date.UTC(2026, 0, 1)
  sandbox = new MemorySandbox({ seed: 1, startAt, nodeNames: ['n1'], log: new FakeLog() })
  sandbox.start()
  await sandbox.clock.advance(5000)
})

afterEach(() => {
  sandbox.stop()
})

function pod(name: string, more: object = {}): Pod {
  const container = { name: 'c', image: 'busybox:1.36', command: ['sleep', '100000'], ...more }
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, uid: '', namespace: 'default' },
    spec: { nodeName: 'n1', terminationGracePeriodSeconds: 1, containers: [container] },
  }
}

function remove(name: string, gracePeriodSeconds: number) {
  const path = `/api/v1/namespaces/default/pods/${name}`
  const options = { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds }
  return sandbox.send({ method: 'DELETE', path, body: options })
}

function ask(
  path: string,
  query: Readonly<Record<string, string>> = {},
  method = 'GET',
  auth?: RequestAuth,
): Promise<KubeletResponse> {
  return sandbox.node().kubelet.server.handle({ method, path, query }, auth)
}

async function bodyOf(path: string, query: Readonly<Record<string, string>> = {}, method = 'GET') {
  const answer = await ask(path, query, method)
  if (answer.kind !== 'text') throw new Error('no text')
  return answer.body
}

/** The lines of a metric, without HELP and TYPE. */
async function series(name: string, path = '/metrics'): Promise<readonly string[]> {
  const lines = (await bodyOf(path)).split('\n')
  return lines.filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
}

describe('/metrics', () => {
  it('counts pods as of the last housekeeping', async () => {
    sandbox.putManifests([pod('s')])
    await sandbox.createPod(pod('p'))
    expect(await series('kubelet_desired_pods')).toEqual([
      'kubelet_desired_pods{static=""} 0',
      'kubelet_desired_pods{static="true"} 0',
    ])
    await sandbox.clock.advance(30_000)
    expect(await series('kubelet_desired_pods')).toEqual([
      'kubelet_desired_pods{static=""} 1',
      'kubelet_desired_pods{static="true"} 1',
    ])
    expect(await series('kubelet_active_pods')).toEqual([
      'kubelet_active_pods{static=""} 1',
      'kubelet_active_pods{static="true"} 1',
    ])
    expect(await series('kubelet_mirror_pods')).toEqual(['kubelet_mirror_pods 1'])
    expect(await series('kubelet_running_pods')).toEqual(['kubelet_running_pods 2'])
    expect(await series('kubelet_running_containers')).toEqual([
      'kubelet_running_containers{container_state="running"} 2',
    ])
    const working = await series('kubelet_working_pods')
    expect(working).toHaveLength(15)
    expect(working.filter((line) => !line.endsWith(' 0'))).toEqual([
      'kubelet_working_pods{config="desired",lifecycle="sync",static=""} 1',
      'kubelet_working_pods{config="desired",lifecycle="sync",static="true"} 1',
    ])
  })

  it('shows a pod that was force-deleted as an orphan while it terminates', async () => {
    await sandbox.createPod(pod('p', { command: ['sh', '-c', "trap '' TERM; sleep 100000"] }))
    await sandbox.clock.advance(10_000)
    await remove('p', 0)
    await sandbox.clock.advance(2100)
    expect((await series('kubelet_working_pods')).filter((line) => !line.endsWith(' 0'))).toEqual([
      'kubelet_working_pods{config="orphan",lifecycle="terminating",static=""} 1',
    ])
  })

  it('counts refused pods by reason', async () => {
    const resources = { requests: { cpu: '5000' } }
    await sandbox.createPod(pod('p', { resources }))
    await sandbox.clock.advance(5000)
    expect(await series('kubelet_admission_rejections_total')).toEqual([
      'kubelet_admission_rejections_total{reason="OutOfcpu"} 1',
    ])
  })

  it('measures a pod from its creation to its start', async () => {
    await sandbox.createPod(pod('p'))
    await sandbox.clock.advance(20_000)
    expect(await series('kubelet_started_pods_total')).toEqual(['kubelet_started_pods_total 1'])
    expect(await series('kubelet_started_containers_total')).toEqual([
      'kubelet_started_containers_total{container_type="container"} 1',
    ])
    expect(await series('kubelet_pod_start_total_duration_seconds_count')).toEqual([
      'kubelet_pod_start_total_duration_seconds_count 1',
    ])
    expect(await series('kubelet_pod_start_sli_duration_seconds_count')).toEqual([
      'kubelet_pod_start_sli_duration_seconds_count 1',
    ])
    expect(await series('kubelet_run_podsandbox_duration_seconds_count')).toEqual([
      'kubelet_run_podsandbox_duration_seconds_count{runtime_handler=""} 1',
    ])
    expect(await series('kubelet_pod_worker_start_duration_seconds_count')).toEqual([
      'kubelet_pod_worker_start_duration_seconds_count 1',
    ])
  })

  it('counts the runtime’s calls and their errors', async () => {
    sandbox.node().runtime.faults?.failNext('runPodSandbox', { kind: 'failed', message: 'no' })
    await sandbox.createPod(pod('p'))
    await sandbox.clock.advance(30_000)
    const label = '{operation_type="run_podsandbox"}'
    expect(await series('kubelet_runtime_operations_total')).toContain(
      `kubelet_runtime_operations_total${label} 2`,
    )
    expect(await series('kubelet_runtime_operations_errors_total')).toEqual([
      `kubelet_runtime_operations_errors_total${label} 1`,
    ])
    expect(await series('kubelet_run_podsandbox_errors_total')).toEqual([
      'kubelet_run_podsandbox_errors_total{runtime_handler=""} 1',
    ])
    expect(await series('kubelet_started_pods_errors_total')).toEqual([
      'kubelet_started_pods_errors_total 1',
    ])
  })

  it('starts from zero with a new kubelet', async () => {
    await sandbox.createPod(pod('p'))
    await sandbox.clock.advance(10_000)
    const node = sandbox.node()
    const before = await series('process_start_time_seconds')
    node.stopKubelet()
    node.startKubelet()
    await sandbox.clock.advance(5000)
    expect(await series('kubelet_started_pods_total')).toEqual(['kubelet_started_pods_total 0'])
    expect(await series('kubelet_running_pods')).toEqual(['kubelet_running_pods 1'])
    expect(await series('process_start_time_seconds')).not.toEqual(before)
  })

  it('counts requests, itself among them', async () => {
    await ask('/pods')
    await ask('/nope')
    expect(await series('kubelet_http_requests_total')).toEqual([
      'kubelet_http_requests_total{long_running="false",method="GET",path="metrics",server_type="readwrite"} 1',
      'kubelet_http_requests_total{long_running="false",method="GET",path="other",server_type="readwrite"} 1',
      'kubelet_http_requests_total{long_running="false",method="GET",path="pods",server_type="readwrite"} 1',
    ])
  })

  it('has the use of resources at /metrics/resource', async () => {
    await sandbox.createPod(pod('p'))
    await sandbox.clock.advance(10_000)
    const labels = '{container="c",namespace="default",pod="p"}'
    const [memory = ''] = await series('container_memory_working_set_bytes', '/metrics/resource')
    expect(memory).toMatch(new RegExp(`^container_memory_working_set_bytes${labels} \\S+ \\d{13}$`))
    expect(await series('resource_scrape_error', '/metrics/resource')).toEqual([
      'resource_scrape_error 0',
    ])
  })

  it('has only the error at /metrics/resource if the runtime does not answer', async () => {
    sandbox.node().runtime.faults?.failNext('listContainerStats', { kind: 'failed', message: 'no' })
    expect((await bodyOf('/metrics/resource')).split('\n').slice(2)).toEqual([
      'resource_scrape_error 1',
      '',
    ])
  })

  it('has only the start of the process at /metrics/slis', async () => {
    expect((await bodyOf('/metrics/slis')).split('\n').slice(1)).toEqual([
      '# TYPE process_start_time_seconds gauge',
      `process_start_time_seconds ${1767225600 / 1e9}e+09`,
      '',
    ])
  })

  it('has the cgroups of the node, of pods and of containers at /metrics/cadvisor', async () => {
    const resources = { requests: { cpu: '100m' }, limits: { cpu: '500m', memory: '64Mi' } }
    await sandbox.createPod(pod('p', { resources }))
    await sandbox.clock.advance(10_000)
    const path = '/metrics/cadvisor'
    const uid = sandbox.node().kubelet.podManager.getPods()[0]?.metadata.uid ?? ''
    const listed = await sandbox.node().runtime.listContainers()
    const id = listed.ok ? (listed.value[0]?.id ?? '') : ''
    // 102 shares are a weight of 4, which reads as 80 shares.
    const ofPod = `container="",id="/kubepods/burstable/pod${uid}",image="",name="",namespace="default",pod="p"`
    const ofContainer = `container="c",id="/kubepods/burstable/pod${uid}/${id}",image="docker.io/library/busybox:1.36",name="${id}",namespace="default",pod="p"`
    const ofNode = 'container="",id="/",image="",name="",namespace="",pod=""'
    expect(await series('container_spec_cpu_quota', path)).toEqual([
      `container_spec_cpu_quota{${ofPod}} 50000`,
      `container_spec_cpu_quota{${ofContainer}} 50000`,
    ])
    expect(await series('container_spec_cpu_shares', path)).toEqual([
      `container_spec_cpu_shares{${ofNode}} 0`,
      `container_spec_cpu_shares{${ofPod}} 80`,
      `container_spec_cpu_shares{${ofContainer}} 80`,
    ])
    expect((await series('container_spec_memory_limit_bytes', path)).slice(1)).toEqual([
      `container_spec_memory_limit_bytes{${ofPod}} 6.7108864e+07`,
      `container_spec_memory_limit_bytes{${ofContainer}} 6.7108864e+07`,
    ])
    // The sums are those of the one container.
    const used = (await series('container_memory_working_set_bytes', path)).map(
      (line) => line.split('} ')[1],
    )
    expect(used[0]).toMatch(/^\S+ \d{13}$/)
    expect(used).toEqual([used[0], used[0], used[0]])
    const [cpu = ''] = await series('container_cpu_usage_seconds_total', path)
    expect(cpu).toMatch(
      /^container_cpu_usage_seconds_total\{container="",cpu="total",id="\/",.*\} [\d.e-]+ \d{13}$/,
    )
    const machine = 'boot_id="",machine_id="",system_uuid=""'
    expect(await series('machine_cpu_cores', path)).toEqual([`machine_cpu_cores{${machine}} 1000`])
    expect(await series('container_scrape_error', path)).toEqual(['container_scrape_error 0'])
  })

  it('has only the machine at /metrics/cadvisor if the runtime does not answer', async () => {
    sandbox.node().runtime.faults?.failNext('listContainers', { kind: 'failed', message: 'no' })
    const text = await bodyOf('/metrics/cadvisor')
    expect(text).toContain('\ncontainer_scrape_error 1\n')
    expect(text).not.toContain('container_last_seen')
  })

  it('counts probes at /metrics/probes while the pod is there', async () => {
    const readinessProbe = { exec: { command: ['true'] }, periodSeconds: 1 }
    await sandbox.createPod(pod('p', { readinessProbe }))
    await sandbox.clock.advance(20_000)
    const [line = ''] = await series('prober_probe_total', '/metrics/probes')
    expect(line).toMatch(
      /^prober_probe_total\{container="c",namespace="default",pod="p",pod_uid="[^"]+",probe_type="Readiness",result="successful"\} \d+$/,
    )
    await remove('p', 1)
    await sandbox.clock.advance(20_000)
    expect(await series('prober_probe_total', '/metrics/probes')).toEqual([])
    expect(await series('prober_probe_duration_seconds_count', '/metrics/probes')).toEqual([])
  })
})

describe('the other endpoints', () => {
  it('/pods has a static pod with its status and without its mirror', async () => {
    sandbox.putManifests([pod('s')])
    await sandbox.clock.advance(30_000)
    expect(JSON.parse(await bodyOf('/pods/'))).toMatchObject({
      kind: 'PodList',
      items: [{ metadata: { name: 's-n1' }, status: { phase: 'Running' } }],
    })
    expect(JSON.parse(await bodyOf('/runningpods/'))).toMatchObject({
      items: [{ metadata: { name: 's-n1' }, spec: { containers: [{ name: 'c', resources: {} }] } }],
    })
  })

  it('/configz has the defaults', async () => {
    expect(JSON.parse(await bodyOf('/configz'))).toMatchObject({
      kubeletconfig: { syncFrequency: '1m0s', maxPods: 110 },
    })
  })

  it('/healthz has its checks', async () => {
    expect(await bodyOf('/healthz')).toBe('ok')
    expect(await bodyOf('/healthz/syncloop')).toBe('ok')
    expect(await bodyOf('/healthz', { verbose: '', exclude: 'log' })).toBe(
      '[+]ping ok\n[+]log excluded: ok\n[+]syncloop ok\nhealthz check passed\n',
    )
    expect(await bodyOf('/healthz', { verbose: '', exclude: 'foo' })).toContain(
      'warn: some health checks cannot be excluded: no matches for "foo"\n',
    )
  })

  it.each([
    ['/run/default/p/c', { cmd: 'echo hi there' }, 200, 'hi there\n'],
    ['/run/default/p/c', { cmd: 'false' }, 500, "command 'false' exited with 1: "],
    ['/run/default/p/x', { cmd: 'true' }, 500, 'container not found ("x")'],
    ['/run/default/q/c', { cmd: 'true' }, 404, 'pod does not exist'],
    ['/run/default/p/some-uid/c', { cmd: 'true' }, 200, ''],
    ['/checkpoint/default/p/x', {}, 404, 'container x does not exist'],
    ['/exec/default/p/c', {}, 400, 'you must specify at least 1 of stdin, stdout, stderr'],
    ['/exec/default/p/c', { output: '1' }, 500, 'Upgrade request required\n'],
    ['/portForward/default/p', {}, 500, 'Upgrade request required\n'],
    ['/pods', {}, 405, '405: Method Not Allowed'],
  ])('POST %s %j', async (path, query, status, body) => {
    await sandbox.createPod(pod('p'))
    await sandbox.clock.advance(10_000)
    const asked = ask(path, query, 'POST')
    await sandbox.clock.advance(1000)
    expect(await asked).toMatchObject({ status, body })
  })

  it('redirects with the query', async () => {
    expect(await ask('/runningpods', { a: 'b&c' })).toMatchObject({
      status: 307,
      headers: { location: '/runningpods/?a=b%26c' },
    })
  })
})

describe('a client of its own', () => {
  /** A user with some of the rights. */
  function withRights(...rights: readonly string[]): RequestAuth {
    return {
      authenticate: () => Promise.resolve({ name: 'u', groups: [] }),
      authorize: (_user, { verb, subresource }) =>
        Promise.resolve(ok(rights.includes(`${verb} ${subresource}`))),
    }
  }
  const anonymous: RequestAuth = {
    authenticate: () => Promise.resolve(undefined),
    authorize: () => Promise.resolve(ok(true)),
  }

  it.each([
    ['/pods', 'get pods'],
    ['/pods/', 'get proxy'],
    ['/runningpods/', 'get pods'],
    ['/healthz/ping', 'get healthz'],
    ['/configz', 'get configz'],
    ['/metrics/probes', 'get metrics'],
    ['/stats/summary', 'get stats'],
  ])('reaches %s with the right %s', async (path, right) => {
    expect(await ask(path, {}, 'GET', withRights(right))).toMatchObject({ status: 200 })
  })

  it.each([
    ['GET', '/pods', 'get', 'pods proxy'],
    ['POST', '/pods', 'create', 'pods proxy'],
    ['HEAD', '/pods', '', 'pods proxy'],
    ['GET', '/metrics/resource', 'get', 'metrics'],
    ['GET', '/metrics/cadvisor', 'get', 'metrics'],
    ['PUT', '/stats/summary', 'update', 'stats'],
    ['GET', '/logs/', 'get', 'log'],
    ['GET', '/containerLogs/default/p/c', 'get', 'proxy'],
    ['POST', '/run/default/p/c', 'create', 'proxy'],
  ])(
    'gets a refusal that names the missing right: %s %s',
    async (method, path, verb, subresources) => {
      expect(await ask(path, {}, method, withRights('get other'))).toMatchObject({
        status: 403,
        body: `Forbidden (user=u, verb=${verb}, resource=nodes, subresource(s)=[${subresources}])\n`,
      })
    },
  )

  it('is refused without a credential, except on unknown paths', async () => {
    expect(await ask('/pods', {}, 'GET', anonymous)).toMatchObject({
      status: 401,
      body: 'Unauthorized',
    })
    expect(await ask('/nope', {}, 'GET', anonymous)).toMatchObject({ status: 404 })
    expect(await ask('/runningpods', {}, 'GET', anonymous)).toMatchObject({ status: 307 })
  })

  it('gets an error if authorization fails', async () => {
    const auth = { ...withRights(), authorize: () => Promise.resolve(err('no answer')) }
    expect(await ask('/metrics', {}, 'GET', auth)).toMatchObject({
      status: 500,
      body: 'Authorization error (user=u, verb=get, resource=nodes, subresource=metrics)',
    })
  })
})
