import { describe, expect, it } from 'vitest'
import { FakePod } from '../network/fake-pod.ts'
import { usageOfCommand } from './program-usage.ts'

const mebibyte = 2 ** 20

/** Cores and MiB in the end. */
function taken(image: string, words: readonly string[]): readonly [cores: number, memory: number] {
  const command = image.includes('vish/') ? [] : words
  const { cpu, memory } = usageOfCommand(image, command, image.includes('vish/') ? words : [])
  return [(cpu?.to ?? 0) / 1e9, (memory?.to ?? 0) / mebibyte]
}

async function started(
  image: string,
  config: { command?: string[]; args?: string[] },
  resources: object,
): Promise<FakePod> {
  return new FakePod(image).start({ image, ...config, linux: { resources } })
}

async function usageOf(pod: FakePod) {
  const stats = await pod.runtime.containerStats(pod.id)
  if (!stats.ok) throw new Error(stats.error.message)
  const { cpu, memory } = stats.value
  return { cores: cpu.usageNanoCores / 1e9, memory: memory.workingSetBytes / mebibyte }
}

describe('what programs take', () => {
  it.each([
    ['polinux/stress', 'stress --cpu 2', [2, 0]],
    ['polinux/stress', '/usr/local/bin/stress -c1 --vm=2 --vm-bytes 10M', [3, 20]],
    ['polinux/stress', 'stress --vm 1 --vm-bytes 150M --vm-hang 1', [0.05, 150]],
    ['busybox', 'stress --vm 1', [1, 256]],
    ['polinux/stress', 'stress --unknown 1', [0, 0]],
    ['polinux/stress', 'stress', [0, 0]],
    ['vish/stress', '-cpus 2', [2, 0]],
    ['docker.io/vish/stress:latest', '-mem-total=150Mi -mem-alloc-size 10Mi', [0, 150]],
    ['nginx', 'nginx', [0, 0]],
  ])('%s %s', (image, words, expected) => {
    expect(taken(image, words.split(' '))).toEqual(expected)
  })

  it('is read in a script', () => {
    expect(taken('polinux/stress', ['sh', '-c', 'exec stress --cpu 1'])).toEqual([1, 0])
  })

  it('takes time where it is taken piece by piece', () => {
    const args = ['-mem-total', '100Mi', '-mem-alloc-size', '10Mi', '-mem-alloc-sleep', '1s']
    expect(usageOfCommand('vish/stress', [], args).memory?.overMs).toBe(10_000)
  })
})

describe('a container that runs stress', () => {
  it('uses what it takes, and no more CPU than its limit', async () => {
    const pod = await started(
      'vish/stress',
      { args: ['-cpus', '2'] },
      { cpuQuota: 100_000, cpuPeriod: 100_000 },
    )
    await pod.clock.advance(10_000)
    expect((await usageOf(pod)).cores).toBe(1)
  })

  it('is killed where its memory reaches the limit', async () => {
    const command = ['stress']
    const args = ['--vm', '1', '--vm-bytes', '250M', '--vm-hang', '1']
    const limited = { memoryLimitInBytes: 100 * mebibyte }
    const pod = await started('polinux/stress', { command, args }, limited)
    await pod.clock.advance(1000)
    const status = await pod.runtime.containerStatus(pod.id)
    expect(status).toMatchObject({ value: { exitCode: 137, reason: 'OOMKilled' } })
    const unlimited = await started('polinux/stress', { command, args }, {})
    await unlimited.clock.advance(1000)
    expect((await usageOf(unlimited)).memory).toBe(250)
  })

  it('keeps its use when the pod gets other annotations', async () => {
    const image = 'polinux/stress'
    const labels = { 'io.kubernetes.pod.uid': 'u' }
    const pod = await new FakePod(image).start({ image, command: ['stress', '-c', '1'], labels })
    pod.runtime.annotatePod('u', { 'simulated.nodescope.dev/probes': 'fail' })
    await pod.clock.advance(10_000)
    expect((await usageOf(pod)).cores).toBe(1)
    pod.runtime.annotatePod('u', { 'simulated.nodescope.dev/cpu': '250m' })
    await pod.clock.advance(10_000)
    expect((await usageOf(pod)).cores).toBe(0.25)
  })

  it('ends with its timeout, ignores SIGTERM as PID 1, and as a program in Go ends with 2', async () => {
    const timed = await started(
      'polinux/stress',
      { command: ['stress', '-c', '1', '-t', '5s'] },
      {},
    )
    await timed.clock.advance(5000)
    expect(await timed.runtime.containerStatus(timed.id)).toMatchObject({
      value: { state: 'exited', exitCode: 0 },
    })
    const exitOf = async (pod: FakePod): Promise<unknown> => {
      await pod.waitedFor(pod.runtime.stopContainer(pod.id, 5))
      const status = await pod.runtime.containerStatus(pod.id)
      return status.ok ? status.value.exitCode : status.error
    }
    expect(
      await exitOf(await started('polinux/stress', { command: ['stress', '-c', '1'] }, {})),
    ).toBe(137)
    expect(await exitOf(await started('vish/stress', { args: ['-cpus', '1'] }, {}))).toBe(2)
  })
})
