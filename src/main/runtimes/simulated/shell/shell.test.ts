import { describe, expect, it } from 'vitest'
import type { CommandCase } from '../../../../../test/commands/command-cases.ts'
import { commandCases, killAfter } from '../../../../../test/commands/command-cases.ts'
import { outputCases } from '../../../../../test/commands/output-cases.ts'
import { fakeShell } from '../process/fake-container.ts'

async function run(one: CommandCase, shell: string): Promise<unknown> {
  const container = fakeShell(one.script, shell)
  if (one.term === undefined) await container.seconds(10)
  else {
    await container.seconds(one.term)
    container.process.terminate()
    await container.seconds(killAfter)
    container.process.kill()
  }
  expect(container.unreadable).toEqual([])
  return {
    exitCode: container.exit?.exitCode,
    at: Math.round(container.exit?.at ?? Number.NaN) / 1000,
    timersLeft: container.clock.pendingTimers,
  }
}

describe('the shells, as in the table of commands', () => {
  for (const dialect of ['sh', 'bash'] as const) {
    const cases = commandCases.filter((one) => one.only === undefined || one.only === dialect)
    it.for(cases)(`${dialect} -c: $script (SIGTERM at $term: $exitCode at $at)`, async (one) => {
      const { exitCode, at } = one
      expect(await run(one, dialect)).toEqual({ exitCode, at, timersLeft: 0 })
    })
  }
})

describe('the output of scripts, as in its table', () => {
  it.for(outputCases)('$script', async ({ script, ...expected }) => {
    const container = fakeShell(`cd /tmp\n${script}`, 'sh', { hasOutput: true })
    await container.seconds(5)
    const { output, unreadable } = container
    expect(unreadable).toEqual([])
    expect({ ...output, exitCode: container.exit?.exitCode }).toEqual(expected)
  })
})
