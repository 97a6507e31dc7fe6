import { join } from 'node:path'
import { ok } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'
import type { Log } from '../kubelet/ports.ts'
import type { Parsers } from '../parsing/kubernetes-text.ts'
import type { Assets } from '../session/assets.ts'
import type { SaveFile } from '../session/session-ports.ts'
import type { RunningSession } from '../session/session-channel.ts'
import { writeFirstManifests } from '../session/scenarios/first-run.ts'
import { startSession } from '../session/start-session.ts'
import type { Config, Exit } from './config.ts'
import { readEnvironment, writesOnExit } from './config.ts'
import type { DataFolder, DataFolderError } from './data-folder.ts'
import { openDataFolder } from './data-folder.ts'
import { applyStateOptions } from './state-options.ts'
import { createLog, fileSink, terminalSink } from './program-log.ts'
import { Shutdown } from './shutdown.ts'
import { printLine, printNotice, terminalQuestion } from './terminal.ts'
import { logUncaughtErrors } from './uncaught-errors.ts'

/** What both hosts need before the program starts. */
export interface HostParts {
  readonly dataFolder: DataFolder
  readonly log: Log
  readonly shutdown: Shutdown
}

/** Locks the data folder until the process exits, and opens the log in it. */
export function openHost(
  config: Config,
  host: 'electron' | 'web',
): Result<HostParts, DataFolderError> {
  const { dataFolder: path, isEphemeral } = config
  // LevelDB creates files that other users can read; ours are for this user alone.
  process.umask(0o077)
  const opened = openDataFolder({ path, isEphemeral, host })
  if (!opened.ok) return opened
  const dataFolder = opened.value
  process.on('exit', () => {
    dataFolder.release()
  })
  const sinks = [fileSink(join(path, 'nodescope.log')), terminalSink(process.stderr)]
  const log = createLog({ sinks, now: Date.now })
  logUncaughtErrors(process, log)
  const shutdown = new Shutdown(log, { writesOnExit: writesOnExit(config) })
  return ok({ dataFolder, log, shutdown })
}

/** One line for the terminal: `kubeconfig PATH`. */
export type Fact = RunningSession['facts'][number]

/** The message for an unexpected error during the start. */
export function startFailure(error: unknown): Exit {
  const reason = error instanceof Error ? error.message : String(error)
  return { exitCode: 1, message: `Nodescope cannot start: ${reason}.` }
}

/** Starts everything behind a host. The data folder must be locked. */
export async function startProgram(
  config: Config,
  ports: {
    readonly log: Log
    readonly assets: Assets
    readonly parsers: Parsers
    readonly host: 'electron' | 'web'
    readonly chooseFiles?: () => Promise<readonly string[]>
    readonly saveFile?: SaveFile
  },
): Promise<Result<RunningSession, Exit>> {
  for (const note of config.notes) printNotice(note)
  const applied = await applyStateOptions(config, ports.log)
  if (!applied.ok) return applied
  if (config.hasOwnManifests) await writeFirstManifests(ports.assets, config.manifestsPath)
  const session = await startSession(config, {
    ...ports,
    printLine,
    askYes: terminalQuestion(),
    environment: readEnvironment(),
  })
  if (session.ok) ports.log.info('started', { version: config.version, host: ports.host })
  return session
}
