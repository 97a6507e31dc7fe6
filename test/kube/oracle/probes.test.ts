import { expect, it } from 'vitest'
import type { JsonObject } from '../../../src/shared/json.ts'
import { hookedPod, hookOnce, podIP, probedPod, probeOnce } from '../../pod-network/ask.ts'
import { networkCases } from '../../pod-network/cases.ts'
import { describeOracle } from './oracle-suite.ts'

interface Answer {
  readonly result: string
  readonly events: readonly string[]
}

const counted = { probes: 0, hooks: 0 }

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
    title: 'probes and hooks',
    summary: () => `${counted.probes} probes of small servers, ${counted.hooks} hooks`,
  },
  (oracle) => {
    it.each(Object.entries(networkCases))('a probe: %s', async (_name, networkCase) => {
      const { port, close } = await networkCase.serve()
      try {
        const pod = probedPod(networkCase, port)
        const { result, events } = (await oracle.ask('probe', { pod, podIP })) as Answer
        const ours = await probeOnce(pod)
        expect(comparable(ours, port)).toEqual(comparable({ result, events }, port))
        counted.probes++
      } finally {
        close()
      }
    })

    const hooks = Object.entries(networkCases).filter(
      // A hook has no timeout.
      ([, { handler, timeoutSeconds }]) => 'httpGet' in handler(1) && timeoutSeconds === undefined,
    )
    it.each(hooks)('a hook: %s', async (_name, networkCase) => {
      const { port, close } = await networkCase.serve()
      try {
        const pod = hookedPod(networkCase.handler(port), port)
        const { result, events } = (await oracle.ask('hook', { pod, podIP })) as Answer
        expect(comparable(await hookOnce(pod), port)).toEqual(comparable({ result, events }, port))
        counted.hooks++
      } finally {
        close()
      }
    })

    const exec = { exec: { command: ['sh', '-c', 'echo "$A"'] } }
    it.each<[string, JsonObject, object?]>([
      ['a command', exec],
      ['a command that fails', exec, { ends: 'exit', code: 3, output: 'some "text"\n' }],
      ['a command that cannot run', exec, { ends: 'error', output: 'no such container' }],
      ['no time to sleep', { sleep: { seconds: 0 } }],
      ['a TCP connection', { tcpSocket: { port: 80 } }],
      ['a TCP connection to a name', { tcpSocket: { port: 'web', host: 'h' } }],
      ['nothing', {}],
    ])('a hook: %s', async (_name, hook, end) => {
      const pod = hookedPod(hook, 80)
      const commands = end === undefined ? [] : [end]
      const { result, events } = (await oracle.ask('hook', { pod, podIP, commands })) as Answer
      expect(await hookOnce(pod, end)).toEqual({ result, events })
      counted.hooks++
    })
  },
)
