import { mkdir, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseDocument } from 'yaml'
import { isJsonObject, objectAt, textAt } from '../../../src/shared/json.ts'
import { assertNever } from '../../../src/shared/assert-never.ts'
import { minorOf, type KubectlProgram } from '../../kubectl/kubectl-programs.ts'
import { kubectlAt, type Kubectl, type RunningKubectl } from '../../kubectl/kubectl.ts'
import type { ServerUnderTest } from '../servers.ts'
import {
  kubectl,
  type Command,
  type CommandScenario,
  type CommandStep,
  type LocalFile,
  type Requested,
  type Write,
} from './command.ts'
import { untilAtRest } from './at-rest.ts'
import { filesBelow } from './local-files.ts'
import { PrintedText, wordsOf } from './printed-text.ts'

/** The normalized result of a command. */
export interface Outcome {
  readonly command: Command
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Where a scenario runs, and with which kubectl. */
interface Where {
  readonly server: ServerUnderTest
  readonly namespace: string
  readonly program: KubectlProgram
  /** For kubeconfigs, and for what kubectl keeps of discovery. */
  readonly folder: string
}

const json = 'application/json'
const pauseMs = 20

function hasIpv6Loopback(): boolean {
  return Object.values(networkInterfaces()).some((of) => of?.some((one) => one.address === '::1'))
}

function withNamespace(kubeconfig: string, namespace: string): string {
  const document = parseDocument(kubeconfig)
  document.setIn(['contexts', 0, 'context', 'namespace'], namespace)
  return document.toString({ lineWidth: 0 })
}

/** What a server on this machine answers to a request, before it ends the connection. */
async function answerOf(port: number): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.end('GET / HTTP/1.0\r\nHost: pod\r\n\r\n')
  let text = ''
  try {
    for await (const data of socket) text += String(data)
  } catch {
    // A connection that is reset ends too.
  }
  return text
}

class Session {
  readonly #server: ServerUnderTest
  readonly #namespace: string
  readonly #kubectl: Kubectl
  readonly #text: PrintedText
  /** For the files of the scenario on this machine. */
  readonly #local: string
  readonly #minor: number
  readonly #running = new Map<string, readonly [Command, RunningKubectl]>()
  readonly #leftOut = new Set<string>()
  readonly #kept = new Map<string, string>()

  constructor({ server, namespace, program }: Where, kubectl: Kubectl, local: string) {
    this.#local = local
    this.#minor = minorOf(program)
    this.#server = server
    this.#namespace = namespace
    this.#kubectl = kubectl
    this.#text = new PrintedText(server.url)
  }

  async prepare(): Promise<void> {
    await mkdir(this.#local, { recursive: true })
    await this.#post('/api/v1/namespaces', { metadata: { name: this.#namespace } })
    const accounts = `/api/v1/namespaces/${this.#namespace}/serviceaccounts`
    await this.#post(accounts, { metadata: { name: 'default' } })
  }

  /** The result of the step; most have none. */
  async take(step: CommandStep): Promise<Outcome | undefined> {
    switch (step.kind) {
      case 'command':
        return this.#has(step) ? this.#outcomeOf(step, this.#start(step)) : undefined
      case 'start':
        if (this.#has(step.command))
          this.#running.set(step.name, [step.command, this.#start(step.command)])
        else this.#leftOut.add(step.name)
        return undefined
      case 'printed':
        await this.#runningNamed(step.name)[1].printed(step.pattern)
        return undefined
      case 'end': {
        if (this.#leftOut.has(step.name)) return undefined
        const [command, running] = this.#runningNamed(step.name)
        const outcome = this.#outcomeOf(command, running)
        if (!step.isInterrupted) return outcome
        const [{ code, ...rest }] = await Promise.all([outcome, running.interrupt()])
        // Before 1.32 the signal ends kubectl.
        return { ...rest, code: code ?? command.code }
      }
      case 'write':
        await this.#write(step)
        return undefined
      case 'finish-deletion':
        await this.#finishDeletion(step.pod)
        return undefined
      case 'at-rest':
        await untilAtRest(this.#server, this.#namespace)
        return undefined
      case 'requested':
        await this.#request(step)
        return undefined
      case 'kept': {
        const { code, stdout, stderr } = await this.#start(kubectl(step.line)).done
        if (code !== 0) throw new Error(`${this.#server.name}: ${step.line}: ${stderr}`)
        this.#kept.set(step.name, stdout)
        return undefined
      }
      case 'local-file':
        await this.#makeFile(step)
        return undefined
      case 'same-files':
        await this.#compareFiles(step.paths)
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

  /** Whether this kubectl has the command. */
  #has({ since = 0 }: Command): boolean {
    return this.#minor >= since
  }

  async #outcomeOf(command: Command, running: RunningKubectl): Promise<Outcome> {
    const { code, stdout, stderr } = await running.done
    const textOf = (text: string): string => this.#text.of(text.replaceAll(this.#local, '<local>'))
    return { command, code, stdout: textOf(stdout), stderr: textOf(stderr) }
  }

  async #request({ name, prints }: Requested): Promise<void> {
    const running = this.#runningNamed(name)[1]
    const opened = /Forwarding from 127\.0\.0\.1:(\d+)/
    await running.printed(opened)
    // A connection before the second line would be printed between the two.
    if (hasIpv6Loopback()) await running.printed(/Forwarding from \[::1\]:\d+/)
    const text = await answerOf(Number(opened.exec(running.stdout)?.[1]))
    if (!prints.test(text))
      throw new Error(`${this.#server.name}: ${name} answered ${text}, not ${prints}`)
  }

  async #makeFile({ path, content }: LocalFile): Promise<void> {
    const file = join(this.#local, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, content)
  }

  async #compareFiles(paths: readonly [string, string]): Promise<void> {
    const [first, second] = await Promise.all(
      paths.map((path) => filesBelow(join(this.#local, path))),
    )
    if (first !== second)
      throw new Error(`${this.#server.name}: ${paths.join(' and ')}:\n${first}\nare not\n${second}`)
  }

  #runningNamed(name: string): readonly [Command, RunningKubectl] {
    const found = this.#running.get(name)
    if (found === undefined) throw new Error(`no command was started as ${name}`)
    return found
  }

  #filled(text: string): string {
    const known = new Map([...this.#kept, ['ns', this.#namespace], ['local', this.#local]])
    return text.replaceAll(/<([a-z]+)>/g, (all, name: string) => known.get(name) ?? all)
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
  on: Where,
): Promise<readonly Outcome[]> {
  if (minorOf(on.program) < (scenario.since ?? 0)) return []
  const file = join(on.folder, `${on.server.name} ${on.namespace}`)
  await writeFile(file, withNamespace(on.server.kubeconfig, on.namespace), { mode: 0o600 })
  const kubectl = await kubectlAt(on.program, join(on.folder, on.server.name), file)
  const local = join(on.folder, `files-${on.server.name.replaceAll(' ', '-')}-${on.namespace}`)
  const session = new Session(on, kubectl, local)
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
