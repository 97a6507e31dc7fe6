import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseDocument } from 'yaml'
import { isJsonObject, objectAt, textAt } from '../../../src/shared/json.ts'
import { assertNever } from '../../../src/shared/assert-never.ts'
import type { KubectlProgram } from '../../kubectl/kubectl-programs.ts'
import { kubectlAt, type Kubectl, type RunningKubectl } from '../../kubectl/kubectl.ts'
import type { ServerUnderTest } from '../servers.ts'
import type { Command, CommandScenario, CommandStep, Write } from './command.ts'
import { PrintedText, wordsOf } from './printed-text.ts'

/** The normalized result of a command. */
export interface Outcome {
  readonly command: Command
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

const json = 'application/json'
const pauseMs = 20

function withNamespace(kubeconfig: string, namespace: string): string {
  const document = parseDocument(kubeconfig)
  document.setIn(['contexts', 0, 'context', 'namespace'], namespace)
  return document.toString({ lineWidth: 0 })
}

class Session {
  readonly #server: ServerUnderTest
  readonly #namespace: string
  readonly #kubectl: Kubectl
  readonly #text: PrintedText
  readonly #running = new Map<string, readonly [Command, RunningKubectl]>()

  constructor(server: ServerUnderTest, namespace: string, kubectl: Kubectl) {
    this.#server = server
    this.#namespace = namespace
    this.#kubectl = kubectl
    this.#text = new PrintedText(server.url)
  }

  async prepare(): Promise<void> {
    await this.#post('/api/v1/namespaces', { metadata: { name: this.#namespace } })
    const accounts = `/api/v1/namespaces/${this.#namespace}/serviceaccounts`
    await this.#post(accounts, { metadata: { name: 'default' } })
  }

  /** The result of the step; most have none. */
  async take(step: CommandStep): Promise<Outcome | undefined> {
    switch (step.kind) {
      case 'command':
        return this.#outcomeOf(step, this.#start(step))
      case 'start':
        this.#running.set(step.name, [step.command, this.#start(step.command)])
        return undefined
      case 'printed':
        await this.#runningNamed(step.name)[1].printed(step.pattern)
        return undefined
      case 'end': {
        const [command, running] = this.#runningNamed(step.name)
        if (step.isInterrupted) await running.interrupt()
        return this.#outcomeOf(command, running)
      }
      case 'write':
        await this.#write(step)
        return undefined
      case 'finish-deletion':
        await this.#finishDeletion(step.pod)
        return undefined
      default:
        return assertNever(step, 'step')
    }
  }

  async stop(): Promise<void> {
    for (const [, running] of this.#running.values()) await running.interrupt()
  }

  #start({ line, stdin = '', editor }: Command): RunningKubectl {
    const words = wordsOf(this.#filled(line))
    const environment = editor === undefined ? {} : { KUBE_EDITOR: editor }
    return this.#kubectl.start(words, this.#filled(stdin), environment)
  }

  async #outcomeOf(command: Command, running: RunningKubectl): Promise<Outcome> {
    const { code, stdout, stderr } = await running.done
    return { command, code, stdout: this.#text.of(stdout), stderr: this.#text.of(stderr) }
  }

  #runningNamed(name: string): readonly [Command, RunningKubectl] {
    const found = this.#running.get(name)
    if (found === undefined) throw new Error(`no command was started as ${name}`)
    return found
  }

  #filled(text: string): string {
    return text.replaceAll('<ns>', this.#namespace)
  }

  #pathOf(pod: string): string {
    return `/api/v1/namespaces/${this.#namespace}/pods/${pod}`
  }

  async #finishDeletion(pod: string): Promise<void> {
    const path = this.#pathOf(pod)
    for (;;) {
      const { body } = await this.#server.send({ method: 'GET', path, headers: { accept: json } })
      const object: unknown = await body.json()
      if (!isJsonObject(object)) throw new Error(`${path} is no object`)
      if (textAt(objectAt(object, 'metadata'), 'deletionTimestamp') !== '') break
      await sleep(pauseMs)
    }
    const write = { kind: 'write', method: 'DELETE', type: json } as const
    await this.#write({ ...write, path, body: { gracePeriodSeconds: 0 } })
  }

  #post(path: string, body: unknown): Promise<void> {
    return this.#write({ kind: 'write', method: 'POST', path, body, type: json })
  }

  async #write({ method, path, body, type }: Write): Promise<void> {
    const answer = await this.#server.send({
      method,
      path: this.#filled(path),
      headers: { accept: json, 'content-type': type },
      body: this.#filled(JSON.stringify(body)),
    })
    const text = await answer.body.text()
    // Where there is a control plane, it has made the service account.
    const isThere = answer.statusCode === 409 && path.endsWith('/serviceaccounts')
    if (answer.statusCode >= 300 && !isThere) throw new Error(`${method} ${path}: ${text}`)
  }
}

/** Runs a scenario with kubectl on a server, in a new namespace; returns the result of each command. */
export async function outcomesOf(
  scenario: CommandScenario,
  on: {
    readonly server: ServerUnderTest
    readonly namespace: string
    readonly program: KubectlProgram
    /** For kubeconfigs, and for what kubectl keeps of discovery. */
    readonly folder: string
  },
): Promise<readonly Outcome[]> {
  const file = join(on.folder, `${on.server.name} ${on.namespace}`)
  await writeFile(file, withNamespace(on.server.kubeconfig, on.namespace), { mode: 0o600 })
  const kubectl = await kubectlAt(on.program, join(on.folder, on.server.name), file)
  const session = new Session(on.server, on.namespace, kubectl)
  const outcomes: Outcome[] = []
  try {
    await session.prepare()
    for (const step of scenario.steps) {
      const outcome = await session.take(step)
      if (outcome !== undefined) outcomes.push(outcome)
    }
    return outcomes
  } finally {
    await session.stop()
  }
}
