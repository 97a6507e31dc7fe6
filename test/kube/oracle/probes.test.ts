import { expect, it } from 'vitest'
import { podIP, probedPod, probeOnce } from '../../pod-network/ask.ts'
import { networkCases } from '../../pod-network/cases.ts'
import { describeOracle } from './oracle-suite.ts'

let compared = 0

/** Of Go's client two timers end at once; which one it names is left to chance. */
const tooLate =
  /(context deadline exceeded|net\/http: request canceled(?: while waiting for connection)?)(?: \(Client\.Timeout exceeded while awaiting headers\))?/g

/** Without the version of Kubernetes, which a binary of the oracle does not have. */
function comparable(answer: unknown, port: number): unknown {
  const text = JSON.stringify(answer)
    .replaceAll(String(port), 'PORT')
    .replaceAll(/kube-(probe|lifecycle)\/[\d.]+/g, 'kube-$1')
    .replaceAll(tooLate, 'TOO LATE')
  return JSON.parse(text)
}

await describeOracle(
  {
    name: 'probes',
    subject: 'probes',
    title: 'probes over the network',
    summary: () => `${compared} probes of small servers`,
  },
  (oracle) => {
    it.each(Object.entries(networkCases))('%s', async (_name, networkCase) => {
      const { port, close } = await networkCase.serve()
      try {
        const pod = probedPod(networkCase, port)
        const { result, events } = (await oracle.ask('probe', { pod, podIP })) as {
          readonly result: string
          readonly events: readonly string[]
        }
        const ours = await probeOnce(pod)
        expect(comparable(ours, port)).toEqual(comparable({ result, events }, port))
        compared++
      } finally {
        close()
      }
    })
  },
)
