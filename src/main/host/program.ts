import { join } from 'node:path'
import { ok } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'
import type { Log } from '../kubelet/ports.ts'
import type { Assets } from '../session/assets.ts'
import type { RunningSession } from '../session/session-channel.ts'
import { startSession } from '../session/start-session.ts'
import type { StartError } from '../session/start-session.ts'
import type { Config } from './config.ts'
import { copyExampleManifests } from './example-manifests.ts'
import { createLog, fileSink, terminalSink } from './program-log.ts'

/** The log of a host: a file in the data folder, and the terminal for what matters there. */
export function programLog(config: Config): Log {
  return createLog({
    sinks: [fileSink(join(config.dataFolder, 'nodescope.log')), terminalSink(process.stderr)],
    now: Date.now,
  })
}

/** Starts all that lies behind a host. The data folder must be held already. */
export async function startProgram(
  config: Config,
  ports: { readonly log: Log; readonly assets: Assets; readonly host: 'electron' | 'web' },
): Promise<Result<RunningSession, StartError>> {
  if (config.hasOwnManifests) await copyExampleManifests(ports.assets, config.manifestsPath)
  const session = await startSession(config, ports)
  if (session.ok) ports.log.info('started', { version: config.version, host: ports.host })
  return session.ok ? ok(session.value) : session
}
