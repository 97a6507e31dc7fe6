import { randomBytes } from 'node:crypto'
import { homedir, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseDuration } from '../../shared/go/duration.ts'
import { numberAt } from '../../shared/json.ts'
import type { JsonObject } from '../../shared/json.ts'
import { err, ok } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'
import type { KubeletAddress } from '../nodes/serving/joined-kubelet.ts'
import type { ClusterConfig, SessionConfig } from '../session/session-config.ts'
import { withConfiguration } from './completed-configuration.ts'
import type { KubeletConfiguration, ReadConfiguration } from './kubelet-configuration.ts'
import { defaultConfiguration, loadKubeletConfiguration } from './kubelet-configuration-file.ts'
import { addressOf, headersOf, socketPathOf, valueProblem } from './option-values.ts'
import type { Option, OptionFlag } from './options.ts'
import { environmentName, helpText, isOptionFlag, optionFlags, options } from './options.ts'

/** All settings; frozen. */
export interface Config extends SessionConfig {
  /** Port of the web host; null takes any free one. */
  readonly port: number | null
  readonly isEphemeral: boolean
  /** Whether the manifest folder is Nodescope's own, which gets the examples when it is created. */
  readonly hasOwnManifests: boolean
  /** The socket on which only a container runtime is served; null: the program is a dashboard. */
  readonly criSocketPath: string | null
  /** What is done with the kept state before the sandbox starts; absent: nothing. */
  readonly stateOptions?: StateOptions
  /** Sentences for the terminal about the settings. */
  readonly notes: readonly string[]
}

/** Paths are absolute. After an export the program exits. */
export type StateOptions =
  { readonly kind: 'reset' } | { readonly kind: 'export' | 'import'; readonly path: string }

/** Why the program exits instead of starting. Code 0 (help, version) goes to stdout, others to stderr. */
export interface Exit {
  readonly exitCode: number
  readonly message: string
}

/** The sources of the settings. Arguments override the environment, which overrides defaults. */
export interface ConfigSources {
  readonly argv: readonly string[]
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly homeFolder: string
  readonly temporaryFolder: string
  readonly workingFolder: string
  readonly version: string
}

type Values = Partial<Record<OptionFlag, string>>

const defaultNodeName = 'scope-node-1'

function usageError(message: string): Result<never, Exit> {
  return err({ exitCode: 2, message })
}

function fromEnvironment(environment: ConfigSources['environment']): Result<Values, Exit> {
  const values: Values = {}
  for (const flag of optionFlags) {
    const name = environmentName(flag)
    const value = environment[name]
    if (value === undefined || value === '') continue
    const { kind } = options[flag]
    const problem = valueProblem(kind, value)
    if (problem !== undefined)
      return usageError(
        kind === 'switch' ? `${name} must be 1 or 0, not "${value}".` : `${name} ${problem}.`,
      )
    values[flag] = value
  }
  return ok(values)
}

/** Between the values of an option that may be repeated; no path has a zero byte. */
const separators: Readonly<Partial<Record<Option['kind'], string>>> = { headers: ',', log: '\0' }

function fromArguments(argv: readonly string[], version: string): Result<Values, Exit> {
  const values: Values = {}
  const rest = [...argv]
  for (let argument = rest.shift(); argument !== undefined; argument = rest.shift()) {
    if (argument === '--help' || argument === '-h') return err({ exitCode: 0, message: helpText() })
    if (argument === '--version') return err({ exitCode: 0, message: version })
    const [flag = '', inline] = splitFlag(argument)
    if (!isOptionFlag(flag))
      return usageError(
        argument.startsWith('-')
          ? `Unknown option ${argument.split('=')[0] ?? ''}; --help lists all options.`
          : `The argument "${argument}" is not an option; --help lists all options.`,
      )
    const { kind } = options[flag]
    if (kind === 'switch') {
      if (inline !== undefined) return usageError(`--${flag} takes no value.`)
      values[flag] = '1'
      continue
    }
    // The next argument is the value, unless it is the next option.
    const value = inline ?? (rest[0]?.startsWith('--') === true ? undefined : rest.shift())
    const problem = value === undefined ? 'needs a value' : valueProblem(kind, value)
    if (value === undefined || problem !== undefined) return usageError(`--${flag} ${problem}.`)
    const before = values[flag]
    const between = separators[kind]
    values[flag] =
      before === undefined || between === undefined ? value : `${before}${between}${value}`
  }
  return ok(values)
}

function splitFlag(argument: string): readonly [string?, string?] {
  if (!argument.startsWith('--')) return []
  const equals = argument.indexOf('=')
  return equals === -1
    ? [argument.slice(2)]
    : [argument.slice(2, equals), argument.slice(equals + 1)]
}

/** What is done with the kept state of a sandbox; one at a time. */
const stateFlags = ['export', 'import', 'reset'] as const

const sandboxFlags = [
  ...stateFlags,
  'scenario',
  'sandbox-port',
  'sandbox-kubeconfig',
  'kubelet-port',
  'seed',
  'nodes',
  'rbac',
] as const

/** Options that exclude each other. */
const exclusions: readonly (readonly [OptionFlag, OptionFlag])[] = [
  ['ephemeral', 'data-dir'],
  ...sandboxFlags.map((flag) => ['kubeconfig', flag] as const),
  ...sandboxFlags.map((flag) => ['context', flag] as const),
]

/** The environment without the options that an argument excludes. */
function withoutExcluded(environment: Values, given: Values): Values {
  const left = { ...environment }
  for (const [one, other] of exclusions) {
    if (given[one] !== undefined) delete left[other]
    if (given[other] !== undefined) delete left[one]
  }
  return left
}

/** Writes to the cluster on exit. */
const exitFlags = ['agent-exit-condition', 'delete-node-on-exit'] as const

/** What has no meaning for a recording. */
const clusterFlags = [
  'kubeconfig',
  'context',
  'node',
  'manifests',
  'manifest-url',
  'runtime',
  'record',
  'kubelet-address',
  'pod',
  ...sandboxFlags,
] as const satisfies readonly OptionFlag[]

/** What only a node that is this program has; `config` and `max-pods` may come from the environment for a sandbox. */
const nodeFlags = [
  'runtime',
  'allow-simulated',
  'manifests',
  'manifest-url',
  'record',
  'kubelet-address',
  ...exitFlags,
] as const satisfies readonly OptionFlag[]

/** The options that a container runtime has. */
const criFlags: readonly OptionFlag[] = ['serve-cri', 'seed']

/** Only arguments count: the environment may hold settings for the dashboard. */
function serveCriProblem(given: Values): string | undefined {
  const other = optionFlags.find((flag) => given[flag] !== undefined && !criFlags.includes(flag))
  return other === undefined
    ? undefined
    : `--serve-cri serves a container runtime and nothing else: omit --${other}.`
}

function stateProblem(values: Values): string | undefined {
  const given = stateFlags.filter((flag) => isGiven(values, flag))
  const [first, second] = given
  const own = (['nodes', 'node', 'manifests'] as const).find((flag) => values[flag] !== undefined)
  if (values.scenario !== undefined && own !== undefined)
    return `--scenario brings its own nodes and manifests: omit --${own}.`
  if (values.scenario !== undefined && first !== undefined)
    return `--scenario keeps no state: omit --${first}.`
  if (first === undefined) return undefined
  if (second !== undefined)
    return `--${first} and --${second} exclude each other: omit one of them.`
  if (isOn(values.ephemeral)) return `--ephemeral keeps no state: omit --${first}.`
  return undefined
}

function isGiven(values: Values, flag: OptionFlag): boolean {
  return options[flag].kind === 'switch' ? isOn(values[flag]) : values[flag] !== undefined
}

function stateOptionsOf(
  values: Values,
  absolute: (path: string) => string,
): { readonly stateOptions?: StateOptions } {
  if (isOn(values.reset)) return { stateOptions: { kind: 'reset' } }
  for (const kind of ['export', 'import'] as const) {
    const path = values[kind]
    if (path !== undefined) return { stateOptions: { kind, path: absolute(path) } }
  }
  return {}
}

function combinationProblem(values: Values, hasUrl: boolean): string | undefined {
  const ofState = stateProblem(values)
  if (ofState !== undefined) return ofState
  if (isOn(values.ephemeral) && values['data-dir'] !== undefined)
    return '--ephemeral creates its own data folder: omit --data-dir.'
  if (!hasUrl) {
    if (values['manifest-url-header'] !== undefined)
      return '--manifest-url-header needs --manifest-url.'
    if (values['http-check-frequency'] !== undefined)
      return '--http-check-frequency needs --manifest-url.'
  }
  if (values.replay !== undefined) {
    const other = clusterFlags.find((flag) => values[flag] !== undefined)
    return other === undefined
      ? undefined
      : `--replay opens a recording and nothing else: omit --${other}.`
  }
  if (values.kubeconfig === undefined) {
    const exit = exitFlags.find((flag) => isOn(values[flag]))
    if (exit !== undefined) return `--${exit} needs --kubeconfig: a sandbox ends with the program.`
    if (values.runtime !== undefined)
      return '--runtime needs --kubeconfig: the containers of a sandbox are simulated.'
    if (values['kubelet-address'] !== undefined)
      return '--kubelet-address needs --kubeconfig: the kubelets of a sandbox listen on 127.0.0.1 (--kubelet-port).'
    return values.context === undefined ? undefined : '--context needs --kubeconfig.'
  }
  if (values['sandbox-port'] !== undefined || values['sandbox-kubeconfig'] !== undefined)
    return '--kubeconfig starts no sandbox: omit --sandbox-port and --sandbox-kubeconfig.'
  if (values['kubelet-port'] !== undefined)
    return '--kubelet-port is for the kubelets of a sandbox: with --kubeconfig, use --kubelet-address.'
  if (values.seed !== undefined) return '--kubeconfig starts no sandbox: omit --seed.'
  if (values.nodes !== undefined) return '--kubeconfig starts no sandbox: omit --nodes.'
  if (values.scenario !== undefined) return '--kubeconfig starts no sandbox: omit --scenario.'
  const flag = ([...stateFlags, 'rbac'] as const).find((one) => isGiven(values, one))
  if (flag !== undefined) return `--kubeconfig starts no sandbox: omit --${flag}.`
  if (values.node === undefined) {
    const ofNode = nodeFlags.find((flag) => values[flag] !== undefined)
    return ofNode === undefined
      ? undefined
      : `--${ofNode} is for a node that joins the cluster: also pass --node NAME, or omit it to look only.`
  }
  if (isOn(values['read-only']))
    return 'Joining a cluster writes to it, and --read-only forbids that: omit --read-only or --node.'
  return undefined
}

function isOn(value: string | undefined): boolean {
  return value === '1' || value === 'true'
}

function port(value: string | undefined): number | null {
  return value === undefined || Number(value) === 0 ? null : Number(value)
}

/** The port is that of a kubelet's configuration, unless the option has one. */
function kubeletAddress(values: Values, completed: JsonObject): KubeletAddress | undefined {
  const given = addressOf(values['kubelet-address'] ?? '')
  return given && { host: given.host, port: given.port ?? numberAt(completed, 'port') ?? 0 }
}

function manifestUrl(
  values: Values,
  { staticPodURL, staticPodURLHeader, httpCheckFrequencyMs }: KubeletConfiguration,
): SessionConfig['manifestUrl'] {
  const url = values['manifest-url'] ?? staticPodURL
  if (url === '') return null
  const header = values['manifest-url-header']
  return {
    url,
    headers: header === undefined ? staticPodURLHeader : (headersOf(header) ?? []),
    checkFrequencyMs: parseDuration(values['http-check-frequency'] ?? '') ?? httpCheckFrequencyMs,
  }
}

/** All users of the machine can read arguments, with `ps` for example. */
function secretsInProcessList(given: Values): readonly string[] {
  const url = given['manifest-url'] ?? ''
  const hasSecret =
    URL.canParse(url) && (new URL(url).password !== '' || new URL(url).search !== '')
  const flags = (['manifest-url', 'manifest-url-header'] as const).filter((flag) =>
    flag === 'manifest-url' ? hasSecret : given[flag] !== undefined,
  )
  return flags.map(
    (flag) =>
      `The value of --${flag} is in the process list, which other users of this machine can read: if it is a secret, set ${environmentName(flag)} instead.`,
  )
}

/** Name of the data folder of an --ephemeral run, in the folder for temporary files. */
export const ephemeralName = /^nodescope-[0-9a-f]{12}$/

function absolutePath(sources: ConfigSources): (path: string) => string {
  // A shell does not expand the tilde in --data-dir=~/x.
  return (path) => resolve(sources.workingFolder, path.replace(/^~(?=[/\\])/, sources.homeFolder))
}

function clusterConfig(
  values: Values,
  places: {
    readonly absolute: (path: string) => string
    readonly dataFolder: string
    readonly served: KubeletAddress | undefined
  },
): ClusterConfig {
  const { absolute, dataFolder, served } = places
  const { kubeconfig, replay, context = null } = values
  if (replay !== undefined) return { kind: 'recording', path: absolute(replay) }
  if (kubeconfig === undefined && values['kubelet-log'] !== undefined) return { kind: 'none' }
  if (kubeconfig === undefined)
    return {
      kind: 'sandbox',
      port: port(values['sandbox-port']),
      kubeletPort: port(values['kubelet-port']),
      kubeconfigPath: absolute(
        values['sandbox-kubeconfig'] ?? join(dataFolder, 'sandbox.kubeconfig'),
      ),
      ...(isOn(values.rbac) ? { enforcesRbac: true } : {}),
      ...(values.scenario === undefined ? {} : { scenarioPath: absolute(values.scenario) }),
      ...(isOn(values.ephemeral) || values.scenario !== undefined
        ? {}
        : {
            state: {
              path: join(dataFolder, 'state'),
              hasKeptNodes: values.nodes === undefined && values.node === undefined,
            },
          }),
    }
  const path = absolute(kubeconfig)
  if (values.node === undefined) return { kind: 'look', path, context }
  return {
    kind: 'kubeconfig',
    path,
    context,
    allowSimulated: isOn(values['allow-simulated']),
    ...(values.runtime === undefined
      ? {}
      : { runtimeSocketPath: socketPathOf(values.runtime) ?? '' }),
    ...(served === undefined ? {} : { kubeletAddress: served }),
    exit: {
      agentExitCondition: isOn(values['agent-exit-condition']),
      deleteNode: isOn(values['delete-node-on-exit']),
    },
  }
}

function buildConfig(
  values: Values,
  sources: ConfigSources,
  { configuration, notes }: ReadConfiguration,
): Config {
  const absolute = absolutePath(sources)
  const { staticPodPath, registerWithTaints, settings, completed } = configuration
  const maxPods = Number(values['max-pods'] ?? configuration.maxPods)
  const manifests = values.manifests ?? (staticPodPath === '' ? undefined : staticPodPath)
  const isEphemeral = isOn(values.ephemeral)
  const dataFolder = isEphemeral
    ? join(sources.temporaryFolder, `nodescope-${randomBytes(6).toString('hex')}`)
    : absolute(values['data-dir'] ?? join(sources.homeFolder, '.nodescope'))
  const manifestsPath = absolute(manifests ?? join(dataFolder, 'manifests'))
  const served = kubeletAddress(values, completed)
  const cluster = clusterConfig(values, { absolute, dataFolder, served })
  const logs = values['kubelet-log']?.split('\0') ?? []
  return Object.freeze({
    version: sources.version,
    port: port(values.port),
    cluster: Object.freeze(cluster),
    nodeName: values.node ?? defaultNodeName,
    nodes: Number(values.nodes ?? 1),
    maxPods,
    registerWithTaints,
    settings,
    configuration: withConfiguration(completed, {
      maxPods,
      staticPodPath: manifestsPath,
      staticPodURL: values['manifest-url'] ?? configuration.staticPodURL,
    }),
    manifestsPath,
    ...stateOptionsOf(values, absolute),
    criSocketPath: socketPathOf(values['serve-cri'] ?? '') ?? null,
    hasOwnManifests: manifests === undefined,
    manifestUrl: manifestUrl(values, configuration),
    // A recording outlives the temporary folder of an ephemeral run.
    recordingsPath: join(
      isEphemeral ? join(sources.homeFolder, '.nodescope') : dataFolder,
      'recordings',
    ),
    recordPath: values.record === undefined ? null : absolute(values.record),
    seed: values.seed === undefined ? null : Number(values.seed),
    readOnly: isOn(values['read-only']),
    ...(logs.length === 0
      ? {}
      : { kubeletLogs: logs.map((path) => (path === '-' ? path : absolute(path))) }),
    openPod: values.pod ?? '',
    dataFolder,
    isEphemeral,
    notes,
  })
}

/** Set by scripts/launch.mjs: one sentence for the terminal about the chosen host. */
const launchNoteVariable = 'NODESCOPE_LAUNCH_NOTE'

/** Combines and validates the sources. */
export function parseConfig(sources: ConfigSources): Result<Config, Exit> {
  const given = fromArguments(sources.argv, sources.version)
  if (!given.ok) return given
  const environment = fromEnvironment(sources.environment)
  if (!environment.ok) return environment
  const values = { ...withoutExcluded(environment.value, given.value), ...given.value }
  const isCri = values['serve-cri'] !== undefined
  const loaded =
    values.config === undefined || isCri
      ? ok(defaultConfiguration)
      : loadKubeletConfiguration(
          absolutePath(sources)(values.config),
          values['kubelet-address'] !== undefined,
        )
  if (!loaded.ok) return usageError(loaded.error)
  const { configuration } = loaded.value
  const hasUrl = values['manifest-url'] !== undefined || configuration.staticPodURL !== ''
  const problem = isCri ? serveCriProblem(given.value) : combinationProblem(values, hasUrl)
  if (problem !== undefined) return usageError(problem)
  const launchNote = sources.environment[launchNoteVariable] ?? ''
  const notes = [
    ...(launchNote === '' ? [] : [launchNote]),
    ...secretsInProcessList(given.value),
    ...loaded.value.notes,
  ]
  return ok(buildConfig(values, sources, { configuration, notes }))
}

/** Whether the program writes to the cluster on exit. */
export function writesOnExit({ cluster }: Config): boolean {
  if (cluster.kind !== 'kubeconfig' || cluster.exit === undefined) return false
  return cluster.exit.agentExitCondition || cluster.exit.deleteNode
}

/** The environment, for credential plugins of a kubeconfig. Only this file reads it. */
export function readEnvironment(): Readonly<Record<string, string | undefined>> {
  return process.env
}

/** The Config of this process. */
export function readConfig(argv: readonly string[], version: string): Result<Config, Exit> {
  return parseConfig({
    argv,
    environment: readEnvironment(),
    homeFolder: homedir(),
    temporaryFolder: tmpdir(),
    workingFolder: process.cwd(),
    version,
  })
}
