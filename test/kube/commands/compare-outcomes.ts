import type { ExpectStatic } from 'vitest'
import { findKubectls, programAt, type KubectlProgram } from '../../kubectl/kubectl-programs.ts'
import { findPart, partNamed } from '../parts.ts'
import type { Command, TextDifference } from './command.ts'
import type { Outcome } from './session.ts'

/** The kubectl of the real server's version, else the newest one. */
export async function chooseKubectl(): Promise<KubectlProgram | undefined> {
  const built = await findPart(partNamed('kubectl'), process.env)
  if (built !== undefined) return programAt(built)
  return (await findKubectls(process.env)).at(-1)
}

function isExplained(line: string, differs: readonly TextDifference[] | undefined): boolean {
  return (differs ?? []).some(({ lines }) => lines.test(line))
}

/** Without the lines that are known to differ. */
function rest(text: string, { differs, dependsOnTime, isUnordered }: Command): string {
  const lines = text
    .split('\n')
    .filter((line) => !isExplained(line, differs) && dependsOnTime?.test(line) !== true)
  return (isUnordered === true ? lines.toSorted() : lines).join('\n')
}

function comparable({ command, code, stdout, stderr }: Outcome): unknown {
  const { line } = command
  return { line, code, stdout: rest(stdout, command), stderr: rest(stderr, command) }
}

/** For reports that show no differences of objects: the first line that is not the same. */
function firstDifference(own: Outcome, other: Outcome): string {
  const lines = (outcome: Outcome): readonly string[] =>
    `exit ${outcome.code}\n${rest(outcome.stdout, outcome.command)}\n${rest(outcome.stderr, outcome.command)}`.split(
      '\n',
    )
  const [ours, theirs] = [lines(own), lines(other)]
  const longer = ours.length < theirs.length ? theirs : ours
  const at = longer.findIndex((_, index) => ours[index] !== theirs[index])
  const told = (line: string | undefined): string =>
    JSON.stringify(line)?.slice(0, 150) ?? 'nothing'
  return `${own.command.line} printed ${told(ours[at])}, on a real server ${told(theirs[at])}`
}

function textOf({ stdout, stderr }: Outcome): string {
  return `${stdout}${stderr}`
}

/** Each command has exited and printed as its scenario says. */
export function expectAsListed(
  expect: ExpectStatic,
  outcomes: readonly Outcome[],
  namespace: string,
): void {
  for (const outcome of outcomes) {
    const { command, code, stdout, stderr } = outcome
    const printed = `${command.line} printed ${JSON.stringify(textOf(outcome).slice(-150))}`
    expect.soft({ code, stdout, stderr }, printed).toMatchObject({ code: command.code })
    const { prints } = command
    if (prints === undefined) continue
    const wanted = new RegExp(prints.source.replaceAll('<ns>', namespace), prints.flags)
    expect.soft(textOf(outcome), command.line).toMatch(wanted)
  }
}

/** The same on both servers, but for the lines that are listed as different; counts them. */
export function expectSame(
  expect: ExpectStatic,
  ours: readonly Outcome[],
  theirs: readonly Outcome[],
  totals: { compared: number; explained: number },
): void {
  expect(ours).toHaveLength(theirs.length)
  for (const [index, own] of ours.entries()) {
    const other = theirs[index]
    if (other === undefined) throw new Error('as many outcomes on both servers')
    expect.soft(comparable(own), firstDifference(own, other)).toEqual(comparable(other))
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
