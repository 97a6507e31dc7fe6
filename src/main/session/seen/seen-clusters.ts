import { createHash } from 'node:crypto'
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { ActError, Receipt, Requests } from '../../../shared/ipc/contract.ts'
import { isJsonObject, objectsAt, textAt } from '../../../shared/json.ts'
import type { PluginRun } from '../../../shared/model/seen-cluster.ts'
import type {
  KubeconfigSource,
  KubeconfigView,
  OpenAnswer,
  PluginQuestion,
} from '../../../shared/model/seen/kubeconfigs.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { accessOfKubeconfig } from '../../cluster/kubeconfig/kubeconfig.ts'
import type { ClusterAccess } from '../../cluster/kubeconfig/kubeconfig.ts'
import { readContexts } from '../../cluster/kubeconfig/kubeconfig-contexts.ts'
import { chooseContext } from '../../cluster/kubeconfig/kubeconfig-file.ts'
import type { ChosenContext } from '../../cluster/kubeconfig/kubeconfig-file.ts'
import {
  environmentFiles,
  isInCluster,
  readKubeconfig,
} from '../../cluster/kubeconfig/kubeconfig-sources.ts'
import type { LoadedKubeconfig } from '../../cluster/kubeconfig/kubeconfig-sources.ts'
import { withLoginPath } from '../../cluster/kubeconfig/login-path.ts'
import { clusterIdOf } from '../cluster/cluster-id.ts'
import type { OpenCluster } from '../cluster/open-cluster.ts'
import type { SessionConfig } from '../session-config.ts'
import type { SessionPorts } from '../session-ports.ts'
import { colors, fingerprint, OpenedBefore } from './opened-before.ts'
import { PageJoins } from '../joins/page-joins.ts'
import type { OpenSeenCluster } from './seen-cluster.ts'
import { openSeenCluster } from './seen-cluster.ts'

/** Clusters that are open at a time, at most: each holds its pods and events in memory. */
const maxOpen = 8
/** Of what a credential plugin prints, UTF-16 units. */
const maxPluginOutput = 4000
/** A login in a browser takes its time. */
const pluginTimeoutMs = 5 * 60_000
/** Each watch would run it again otherwise; "retry" runs it at once. */
const keepsFailureMs = 60_000

export interface SeenClustersDeps extends SessionPorts {
  readonly config: SessionConfig
  readonly onOpen: (cluster: OpenCluster) => void
  readonly onClose: (id: string) => void
  /** Ids of all clusters that are open, of any kind. */
  readonly ids: () => readonly string[]
}

type OpenArgs = Requests['cluster.open']['args']

interface OpenEntry {
  readonly cluster: OpenSeenCluster
  /** The kubeconfig and the context that it was opened with. */
  readonly kubeconfig: string
  readonly context: string
  readonly color: number
}

/** What of a kubeconfig is kept: the path of a file, else where it comes from. A text is named by its content. */
function kubeconfigKey(source: KubeconfigSource): string {
  switch (source.kind) {
    case 'file':
      return source.path
    case 'environment':
      return '$KUBECONFIG'
    case 'inCluster':
      return 'in-cluster'
    case 'text':
      return createHash('sha256').update(source.text).digest('hex')
  }
}

/** Where the PATH has a program; empty: nowhere. */
function programPath(command: string, path: string): string {
  const candidates = isAbsolute(command)
    ? [command]
    : path.split(delimiter).map((folder) => join(folder, command))
  return candidates.find(isExecutable) ?? ''
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/** Opens kubeconfigs for the pages and the command line. Each cluster has its own connections, credentials and store. */
export class SeenClusters {
  readonly #deps: SeenClustersDeps
  readonly #open = new Map<string, OpenEntry>()
  readonly #before: Promise<OpenedBefore>
  /** The nodes that pages have joined. */
  readonly joins: PageJoins
  #isStopped = false

  constructor(deps: SeenClustersDeps) {
    this.#deps = deps
    this.#before = OpenedBefore.load(deps.config.dataFolder, deps.log)
    this.joins = new PageJoins({
      ...deps,
      ports: deps,
      joinable: (id) => this.#open.get(id)?.cluster.joinable,
      freeId: (wanted) => this.#freeId(wanted),
    })
  }

  async list(): Promise<readonly KubeconfigView[]> {
    const { environment } = this.#deps
    const before = await this.#before
    const named = environmentFiles(environment)
    const home = environment['HOME'] ?? environment['USERPROFILE'] ?? ''
    const usual = join(home, '.kube', 'config')
    const sources: KubeconfigView['source'][] = [
      ...(named.length === 0 ? [] : [{ kind: 'environment' } as const]),
      ...(named.length > 0 && named.includes(usual)
        ? []
        : [{ kind: 'file', path: usual } as const]),
      ...before.files
        .filter((path) => path !== usual)
        .map((path) => ({ kind: 'file', path }) as const),
      ...(isInCluster(environment) ? [{ kind: 'inCluster' } as const] : []),
    ]
    const views = await Promise.all(
      sources.map(async (source) => ({ source, ...(await this.#view(source, before)) })),
    )
    // A kubeconfig that kubectl does not have either is no problem.
    return views.filter(
      ({ source, problem }) =>
        !(source.kind === 'file' && source.path === usual && problem.endsWith('does not exist.')),
    )
  }

  async read(source: KubeconfigSource): Promise<Requests['kubeconfigs.read']['reply']> {
    const view = await this.#view(source, await this.#before)
    return view.problem === '' ? ok(view) : refused('refused', view.problem)
  }

  async forget(path: string): Promise<null> {
    await (await this.#before).forget(path)
    return null
  }

  /** For a page. */
  async open(args: OpenArgs): Promise<Result<OpenAnswer, ActError>> {
    const { source, context } = args
    const loaded = await readKubeconfig(source, this.#deps)
    if (!loaded.ok) return refused('refused', loaded.error.message)
    const chosen = chooseContext(loaded.value.config, {
      file: loaded.value.where,
      wanted: context ?? undefined,
    })
    if (!chosen.ok) return refused('refused', chosen.error.message)
    const known = this.#openOf(kubeconfigKey(source), chosen.value.contextName)
    if (known !== undefined) return ok({ kind: 'opened', cluster: known })
    const opened = await this.#openNew(args, loaded.value, chosen.value)
    if (!opened.ok) return opened
    const answer = opened.value
    return answer.kind === 'confirmPlugin'
      ? ok(answer)
      : ok({ kind: 'opened', cluster: answer.cluster.session.id })
  }

  /**
   * For the command line. A credential plugin that this kubeconfig has not run here is asked about at the terminal; without one
   * it runs as with kubectl. Error: one sentence.
   */
  async openFirst(
    source: KubeconfigSource,
    context: string | null,
  ): Promise<Result<OpenCluster, string>> {
    const { askYes } = this.#deps
    const loaded = await readKubeconfig(source, this.#deps)
    if (!loaded.ok) return err(loaded.error.message)
    const chosen = chooseContext(loaded.value.config, {
      file: loaded.value.where,
      wanted: context ?? undefined,
    })
    if (!chosen.ok) return err(chosen.error.message)
    const open = async (confirmedPlugin: string | null) =>
      this.#openNew({ source, context, confirmedPlugin, color: null }, loaded.value, chosen.value)
    let opened = await open(null)
    if (opened.ok && opened.value.kind === 'confirmPlugin') {
      const { commandLine } = opened.value.question
      const question = `${loaded.value.where} signs in with a command that it has not run here: ${commandLine}. Run it?`
      if (askYes !== undefined && !(await askYes(question)))
        return err(`The credential plugin was not run: ${commandLine}.`)
      opened = await open(commandLine)
    }
    if (!opened.ok) return err(opened.error.message)
    return opened.value.kind === 'opened'
      ? ok(opened.value.cluster)
      : err('The credential plugin was not confirmed.')
  }

  async close(id: string): Promise<Result<Receipt, ActError>> {
    const entry = this.#open.get(id)
    if (entry === undefined)
      return refused('not-found', 'This cluster is not one that was opened to look at it.')
    this.#open.delete(id)
    this.#deps.onClose(id)
    const recorder = entry.cluster.recording?.view
    await entry.cluster.stop()
    const recorded = recorder?.isRunning === true ? `; recorded to ${recorder.path}` : ''
    return ok({ message: `Closed ${entry.context}${recorded}` })
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await this.joins.stop()
    await Promise.all(Array.from(this.#open.keys(), async (id) => this.close(id)))
  }

  #openOf(kubeconfig: string, context: string): string | undefined {
    return [...this.#open].find(
      ([, one]) => one.kubeconfig === kubeconfig && one.context === context,
    )?.[0]
  }

  async #openNew(
    args: OpenArgs,
    loaded: LoadedKubeconfig,
    chosen: ChosenContext,
  ): Promise<
    Result<
      | { readonly kind: 'opened'; readonly cluster: OpenCluster }
      | Extract<OpenAnswer, { kind: 'confirmPlugin' }>,
      ActError
    >
  > {
    const { log, printLine, config, onOpen } = this.#deps
    let run: PluginRun | null = null
    const environment = isJsonObject(chosen.user['exec'])
      ? await withLoginPath(this.#deps.environment)
      : this.#deps.environment
    const access = await accessOfKubeconfig(loaded, {
      context: chosen.contextName,
      environment,
      printLine,
      pluginTimeoutMs,
      keepsFailureMs,
      onPluginOutput: (text) => {
        run =
          text === null
            ? null
            : {
                startedAt: run?.startedAt ?? Date.now(),
                output: `${run?.output ?? ''}${text}`.slice(-maxPluginOutput),
              }
        opened?.session.touchView()
      },
    })
    if (!access.ok) return refused('refused', access.error.message)
    const before = await this.#before
    const plugin = pluginFingerprint(args.source, chosen, access.value)
    if (plugin !== undefined && !before.isConfirmed(plugin)) {
      const question = pluginQuestion(loaded.where, chosen, access.value, environment)
      if (args.confirmedPlugin !== question.commandLine)
        return ok({ kind: 'confirmPlugin', question })
    }
    if (this.#isStopped) return refused('refused', 'Nodescope is shutting down.')
    const kubeconfig = kubeconfigKey(args.source)
    if (this.#openOf(kubeconfig, chosen.contextName) !== undefined)
      return refused('refused', `${chosen.contextName} is being opened already.`)
    if (this.#open.size >= maxOpen)
      return refused('refused', `${maxOpen} clusters are open. Close one first.`)
    const cluster = clusterFingerprint(chosen)
    const wanted = clusterIdOf(chosen.contextName)
    const id = this.#freeId(wanted)
    const color = args.color ?? before.colorOf(cluster) ?? this.#freeColor()
    const opened: OpenSeenCluster | undefined = openSeenCluster(
      {
        id,
        // Contexts of two kubeconfigs may have one name.
        label:
          id === wanted
            ? chosen.contextName
            : `${chosen.contextName} (${id.slice(wanted.length + 1)})`,
        access: access.value,
        isReadOnly: config.readOnly,
        version: config.version,
        recordingsPath: config.recordingsPath,
        color,
        certificates: {
          accepted: before.certificatesOf(cluster),
          keepAccepted: (node, fingerprint) => void before.accept(cluster, node, fingerprint),
        },
        pluginRun: () =>
          run === null ? null : { ...run, output: stripVTControlCharacters(run.output) },
      },
      { log, parsers: this.#deps.parsers },
    )
    this.#open.set(id, { cluster: opened, kubeconfig, context: chosen.contextName, color })
    onOpen(opened)
    const file = args.source.kind === 'file' ? args.source.path : undefined
    await before.note({
      kubeconfig,
      file,
      context: chosen.contextName,
      at: Date.now(),
      cluster,
      color,
      plugin,
    })
    return ok({ kind: 'opened', cluster: opened })
  }

  #freeId(wanted: string): string {
    const taken = new Set(this.#deps.ids())
    for (let number = 1; ; number++) {
      const id = number === 1 ? wanted : `${wanted}-${number}`
      if (!taken.has(id)) return id
    }
  }

  #freeColor(): number {
    const used = [...this.#open.values()].map(({ color }) => color)
    const all = Array.from({ length: colors }, (_, color) => color)
    return all.find((color) => !used.includes(color)) ?? this.#open.size % colors
  }

  async #view(
    source: KubeconfigSource,
    before: OpenedBefore,
  ): Promise<Omit<KubeconfigView, 'source'>> {
    const { environment } = this.#deps
    const key = kubeconfigKey(source)
    const isRecent = source.kind === 'file' && before.files.includes(source.path)
    const loaded = await readKubeconfig(source, this.#deps)
    if (!loaded.ok) {
      const files = source.kind === 'file' ? [{ path: source.path, changedAt: null }] : []
      return {
        files,
        currentContext: '',
        contexts: [],
        isRecent,
        lastOpenedAt: null,
        problem: loaded.error.message,
      }
    }
    const contexts = (await readContexts(loaded.value, environment)).map((context) => {
      const chosen = chooseContext(loaded.value.config, {
        file: loaded.value.where,
        wanted: context.name,
      })
      return {
        ...context,
        lastOpenedAt: before.openedAt(key, context.name),
        cluster: this.#openOf(key, context.name) ?? '',
        color: chosen.ok ? before.colorOf(clusterFingerprint(chosen.value)) : null,
      }
    })
    const opened = contexts.flatMap(({ lastOpenedAt }) => lastOpenedAt ?? [])
    return {
      files: loaded.value.files,
      currentContext: textAt(loaded.value.config, 'current-context'),
      contexts,
      isRecent,
      lastOpenedAt: opened.length === 0 ? null : Math.max(...opened),
      problem: '',
    }
  }
}

/** Of the server and its authority: contexts have other names in other kubeconfigs. */
function clusterFingerprint({ cluster }: ChosenContext): string {
  return fingerprint(
    textAt(cluster, 'server'),
    textAt(cluster, 'certificate-authority-data') || textAt(cluster, 'certificate-authority'),
  )
}

function variablesOf({ user }: ChosenContext): readonly string[] {
  const { exec } = user
  if (!isJsonObject(exec)) return []
  return objectsAt(exec, 'env').map((one) => `${textAt(one, 'name')}=${textAt(one, 'value')}`)
}

/** What was confirmed: this command, with these variables, of this kubeconfig. Undefined: no plugin has to run. */
function pluginFingerprint(
  source: KubeconfigSource,
  chosen: ChosenContext,
  { plugin }: ClusterAccess,
): string | undefined {
  return plugin === undefined
    ? undefined
    : fingerprint(kubeconfigKey(source), plugin, ...variablesOf(chosen))
}

function pluginQuestion(
  from: string,
  chosen: ChosenContext,
  { plugin = '' }: ClusterAccess,
  { PATH = '' }: Readonly<Record<string, string | undefined>>,
): PluginQuestion {
  const exec = isJsonObject(chosen.user['exec']) ? chosen.user['exec'] : {}
  return {
    commandLine: plugin,
    program: programPath(textAt(exec, 'command'), PATH),
    from,
    variables: variablesOf(chosen).map((one) => one.split('=', 1)[0] ?? ''),
    installHint: textAt(exec, 'installHint'),
  }
}

function refused(kind: ActError['kind'], message: string): Result<never, ActError> {
  return err({ kind, message })
}
