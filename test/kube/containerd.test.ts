import { readdir, readFile } from 'node:fs/promises'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/main/clock/system-clock.ts'
import { machineHost } from '../../src/main/cri/client/machine-host.ts'
import { podCgroups } from '../../src/main/kubelet/cm/pod-cgroups.ts'
import { PodUseMeter } from '../../src/main/kubelet/stats/pod-use.ts'
import { connectRuntime } from '../../src/main/cri/client/connect-runtime.ts'
import { streamsOverWebSocket } from '../../src/main/cri/streaming/terminal-stream.ts'
import type { ContainerStatus, Pod } from '../../src/shared/kubernetes/objects.ts'
import type { ClusterUnderTest } from './integration/cluster-under-test.ts'
import { reportComparison, reportImpossible, reportMissing } from './comparison.ts'
import { Containerd, whyNoContainers } from './containerd/containerd.ts'
import { findParts } from './control-plane.ts'
import { KubeletClient } from './cri/kubelet-client.ts'
import { startKubeApiserver } from './integration/api-servers.ts'
import { specOf } from './integration/containers.ts'
import { runTogether, runtimeScenarios, startOnRuntime } from './integration/runtime-cluster.ts'
import { mainNode, ScenarioRun, type Outcome, type Scenario } from './integration/scenario-run.ts'

// Containers that really run: the program with `--runtime` on a containerd of its own, as a node of a kube-apiserver.

const impossible = whyNoContainers()
const found = await findParts(['etcd', 'kube-apiserver', 'cri-client'], process.env)
const canRun = impossible === undefined && !('missing' in found)
// Hooks do not run where all tests are skipped.
if (impossible !== undefined) reportImpossible('containerd', impossible)
else if ('missing' in found) reportMissing('containerd', found.missing)

/** Starting a container keeps a processor busy for half a second. */
const scenariosAtOnce = 12
const namespace = 'real'

let containerd: Containerd
let cluster: ClusterUnderTest
let run: ScenarioRun
let client: KubeletClient
let outcomes: ReadonlyMap<Scenario, Outcome | Error>
let verified = 0

beforeAll(async () => {
  if (!canRun) return
  containerd = await Containerd.start([])
  const server = await startKubeApiserver(process.env, [mainNode])
  cluster = await startOnRuntime(server, containerd.socketPath)
  client = new KubeletClient(found.files.get('cri-client') ?? '', containerd.socketPath)
  await cluster.admin.makeNamespace(namespace)
  run = new ScenarioRun(cluster, namespace)
  outcomes = await runTogether(cluster, runtimeScenarios, scenariosAtOnce)
}, 400_000)

afterAll(async () => {
  if (canRun) {
    reportComparison(
      'containerd',
      `${verified} of ${runtimeScenarios.length} scenarios with real containers have the phases and events of simulated ones`,
    )
    client.stop()
    await cluster.stop()
    await containerd.stop()
  }
}, 60_000)

function shellPod(
  script: string,
  more: Partial<NonNullable<Pod['spec']>['containers'][number]> = {},
) {
  return specOf({ name: 'c', image: 'busybox:1.36', command: ['sh', '-c', script], ...more })
}

function statusOf(pod: Pod): ContainerStatus {
  const [status] = pod.status?.containerStatuses ?? []
  if (status === undefined) throw new Error(`${pod.metadata.name} has no container status`)
  return status
}

/** What the container's log has, without the times. */
async function logOf(pod: Pod, container = 'c', attempt = 0): Promise<string> {
  const folder = join(cluster.server.folder, mainNode, 'pod-logs')
  const name = (await readdir(folder)).find((one) => one.endsWith(`_${pod.metadata.uid}`)) ?? ''
  const text = await readFile(join(folder, name, container, `${attempt}.log`), 'utf8')
  return text.replaceAll(/^\S+Z (stdout|stderr) F /gm, '$1 ')
}

const idOf = (pod: Pod): string => (statusOf(pod).containerID ?? '').replace('containerd://', '')

async function readyCondition(): Promise<string> {
  const node = await cluster.admin.api.get({ resource: 'nodes', name: mainNode })
  const conditions = node.ok ? (node.value.status?.conditions ?? []) : []
  const ready = conditions.find(({ type }) => type === 'Ready')
  return `${ready?.status} ${ready?.message}`
}

describe.skipIf(!canRun)('the program on containerd', () => {
  it.each([...runtimeScenarios])('$title', (scenario) => {
    const outcome = outcomes.get(scenario)
    if (outcome === undefined || outcome instanceof Error) throw outcome ?? new Error('not run')
    expect.soft(outcome.phases, JSON.stringify(outcome.phases)).toEqual(scenario.phases)
    expect.soft(outcome.reasons).toEqual(scenario.events)
    verified++
  })

  it('names the runtime in its lines and in the Node', async () => {
    const { printed } = run.mainAgent
    expect(printed[0]).toMatch(/^container runtime containerd 1\.\d+\S* at unix:\/\//)
    const node = await cluster.admin.api.get({ resource: 'nodes', name: mainNode })
    expect(node.ok && node.value.status?.nodeInfo?.['containerRuntimeVersion']).toMatch(
      /^containerd:\/\/\d/,
    )
    const addresses = node.ok ? (node.value.status?.addresses ?? []) : []
    const internal = addresses.find(({ type }) => type === 'InternalIP')?.address
    const own = Object.values(networkInterfaces()).flatMap((all = []) => all)
    expect(own.find(({ address }) => address === internal)).toMatchObject({ internal: false })
  })

  it('gives a container its command, environment, user, folder and host name', async () => {
    const pod = await run.create(
      'configured',
      shellPod('echo "$1 $GREETING $(id -u) $(pwd) $(hostname)"; echo err >&2; sleep 1000', {
        args: ['zero', 'one'],
        env: [
          { name: 'GREETING', value: 'hello-$(WHO)' },
          { name: 'WHO', value: 'x' },
        ],
        workingDir: '/tmp',
        securityContext: { runAsUser: 1000 },
      }),
    )
    await run.untilRunning('configured')
    // The two streams are read one independently of the other.
    const lines = async (): Promise<readonly string[]> =>
      (await logOf(pod)).trimEnd().split('\n').toSorted()
    await expect.poll(lines).toEqual(['stderr err', 'stdout one hello-$(WHO) 1000 /tmp configured'])
  })

  it('gives a pod an address at which its server answers', async () => {
    await run.create(
      'serves',
      shellPod('echo served >/tmp/index.html; exec httpd -f -h /tmp -p 8080'),
    )
    const pod = await run.untilRunning('serves')
    const ask = async (): Promise<string> => {
      const { body } = await request(`http://${pod.status?.podIP}:8080/index.html`)
      return body.text()
    }
    await expect.poll(ask).toBe('served\n')
  })

  it('runs a command by the streaming URL of the runtime, with its exit code', async () => {
    await run.create('executes', shellPod('sleep 1000'))
    const pod = await run.untilRunning('executes')
    const exec = { container_id: idOf(pod), stdout: true, stderr: true }
    const cmd = ['sh', '-c', 'hostname; echo no >&2; exit 7']
    expect(await client.call('StreamExec', { exec: { ...exec, cmd } })).toEqual({
      stdout: 'executes\n',
      stderr: 'no\n',
      error: 'command terminated with exit code 7',
    })
    // Where the kubelet looks for the log when kubectl asks for it.
    const status = JSON.stringify(await client.call('ContainerStatus', { id: idOf(pod) }))
    expect(status).toContain(`${namespace}_executes_${pod.metadata.uid}/c/0.log`)
  })

  it('runs a shell with a terminal, which has the size that the page asks for', async () => {
    await run.create('terminal', shellPod('sleep 1000'))
    const containerId = idOf(await run.untilRunning('terminal'))
    const runtime = await connectRuntime(containerd.socketPath)
    if (!runtime.ok) throw new Error(runtime.error)
    const streams = { stdin: true, stdout: true, stderr: false, tty: true }
    const url = await runtime.value.exec({ containerId, cmd: ['sh'], ...streams })
    runtime.value.close()
    if (!url.ok) throw new Error(url.error.message)
    let printed = ''
    const ends: unknown[] = []
    const terminal = await streamsOverWebSocket(url.value, {
      printed: (text) => (printed += text),
      ended: (end) => ends.push(end),
    })
    if (!terminal.ok) throw new Error(terminal.error)
    terminal.value.resize({ columns: 91, rows: 33 })
    terminal.value.write('stty size; echo $((6 * 7)) grüße\n')
    await expect.poll(() => printed).toMatch(/33 91[^]*42 grüße/)
    terminal.value.write('exit 7\n')
    await expect.poll(() => ends).toEqual([{ exitCode: 7, message: '' }])
  })

  it('reports the exit code and the times of a process that ends', async () => {
    await run.create('fails', { ...shellPod('sleep 1; exit 42'), restartPolicy: 'Never' })
    const { terminated } = statusOf(await run.untilEnded('fails', 'Failed')).state ?? {}
    expect(terminated).toMatchObject({ exitCode: 42, reason: 'Error' })
    const ran = Date.parse(terminated?.finishedAt ?? '') - Date.parse(terminated?.startedAt ?? '')
    expect(ran).toBeGreaterThanOrEqual(1000)
  })

  it('reports a container that used more memory than its limit as OOMKilled', async () => {
    const limits = { resources: { limits: { memory: '24Mi' } } }
    await run.create('eats', { ...shellPod('tail /dev/zero', limits), restartPolicy: 'Never' })
    const { terminated } = statusOf(await run.untilEnded('eats', 'Failed')).state ?? {}
    expect(terminated).toMatchObject({ exitCode: 137, reason: 'OOMKilled' })
  })

  it('measures the use of a busy container, whose cgroup has the values that the page shows', async () => {
    const resources = {
      requests: { cpu: '100m', memory: '16Mi' },
      limits: { cpu: '250m', memory: '32Mi' },
    }
    await run.create('busy', shellPod('while true; do :; done', { resources }))
    const pod = await run.untilRunning('busy')
    const runtime = await connectRuntime(containerd.socketPath)
    if (!runtime.ok) throw new Error(runtime.error)
    const { use } = new PodUseMeter({
      clock: systemClock,
      runtimeService: runtime.value,
      podOf: () => ({ pod, status: pod.status }),
    })
    const measured = async () => (await use(pod.metadata.uid))?.containers[0]
    const isLimited = async (): Promise<boolean> => {
      const millis = (await measured())?.runs[0]?.samples.at(-1)?.cpuMillis ?? 0
      return millis > 150 && millis < 350
    }
    await expect.poll(isLimited, { timeout: 30_000, interval: 2500 }).toBe(true)
    const busy = await measured()
    runtime.value.close()
    expect(busy).toMatchObject({
      memory: { request: 16 * 2 ** 20, limit: 32 * 2 ** 20 },
      cpu: { request: 100, limit: 250 },
    })
    expect(busy?.runs[0]?.samples.at(-1)?.memoryBytes).toBeGreaterThan(1000)
    const cgroups = podCgroups(pod, machineHost('/', 'CGROUPFS'), { isSimulated: false })
    // The machine may have huge pages without their controller.
    const files = (cgroups.containers[0]?.files ?? []).filter(
      ({ name, isSet }) => isSet && !name.startsWith('hugetlb'),
    )
    const paths = files.map(({ name }) => {
      if (name === 'oom_score_adj') return `/proc/1/${name}`
      return `/sys/fs/cgroup/${cgroups.version === 1 ? `${name.split('.')[0]}/` : ''}${name}`
    })
    const exec = { container_id: idOf(pod), stdout: true, stderr: true, cmd: ['cat', ...paths] }
    expect(await client.call('StreamExec', { exec })).toMatchObject({
      stdout: files.map(({ value }) => `${value}\n`).join(''),
    })
  })

  it('sends SIGTERM, and kills a process that ignores it after the grace period', async () => {
    const polite = await run.create(
      'polite',
      shellPod("trap 'echo bye; exit 3' TERM; sleep 1000 & wait"),
    )
    const deaf = await run.create(
      'deaf',
      shellPod("trap 'echo no' TERM; while true; do sleep 1; done"),
    )
    await run.untilRunning('polite')
    await run.untilRunning('deaf')
    await run.mainAgent.kill(polite, 4)
    await run.mainAgent.kill(deaf, 4)
    const exits = [await run.untilEnded('polite', 'Failed'), await run.untilEnded('deaf', 'Failed')]
    expect(exits.map((pod) => statusOf(pod).state?.terminated?.exitCode)).toEqual([3, 137])
    expect(await logOf(polite)).toBe('stdout bye\n')
    expect(await logOf(deaf)).toBe('stdout no\n')
  })

  it('finds its containers again after its restart', async () => {
    await run.create('stays', shellPod('sleep 1000'))
    const before = await run.untilRunning('stays')
    await run.mainAgent.stop()
    await cluster.startKubelet(mainNode)
    await run.create('late', shellPod('sleep 1000'))
    await run.untilRunning('late')
    const after = await run.untilRunning('stays')
    expect(statusOf(after)).toMatchObject({
      containerID: statusOf(before).containerID,
      restartCount: 0,
    })
  })

  it('is not ready while containerd is away, and its containers survive', async () => {
    await run.create('survives', shellPod('sleep 1000'))
    const before = await run.untilRunning('survives')
    await containerd.kill()
    await expect
      .poll(readyCondition, { timeout: 90_000, interval: 500 })
      .toMatch(/^False .*container runtime is down/)
    await containerd.begin()
    await expect.poll(readyCondition, { timeout: 60_000, interval: 500 }).toMatch(/^True /)
    await run.create('after', shellPod('sleep 1000'))
    await run.untilRunning('after')
    const after = await run.untilRunning('survives')
    expect(statusOf(after).containerID).toBe(statusOf(before).containerID)
  }, 180_000)

  it('removes the containers of a pod with the pod', async () => {
    const pod = run.pod('survives')
    if (pod === undefined) throw new Error('no pod')
    await run.delete('survives', 1)
    await run.untilGone('survives')
    const filter = { label_selector: { 'io.kubernetes.pod.uid': pod.metadata.uid } }
    await expect
      .poll(() => client.call('ListContainers', { filter }), { timeout: 60_000 })
      .toBeNull()
  })
})
