import { describe, expect, it } from 'vitest'
import type { Container, PullPolicy } from '../../../shared/kubernetes/objects.ts'
import type { RuntimeError } from '../ports.ts'
import { nodeClockHost } from '../../clock/node-clock-host.ts'
import { VirtualClock } from '../../clock/virtual-clock.ts'
import { BackOff, backOffDefaults } from '../container/back-off.ts'
import { FakeEventRecorder } from '../container/fake-event-recorder.ts'
import { podOf } from '../container/fake-pods.ts'
import { FakeRuntimeService } from '../container/fake-runtime-service.ts'
import { FakeTrace } from '../container/fake-trace.ts'
import { defaultKubeletSettings } from '../kubelet-settings.ts'
import type { KubeletSettings } from '../kubelet-settings.ts'
import { ImageManager } from './image-manager.ts'

const image = 'busybox:1.36'
const missing: RuntimeError = { kind: 'failed', message: 'no such repository' }

class Bench {
  readonly clock = new VirtualClock(nodeClockHost, { startAt: 0 })
  readonly runtime = new FakeRuntimeService({ clock: this.clock })
  readonly events = new FakeEventRecorder()
  readonly trace = new FakeTrace()
  readonly manager: ImageManager

  constructor(isPresent = false, settings: Partial<KubeletSettings> = {}) {
    if (isPresent) this.runtime.images.set(image, { id: 'sha256:there', sizeBytes: 1 })
    this.manager = new ImageManager({
      imageService: this.runtime,
      backOff: new BackOff({ clock: this.clock, ...backOffDefaults.imagePull }),
      clock: this.clock,
      recorder: this.events,
      trace: this.trace,
      settings: { ...defaultKubeletSettings, ...settings },
    })
  }

  async ensure(rest: Partial<Container> = {}, uid = 'u') {
    const container = { name: 'c', image, ...rest }
    const pod = podOf({ containers: [container] }, { metadata: { uid } })
    const result = this.manager.ensureImageExists(pod, container, [7])
    await this.clock.advance(0)
    return result
  }
}

describe('the pull policy', () => {
  it.each([
    ['IfNotPresent', true, []],
    ['IfNotPresent', false, ['pullImage busybox:1.36']],
    ['Always', true, ['pullImage busybox:1.36']],
    ['Always', false, ['pullImage busybox:1.36']],
    ['Never', true, []],
  ] as const)('%s with the image present %s makes %j', async (policy, isPresent, calls) => {
    const bench = new Bench(isPresent)
    const result = await bench.ensure({ imagePullPolicy: policy })
    expect(result).toMatchObject({
      ok: true,
      value: { imageRef: calls.length === 0 ? 'sha256:there' : 'sha256:busybox:1.36' },
    })
    expect(bench.runtime.take()).toEqual(calls)
  })

  it('Never without the image fails', async () => {
    const bench = new Bench()
    const message = 'Container image "busybox:1.36" is not present with pull policy of Never'
    expect(await bench.ensure({ imagePullPolicy: 'Never' })).toEqual({
      ok: false,
      error: { reason: 'ErrImageNeverPull', message },
    })
    expect(bench.events.take()).toEqual([`Warning ErrImageNeverPull ${message}`])
  })

  it.each([
    ['busybox', ['pullImage busybox:latest']],
    ['busybox:1.36', []],
  ])('is by default that of the tag of %s', async (name, calls) => {
    const bench = new Bench(true)
    bench.runtime.images.set('busybox:latest', { id: 'x', sizeBytes: 1 })
    await bench.ensure({ image: name })
    expect(bench.runtime.take()).toEqual(calls)
  })
})

describe('events and trace', () => {
  it('of an image that is present', async () => {
    const bench = new Bench(true)
    expect(await bench.ensure()).toMatchObject({ value: { causes: [1] } })
    expect(bench.events.events).toEqual([
      {
        subject: { kind: 'pod', pod: expect.anything(), fieldPath: 'spec.containers{c}' },
        type: 'Normal',
        reason: 'Pulled',
        message: 'Container image "busybox:1.36" already present on machine',
        causes: [1],
      },
    ])
    expect(bench.trace.events).toEqual([
      {
        kind: 'image.pulled',
        subject: { kind: 'pod', uid: 'u', namespace: 'n', name: 'p' },
        causes: [7],
        data: { container: 'c', image, durationMs: 0, present: true },
      },
    ])
  })

  it('of a pull', async () => {
    const bench = new Bench()
    bench.runtime.delayMs.set('pullImage', 1200)
    const result = bench.ensure()
    await bench.clock.advance(1200)
    expect(await result).toMatchObject({ ok: true, value: { image, causes: [2] } })
    expect(bench.events.take()).toEqual([
      'Normal Pulling Pulling image "busybox:1.36"',
      'Normal Pulled Successfully pulled image "busybox:1.36" in 1.2s (1.2s including waiting). Image size: 1234 bytes.',
    ])
    expect(bench.trace.events.map(({ kind, causes }) => [kind, causes])).toEqual([
      ['image.pulling', [7]],
      ['image.pulled', [1]],
    ])
    expect(bench.trace.data('image.pulled')).toMatchObject([{ durationMs: 1200, present: false }])
    expect(bench.runtime.calls[0]?.causes).toEqual([1])
  })
})

describe('pulls at the same time', () => {
  it('are made one after the other, and the waiting time is shown separately', async () => {
    const bench = new Bench()
    bench.runtime.delayMs.set('pullImage', 1000)
    const both = [bench.ensure({}, 'u1'), bench.ensure({ image: 'nginx:1' }, 'u2')]
    await bench.clock.advance(2000)
    await Promise.all(both)
    expect(bench.runtime.calls.map(({ at, line }) => `${at} ${line}`)).toEqual([
      '0 pullImage busybox:1.36',
      '1000 pullImage nginx:1',
    ])
    expect(bench.events.lines.at(-1)).toBe(
      'Normal Pulled Successfully pulled image "nginx:1" in 1s (2s including waiting). Image size: 1234 bytes.',
    )
  })

  async function failuresOf(bench: Bench): Promise<readonly string[]> {
    const failures: string[] = []
    for (let index = 0; index < 12; index++) {
      const result = await bench.ensure({ image: `i:${index}` }, `u${index}`)
      if (!result.ok) failures.push(`${result.error.reason} ${result.error.message}`)
    }
    return failures
  }

  it('are limited by the registry QPS', async () => {
    const exceeded = 'ErrImagePull pull QPS exceeded'
    expect(await failuresOf(new Bench())).toEqual([exceeded, exceeded])
    expect(await failuresOf(new Bench(false, { registryBurst: 11 }))).toEqual([exceeded])
    expect(await failuresOf(new Bench(false, { registryPullQPS: 0 }))).toEqual([])
  })
})

describe('a failed pull', () => {
  it('is recorded with its error, then backs off 10, 20, 40 … seconds per pod and image', async () => {
    const bench = new Bench()
    bench.runtime.failures.set('pullImage', missing)
    expect(await bench.ensure()).toEqual({
      ok: false,
      error: { reason: 'ErrImagePull', message: 'no such repository' },
    })
    expect(bench.events.take()).toEqual([
      'Normal Pulling Pulling image "busybox:1.36"',
      'Warning Failed Failed to pull image "busybox:1.36": no such repository',
    ])
    expect(await bench.ensure()).toEqual({
      ok: false,
      error: {
        reason: 'ImagePullBackOff',
        message: 'Back-off pulling image "busybox:1.36": ErrImagePull: no such repository',
      },
    })
    expect(bench.events.take()).toEqual(['Normal BackOff Back-off pulling image "busybox:1.36"'])
    const times: number[] = []
    for (let second = 0; second < 700; second++) {
      await bench.clock.advance(1000)
      const result = await bench.ensure()
      if (!result.ok && result.error.reason === 'ErrImagePull') times.push(second + 1)
    }
    expect(times).toEqual([10, 30, 70, 150, 310, 610])
  })

  it('does not hold up another pod or another image', async () => {
    const bench = new Bench()
    bench.runtime.failures.set('pullImage', missing)
    await bench.ensure()
    bench.runtime.failures.clear()
    expect((await bench.ensure({}, 'other')).ok).toBe(true)
    expect((await bench.ensure({ image: 'nginx:1' })).ok).toBe(true)
  })

  it.each([
    [
      'RegistryUnavailable: timed out',
      'RegistryUnavailable',
      'image pull failed for busybox:1.36 because the registry is unavailable: timed out',
    ],
    [
      'SignatureValidationFailed',
      'SignatureValidationFailed',
      'image pull failed for busybox:1.36 because the signature validation failed',
    ],
  ] as const)("of CRI's kind %s has its own reason", async (text, reason, message) => {
    const bench = new Bench()
    bench.runtime.failures.set('pullImage', { kind: 'failed', message: text })
    expect(await bench.ensure()).toEqual({ ok: false, error: { reason, message } })
  })
})

describe('other failures', () => {
  it('name an image that cannot be read', async () => {
    const bench = new Bench()
    const message =
      'Failed to apply default image tag "Bad Name": couldn\'t parse image name "Bad Name": ' +
      'invalid reference format: repository name (library/Bad Name) must be lowercase'
    expect(await bench.ensure({ image: 'Bad Name' })).toEqual({
      ok: false,
      error: { reason: 'InvalidImageName', message },
    })
    expect(bench.events.take()).toEqual([`Warning InspectFailed ${message}`])
    expect(bench.trace.data('image.failed')).toEqual([
      { container: 'c', image: 'Bad Name', message },
    ])
  })

  it.each(['IfNotPresent', 'Never'] satisfies readonly PullPolicy[])(
    'record that the image could not be inspected, %s',
    async (imagePullPolicy) => {
      const bench = new Bench()
      bench.runtime.failures.set('imageStatus', { kind: 'unavailable', message: 'no runtime' })
      expect(await bench.ensure({ imagePullPolicy })).toMatchObject({
        ok: false,
        error: { reason: 'ImageInspectError', message: 'Failed to inspect image "": no runtime' },
      })
      expect(bench.events.take()).toEqual([
        'Warning InspectFailed Failed to inspect image "": no runtime',
      ])
    },
  )
})
