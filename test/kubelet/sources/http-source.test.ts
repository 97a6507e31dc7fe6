import { describe, expect, it } from 'vitest'
import { nodeClockHost } from '../../../src/main/clock/node-clock-host.ts'
import { nodeHash } from '../../../src/main/clock/node-hash.ts'
import { VirtualClock } from '../../../src/main/clock/virtual-clock.ts'
import { FakeLog } from '../../../src/main/kubelet/container/fake-log.ts'
import { ClusterTrace } from '../../../src/main/kubelet/trace.ts'
import type { ManifestUrlResponse } from '../../../src/main/sources/manifest-request.ts'
import { ManifestUrlSource } from '../../../src/main/sources/manifest-url.ts'

function pod(name: string, image = 'i:1'): string {
  return `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"${name}"},"spec":{"containers":[{"name":"c","image":"${image}"}]}}`
}

function list(...items: readonly string[]): string {
  return `{"apiVersion":"v1","kind":"PodList","items":[${items.join(',')}]}`
}

/** A source whose server answers what the test says, until it says something else. */
class Fixture {
  readonly clock = new VirtualClock(nodeClockHost, { startAt: 0 })
  readonly trace = new ClusterTrace({
    cluster: 'c',
    clock: this.clock,
    onError: (error) => {
      throw error
    },
  })
  readonly log = new FakeLog()
  answer: ManifestUrlResponse = { kind: 'failed', reason: 'connection refused' }
  readonly askedAt: number[] = []
  /** While set, an answer waits for it. */
  held: Promise<void> = Promise.resolve()
  #sets: string[] = []
  readonly source = new ManifestUrlSource({
    url: 'https://me:secret@host:1/pods?token=secret',
    checkFrequencyMs: 20_000,
    fetch: async () => {
      this.askedAt.push(this.clock.now())
      await this.held
      return this.answer
    },
    nodeName: 'n1',
    hash: nodeHash,
    clock: this.clock,
    trace: this.trace.forNode('n1'),
    log: this.log,
    onPods: (pods, causes) => {
      const names = pods.map(
        ({ pod: { metadata }, causes: own }) => `${metadata.name}${own === undefined ? '' : '*'}`,
      )
      this.#sets.push(`${names.join(' ')} [${causes.join(',')}]`)
    },
    onChange: () => undefined,
  })

  say(body: string, status = 200): void {
    this.answer = { kind: 'response', status, body: Buffer.from(body) }
  }

  /** The SETs while this much time went by. A `*`: the pod names causes of its own. */
  async play(ms = 20_000): Promise<readonly string[]> {
    await this.clock.advance(ms)
    return this.#sets.splice(0)
  }

  async start(): Promise<readonly string[]> {
    this.source.start()
    return await this.play(0)
  }

  get problems(): readonly string[] {
    return this.source.problems().map(({ message }) => message)
  }

  get traced(): readonly string[] {
    return this.trace
      .newest(100)
      .toReversed()
      .map(({ seq, kind, causes }) => `${seq} ${kind} [${causes.join(',')}]`)
  }
}

describe('sources#http-source', () => {
  it('polls at once and then every 20 s', async () => {
    const fixture = new Fixture()
    await fixture.start()
    await fixture.play(60_000)
    expect(fixture.askedAt).toEqual([0, 20_000, 40_000, 60_000])
    expect(fixture.source.view()).toMatchObject({ polledAt: 60_000, nextPollAt: 80_000 })
  })

  it('makes a SET of a Pod and of a PodList, and names causes for what is new', async () => {
    const fixture = new Fixture()
    fixture.say(pod('a'))
    expect(await fixture.start()).toEqual(['a-n1* [1]'])
    expect(fixture.source.view().lastAnswer).toBe('200, 1 pod')
    fixture.say(list(pod('a'), pod('b')))
    expect(await fixture.play()).toEqual(['a-n1 b-n1* [2]'])
    expect(fixture.source.view()).toMatchObject({
      lastAnswer: '200, 2 pods',
      pods: [
        { namespace: 'default', podName: 'a-n1' },
        { namespace: 'default', podName: 'b-n1' },
      ],
    })
    fixture.say(list())
    expect(await fixture.play()).toEqual([' [3]'])
    expect(fixture.traced).toEqual([
      '1 manifest.changed []',
      '2 manifest.changed []',
      '3 manifest.changed []',
    ])
  })

  it('sends nothing for the same bytes', async () => {
    const fixture = new Fixture()
    fixture.say(pod('a'))
    await fixture.start()
    expect(await fixture.play()).toEqual([])
    expect(fixture.source.view().lastAnswer).toBe('200, same bytes')
    expect(fixture.traced).toHaveLength(1)
  })

  it('lets the pods be when it is refused or answered with anything but 200, and says when it is well again', async () => {
    const fixture = new Fixture()
    fixture.say(pod('a'))
    await fixture.start()
    fixture.answer = { kind: 'failed', reason: 'connection refused' }
    expect(await fixture.play(40_000)).toEqual([])
    expect(fixture.problems).toEqual(['https://host:1/pods?… cannot be read: connection refused.'])
    fixture.say(pod('b'), 503)
    expect(await fixture.play()).toEqual([])
    expect(fixture.problems).toEqual([
      'https://host:1/pods?… answers 503 Service Unavailable, not 200.',
    ])
    fixture.say(pod('a'))
    expect(await fixture.play()).toEqual([])
    expect(fixture.problems).toEqual([])
    expect(fixture.traced).toEqual([
      '1 manifest.changed []',
      '2 source.failed []',
      '3 source.failed []',
      '4 source.recovered []',
    ])
  })

  it('is not ready before it was answered', async () => {
    const fixture = new Fixture()
    expect(await fixture.start()).toEqual([])
    fixture.say(pod('a'))
    expect(await fixture.play()).toEqual(['a-n1* [3]'])
  })

  it('stops the pods when the body is empty, and takes the same bytes for no change afterwards', async () => {
    const fixture = new Fixture()
    fixture.say(pod('a'))
    await fixture.start()
    fixture.say('')
    expect(await fixture.play()).toEqual([' [3]'])
    expect(fixture.problems).toEqual([
      'https://host:1/pods?… returned an empty body: it defines no pods.',
    ])
    expect(await fixture.play()).toEqual([' []'])
    fixture.say(pod('a'))
    expect(await fixture.play()).toEqual([])
    expect(fixture.problems).toEqual([
      'https://host:1/pods?… returned the same bytes as before the empty response. The kubelet treats this as no change: its pods start again only when the bytes change.',
    ])
    fixture.say(`${pod('a')} `)
    expect(await fixture.play()).toEqual(['a-n1* [5]'])
    expect(fixture.problems).toEqual([])
  })

  it('lets one bad item spoil the whole list, while the pods of the answer before go on', async () => {
    const fixture = new Fixture()
    fixture.say(pod('a'))
    await fixture.start()
    fixture.say(list(pod('b'), pod('C')))
    expect(await fixture.play()).toEqual([])
    expect(fixture.problems[0]).toMatch(
      /^Item 2 of the list: The pod is invalid: .* The pods of the previous response keep running\.$/,
    )
    expect(await fixture.play()).toEqual([])
    expect(fixture.problems).toHaveLength(1)
    expect(fixture.traced).toEqual([
      '1 manifest.changed []',
      '2 manifest.changed []',
      '3 manifest.rejected [2]',
    ])
  })

  it('holds the time of the cluster until the answer is there', async () => {
    const fixture = new Fixture()
    let answer = (): void => undefined
    fixture.held = new Promise((resolve) => {
      answer = resolve
    })
    fixture.source.start()
    let isPlayed = false
    const played = fixture.play(60_000).then(() => {
      isPlayed = true
    })
    for (let turns = 0; turns < 5; turns++) await nodeClockHost.turn()
    expect([isPlayed, fixture.clock.now()]).toEqual([false, 0])
    answer()
    await played
    expect(fixture.clock.now()).toBe(60_000)
  })

  it('does nothing after it is stopped', async () => {
    const fixture = new Fixture()
    fixture.say(pod('a'))
    let answer = (): void => undefined
    fixture.held = new Promise((resolve) => {
      answer = resolve
    })
    fixture.source.start()
    fixture.source.stop()
    answer()
    expect(await fixture.play(60_000)).toEqual([])
    expect(fixture.askedAt).toEqual([0])
  })

  it('never shows the password or the query of the URL', async () => {
    const fixture = new Fixture()
    await fixture.start()
    fixture.say('x')
    await fixture.play()
    fixture.say(pod('a'))
    await fixture.play()
    const recorded = JSON.stringify([
      fixture.trace.newest(100),
      fixture.source.view(),
      fixture.source.problems(),
      fixture.log.lines,
    ])
    expect(recorded).toContain('https://host:1/pods')
    expect(recorded).not.toContain('secret')
  })
})
