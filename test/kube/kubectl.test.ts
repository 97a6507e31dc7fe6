import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { findKubectls, minorOf } from '../kubectl/kubectl-programs.ts'
import { chooseKubectl, expectAsListed, expectSame } from './commands/compare-outcomes.ts'
import { readingCommands } from './commands/reading.ts'
import { referenceCommands } from './commands/references.ts'
import { removingCommands } from './commands/removing.ts'
import { applyCommands } from './commands/applying.ts'
import { creatingCommands } from './commands/creating.ts'
import { customResourceCommands } from './commands/custom-resources.ts'
import { describeCommands } from './commands/describing.ts'
import { serverCommands } from './commands/server.ts'
import { outcomesOf, type Outcome } from './commands/session.ts'
import { writingCommands } from './commands/writing.ts'
import { reportComparison, reportMissing } from './comparison.ts'
import { startRealServer, startSandboxServer, type ServerUnderTest } from './servers.ts'

// kubectl on the sandbox and, if it is installed, on a real kube-apiserver: the same
// commands in the same run, exit codes and both outputs compared.

const scenarios = [
  ...readingCommands,
  ...writingCommands,
  ...removingCommands,
  ...referenceCommands,
  ...serverCommands,
  ...applyCommands,
  ...creatingCommands,
  ...describeCommands,
  ...customResourceCommands,
]

/** What older versions run: each way of reading, and what they send in other ways than newer ones. */
const representative = [...readingCommands, ...removingCommands]

const chosen = await chooseKubectl()
const found = await findKubectls(process.env)
// The real server's version runs everything; of the others the oldest and the newest are enough. By hand
// (NODESCOPE_KUBECTLS=all) each one runs everything.
const others = [found[0], found.at(-1)].filter((one) => one?.version !== chosen?.version)
const isEach = process.env['NODESCOPE_KUBECTLS'] === 'all'
const programs = isEach ? found : [chosen, ...new Set(others)].filter((one) => one !== undefined)
const totals = { compared: 0, explained: 0 }

describe.runIf(programs.length > 0)('kubectl', { timeout: 300_000 }, () => {
  let folder = ''
  let sandbox: ServerUnderTest
  let real: Awaited<ReturnType<typeof startRealServer>>

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'nodescope-kubectl-'))
    sandbox = await startSandboxServer({})
    real = await startRealServer(process.env)
  }, 180_000)

  afterAll(async () => {
    await sandbox.stop()
    if ('stop' in real) await real.stop()
    await rm(folder, { recursive: true, force: true })
    if ('missing' in real) {
      reportMissing('kubectl', real.missing)
      return
    }
    reportComparison(
      'kubectl',
      `${totals.compared} commands of ${programs.map(({ version }) => version).join(', ')} on both servers, ${totals.explained} differences explained`,
    )
  })

  describe.each(programs)('$version', (program) => {
    const own = isEach || program === chosen ? scenarios : representative
    it.concurrent.for(own)('$title', async (scenario, { expect }) => {
      const namespace = `commands-${minorOf(program)}-${own.indexOf(scenario)}`
      const on = (server: ServerUnderTest): Promise<readonly Outcome[]> =>
        outcomesOf(scenario, { server, namespace, program, folder })
      const compared = 'missing' in real || scenario.onlySandbox !== undefined ? undefined : real
      const [ours, theirs] = await Promise.all([on(sandbox), compared && on(compared)])
      expectAsListed(expect, ours, namespace)
      if (theirs === undefined) return
      expectAsListed(expect, theirs, namespace)
      expectSame(expect, ours, theirs, totals)
    })
  })

  it('logged nothing in the sandbox', ({ expect }) => {
    expect(sandbox.logged).toEqual([])
  })
})
