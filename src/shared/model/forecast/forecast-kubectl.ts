import { assertNever } from '../../assert-never.ts'
import type { ActFacts, ActForecast } from '../act.ts'
import type { Said } from './forecast-words.ts'

/** What kubectl would do instead, or the nearest to it. Pure. */
export function kubectlOf(said: Said): ActForecast['kubectl'] {
  const { act, facts, asked, grace } = said
  const pod = `-n ${facts.namespace} ${facts.name}`
  switch (act) {
    case 'kill':
      return facts.kind === 'static'
        ? {
            caption:
              'kubectl cannot do this: deleting the mirror leaves the containers running; it can watch',
            line: `kubectl get pod ${pod} -w`,
          }
        : {
            caption: 'kubectl has no kill; nearest, and it also removes the object',
            line: `kubectl delete pod ${pod} --grace-period=${grace.workerSeconds}`,
          }
    case 'evictByKubelet':
      return {
        caption: 'kubectl cannot ask a kubelet for this; it can show the events',
        line: `kubectl events -n ${facts.namespace} --for pod/${facts.name} --types=Warning`,
      }
    case 'evictThroughApi':
      return {
        caption:
          said.effect.answer.kind === 'refuses' && said.effect.answer.code === 429
            ? 'the same with kubectl; kubectl drain would ask again every 5 s'
            : 'the same with kubectl',
        line: evictionLine(facts, asked),
      }
    case 'delete':
      return {
        caption: 'the same with kubectl',
        line: `kubectl delete pod ${pod}${asked === null ? '' : ` --grace-period=${asked}`}`,
      }
    case 'forceDelete':
      return {
        caption: 'the same with kubectl',
        line: `kubectl delete pod ${pod} --grace-period=0 --force`,
      }
    case 'deleteMirror':
      return {
        caption:
          'the same with kubectl, which would otherwise wait for a name that is back at once',
        line: `kubectl delete pod ${pod}${asked === 0 ? ' --grace-period=0 --force' : ''} --wait=false`,
      }
    default:
      return assertNever(act, 'act')
  }
}

function evictionLine(facts: ActFacts, asked: number | null): string {
  const body = {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { namespace: facts.namespace, name: facts.name },
    ...(asked === null ? {} : { deleteOptions: { gracePeriodSeconds: asked } }),
  }
  return `echo '${JSON.stringify(body)}' | kubectl create --raw /api/v1/namespaces/${facts.namespace}/pods/${facts.name}/eviction -f -`
}
