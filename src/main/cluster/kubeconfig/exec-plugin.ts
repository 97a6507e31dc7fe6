import { spawn } from 'node:child_process'
import type { ChildProcessByStdio } from 'node:child_process'
import { isAbsolute } from 'node:path'
import type { Readable } from 'node:stream'
import { isJsonObject, objectAt, objectsAt, textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import { TransportError } from '../../../shared/kubernetes/request.ts'
import { parseJson } from '../../parsing/bounded-json.ts'
import { pluginEnvironment } from './plugin-environment.ts'

export interface ExecPluginDeps {
  /** The user's `exec` entry. */
  readonly exec: JsonObject
  /** The cluster's part of KUBERNETES_EXEC_INFO, if the entry sets provideClusterInfo. */
  readonly cluster: () => Promise<JsonObject>
  /** The program's own; the plugin gets the part that `pluginEnvironment` selects. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Called before the plugin runs for the first time, with one sentence that names the program and its environment. */
  readonly printLine: (sentence: string) => void
  /** ms since the epoch, real time. */
  readonly now: () => number
  /** Real ms that the plugin may take. */
  readonly timeoutMs?: number | undefined
  /** How long a failure is the answer before it runs again, real ms: it may open a browser each time. Default: not at all. */
  readonly keepsFailureMs?: number | undefined
  /**
   * What it prints on stderr, for the user, as it prints it: where to sign in, for example. Empty when a run starts, null when
   * it has ended.
   */
  readonly onPluginOutput?: ((text: string | null) => void) | undefined
}

/** A token, a client certificate, or both. */
export interface ExecCredential {
  readonly token?: string
  readonly cert?: string
  readonly key?: string
}

interface Obtained {
  readonly credential: ExecCredential
  /** ms; infinite if the plugin sets no expiry. */
  readonly expiresAt: number
}

interface Output {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

const defaultTimeoutMs = 60_000
const maxOutputBytes = 1024 * 1024
/** From SIGTERM to SIGKILL, real ms; the program itself ends within 1.5 s. */
const stopGraceMs = 1000
const hasGroups = process.platform !== 'win32'

type Plugin = ChildProcessByStdio<null, Readable, Readable>

/** Signals the plugin with what it has started, as Ctrl+C in a terminal does. */
function signalAll(child: Plugin, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (child.pid === undefined) return
  try {
    if (hasGroups) process.kill(-child.pid, signal)
    else child.kill(signal)
  } catch {
    // They have ended.
  }
}

/** The plugins that run: they end with the program, however that exits. */
const runningPlugins = new Set<Plugin>()

function killRunningPlugins(): void {
  for (const child of runningPlugins) signalAll(child, 'SIGKILL')
}

function noteRunning(child: Plugin): void {
  if (runningPlugins.size === 0) process.on('exit', killRunningPlugins)
  runningPlugins.add(child)
}

function noteEnded(child: Plugin): void {
  runningPlugins.delete(child)
  if (runningPlugins.size === 0) process.off('exit', killRunningPlugins)
}

// A missing variable is the likeliest reason why a plugin works in a terminal and not here.
const environmentHint =
  ' It gets only a part of this environment; set what else it needs under exec.env in the kubeconfig.'

function firstLine(text: string): string {
  return (text.trim().split('\n', 1)[0] ?? '').slice(0, 300)
}

function shellQuoted(word: string): string {
  return /^[\w./:@%+=,-]+$/.test(word) ? word : JSON.stringify(word)
}

function argumentsOf(exec: JsonObject): readonly string[] {
  const args = exec['args']
  return Array.isArray(args) ? args.map(String) : []
}

/** The program of an `exec` entry and its arguments, quoted for a shell. Pure. */
export function commandLineOf(exec: JsonObject): string {
  return [textAt(exec, 'command'), ...argumentsOf(exec)].map(shellQuoted).join(' ')
}

/** The run was ended from here. */
class EndedError extends TransportError {}

/**
 * A client-go credential plugin (client.authentication.k8s.io). Concurrent callers share one run; it runs again only
 * after its credential has expired or the server has refused it.
 */
export class ExecPlugin {
  readonly #deps: ExecPluginDeps
  #obtained: Obtained | undefined
  #running: Promise<Obtained> | undefined
  #failed: { readonly error: unknown; readonly until: number } | undefined
  #isAnnounced = false
  /** Ends the run under way. */
  #end: (() => Promise<void>) | undefined

  constructor(deps: ExecPluginDeps) {
    this.#deps = deps
  }

  /** The program and its arguments, quoted for a shell. */
  get commandLine(): string {
    return commandLineOf(this.#deps.exec)
  }

  /** Rejects with a `TransportError` that names the plugin. */
  async credential(): Promise<ExecCredential> {
    if (this.#obtained !== undefined && this.#deps.now() < this.#obtained.expiresAt) {
      return this.#obtained.credential
    }
    if (this.#failed !== undefined && this.#deps.now() < this.#failed.until)
      throw this.#failed.error
    this.#running ??= this.#obtain()
      .catch((error: unknown) => {
        // Who shares the credential may still want it.
        if (!(error instanceof EndedError))
          this.#failed = { error, until: this.#deps.now() + (this.#deps.keepsFailureMs ?? 0) }
        throw error
      })
      .finally(() => {
        this.#running = undefined
      })
    const obtained = await this.#running
    return obtained.credential
  }

  /** The server refused the credential, or the user wants it to run again. */
  forget(): void {
    this.#obtained = undefined
    this.#failed = undefined
  }

  /** Ends the run under way, with the processes that it has started. */
  async end(): Promise<void> {
    await this.#end?.()
  }

  async #obtain(): Promise<Obtained> {
    if (/[\\/]/.test(this.#command()) && !isAbsolute(this.#command()))
      throw this.#failure(
        'is named by a path that is relative to the kubeconfig: open that file instead of its text',
      )
    if (textAt(this.#deps.exec, 'interactiveMode') === 'Always') {
      throw this.#failure('needs a terminal for input, which Nodescope does not have')
    }
    const { code, stdout, stderr } = await this.#run()
    if (code !== 0) {
      const output = firstLine(stderr)
      const how = code === null ? 'was terminated by a signal' : `exited with code ${code}`
      const hint = code === null ? '' : environmentHint
      throw this.#failure(output === '' ? how : `${how}: ${output}`, undefined, hint)
    }
    this.#obtained = this.#read(stdout)
    return this.#obtained
  }

  #read(stdout: string): Obtained {
    const parsed = parseJson(stdout)
    const answer = parsed.ok ? parsed.value : undefined
    if (!isJsonObject(answer) || answer['kind'] !== 'ExecCredential')
      throw this.#failure('did not print an ExecCredential')
    const wanted = textAt(this.#deps.exec, 'apiVersion')
    const apiVersion = textAt(answer, 'apiVersion')
    if (apiVersion !== wanted) {
      throw this.#failure(`returned ${apiVersion}, but the kubeconfig requests ${wanted}`)
    }
    const status = objectAt(answer, 'status')
    const token = textAt(status, 'token')
    const cert = textAt(status, 'clientCertificateData')
    const key = textAt(status, 'clientKeyData')
    if (token === '' && (cert === '' || key === '')) {
      throw this.#failure('returned neither a token nor a certificate with its key')
    }
    const expires = Date.parse(textAt(status, 'expirationTimestamp'))
    return {
      credential: {
        ...(token === '' ? {} : { token }),
        ...(cert === '' || key === '' ? {} : { cert, key }),
      },
      expiresAt: Number.isNaN(expires) ? Number.POSITIVE_INFINITY : expires,
    }
  }

  async #run(): Promise<Output> {
    const { timeoutMs = defaultTimeoutMs, onPluginOutput } = this.#deps
    const env = await this.#environment()
    this.#announce()
    const child = this.#spawn(env)
    noteRunning(child)
    onPluginOutput?.('')
    const exited = new Promise<void>((resolve) => {
      child.on('exit', () => {
        resolve()
      })
      child.on('error', () => {
        resolve()
      })
    })
    const stop = async (): Promise<void> => {
      signalAll(child, 'SIGTERM')
      const timer = setTimeout(() => {
        signalAll(child, 'SIGKILL')
      }, stopGraceMs)
      await exited
      clearTimeout(timer)
      noteEnded(child)
    }
    try {
      return await new Promise((resolve, reject) => {
        // Does not wait for `close`: a child process of the plugin may keep its output open.
        const giveUp = (error: Error): Promise<void> => {
          clearTimeout(timer)
          child.stdout.destroy()
          child.stderr.destroy()
          reject(error)
          return stop()
        }
        this.#end = () => giveUp(new EndedError('unavailable', this.#sentence('was ended')))
        const timer = setTimeout(() => {
          void giveUp(this.#failure(`did not exit within ${timeoutMs / 1000} seconds`))
        }, timeoutMs)
        const text = { stdout: '', stderr: '' }
        for (const name of ['stdout', 'stderr'] as const) {
          child[name].setEncoding('utf8').on('data', (chunk: string) => {
            text[name] += chunk
            if (name === 'stderr') onPluginOutput?.(chunk)
            if (text[name].length > maxOutputBytes)
              void giveUp(this.#failure('printed too much output'))
          })
        }
        child.on('error', (error) => {
          clearTimeout(timer)
          noteEnded(child)
          reject(this.#notStarted(error))
        })
        child.on('close', (code) => {
          clearTimeout(timer)
          noteEnded(child)
          resolve({ code, ...text })
        })
      })
    } finally {
      this.#end = undefined
      onPluginOutput?.(null)
    }
  }

  #announce(): void {
    if (this.#isAnnounced) return
    this.#isAnnounced = true
    const { printLine, environment } = this.#deps
    const given = Object.keys(pluginEnvironment(environment)).toSorted()
    printLine(
      `running the credential plugin of the kubeconfig: ${this.commandLine} (with ${given.length === 0 ? 'no variables' : given.join(', ')} from this environment)`,
    )
  }

  /** `spawn` throws for a null byte in the command, an argument or the environment. */
  #spawn(env: NodeJS.ProcessEnv): Plugin {
    try {
      return spawn(this.#command(), [...argumentsOf(this.#deps.exec)], {
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
        // A process group of its own. On Windows it would be a window.
        detached: hasGroups,
      })
    } catch (error) {
      throw this.#notStarted(error instanceof Error ? error : new Error(String(error)))
    }
  }

  #notStarted(error: Error): TransportError {
    const isMissing = 'code' in error && error.code === 'ENOENT'
    if (!isMissing) return this.#failure(`could not be started: ${error.message}`, error)
    const hint = firstLine(textAt(this.#deps.exec, 'installHint'))
    return this.#failure(hint === '' ? 'was not found' : `was not found: ${hint}`, error)
  }

  #command(): string {
    return textAt(this.#deps.exec, 'command')
  }

  async #environment(): Promise<NodeJS.ProcessEnv> {
    const { exec, cluster, environment } = this.#deps
    const own = objectsAt(exec, 'env').map((one) => [textAt(one, 'name'), textAt(one, 'value')])
    const info = {
      kind: 'ExecCredential',
      apiVersion: textAt(exec, 'apiVersion'),
      spec: {
        interactive: false,
        ...(exec['provideClusterInfo'] === true ? { cluster: await cluster() } : {}),
      },
    }
    return {
      ...pluginEnvironment(environment),
      ...Object.fromEntries(own),
      KUBERNETES_EXEC_INFO: JSON.stringify(info),
    }
  }

  #failure(what: string, cause?: unknown, hint = ''): TransportError {
    return new TransportError('unavailable', `${this.#sentence(what)}${hint}`, { cause })
  }

  #sentence(what: string): string {
    return `The credential plugin "${this.#command()}" ${what.replace(/[.\s]+$/, '')}.`
  }
}
