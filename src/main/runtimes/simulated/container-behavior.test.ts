import { describe, expect, it } from 'vitest'
import type { ContainerConfig } from '../../kubelet/ports.ts'
import { FakePod } from './network/fake-pod.ts'

function started(
  annotations: Readonly<Record<string, string>>,
  config: Partial<ContainerConfig> = {},
): Promise<FakePod> {
  const image = config.image ?? 'nginx'
  const entries = Object.entries(annotations)
  const prefixed = entries.map(([name, value]) => [`simulated.nodescope.dev/${name}`, value])
  return new FakePod(image).start({ image, ...config }, Object.fromEntries(prefixed))
}

async function statusOf(pod: FakePod) {
  const status = await pod.runtime.containerStatus(pod.id)
  if (!status.ok) throw new Error(status.error.message)
  const { state, exitCode, reason, startedAt, finishedAt } = status.value
  return { state, exitCode, reason, seconds: (finishedAt - startedAt) / 1000 }
}

const mebibyte = 1024 * 1024

describe('a container with annotations', () => {
  it('exits after its run time', async () => {
    const pod = await started({ 'run-time': '30s', 'exit-code': '3' })
    expect(await pod.connect(80)).toBe('open')
    await pod.clock.advance(31_000)
    expect(await statusOf(pod)).toEqual({
      state: 'exited',
      exitCode: 3,
      reason: 'Error',
      seconds: 30,
    })
  })

  it('exits on SIGTERM with its exit code', async () => {
    const pod = await started({ 'exit-code': '3' })
    await pod.waitedFor(pod.runtime.stopContainer(pod.id, 30))
    expect(await statusOf(pod)).toMatchObject({ exitCode: 3 })
  })

  it('ignores SIGTERM', async () => {
    const pod = await started({ 'ignore-sigterm': 'true' })
    const before = pod.clock.now()
    await pod.waitedFor(pod.runtime.stopContainer(pod.id, 5))
    expect(await statusOf(pod)).toMatchObject({ exitCode: 137 })
    expect(pod.clock.now() - before).toBeGreaterThanOrEqual(5000)
  })

  it('logs at a rate', async () => {
    const pod = await started({ 'log-rate': '2' })
    const startedAt = pod.clock.now()
    await pod.clock.advance(10_000)
    const lines = (await pod.runtime.lastLogLines(pod.id, 100)) ?? []
    const recent = lines.filter(({ at }) => at > startedAt && at <= startedAt + 10_000)
    expect(recent).toHaveLength(20)
    expect(lines[0]?.text).toBe('line 0')
  })

  it('listens after its start delay', async () => {
    const pod = await started({ 'start-delay': '20s' })
    expect(await pod.connect(80)).toMatch(/refused$/)
    await pod.clock.advance(20_000)
    expect(await pod.connect(80)).toBe('open')
  })

  it('fails probes from a time on', async () => {
    const command = ['sleep', '1d']
    const exec = await started({ probes: 'fail after 30s' }, { image: 'busybox', command })
    const http = await started({ probes: 'fail after 30s' })
    const run = () => exec.runtime.execSync(exec.id, ['true'], 0)
    expect(await exec.waitedFor(run())).toMatchObject({ value: { exitCode: 0 } })
    expect(await http.get(80)).toMatch(/^200 /)
    expect(await http.connect(80)).toBe('open')
    await exec.clock.advance(30_000)
    await http.clock.advance(30_000)
    expect(await exec.waitedFor(run())).toMatchObject({ value: { exitCode: 1 } })
    expect(await http.get(80)).toBe('500 failed by annotation\n')
    expect(await http.connect(80)).toMatch(/connection refused$/)
  })

  it('fails probes until a time, or some of them', async () => {
    const late = await started({ probes: 'succeed after 30s' })
    expect(await late.get(80)).toMatch(/^500 /)
    await late.clock.advance(30_000)
    expect(await late.get(80)).toMatch(/^200 /)
    const flaky = await started({ probes: 'flaky 50%' })
    const codes: string[] = []
    for (let count = 0; count < 100; count++) codes.push((await flaky.get(80)).slice(0, 3))
    const failures = codes.filter((code) => code === '500').length
    expect(failures).toBeGreaterThan(25)
    expect(failures).toBeLessThan(75)
  })

  it('is killed when its memory reaches the limit', async () => {
    const linux = { resources: { memoryLimitInBytes: 128 * mebibyte } }
    const pod = await started({ memory: '64Mi to 256Mi over 60s', cpu: '500m' }, { linux })
    await pod.clock.advance(10_000)
    const stats = await pod.runtime.containerStats(pod.id)
    if (!stats.ok) throw new Error(stats.error.message)
    const { memory, cpu } = stats.value
    expect(memory.workingSetBytes / mebibyte).toBeCloseTo(96, -1)
    expect(memory.availableBytes).toBe(128 * mebibyte - memory.workingSetBytes)
    expect(cpu.usageNanoCores).toBe(500_000_000)
    expect(cpu.usageCoreNanoSeconds / 1e9).toBeCloseTo(5, 0)
    await pod.clock.advance(11_000)
    expect(await statusOf(pod)).toEqual({
      state: 'exited',
      exitCode: 137,
      reason: 'OOMKilled',
      seconds: 20,
    })
  })

  it('uses no more CPU than its limit, and its counter never falls', async () => {
    const linux = { resources: { cpuQuota: 50_000, cpuPeriod: 100_000 } }
    const pod = await started({ cpu: '0 to 1 over 100s' }, { linux })
    const used = async () => {
      const stats = await pod.runtime.containerStats(pod.id)
      if (!stats.ok) throw new Error(stats.error.message)
      return stats.value.cpu
    }
    const before = await used()
    await pod.clock.advance(100_000)
    const limited = await used()
    expect(limited.usageNanoCores).toBe(500_000_000)
    expect((limited.usageCoreNanoSeconds - before.usageCoreNanoSeconds) / 1e9).toBeCloseTo(37.5, 0)
    const resources = { cpuQuota: 10_000, cpuPeriod: 100_000 }
    await pod.waitedFor(pod.runtime.updateContainerResources(pod.id, resources))
    expect(await used()).toMatchObject({ usageNanoCores: 100_000_000 })
    await pod.clock.advance(10_000)
    const later = await used()
    expect((later.usageCoreNanoSeconds - limited.usageCoreNanoSeconds) / 1e9).toBeCloseTo(1, 0)
  })

  it('tells its past use: from its start to its end, and only since its limits changed', async () => {
    const linux = {
      resources: { memoryLimitInBytes: 128 * mebibyte, cpuQuota: 50_000, cpuPeriod: 100_000 },
    }
    const pod = await started({ memory: '64Mi to 256Mi over 60s', cpu: '1' }, { linux })
    const status = await pod.runtime.containerStatus(pod.id)
    if (!status.ok) throw new Error(status.error.message)
    const { startedAt } = status.value
    const past = (from: number, to = from + 60_000) =>
      pod.runtime
        .pastUse(pod.id, { from: startedAt + from, to: startedAt + to, stepMs: 5000 })
        .map(({ at, memoryBytes }) => [(at - startedAt) / 1000, Math.round(memoryBytes / mebibyte)])
    await pod.clock.advance(30_000)
    const whole = past(-1000)
    expect([whole[0], whole.at(-1)]).toEqual([
      [0, 64],
      [20, 128],
    ])
    expect(whole).toHaveLength(6)
    expect([past(10_000, 12_000)[0], past(10_000, 12_000).at(-1)]).toEqual([
      [10, 96],
      [12, 102],
    ])
    expect(past(21_000)).toEqual([])
    const [sample] = pod.runtime.pastUse(pod.id, { from: 0, to: startedAt, stepMs: 5000 })
    expect(sample).toMatchObject({ at: startedAt, cpuMillis: 500, isThrottled: true })
    const other = await started({ memory: '64Mi' })
    await other.clock.advance(20_000)
    const resizedAt = other.clock.now()
    await other.runtime.updateContainerResources(other.id, { memoryLimitInBytes: 96 * mebibyte })
    await other.clock.advance(1000)
    const known = other.runtime.pastUse(other.id, { from: 0, to: other.clock.now(), stepMs: 5000 })
    expect(known[0]?.at).toBe(resizedAt)
    expect(other.runtime.pastUse('none', { from: 0, to: 1, stepMs: 1 })).toEqual([])
  })

  it('is killed at once by a smaller limit, and not at all without one', async () => {
    const pod = await started({ memory: '64Mi' })
    await pod.clock.advance(60_000)
    expect(await statusOf(pod)).toMatchObject({ state: 'running' })
    await pod.runtime.updateContainerResources(pod.id, { memoryLimitInBytes: 32 * mebibyte })
    await pod.clock.advance(1000)
    expect(await statusOf(pod)).toMatchObject({ reason: 'OOMKilled', exitCode: 137 })
  })

  it('is killed for want of memory when the annotation says so', async () => {
    const pod = await started({ 'out-of-memory.c': '45s' })
    await pod.clock.advance(46_000)
    expect(await statusOf(pod)).toMatchObject({ reason: 'OOMKilled', exitCode: 137, seconds: 45 })
  })

  it('runs as without them when their values are not valid', async () => {
    const pod = await started({ 'run-time': 'short', memory: '' })
    await pod.clock.advance(60_000)
    expect(await statusOf(pod)).toMatchObject({ state: 'running' })
    expect(await pod.connect(80)).toBe('open')
  })
})

describe('annotations that change while a container runs', () => {
  const prefix = 'simulated.nodescope.dev/'
  const ofPod = { labels: { 'io.kubernetes.pod.uid': 'u' } }

  async function cpuOf(pod: FakePod): Promise<number> {
    const stats = await pod.runtime.containerStats(pod.id)
    if (!stats.ok) throw new Error(stats.error.message)
    return (stats.value.cpu?.usageCoreNanoSeconds ?? 0) / 1e9
  }

  it('change its use from then on', async () => {
    const pod = await started({ cpu: '1' }, ofPod)
    const begin = await cpuOf(pod)
    await pod.clock.advance(10_000)
    pod.runtime.annotatePod('u', { [`${prefix}cpu`]: '100m' })
    expect((await cpuOf(pod)) - begin).toBeCloseTo(10)
    await pod.clock.advance(10_000)
    expect((await cpuOf(pod)) - begin).toBeCloseTo(11)
  })

  it('do not change what its process does', async () => {
    const pod = await started({}, ofPod)
    pod.runtime.annotatePod('u', { [`${prefix}exit-code`]: '3', [`${prefix}run-time`]: '1s' })
    await pod.clock.advance(10_000)
    expect(await statusOf(pod)).toMatchObject({ state: 'running' })
  })

  it('close its ports to probes, and open them again', async () => {
    const pod = await started({}, ofPod)
    expect(await pod.connect(80)).toBe('open')
    pod.runtime.annotatePod('u', { [`${prefix}probes`]: 'fail' })
    expect(await pod.connect(80)).toContain('connection refused')
    pod.runtime.annotatePod('u', {})
    expect(await pod.connect(80)).toBe('open')
  })
})
