import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import packageJson from '../../../../package.json' with { type: 'json' }
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { systemClock } from '../../clock/system-clock.ts'
import type { Log } from '../../kubelet/ports.ts'
import type { RunningSession } from '../../session/session-channel.ts'
import type { Config, Exit } from '../config.ts'
import { readConfig } from '../config.ts'
import { endProcess } from '../end-process.ts'
import { removeLeftovers } from '../leftovers.ts'
import { openHost, startFailure, startProgram } from '../program.ts'
import type { Fact } from '../program.ts'
import { parserThreads } from '../../parsing/parser-thread.ts'
import { shippedAssets } from '../shipped-assets.ts'
import type { Shutdown } from '../shutdown.ts'
import { limitHeapGrowth } from '../heap-growth.ts'
import { exitWith, ignoreClosedOutput, printFact } from '../terminal.ts'
import { createToken } from './access.ts'
import { lastPort, rememberPort } from './last-port.ts'
import { findStaticFiles } from './static-files.ts'
import { WebServer } from './web-server.ts'

const builtFolder = resolve(import.meta.dirname, '..')

interface Started {
  readonly facts: readonly Fact[]
  readonly refused: RunningSession['refused']
}

/** Starts server and session. `shutdown` stops the started parts, also after a failure. */
async function start(config: Config, log: Log, shutdown: Shutdown): Promise<Result<Started, Exit>> {
  const server = new WebServer({
    port: config.port,
    preferredPort: lastPort(config.dataFolder),
    token: createToken(),
    files: await findStaticFiles(join(builtFolder, 'renderer')),
    clock: systemClock,
    log,
  })
  const address = await server.start()
  if (!address.ok) return err({ exitCode: 1, message: address.error })
  shutdown.add(() => server.stop())
  rememberPort(config.dataFolder, address.value, log)
  await removeLeftovers(config, { temporaryFolder: tmpdir(), log })
  const assets = shippedAssets(join(builtFolder, 'assets'))
  const parsers = parserThreads(join(builtFolder, 'main', 'parser.js'))
  const session = await startProgram(config, { log, assets, parsers, host: 'web' })
  if (!session.ok) return session
  shutdown.add(() => session.value.stop())
  server.serve(session.value.channel)
  const { facts, refused } = session.value
  return ok({ facts: [{ name: 'dashboard', value: address.value }, ...facts], refused })
}

async function run(config: Config): Promise<void> {
  const opened = openHost(config, 'web')
  if (!opened.ok) return exitWith({ exitCode: 1, message: opened.error.message })
  const { log, shutdown } = opened.value
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => void shutdown.run().then(() => endProcess(0)))
  const started = await start(config, log, shutdown).catch((error: unknown) =>
    err(startFailure(error)),
  )
  if (!started.ok) {
    await shutdown.run()
    return exitWith(started.error)
  }
  for (const fact of started.value.facts) printFact(fact)
  void started.value.refused?.then(async (exit) => {
    await shutdown.run()
    exitWith(exit)
  })
}

limitHeapGrowth()
ignoreClosedOutput()
const config = readConfig(process.argv.slice(2), packageJson.version)
if (!config.ok) exitWith(config.error)
else if (config.value.criSocketPath === null) await run(config.value)
else {
  // Loaded only here: gRPC is a third of the program.
  const { runCri } = await import('../run-cri.ts')
  await runCri(config.value, config.value.criSocketPath)
}
