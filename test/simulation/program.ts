// `npm run simulate`: runs simulations and prints their results; see scripts/simulate.mjs.
import type { TraceEvent } from '../../src/shared/model/trace-event.ts'
import { simulate } from './simulation.ts'
import { eventText, failureText, resultText } from './report.ts'
import { simulationArguments } from './arguments.ts'

const parsed = simulationArguments(process.argv.slice(2), Date.now())
if (!parsed.ok) {
  process.stderr.write(`${parsed.error}\n`)
  process.exit(2)
}
const { seed, runs, about, ...options } = parsed.value
const onEvent = (event: TraceEvent): void => {
  const { subject } = event
  if ('name' in subject && subject.name === about) process.stdout.write(`${eventText(event)}\n`)
}
let failed = 0
for (let run = 0; run < runs; run++) {
  const startedAt = performance.now()
  const result = await simulate({ ...options, seed: seed + run, onEvent })
  const seconds = (performance.now() - startedAt) / 1000
  process.stdout.write(`${resultText(result, seconds)}\n`)
  if (result.violations.length === 0) continue
  failed++
  process.stdout.write(`${failureText(result)}\n`)
}
process.exit(failed === 0 ? 0 : 1)
