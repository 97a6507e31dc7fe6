import { expect } from 'vitest'
import { isJsonObject, type JsonObject } from '../../src/shared/json.ts'
import { assertNever } from '../../src/shared/assert-never.ts'
import type { Ask, ReadEvents, Scenario, StartWatch } from './exchange.ts'
import { filled, Normaliser } from './normalise.ts'
import type { ServerUnderTest, WireRequest } from './servers.ts'

/** A server's response to a step; for events `status` is 200 and `body` is their list. */
export interface Answer {
  readonly step: Ask | ReadEvents
  readonly title: string
  readonly status: number
  readonly body: unknown
  /** The value of the Warning header; empty: there is none. */
  readonly warning: string
}

/** What a server sends back. */
interface Received {
  readonly status: number
  readonly body: unknown
  readonly warning: string
}

const json = 'application/json'
// A kube-apiserver remembers for 10 s whose a token is (apiserver authentication/token/cache).
const patienceMs = 20_000
const pauseMs = 50

function pause(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, pauseMs)
  })
}

async function* linesOf(body: AsyncIterable<unknown>): AsyncGenerator<unknown> {
  let rest = ''
  for await (const chunk of body) {
    const lines = (rest + String(chunk)).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield JSON.parse(line)
  }
}

/** The next value, or a word instead of it when none comes. */
async function inTime(next: Promise<IteratorResult<unknown>>): Promise<unknown> {
  let limit: NodeJS.Timeout | undefined
  const late = new Promise<string>((resolve) => {
    limit = setTimeout(() => {
      resolve('nothing came')
    }, patienceMs)
  })
  const value = next.then((result): unknown => (result.done === true ? 'the end' : result.value))
  const first = await Promise.race([value, late])
  clearTimeout(limit)
  return first
}

function isAsListed(
  step: Ask,
  answer: { readonly status: number; readonly body: unknown },
): boolean {
  if (answer.status !== step.status) return false
  if (step.holds === undefined) return true
  try {
    expect(answer.body).toMatchObject(Object(step.holds))
    return true
  } catch {
    return false
  }
}

class Run {
  readonly #server: ServerUnderTest
  readonly #namespace: string
  readonly #normaliser: Normaliser
  readonly #saved = new Map<string, JsonObject>()
  readonly #watches = new Map<string, AsyncGenerator<unknown>>()

  constructor(server: ServerUnderTest, namespace: string, keepsManagers: boolean) {
    this.#server = server
    this.#namespace = namespace
    this.#normaliser = new Normaliser({ keepsManagers })
  }

  async prepare(): Promise<void> {
    await this.#must('/api/v1/namespaces', { metadata: { name: this.#namespace } })
    const accounts = `/api/v1/namespaces/${this.#namespace}/serviceaccounts`
    await this.#must(accounts, { metadata: { name: 'default' } })
  }

  async ask(step: Ask): Promise<Answer> {
    const wire = this.#wireOf(step)
    const limit = Date.now() + patienceMs
    let answer = await this.#send(wire)
    while (step.isEventual === true && !isAsListed(step, answer) && Date.now() < limit) {
      await pause()
      answer = await this.#send(wire)
    }
    if (step.save !== undefined && isJsonObject(answer.body)) {
      this.#saved.set(step.save, answer.body)
    }
    const title = `${step.method} ${step.path} ${JSON.stringify(step.query ?? {})}`
    const body = this.#normaliser.of(answer.body)
    return { step, title, status: answer.status, body, warning: answer.warning }
  }

  async watch(step: StartWatch): Promise<void> {
    const wire = this.#wireOf({ ...step, method: 'GET', query: { ...step.query, watch: 'true' } })
    const { body } = await this.#server.send(wire)
    // A refusal of the watch is read as its only event.
    this.#watches.set(step.name, linesOf(body))
  }

  async events(step: ReadEvents): Promise<Answer> {
    const watch = this.#watches.get(step.name)
    if (watch === undefined) throw new Error(`no watch is named ${step.name}`)
    const read: unknown[] = []
    for (let index = 0; index < step.count; index++) {
      read.push(this.#normaliser.of(await inTime(watch.next())))
    }
    const title = `events of the watch ${step.name}`
    return { step, title, status: 200, body: read, warning: '' }
  }

  #wireOf(
    step: Pick<Ask, 'method' | 'path'> &
      Partial<
        Pick<Ask, 'query' | 'accept' | 'type' | 'body' | 'asNode' | 'asUser' | 'asGroups' | 'token'>
      >,
  ): WireRequest {
    const fill = (value: unknown): unknown => filled(value, this.#namespace, this.#saved)
    const query = new URLSearchParams(
      Object.entries(step.query ?? {}).map(([key, value]): [string, string] => [
        key,
        String(fill(value)),
      ]),
    ).toString()
    const node = step.asNode
    const { asUser: user, asGroups: groups = [] } = step
    return {
      method: step.method,
      path: String(fill(step.path)) + (query === '' ? '' : `?${query}`),
      headers: {
        accept: step.accept ?? json,
        'content-type': step.type ?? json,
        ...(node === undefined
          ? {}
          : {
              'impersonate-user': `system:node:${String(fill(node))}`,
              'impersonate-group': 'system:nodes',
            }),
        ...(step.token === undefined
          ? {}
          : { authorization: `Bearer ${String(fill(step.token))}` }),
        ...(user === undefined ? {} : { 'impersonate-user': String(fill(user)) }),
        ...(groups.length === 0
          ? {}
          : { 'impersonate-group': groups.map((one) => String(fill(one))) }),
      },
      ...(step.body === undefined ? {} : { body: JSON.stringify(fill(step.body)) }),
    }
  }

  async #send(wire: WireRequest): Promise<Received> {
    const { statusCode: status, headers, body } = await this.#server.send(wire)
    const text = await body.text()
    const warning = [headers['warning'] ?? []].flat().join(', ')
    try {
      return { status, warning, body: JSON.parse(text) }
    } catch {
      // Some refusals are plain text.
      return { status, warning, body: text }
    }
  }

  async #must(path: string, body: unknown): Promise<void> {
    const wire = this.#wireOf({ method: 'POST', path, body })
    const answer = await this.#send(wire)
    if (answer.status !== 201) throw new Error(`${path}: ${JSON.stringify(answer.body)}`)
  }

  async stop(): Promise<void> {
    // Not awaited: a watch that is being read ends only at its next event.
    for (const watch of this.#watches.values()) void watch.return(undefined).catch(() => undefined)
    await Promise.resolve()
  }
}

/** Runs a scenario on a server, in a new namespace. */
export async function transcriptOf(
  scenario: Scenario,
  server: ServerUnderTest,
  namespace: string,
): Promise<readonly Answer[]> {
  const run = new Run(server, namespace, scenario.comparesManagers === true)
  const answers: Answer[] = []
  try {
    await run.prepare()
    for (const step of scenario.steps) {
      switch (step.kind) {
        case 'ask':
          answers.push(await run.ask(step))
          break
        case 'watch':
          await run.watch(step)
          break
        case 'events':
          answers.push(await run.events(step))
          break
        default:
          assertNever(step, 'step')
      }
    }
    return answers
  } finally {
    await run.stop()
  }
}
