import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { podQosClass } from '../../../src/shared/kubernetes/qos.ts'
import { fakePod } from '../../../src/main/kubelet/pod/fake-pod.ts'
import { reportComparison, reportMissing } from '../comparison.ts'
import { startOracle, type Oracle } from './oracle.ts'

const found = await startOracle('functions', process.env)
const parameters = { seed: 20_261_122, numRuns: 500 }

afterAll(async () => {
  if ('missing' in found) {
    reportMissing('functions', found.missing)
    return
  }
  reportComparison('functions', `${found.asked} answers of the kubelet’s own functions`)
  await found.stop()
})

const amounts = fc.constantFrom('0', '100m', '0.1', '1', '1000m', '64Mi', '1Gi')
const lists = fc.dictionary(fc.constantFrom('cpu', 'memory', 'ephemeral-storage'), amounts)
const resources = fc.record({ requests: lists, limits: lists }, { requiredKeys: [] })
const containers = fc
  .array(resources, { minLength: 1, maxLength: 3 })
  .map((all) => all.map((each, index) => ({ name: `c${index}`, image: 'i', resources: each })))

describe.skipIf('missing' in found)('answers as the kubelet’s own functions', () => {
  let oracle: Oracle
  beforeAll(() => {
    if ('missing' in found) throw new Error('skipped without it')
    oracle = found
  })

  it('QoS class', { timeout: 60_000 }, async () => {
    const pods = fc
      .record({ containers, initContainers: containers })
      .map((spec) => fakePod({ uid: 'u', name: 'p', namespace: 'default', spec }))
    await fc.assert(
      fc.asyncProperty(pods, async (pod) => {
        expect(podQosClass(pod)).toBe(await oracle.ask('qosClass', pod))
      }),
      parameters,
    )
  })
})
