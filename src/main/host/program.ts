import { join } from 'node:path'
import type { Result } from '../../shared/result.ts'
import type { Log } from '../kubelet/ports.ts'
import { exhibits } from '../museum/exhibits.ts'
import { Museum } from '../museum/museum.ts'
import type { Parsers } from '../parsing/kubernetes-text.ts'
import type { Assets } from '../session/assets.ts'
import type { RunningSession } from '../session/session-channel.ts'
import { startSession } from '../session/start-session.ts'
import type { Config, Exit } from './config.ts'
import { readEnvironment } from './config.ts'
import { copyExampleManifests } from './example-manifests.ts'
import { createLog, fileSink, terminalSink } from './program-log.ts'
import { printLine, printTrouble } from './terminal.ts'

/** The log of a host: a file in the data folder, and the terminal for what matters there. */
export function programLog(config: Config): Log {
  return createLog({
    sinks: [fileSink(join(config.dataFolder, 'nodescope.log')), terminalSink(process.stderr)],
    now: Date.now,
  })
}

/** One line for the terminal: `kubeconfig PATH`. */
export type Fact = RunningSession['facts'][number]

/** What is said when a start fails in a way that nobody foresaw. */
export function cannotStart(error: unknown): Exit {
  const reason = error instanceof Error ? error.message : String(error)
  return { exitCode: 1, message: `Nodescope cannot start: ${reason}.` }
}

/** Starts all that lies behind a host. The data folder must be held already. */
export async function startProgram(
  config: Config,
  ports: {
    readonly log: Log
    readonly assets: Assets
    readonly parsers: Parsers
    readonly host: 'electron' | 'web'
  },
): Promise<Result<RunningSession, Exit>> {
  for (const note of config.notes) printTrouble(note)
  if (config.hasOwnManifests) await copyExampleManifests(ports.assets, config.manifestsPath)
  const museum = new Museum(exhibits, {
    folder: join(config.dataFolder, 'gotchas'),
    version: config.version,
    log: ports.log,
  })
  const session = await startSession(config, {
    ...ports,
    museum,
    tell: printLine,
    environment: readEnvironment(),
  })
  if (session.ok) ports.log.info('started', { version: config.version, host: ports.host })
  return session
}
