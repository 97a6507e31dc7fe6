import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { assertNever } from '../../shared/assert-never.ts'
import { err, ok } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'
import { systemClock } from '../clock/system-clock.ts'
import { OpenLogs } from '../inspector/kubelet-log/open-logs.ts'
import { openRecordingFile } from '../recorder/recording-file.ts'
import { watchFolder } from '../sources/folder-watch.ts'
import { Hub } from './hub.ts'
import type { OpenCluster } from './cluster/open-cluster.ts'
import type { StateMeta } from '../state/kept-state.ts'
import type { OpenState } from '../state/open-state.ts'
import type { ServerKeys } from '../sandbox/surface/serving-certificates.ts'
import { manifestFolderOf, nodeNames } from './cluster/node-names.ts'
import { openSandbox } from './cluster/open-sandbox.ts'
import type { SandboxOptions } from './cluster/open-sandbox.ts'
import type { RunningSession } from './session-channel.ts'
import type { ClusterPorts, SessionPorts } from './session-ports.ts'
import type { StartError } from './start-error.ts'
import type { SandboxConfig, SessionConfig } from './session-config.ts'
import { createFirstObjects } from './scenarios/first-run.ts'
import { DelayedFolderWatch } from './scenarios/delayed-folder-watch.ts'
import { SessionServer } from './session-server.ts'

function sandboxOptions(config: SandboxConfig, kept: StateMeta | undefined): SandboxOptions {
  const { cluster, nodeName } = config
  const keptNames = cluster.state?.hasKeptNodes === true ? kept?.nodes : undefined
  const names = keptNames ?? nodeNames(nodeName, config.nodes)
  return {
    id: 'sandbox',
    version: config.version,
    nodes: names.map((name, index) => ({
      name,
      manifestsPath: manifestFolderOf(config, name, index),
    })),
    maxPods: config.maxPods,
    registerWithTaints: config.registerWithTaints ?? [],
    settings: config.settings,
    manifestUrl: config.manifestUrl,
    port: cluster.port ?? 0,
    kubeconfigPath: cluster.kubeconfigPath,
    kubeletPort: cluster.kubeletPort ?? 0,
    configuration: config.configuration,
    seed: config.seed ?? kept?.seed ?? Date.now() >>> 0,
    readOnly: config.readOnly,
    enforcesRbac: cluster.enforcesRbac === true,
    recordingsPath: config.recordingsPath,
  }
}

/** The kept state of the sandbox; its packages load only where there is one. */
async function openSandboxState(
  { cluster, version }: SandboxConfig,
  { log, printLine }: ClusterPorts,
): Promise<Result<{ readonly state?: OpenState; readonly keys?: ServerKeys }, string>> {
  if (cluster.state === undefined) return ok({})
  const [{ openState }, { openServerKeys }] = await Promise.all([
    import('../state/open-state.ts'),
    import('../state/server-keys.ts'),
  ])
  const { path } = cluster.state
  const state = await openState({ path, version, log })
  if (!state.ok) return state
  const kept = await openServerKeys(path, log)
  if (!kept.ok) {
    await state.value.close()
    return kept
  }
  const { keys, note } = kept.value
  for (const line of [state.value.note, note].filter((text) => text !== '')) printLine(line)
  return ok({ state: state.value, keys })
}

async function openScenario(
  config: SandboxConfig,
  path: string,
  ports: ClusterPorts,
): Promise<Result<OpenCluster, string>> {
  const { readScenarioFile, scenarioStart, startScenario, writeScenarioNodes } =
    await import('./scenarios/start-scenario.ts')
  const read = await readScenarioFile(path)
  if (!read.ok) return read
  const { scenario } = read.value
  const nodes = await writeScenarioNodes(scenario, join(config.dataFolder, 'scenario'))
  const options = sandboxOptions(config, undefined)
  const { seed, startAt } = scenarioStart(scenario, Date.now())
  const own = { nodes, startAt, seed: config.seed ?? seed ?? options.seed }
  const watch = new DelayedFolderWatch(watchFolder)
  const opened = await openSandbox(
    { ...options, ...own },
    { ...ports, watchFolder: watch.watchFolder },
  )
  if (!opened.ok) return opened
  const folders = new Map(nodes.map(({ name, manifestsPath }) => [name, manifestsPath]))
  const started = await startScenario(opened.value, read.value, folders)
  watch.begin()
  if (started.ok) return opened
  await opened.value.stop()
  return started
}

async function openFirstSandbox(
  config: SandboxConfig,
  ports: ClusterPorts,
): Promise<Result<OpenCluster, string>> {
  const { scenarioPath } = config.cluster
  if (scenarioPath !== undefined) return openScenario(config, scenarioPath, ports)
  const found = await openSandboxState(config, ports)
  if (!found.ok) return found
  const { state } = found.value
  const kept = state?.kept?.meta
  const opened = await openSandbox(sandboxOptions(config, kept), { ...ports, ...found.value })
  if (!opened.ok) {
    await state?.close()
    return opened
  }
  opened.value.virtualClock.run()
  if (kept === undefined) await createFirstObjects(opened.value, ports.assets, ports.log)
  return opened
}

async function openCluster(
  config: SessionConfig,
  ports: ClusterPorts,
  server: SessionServer,
): Promise<Result<OpenCluster | undefined, StartError>> {
  const { cluster } = config
  switch (cluster.kind) {
    case 'sandbox': {
      const opened = await openFirstSandbox({ ...config, cluster }, ports)
      const exitCode = cluster.scenarioPath === undefined ? 1 : 2
      return opened.ok ? opened : err({ exitCode, message: opened.error })
    }
    case 'recording': {
      const { openRecording } = await import('./recorded/recorded-cluster.ts')
      return openRecording(cluster.path)
    }
    case 'look': {
      const seen = await server.seenClusters()
      const opened = await seen.openFirst({ kind: 'file', path: cluster.path }, cluster.context)
      return opened.ok ? opened : err({ exitCode: 2, message: opened.error })
    }
    case 'kubeconfig': {
      // Imported late: a sandbox needs no client of real servers, which costs a start some 100 ms.
      const { joinCluster } = await import('./cluster/joined-cluster.ts')
      return joinCluster({ ...config, cluster }, ports)
    }
    case 'none':
      return ok(undefined)
    default:
      return assertNever(cluster, 'kind of cluster')
  }
}

async function openLogs(
  logs: OpenLogs,
  paths: readonly string[],
): Promise<Result<unknown, { readonly message: string }>> {
  if (paths.length === 0) return ok(undefined)
  return paths[0] === '-' ? logs.openStream('standard input', process.stdin) : logs.openFiles(paths)
}

/** Opens the cluster and the logs of the config and serves them. Error: one sentence, and nothing is left running. */
export async function startSession(
  config: SessionConfig,
  ports: SessionPorts,
): Promise<Result<RunningSession, StartError>> {
  const recording =
    config.recordPath === null ? ok(undefined) : await openRecordingFile(config.recordPath)
  if (!recording.ok) return err({ exitCode: 2, message: recording.error })
  const note = recording.value?.note ?? ''
  if (note !== '') ports.printLine(note)
  const hub = new Hub({
    epoch: randomUUID(),
    program: {
      version: config.version,
      host: ports.host,
      readOnly: config.readOnly,
      openPod: config.openPod,
    },
    clock: systemClock,
  })
  const logs = new OpenLogs({ folder: config.dataFolder, clock: systemClock, log: ports.log })
  const own: { cluster: OpenCluster | undefined } = { cluster: undefined }
  const { cluster: ofConfig } = config
  const server = new SessionServer({
    hub,
    log: ports.log,
    loadState: async (deps) => {
      if (ofConfig.kind !== 'sandbox') return undefined
      const { StateCommands } = await import('./state/state-commands.ts')
      const open = (again: SandboxConfig): Promise<Result<OpenCluster, string>> =>
        openFirstSandbox(again, { ...ports, recording: undefined })
      return new StateCommands({
        ...deps,
        own,
        open,
        config: { ...config, cluster: ofConfig },
        log: ports.log,
      })
    },
    saveFile: ports.saveFile,
    loadScenarios: async (deps) => {
      const { Scenarios } = await import('./scenarios/scenarios.ts')
      return new Scenarios({ ...ports, ...deps, ...config })
    },
    chooseFiles: ports.chooseFiles,
    logs,
    loadSeenClusters: async (deps) => {
      const { SeenClusters } = await import('./seen/seen-clusters.ts')
      return new SeenClusters({ ...ports, ...deps, config })
    },
  })
  const opened = await openCluster(config, { ...ports, recording: recording.value }, server)
  if (!opened.ok) {
    await recording.value?.abandon()
    return opened
  }
  const cluster = opened.value
  // The server has and closes those of kubeconfigs.
  own.cluster = config.cluster.kind === 'look' ? undefined : cluster
  if (own.cluster !== undefined) server.add(own.cluster)
  const read = await openLogs(logs, config.kubeletLogs ?? [])
  if (!read.ok) {
    await Promise.all([own.cluster?.stop(), server.stop()])
    return err({ exitCode: 2, message: read.error.message })
  }
  return ok({
    channel: server,
    facts: cluster?.facts ?? [],
    refused: cluster?.refused,
    stop: async () => {
      hub.stop()
      // The cluster does not wait for the scenarios: its Node may have to be updated before the exit.
      const ended = await Promise.allSettled([own.cluster?.stop(), server.stop()])
      for (const one of ended) if (one.status === 'rejected') throw one.reason
    },
  })
}
