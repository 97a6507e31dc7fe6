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

/** The response, or the refusal as a value. */
export function answerOf(answer: Promise<unknown>): Promise<unknown> {
  return answer.catch((error: unknown) => {
    if (error instanceof Refusal) return error
    throw error
  })
}

/** A function of Nodescope and the same one of the kubelet. */
export interface ComparedFunction<T> {
  /** The oracle's function. */
  readonly ask: string
  readonly values: fc.Arbitrary<T>
  /** May be a promise, if the oracle has to normalize the result. */
  readonly ours: (value: T) => unknown
  /** The oracle's argument; default: the value. */
  readonly asked?: (value: T) => unknown
  /** Converts its response to the form of `ours`; a refusal is a value. */
  readonly theirs?: (answer: unknown, value: T) => unknown
  /** How many values. */
  readonly count: number
}

/** Number of values in one run of fast-check: concurrent requests to the oracle are faster. */
const together = 25

/** Compares the results for many random values; returns their number. */
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
