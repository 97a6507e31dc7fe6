import fc from 'fast-check'
import { expect } from 'vitest'
import { Refusal, type Oracle } from './oracle.ts'

/**
 * The parameters of an oracle's property: CI uses the same random values each time, so that it is as stable as what it
 * tests; NODESCOPE_ORACLE_SEED=random (or a number that a failure printed) draws others.
 */
export function oracleParameters<T>(numRuns: number): fc.Parameters<T> {
  const asked = process.env['NODESCOPE_ORACLE_SEED']
  if (asked === 'random') return { numRuns }
  return { numRuns, seed: asked === undefined ? 20_261_122 : Number(asked) }
}

/** The answer, or the refusal as a value. */
export function answerOf(answer: Promise<unknown>): Promise<unknown> {
  return answer.catch((error: unknown) => {
    if (error instanceof Refusal) return error
    throw error
  })
}

/** A function of ours and the same one of the kubelet. */
export interface ComparedFunction<T> {
  /** What the oracle is asked. */
  readonly ask: string
  readonly values: fc.Arbitrary<T>
  /** A promise where the oracle has to say how ours is written. */
  readonly ours: (value: T) => unknown
  /** What the oracle is asked with; the value itself where absent. */
  readonly asked?: (value: T) => unknown
  /** Its answer as ours says it; a refusal is a value. */
  readonly theirs?: (answer: unknown, value: T) => unknown
  /** How many values. */
  readonly count: number
}

/** How many values one question to fast-check holds: the oracle answers faster than it is asked one by one. */
const together = 25

/** Compares the answers to many random values; the count of them. */
export async function compareFunction<T>(
  oracle: Oracle,
  { ask, values, ours, asked, theirs, count }: ComparedFunction<T>,
): Promise<number> {
  let compared = 0
  const lists = fc.array(values, { minLength: 1, maxLength: together, size: 'max' })
  const single = async (value: T): Promise<void> => {
    const answer = await answerOf(oracle.ask(ask, asked === undefined ? value : asked(value)))
    expect(await ours(value)).toEqual(theirs === undefined ? answer : theirs(answer, value))
    compared++
  }
  await fc.assert(
    fc.asyncProperty(lists, async (list) => {
      await Promise.all(list.map(single))
    }),
    // Lists are half as long as they may be.
    oracleParameters(Math.ceil((2 * count) / together)),
  )
  return compared
}
