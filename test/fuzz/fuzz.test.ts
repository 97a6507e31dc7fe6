import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { builtModule } from '../built-module.ts'
import { fuzzApi, fuzzLine } from './api-fuzz.ts'
import { fuzzManifests, manifestLine } from './manifest-fuzz.ts'

// One seed, so that a failure can be had again; `npm run fuzz` takes others, and more.
const seed = 1
let parser: Awaited<ReturnType<typeof builtModule>>

beforeAll(async () => {
  parser = await builtModule('parsing/parser-program.ts')
})

afterAll(() => {
  parser.remove()
})

describe('malicious input', () => {
  it('in 20,000 requests is answered in time, within limits and without findings', async () => {
    const report = await fuzzApi({
      seed,
      requests: 20_000,
      parserProgram: pathToFileURL(parser.path),
    })
    process.stdout.write(`${fuzzLine(report, seed)}\n`)
    expect(report.findings).toEqual([])
    expect(Number(report.statuses.get('201'))).toBeGreaterThan(100)
  }, 900_000)

  it('in 10,000 requests, most of users with few rights, gives no user more rights', async () => {
    const report = await fuzzApi({
      seed,
      requests: 10_000,
      enforcesRbac: true,
      parserProgram: pathToFileURL(parser.path),
    })
    process.stdout.write(`${fuzzLine(report, seed)}\n`)
    expect(report.findings).toEqual([])
    expect(Number(report.statuses.get('201'))).toBeGreaterThan(50)
    expect(Number(report.statuses.get('403'))).toBeGreaterThan(1000)
  }, 900_000)

  it('in 200 manifests gives a pod or an error message', async () => {
    const report = await fuzzManifests({
      seed,
      manifests: 200,
      parserProgram: pathToFileURL(parser.path),
    })
    process.stdout.write(`${manifestLine(report, seed)}\n`)
    expect(report.findings).toEqual([])
    expect(report.pods).toBeGreaterThan(10)
  }, 300_000)
})
