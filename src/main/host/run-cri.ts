import { serveCri } from '../cri/serve-cri.ts'
import type { Config } from './config.ts'
import { endProcess } from './end-process.ts'
import { createLog, terminalSink } from './program-log.ts'
import { exitWith, printFact } from './terminal.ts'
import { logUncaughtErrors } from './uncaught-errors.ts'

/** `--serve-cri`: a container runtime without a page and without a data folder, until a signal ends it. */
export async function runCri({ seed }: Config, socketPath: string): Promise<void> {
  const log = createLog({ sinks: [terminalSink(process.stderr)], now: Date.now })
  logUncaughtErrors(process, log)
  const served = await serveCri({ socketPath, seed: seed ?? Date.now() % 2 ** 32, log })
  if (!served.ok) return exitWith({ exitCode: 1, message: served.error })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      served.value.stop()
      void endProcess(0)
    })
  printFact({ name: 'cri', value: `unix://${socketPath}` })
}
