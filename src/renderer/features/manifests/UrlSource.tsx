import type { ReactNode } from 'react'
import type { SourceProblem } from '../../../shared/model/cluster-view.ts'
import type { ManifestsView } from '../../../shared/model/manifests.ts'
import { shownNode, shownNodeId } from '../../store/shown-node.ts'
import { useAppState, useIsThere, useShownTicking } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { Glyph } from '../../ui/signs/Glyph.tsx'
import { Note } from '../../ui/Note.tsx'
import { lastingText, secondsLeft } from '../../words/time.ts'
import styles from './UrlSource.module.css'

const words = text.manifests.url

type Url = NonNullable<ManifestsView['url']>

function Polls({ url }: { readonly url: Url }): ReactNode {
  const { polledAt, nextPollAt } = url
  const said = useShownTicking((now) => {
    if (polledAt === null) return words.notPolled
    const next = nextPollAt === null ? '' : words.nextPoll(secondsLeft(nextPollAt, now))
    return words.polled(lastingText(now - polledAt), next)
  }, '')
  return <span className={styles['polls']}>{said}</span>
}

function PodLine({ pod }: { readonly pod: Url['pods'][number] }): ReactNode {
  const showMirror = useAppState((state) => state.showMirror)
  const isHere = useIsThere(`${useAppState(shownNodeId)}/${pod.uid}`)
  const name = `${pod.namespace}/${pod.podName}`
  return (
    <li>
      {isHere ? (
        <button type="button" onClick={() => showMirror(pod.uid)} title={words.showMirror}>
          {name}
        </button>
      ) : (
        name
      )}
    </li>
  )
}

const noProblems: readonly SourceProblem[] = []

/** The problems of the last manifests; the last response does not repeat them while the content stays the same. */
function Problems(): ReactNode {
  const problems = useAppState(
    (state) =>
      shownNode(state)?.sources.find(({ source }) => source === 'http')?.problems ?? noProblems,
  )
  if (problems.length === 0) return null
  return (
    <Note variant="error" icon="error" isAlert>
      {problems.map((problem) => (
        <p key={problem.message}>
          {text.manifests.list.place(problem.line, problem.column)}
          {problem.message}
        </p>
      ))}
    </Note>
  )
}

/** The HTTP source, if there is one: its last response and its pods. Read-only. */
export function UrlSource({ url }: { readonly url: Url }): ReactNode {
  return (
    <section className={styles['source']} aria-label={words.label}>
      <h2>
        <Glyph name="http" className={styles['http']} />
        {words.title}
      </h2>
      <p className={styles['address']}>{url.url}</p>
      <p className={styles['answer']}>
        {url.lastAnswer === '' ? words.noAnswer : url.lastAnswer} <Polls url={url} />
      </p>
      {url.pods.length === 0 ? (
        <p className={styles['none']}>{words.noPods}</p>
      ) : (
        <ul>
          {url.pods.map((pod) => (
            <PodLine key={pod.uid} pod={pod} />
          ))}
        </ul>
      )}
      <Problems />
      <p className={styles['none']}>{words.rule}</p>
    </section>
  )
}
