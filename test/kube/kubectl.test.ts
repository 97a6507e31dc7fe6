import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, it, type ExpectStatic } from 'vitest'
import { findKubectls, programAt, type KubectlProgram } from '../kubectl/kubectl-programs.ts'
import type { TextDifference } from './commands/command.ts'
import { readingCommands } from './commands/reading.ts'
import { referenceCommands } from './commands/references.ts'
import { removingCommands } from './commands/removing.ts'
import { serverCommands } from './commands/server.ts'
import { outcomesOf, type Outcome } from './commands/session.ts'
import { writingCommands } from './commands/writing.ts'
import { reportComparison, reportMissing } from './comparison.ts'
import { findPart, partNamed } from './parts.ts'
import { startRealServer, startSandboxServer, type ServerUnderTest } from './servers.ts'

// kubectl on the sandbox and, if it is installed, on a real kube-apiserver: the same
// commands in the same run, exit codes and both outputs compared.

const scenarios = [
  ...readingCommands,
  ...writingCommands,
  ...removingCommands,
  ...referenceCommands,
  ...serverCommands,
]

/** The kubectl of the real server's version, else the newest one. */
async function chooseKubectl(): Promise<KubectlProgram | undefined> {
  const built = await findPart(partNamed('kubectl'), process.env)
  if (built !== undefined) return programAt(built)
  return (await findKubectls(process.env)).at(-1)
}

const program = await chooseKubectl()
const totals = { commands: 0, compared: 0, explained: 0 }

function isExplained(line: string, differs: readonly TextDifference[] | undefined): boolean {
  return (differs ?? []).some(({ lines }) => lines.test(line))
}

/** Without the lines that are known to differ. */
function rest(text: string, differs: readonly TextDifference[] | undefined): string {
  const lines = text.split('\n')
  return lines.filter((line) => !isExplained(line, differs)).join('\n')
}

function comparable({ command, code, stdout, stderr }: Outcome): unknown {
  const { line, differs } = command
  return { line, code, stdout: rest(stdout, differs), stderr: rest(stderr, differs) }
}

function textOf({ stdout, stderr }: Outcome): string {
  return `${stdout}${stderr}`
}

function expectAsListed(
  expect: ExpectStatic,
  outcomes: readonly Outcome[],
  namespace: string,
): void {
  for (const outcome of outcomes) {
    const { command, code, stdout, stderr } = outcome
    expect.soft({ line: command.line, code, stdout, stderr }).toMatchObject({ code: command.code })
    const { prints } = command
    if (prints === undefined) continue
    const wanted = new RegExp(prints.source.replaceAll('<ns>', namespace), prints.flags)
    expect.soft(textOf(outcome), command.line).toMatch(wanted)
  }
}

function expectSame(
  expect: ExpectStatic,
  ours: readonly Outcome[],
  theirs: readonly Outcome[],
): void {
  expect(ours).toHaveLength(theirs.length)
  for (const [index, own] of ours.entries()) {
    const other = theirs[index]
    if (other === undefined) throw new Error('as many outcomes on both servers')
    expect.soft(comparable(own)).toEqual(comparable(other))
    totals.compared++
    for (const { lines, why } of own.command.differs ?? []) {
      const taken = (outcome: Outcome): unknown =>
        textOf(outcome)
          .split('\n')
          .filter((line) => lines.test(line))
      expect
        .soft(taken(own), `${own.command.line} no longer differs (${why})`)
        .not.toEqual(taken(other))
      totals.explained++
    }
  }
}

describe.runIf(program !== undefined)(
  `kubectl ${program?.version ?? ''}`,
  { timeout: 300_000 },
  () => {
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
        `${totals.compared} commands on both servers, ${totals.explained} differences explained`,
      )
    })

    it.concurrent.for(scenarios)('$title', async (scenario, { expect }) => {
      if (program === undefined) throw new Error('tests run only where a kubectl is')
      const namespace = `commands-${scenarios.indexOf(scenario)}`
      const on = (server: ServerUnderTest): Promise<readonly Outcome[]> =>
        outcomesOf(scenario, { server, namespace, program, folder })
      const [ours, theirs] = await Promise.all([on(sandbox), 'missing' in real ? [] : on(real)])
      expectAsListed(expect, ours, namespace)
      if ('missing' in real) return
      expectAsListed(expect, theirs, namespace)
      expectSame(expect, ours, theirs)
    })

    it('logged nothing in the sandbox', ({ expect }) => {
      expect(sandbox.logged).toEqual([])
    })
  },
)
