import { actOf } from './scenario-step.ts'
import type { ScenarioStep, StepActs } from './scenario-step.ts'
import { stepActs } from './step-acts.ts'
import type { StepPlace } from './step-acts.ts'

/** Why a step failed, and the field that it is about. */
export interface StepProblem {
  readonly field: string
  readonly message: string
}

/** Time passes in these alone; after all others what needs no time has happened. */
const takesTime: ReadonlySet<keyof StepActs> = new Set(['run', 'until', 'drain'])

function carryOut<K extends keyof StepActs>(
  place: StepPlace,
  name: K,
  step: ScenarioStep,
): Promise<string> {
  // actOf has found it.
  return stepActs[name](place, step[name] as StepActs[K])
}

/** The server's message about a patch holds the whole object. */
const longestMessage = 400

function clipped(message: string): string {
  return message.length <= longestMessage
    ? message
    : `${message.slice(0, longestMessage / 2)} … ${message.slice(-longestMessage / 2)}`
}

function outcome(step: ScenarioStep, refusal: string): string {
  const { refused } = step
  if (refused === undefined) return refusal
  if (refusal === '') return `it should have been refused with "${refused}", and was not.`
  return refusal.includes(refused)
    ? ''
    : `it should have been refused with "${refused}", and the answer is: ${refusal}`
}

/**
 * Carries the steps out, one after the other, while the clock stands or runs at full speed. Returns what the steps say, and why
 * it ended early.
 */
export async function runSteps(
  place: StepPlace,
): Promise<{ readonly said: readonly string[]; readonly problem: StepProblem | undefined }> {
  const said: string[] = []
  for (const [index, step] of (place.spec.steps ?? []).entries()) {
    if (step.say !== undefined) said.push(step.say)
    const act = actOf(step)
    if (act === undefined) continue
    const message = outcome(step, await carryOut(place, act, step))
    if (message !== '') {
      const field = `spec.steps[${index}]`
      return { said, problem: { field, message: `${field} (${act}) failed: ${clipped(message)}` } }
    }
    if (!takesTime.has(act)) await place.cluster.virtualClock.advance(0)
  }
  return { said, problem: undefined }
}
